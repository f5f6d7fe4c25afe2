// saxpy on a device.
#include <algorithm>

#include "dwarfs/saxpy/saxpy.hpp"
#include "harness/run/array_case.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::saxpy {
namespace {

// Vectors of a work-item: GROUPS groups for each unit have all of them.
std::size_t share_of(const Setup& setup, std::size_t n) {
  const std::size_t groups = setup.size("groups") * std::max(1U, setup.device().capabilities.compute_units);
  if (groups == 0) return setup.size("granularity");
  return ceil_div(n, groups * setup.size("work_group") * setup.size("vector_width"));
}

class SaxpyCase final : public ArrayCase {
 public:
  explicit SaxpyCase(const Setup& setup)
      : ArrayCase(setup),
        input_(setup.input<SaxpyInput>()),
        group_(static_cast<std::size_t>(group_items(setup.config))),
        n_(input_->y.size()),
        share_(share_of(setup, n_)),
        chunk_(setup.size("work_group") * share_ * setup.size("vector_width")),
        allocated_(setup.integer("padding") != 0 ? round_up(n_, chunk_) : n_),
        x_(input<float>("x", input_->x, {n_}, allocated_)),
        y_(updated<float>("y_in", input_->y, input_->result(), allocated_)),
        kernel_(setup.kernel("saxpy", "saxpy",
                             setup.macros()
                                 .define("GROUP_ITEMS", static_cast<std::int64_t>(group_))
                                 .define("SHARE", static_cast<std::int64_t>(share_)))) {}

  void launch(Launcher& launcher) override {
    launcher.run(kernel_, ceil_div(n_, chunk_) * group_, group_, input_->a, cl_ulong{n_}, x_, y_);
  }
  [[nodiscard]] std::vector<Work> work() const override {
    const auto n = static_cast<double>(n_);
    return {{"saxpy", 12 * n, 2 * n, n}, {"total", 12 * n, 2 * n, n}};
  }

 private:
  std::shared_ptr<const SaxpyInput> input_;
  std::size_t group_, n_, share_, chunk_, allocated_;
  Buffer<float> x_, y_;
  Kernel kernel_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<SaxpyCase>(setup);
}

}  // namespace dwarfsweep::saxpy
