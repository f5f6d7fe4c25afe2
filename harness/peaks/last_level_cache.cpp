#include "harness/peaks/last_level_cache.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {
namespace {

// On the devices that were looked at, the step from cache to memory is a factor of 1.8 to 4 within two
// octaves, and memory alone varies by less than 1.3 from size to size.
constexpr double clearly_faster = 1.5;
constexpr std::size_t min_sizes = 6;

// Each rate as the median of itself and its neighbours, the last one no higher than the one before: one
// disturbed size moves the answer by a step at most.
std::vector<double> smoothed(const std::vector<double>& rates) {
  std::vector<double> smooth = rates;
  const std::size_t last = rates.size() - 1;
  for (std::size_t i = 1; i < last; ++i)
    smooth[i] = median(std::vector<double>{rates[i - 1], rates[i], rates[i + 1]});
  smooth[last] = std::min(rates[last], rates[last - 1]);
  return smooth;
}

}  // namespace

double last_level_cache_bytes(const std::map<double, double>& gb_per_s, double memory_gb_per_s) {
  if (gb_per_s.size() < min_sizes) return 0;
  std::vector<double> sizes;
  std::vector<double> rates;
  for (const auto& [bytes, rate] : gb_per_s) {
    sizes.push_back(bytes);
    rates.push_back(rate);
  }
  const double far_beyond = median(std::vector<double>(rates.end() - 3, rates.end()));
  const double memory = memory_gb_per_s > 0 ? std::min(memory_gb_per_s, far_beyond) : far_beyond;
  const std::vector<double> smooth = smoothed(rates);
  const auto slow = std::find_if(smooth.rbegin(), smooth.rend(),
                                 [&](double rate) { return rate > clearly_faster * memory; });
  if (slow == smooth.rbegin() || slow == smooth.rend()) return 0;
  return sizes[static_cast<std::size_t>(std::distance(slow, smooth.rend())) - 1];
}

}  // namespace dwarfsweep
