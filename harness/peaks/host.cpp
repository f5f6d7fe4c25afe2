#include "harness/peaks/host.hpp"

#include <algorithm>
#include <vector>

#include "harness/device/clock.hpp"
#include "harness/run/workspace.hpp"
#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {

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

}  // namespace dwarfsweep
