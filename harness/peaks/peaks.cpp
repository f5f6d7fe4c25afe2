#include "harness/peaks/peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/device/host.hpp"
#include "harness/peaks/bench.hpp"
#include "harness/run/workspace.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
namespace {

constexpr double max_total_ns = 150e6;  // of all samples of one value: a slow device gets fewer samples

}  // namespace

Macros PeakMacros::macros() const {
  return Macros()
      .define("VECTOR_WIDTH", vector_width)
      .define("GROUP", static_cast<std::int64_t>(group))
      .define("STRIDE", stride);
}

std::size_t PeakBench::group(std::size_t target) const {
  return std::min<std::size_t>(target, capabilities().work_group_items);
}

double PeakBench::once_ns(const std::function<void()>& launch) {
  constexpr int attempts = 3;
  double host_ns = 0;
  for (int i = 0; i < attempts; ++i) {
    Sample sample;
    launcher_.finish();
    launcher_.begin();
    const std::int64_t begin = now_ns();
    launch();
    launcher_.finish();
    host_ns = static_cast<double>(now_ns() - begin);
    launcher_.collect(sample);
    if (sample.fault.empty()) return std::max(1.0, sample.kernels.back().ns);
  }
  // The timestamps are invalid time and again: the host's clock sees the launch as well, and no rate too
  // high.
  return std::max(1.0, host_ns);
}

double PeakBench::time_ns(const std::function<void()>& launch) {
  std::vector<double> times;
  double spent = 0;
  for (int i = 0; i < samples && (i < 1 || spent < max_total_ns); ++i) {
    times.push_back(once_ns(launch));
    spent += times.back();
  }
  return median(times);
}

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

void measure_launches(PeakBench& bench, Peaks& peaks) {
  const std::size_t group = bench.group(256);
  Workspace workspace(bench.session());
  const auto out = workspace.allocate<cl_uint>("out", group, Role::scratch);
  Kernel empty = workspace.kernel("selftest", Macros(), "empty", "empty");
  bench.launcher().begin();
  const auto enqueue_and_time = [&](int launches, bool finish_each) {
    std::vector<double> times;
    for (int i = 0; i < PeakBench::samples + 1; ++i) {
      bench.launcher().finish();
      const std::int64_t begin = now_ns();
      for (int k = 0; k < launches; ++k) {
        bench.launcher().run(empty, group, group, out);
        if (finish_each) bench.launcher().finish();
      }
      bench.launcher().finish();
      const auto took_ns = static_cast<double>(now_ns() - begin);
      if (i > 0) times.push_back(took_ns / launches);  // the first warms up
    }
    return median(times);
  };
  peaks["launch_ns"] = enqueue_and_time(20, true);
  peaks["pipelined_launch_ns"] = enqueue_and_time(200, false);
  if (bench.session().timing().timer == Timer::device)
    peaks["empty_kernel_ns"] = bench.time_ns([&] { bench.launcher().run(empty, group, group, out); });
}

void measure_transfers(PeakBench& bench, Peaks& peaks) {
  Workspace workspace(bench.session());
  const std::uint64_t bytes = std::min<std::uint64_t>(64U << 20U, bench.capabilities().allocation_bytes / 2);
  const auto buffer = workspace.allocate<std::uint8_t>("transfer", bytes, Role::scratch);
  std::vector<std::uint8_t> host(bytes, 1);
  std::vector<double> up;
  std::vector<double> down;
  for (int i = 0; i < PeakBench::samples; ++i) {
    workspace.upload(host, buffer);
    up.push_back(static_cast<double>(workspace.take_upload_ns()));
    workspace.download(buffer, host);
    down.push_back(static_cast<double>(workspace.take_download_ns()));
  }
  peaks["upload_gb_per_s"] = static_cast<double>(bytes) / median(up);
  peaks["download_gb_per_s"] = static_cast<double>(bytes) / median(down);
}

Peaks measure_peaks(Session& session, std::chrono::milliseconds limit) {
  PeakBench bench(session, PeakBench::Clock::now() + limit);
  Peaks peaks;
  // What takes little time and every fraction of a peak needs comes first; large memories take their time.
  measure_launches(bench, peaks);
  for (const int width : {16, 1}) measure_arithmetic(bench, peaks, width);
  measure_bandwidths(bench, peaks);
  for (const int width : {4, 2, 8}) {
    if (bench.in_time()) measure_arithmetic(bench, peaks, width);
  }
  if (bench.in_time()) measure_transfers(bench, peaks);
  if (bench.in_time()) measure_local_memory(bench, peaks);
  return peaks;
}

const char* peak_of(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::integer:
      return "gop_per_s";
    case Arithmetic::logic:
      return "logic_gop_per_s";
    default:
      return "gflop_per_s";
  }
}

MeasuredCaches caches_of(const std::map<std::string, double>& peaks) {
  const auto value = [&](const char* name) {
    const auto found = peaks.find(name);
    return found == peaks.end() ? 0 : found->second;
  };
  return {static_cast<std::uint64_t>(value("last_level_cache_bytes")), value("read_gb_per_s")};
}

}  // namespace dwarfsweep
