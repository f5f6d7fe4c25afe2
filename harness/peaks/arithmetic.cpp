#include "harness/peaks/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/run/workspace.hpp"

namespace dwarfsweep {
namespace {

void keep_best(Peaks& peaks, const std::string& name, double rate) {
  peaks[name] = std::max(peaks[name], rate);
}

// Units per ns, where one loop of one work-item does `per_loop` units. Loops are doubled until a launch takes
// long enough.
double looped_rate(PeakBench& bench, const char* name, const PeakMacros& setting, std::size_t items,
                   double per_loop) {
  Workspace workspace(bench.session());
  const auto in = workspace.allocate<cl_uint>("in", 2, Role::input);
  const auto out = workspace.allocate<cl_uint>("out", items, Role::scratch);
  workspace.fill(in, cl_uint{0});
  Kernel kernel = workspace.kernel("peaks", setting.macros(), name, name);
  cl_uint loops = 16;
  const auto launch = [&] { bench.launcher().run(kernel, items, setting.group, in, out, loops); };
  (void)bench.once_ns(launch);
  // llvmpipe's limit on iterations per work-item is 65,535.
  while (loops < 32768 && bench.once_ns(launch) < PeakBench::long_enough_ns) loops *= 2;
  return per_loop * loops * static_cast<double>(items) / bench.time_ns(launch);
}

}  // namespace

// On a CPU, where a group is a loop on one core, a compiler may vectorise over the work-items, or interchange
// that loop with the kernel's own and keep all chains in memory. So groups of one work-item are tried as
// well.
void measure_arithmetic(PeakBench& bench, Peaks& peaks, int width) {
  constexpr double chains = 8;
  const auto rate = [&](const char* kernel, double operations) {
    const auto with_groups_of = [&](std::size_t group) {
      return looped_rate(bench, kernel, {width, group, 1}, group * bench.capabilities().compute_units * 32,
                         operations * chains * width);
    };
    const double grouped = with_groups_of(bench.group(256));
    return bench.capabilities().is_gpu ? grouped : std::max(grouped, with_groups_of(1));
  };
  const double floating = rate("multiply_add", 2);
  peaks[fmt::format("gflop_width_{}_per_s", width)] = floating;
  keep_best(peaks, "gflop_per_s", floating);
  keep_best(peaks, "gop_per_s", rate("integer", 2));
  keep_best(peaks, "logic_gop_per_s", rate("logic", 2));
}

void measure_local_memory(PeakBench& bench, Peaks& peaks) {
  const std::size_t group = bench.group(256);
  const std::size_t items = group * bench.capabilities().compute_units * 8;
  constexpr double bytes_per_loop = 8 * sizeof(cl_uint);
  for (const int stride : {1, 32}) {
    peaks[stride == 1 ? "local_gb_per_s" : "local_conflict_gb_per_s"] =
        looped_rate(bench, "local_read", {1, group, stride}, items, bytes_per_loop);
  }
}

}  // namespace dwarfsweep
