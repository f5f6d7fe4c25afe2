// The variants branches and halo: the two passes in kernels of their own.
#include "dwarfs/srad/image_case.hpp"
#include "dwarfs/srad/srad.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::srad {
namespace {

// `pass` is the kernel's name in reports; its function's name begins with the variant.
Kernel diffusion_kernel(const Setup& setup, const std::string& pass) {
  ProgramChoices choices;
  choices.strip = setup.size("vector_width");
  return setup.kernel(setup.string("variant") + "_" + pass, pass, macros_of(setup, setup.config, choices));
}

class TwoPassCase final : public ImageCase {
 public:
  explicit TwoPassCase(const Setup& setup)
      : ImageCase(setup),
        image_(allocate_image("output", Role::output)),
        differences_(workspace_.allocate<float>("differences", 4 * layout_.cells(), Role::scratch)),
        coefficients_(allocate_image("coefficients", Role::scratch)),
        diffusion_1_(diffusion_kernel(setup, "diffusion_1")),
        diffusion_2_(diffusion_kernel(setup, "diffusion_2")) {
    statistics_.allocate_sums(0);
  }

  void reset() override {
    ImageCase::reset();
    workspace_.copy(original_, image_);
  }

  void launch(Launcher& launcher) override {
    const Range group(edge_ / width_, edge_ / granularity_);
    const Range items(ceil_div(p_.cols, edge_) * group.sizes[0], ceil_div(p_.rows, edge_) * group.sizes[1]);
    const auto plane = static_cast<cl_ulong>(layout_.cells());
    for (int i = 0; i < p_.iterations; ++i) {
      statistics_.run(launcher, image_);
      launcher.run(diffusion_1_, items, group, image_, differences_, coefficients_, statistics_.speckle(),
                   rows(), cols(), stride(), plane);
      launcher.run(diffusion_2_, items, group, image_, differences_, coefficients_, rows(), cols(), stride(),
                   plane, gain());
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const double pixels = pixel_iterations();
    return {statistics_.work(p_.iterations),
            {"diffusion_1", 24 * pixels, 31 * pixels, pixels},
            {"diffusion_2", 28 * pixels, 9 * pixels, pixels},
            total_work()};
  }

 private:
  [[nodiscard]] const Buffer<float>& result() const override { return image_; }

  Buffer<float> image_, differences_, coefficients_;
  Kernel diffusion_1_, diffusion_2_;
};

}  // namespace

std::unique_ptr<Case> make_two_pass_case(const Setup& setup) {
  return std::make_unique<TwoPassCase>(setup);
}

}  // namespace dwarfsweep::srad
