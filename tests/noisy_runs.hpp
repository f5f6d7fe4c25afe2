// Runs of many points whose true change is known, with the noise of real ones: for the calibration of
// compare.
//
// What the numbers are from: block medians of the reference runs nvidia-small, pocl-small and
// pocl-2core-small, of the points with six to eight blocks, logarithms, about each point's median (709
// points).
// - Scale: 1.48 times the median absolute deviation of a point's blocks has the quartiles 0.013, 0.028 and
//   0.049 on the H200, 0.034, 0.054 and 0.082 on the 16 cores, 0.024, 0.042 and 0.082 on the two: log-normal
//   about 0.04, with a standard deviation of 0.8 of the logarithm. Those blocks have three pairs; the five of
//   --plan ci make a median of independent samples 0.8 times as wide: 0.032.
// - Tails: 2 to 9 % of the blocks are beyond four times that, up to 0.9: 5 % of the blocks are slower by an
//   exponential of mean 0.1.
// - Correlation: r_1 over six blocks has the means -0.04, -0.15 and -0.07; about its own mean a series of n
//   blocks with correlation r shows r - (1 + 3 r) / n (Marriott and Pope, Biometrika 41, 1954), so that r is
//   0.18, 0.04 and 0.20: 0.2. It is no larger for quiet points.
// - Drift: what all points of a group (a dwarf on a device) share from round to round, by the covariance of
//   the medians of two halves of its points: a standard deviation of 0.01 at the median of the 21 groups, a
//   quarter of the points' noise, and in quiet groups none, with a correlation of about 0.4 between rounds.
//   Here 0.3 of a point's noise, and 0.6.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/statistics/random.hpp"
#include "suite/compare/rule.hpp"
#include "suite/compare/sides.hpp"

namespace dwarfsweep::test {

struct NoiseOfRuns {
  double scale = 0.032;      ///< median over points
  double spread = 0.8;       ///< of its logarithm
  double tail_share = 0.05;  ///< of blocks
  double tail_mean = 0.1;
  double correlation = 0.2;        ///< between successive blocks
  double drift = 0.3;              ///< of a point's noise
  double drift_correlation = 0.6;  ///< between successive rounds
};

/// Logarithms of block medians by point: `scales` has the noise of each; points of a group are neighbours.
inline std::vector<std::vector<double>> noisy_run(const NoiseOfRuns& noise, const std::vector<double>& scales,
                                                  std::size_t blocks, std::size_t group, Random& random) {
  std::vector<std::vector<double>> points(scales.size());
  std::vector<double> drift(blocks);
  for (std::size_t point = 0; point < points.size(); ++point) {
    if (point % group == 0) {
      double level = noise.drift * random.normal();
      const double kept = noise.drift_correlation;
      for (double& each : drift) {
        each = level;
        level = kept * level + noise.drift * std::sqrt(1 - kept * kept) * random.normal();
      }
    }
    double state = random.normal();
    for (std::size_t block = 0; block < blocks; ++block) {
      double value = scales[point] * (drift[block] + state);
      if (random.uniform01() < noise.tail_share) value -= noise.tail_mean * std::log(1 - random.uniform01());
      points[point].push_back(value);
      state =
          noise.correlation * state + std::sqrt(1 - noise.correlation * noise.correlation) * random.normal();
    }
  }
  return points;
}

inline std::vector<double> drawn_scales(const NoiseOfRuns& noise, std::size_t points, Random& random) {
  std::vector<double> scales;
  for (std::size_t i = 0; i < points; ++i)
    scales.push_back(noise.scale * std::exp(noise.spread * random.normal()));
  return scales;
}

/// As compare does it with two such runs.
inline std::vector<BlockLogs> compared_logs(const std::vector<std::vector<double>>& before,
                                            const std::vector<std::vector<double>>& after) {
  const auto inflation = [](const std::vector<std::vector<double>>& run) {
    std::vector<const std::vector<double>*> series;
    for (const std::vector<double>& logs : run) series.push_back(&logs);
    return variance_inflation(series);
  };
  const double inflation_before = inflation(before);
  const double inflation_after = inflation(after);
  std::vector<BlockLogs> points;
  for (std::size_t i = 0; i < before.size(); ++i)
    points.push_back({before[i], after[i], false, inflation_before, inflation_after});
  return points;
}

}  // namespace dwarfsweep::test
