// template on a device.
#include "dwarfs/template/input.hpp"
#include "harness/run/array_case.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace {

class TemplateCase final : public ArrayCase {
 public:
  explicit TemplateCase(const Setup& setup)
      : ArrayCase(setup),
        n_(setup.input<TemplateInput>()->x.size()),
        items_(ceil_div(n_, setup.size("granularity"))),
        x_(input<float>("x", setup.input<TemplateInput>()->x, {n_})),
        y_(output(setup.input<TemplateInput>()->y())),
        kernel_(setup.kernel("square", "square")) {}

  void launch(Launcher& launcher) override { launcher.run(kernel_, items_, {}, cl_ulong{n_}, x_, y_); }
  [[nodiscard]] std::vector<Work> work() const override {
    const auto n = static_cast<double>(n_);
    return {{"square", 8 * n, n, n}, {"total", 8 * n, n, n}};
  }

 private:
  std::size_t n_, items_;
  Buffer<float> x_, y_;
  Kernel kernel_;
};

}  // namespace

std::unique_ptr<Case> make_template_case(const Setup& setup) {
  return std::make_unique<TemplateCase>(setup);
}

}  // namespace dwarfsweep
