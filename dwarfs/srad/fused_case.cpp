// The variants fused and fused_rows: steps in one kernel, from one image to another; with flags all of them
// in one launch.
#include <algorithm>

#include "dwarfs/srad/image_case.hpp"
#include "dwarfs/srad/srad.hpp"
#include "dwarfs/sync.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::srad {
namespace {

bool covers_image(const Parameters& p) {
  return p.region.pixels() == p.pixels();
}

bool goes_along_rows(const Setup& setup) {
  return setup.string("variant") == "fused_rows";
}

// Strips of fused_rows have equal widths, so that no group has far less to do than the others.
std::size_t strip_of(const Setup& setup, const Parameters& p) {
  const std::size_t width = setup.size("vector_width");
  return goes_along_rows(setup) ? round_up(ceil_div(p.cols, ceil_div(p.cols, max_strip)), width) : width;
}

// With stores=auto two images that the caches do not hold are stored past them.
bool stores_past_caches(const Setup& setup, const Layout& layout) {
  if (!goes_along_rows(setup)) return false;
  if (setup.string("stores") != "auto") return setup.string("stores") == "streamed";
  const DeviceInfo& device = setup.device();
  return !device.capabilities.is_gpu && 2 * layout.cells() * sizeof(float) > device.global_cache_bytes;
}

bool uses_flags(const Setup& setup) {
  return goes_along_rows(setup) && setup.integer("work_group") == 1 &&
         covers_image(setup.input<SradInput>()->parameters()) &&
         groups_wait(setup.device(), setup.string("sync"));
}

class FusedCase final : public ImageCase {
 public:
  explicit FusedCase(const Setup& setup)
      : ImageCase(setup),
        along_rows_(goes_along_rows(setup)),
        uses_flags_(uses_flags(setup)),
        sums_next_(covers_image(p_)),
        strip_(strip_of(setup, p_)),
        columns_(ceil_div(p_.cols, strip_)),
        bands_(ceil_div(p_.rows, granularity_)),
        diffusion_(diffusion_kernel(setup)) {
    for (int i = 0; i < std::min(p_.iterations, 2); ++i) {
      images_[i] = allocate_image(i == 0 ? "even output" : "odd output", Role::output);
    }
    statistics_.allocate_sums(groups());
    if (uses_flags_) {
      team_words_ = workspace_.allocate<cl_uint>("team words", phase_claims + groups(), Role::scratch);
    }
  }

  void launch(Launcher& launcher) override {
    if (uses_flags_) return launch_all_steps(launcher);
    const std::size_t items = edge_ * edge_;
    const Range group = along_rows_ ? Range(1, items) : Range(items, 1);
    const Range global(round_up(columns_, group.sizes[0]), round_up(bands_, group.sizes[1]));
    statistics_.run(launcher, original_);
    for (int i = 0; i < p_.iterations; ++i) {
      const Buffer<float>& from = i == 0 ? original_ : images_[(i - 1) % 2];
      if (i > 0 && sums_next_) statistics_.run_speckle(launcher, groups());
      if (i > 0 && !sums_next_) statistics_.run(launcher, from);
      launcher.run(diffusion_, global, group, from, images_[i % 2], statistics_.speckle(), statistics_.sums(),
                   rows(), cols(), stride(), gain());
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const double pixels = pixel_iterations();
    if (uses_flags_) {
      const Work first = statistics_.work(1);
      return {{"diffusion", 8 * pixels + first.bytes, 44 * pixels + first.operations, pixels}, total_work()};
    }
    return {statistics_.work(sums_next_ ? 1 : p_.iterations),
            {"diffusion", 8 * pixels, (sums_next_ ? 44 : 40) * pixels, pixels},
            total_work()};
  }

 private:
  Kernel diffusion_kernel(const Setup& setup) {
    const ProgramChoices choices{strip_, sums_next_, stores_past_caches(setup, layout_)};
    const char* function = uses_flags_ ? "fused_steps" : along_rows_ ? "fused_rows" : "fused_columns";
    return setup.kernel(function, "diffusion",
                        macros_of(setup, setup.config, choices).allow_inter_group_sync(uses_flags_));
  }

  void launch_all_steps(Launcher& launcher) {
    launcher.fill<cl_uint>(team_words_, 0);
    launcher.run(diffusion_, std::min<std::size_t>(groups(), workspace_.device().capabilities.compute_units),
                 1, original_, images_[0], images_[p_.iterations > 1 ? 1 : 0], statistics_.speckle(),
                 statistics_.sums(), team_words_, static_cast<cl_uint>(p_.iterations),
                 static_cast<cl_uint>(columns_), static_cast<cl_uint>(groups()), rows(), cols(), stride(),
                 gain());
  }

  [[nodiscard]] const Buffer<float>& result() const override { return images_[(p_.iterations - 1) % 2]; }

  [[nodiscard]] std::size_t groups() const {
    const std::size_t items = edge_ * edge_;
    return along_rows_ ? columns_ * ceil_div(bands_, items) : ceil_div(columns_, items) * bands_;
  }

  bool along_rows_, uses_flags_;
  bool sums_next_;  // a step sums the image that it makes
  std::size_t strip_;
  std::size_t columns_, bands_;  // work-items that have something to do, in each direction
  Buffer<float> images_[2];
  Buffer<cl_uint> team_words_;
  Kernel diffusion_;
};

}  // namespace

std::unique_ptr<Case> make_fused_case(const Setup& setup) {
  return std::make_unique<FusedCase>(setup);
}

}  // namespace dwarfsweep::srad
