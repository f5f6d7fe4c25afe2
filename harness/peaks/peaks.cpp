#include "harness/peaks/peaks.hpp"

#include "harness/peaks/arithmetic.hpp"
#include "harness/peaks/bandwidth.hpp"
#include "harness/peaks/host.hpp"

namespace dwarfsweep {

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
