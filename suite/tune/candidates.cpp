#include "suite/tune/candidates.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
namespace {

// The median of |x - y| of two Gaussian values with standard deviation 1.
constexpr double median_difference = 0.954;

double median_of(const std::vector<RunTimes>& all, double RunTimes::*kind) {
  std::vector<double> values;
  for (const RunTimes& each : all) {
    if (each.*kind <= 0) return 0;
    values.push_back(each.*kind);
  }
  return median(values);
}

}  // namespace

double log_ratio(const RunTimes& other, const RunTimes& own) {
  const bool spans = other.span_ns > 0 && own.span_ns > 0;
  return spans ? std::log(other.span_ns / own.span_ns) : std::log(other.wall_ns / own.wall_ns);
}

double log_ratio(Objective objective, const RunTimes& other, const RunTimes& own) {
  if (objective == Objective::time) return log_ratio(other, own);
  const double energy = std::log(other.joules / own.joules);
  return objective == Objective::energy ? energy : (energy + log_ratio(other, own)) / 2;
}

RunTimes median_times(const std::vector<RunTimes>& all) {
  return {median_of(all, &RunTimes::span_ns), median_of(all, &RunTimes::wall_ns),
          median_of(all, &RunTimes::joules)};
}

void PairNoise::add(const LogRatios& block) {
  constexpr double step = 1.1;
  constexpr double min_deviation = 1e-4;
  for (std::size_t i = 1; i < block.size(); ++i) {
    const bool above = std::abs(block[i] - block[i - 1]) > median_difference * deviation_;
    deviation_ = std::max(min_deviation, above ? deviation_ * step : deviation_ / step);
  }
}

LogInterval ratio_of(const std::vector<LogRatios>& blocks, double noise) {
  constexpr double standard_errors = 2.5;
  constexpr double of_a_median = 1.2533;  // times that of a mean, of many Gaussian values
  std::vector<double> all;
  std::vector<double> differences;
  for (const LogRatios& block : blocks) {
    all.insert(all.end(), block.begin(), block.end());
    for (std::size_t i = 1; i < block.size(); ++i) differences.push_back(std::abs(block[i] - block[i - 1]));
  }
  constexpr std::size_t enough = 5;
  const double own = differences.size() < enough ? 0 : median(differences) / median_difference;
  const double pairs = static_cast<double>(all.size());
  const double widening = all.size() < 3 ? 1 : of_a_median;
  return {median(all), standard_errors * widening * std::max(noise, own) / std::sqrt(pairs)};
}

}  // namespace dwarfsweep
