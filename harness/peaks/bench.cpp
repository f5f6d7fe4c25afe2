#include "harness/peaks/bench.hpp"

#include <algorithm>
#include <vector>

#include "harness/statistics/quantile.hpp"

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
  Sample sample;
  launcher_.begin();
  launch();
  launcher_.finish();
  launcher_.collect(sample);
  return std::max(1.0, sample.kernels.back().ns);
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

}  // namespace dwarfsweep
