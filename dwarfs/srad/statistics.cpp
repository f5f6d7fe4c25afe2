#include "dwarfs/srad/statistics.hpp"

#include <algorithm>
#include <bit>

#include "harness/run/setup.hpp"

namespace dwarfsweep::srad {
namespace {

// Of `region_sums`. The groups of a fused step, which write a pair of sums each, may be more.
constexpr std::size_t max_groups = 1024;

std::size_t speckle_group(const DeviceInfo& device) {
  return std::min<std::size_t>(max_statistics_group, std::bit_floor(device.capabilities.work_group_items));
}

std::size_t sums_group(const DeviceInfo& device) {
  return device.type == "cpu" ? 1 : speckle_group(device);
}

// These depend only on a point's layout: the points of one layout share a program, built once.
Kernel statistics_kernel(const Setup& setup, const Layout& layout, const std::string& function) {
  const Config config = setup.space.baseline().with("padding", layout.left > 0 ? 1 : 0);
  return setup.kernel(function, "statistics", macros_of(setup, config, {}));
}

}  // namespace

Macros macros_of(const Setup& setup, const Config& config, const ProgramChoices& choices) {
  const Layout layout(setup.input<SradInput>()->parameters(), config.integer("padding") == 1);
  const auto integer = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  return Macros(setup.space, config)
      .define("LEFT", integer(layout.left))
      .define("STRIP", integer(choices.strip))
      .define("SUM_NEXT", choices.sum_next ? 1 : 0)
      .define("STREAMED", choices.streamed ? 1 : 0)
      .define("STATISTICS_GROUP", integer(sums_group(setup.device())))
      .define("SPECKLE_GROUP", integer(speckle_group(setup.device())));
}

Statistics::Statistics(const Setup& setup, const Layout& layout)
    : workspace_(setup.workspace),
      input_(setup.input<SradInput>()),
      layout_(layout),
      sums_group_(sums_group(workspace_.device())),
      speckle_group_(speckle_group(workspace_.device())),
      region_groups_(
          std::min(input_->parameters().region.bottom - input_->parameters().region.top, max_groups)),
      speckle_(workspace_.allocate<float>("speckle", 4, Role::scratch)),
      region_sums_(statistics_kernel(setup, layout, "region_sums")),
      region_speckle_(statistics_kernel(setup, layout, "region_speckle")) {}

void Statistics::allocate_sums(std::size_t count) {
  sums_ = workspace_.allocate<cl_float2>("sums", std::max(count, region_groups_), Role::scratch);
}

void Statistics::reset() {
  workspace_.fill<float>(speckle_, input_->shift());
}

void Statistics::run(Launcher& launcher, const Buffer<float>& image) {
  const Region& region = input_->parameters().region;
  const cl_int4 ends = {{static_cast<cl_int>(region.top), static_cast<cl_int>(region.bottom),
                         static_cast<cl_int>(region.left), static_cast<cl_int>(region.right)}};
  launcher.run(region_sums_, region_groups_ * sums_group_, sums_group_, image, sums_,
               static_cast<cl_int>(layout_.rows), static_cast<cl_int>(layout_.stride), ends, speckle_);
  run_speckle(launcher, region_groups_);
}

void Statistics::run_speckle(Launcher& launcher, std::size_t count) {
  launcher.run(region_speckle_, speckle_group_, speckle_group_, sums_, speckle_, static_cast<cl_int>(count),
               static_cast<cl_float>(input_->parameters().region.pixels()));
}

Work Statistics::work(double times) const {
  const double pixels = static_cast<double>(input_->parameters().region.pixels()) * times;
  return {"statistics", 4 * pixels, 4 * pixels, pixels};
}

}  // namespace dwarfsweep::srad
