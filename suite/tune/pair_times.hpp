// Times of single runs, and the ratios of times taken one right after the other.
#pragma once

#include <vector>

#include "suite/tune/objective.hpp"

namespace dwarfsweep {

/// Of one run, by both clocks; 0: there is none.
struct RunTimes {
  double span_ns = 0;
  double wall_ns = 0;
  double joules = 0;  ///< where the objective has energy
};

/// ln(time of `other` / time of `own`): above 0 where `own` is the faster. By their spans where both have
/// one, else by their wall times: the two kinds never meet in one ratio.
double log_ratio(const RunTimes& other, const RunTimes& own);
/// The same of what the objective compares. Both: the mean of the logarithms of time and energy, so that
/// what is compared is their product, the energy-delay product.
double log_ratio(Objective objective, const RunTimes& other, const RunTimes& own);

/// A pair of samples, in random order.
struct PairTimes {
  RunTimes opponent;
  RunTimes own;
};

/// The medians of each kind; a kind that is missing anywhere is missing. Not of nothing.
RunTimes median_times(const std::vector<RunTimes>& all);

/// One measurement block: its log_ratios, in the order in which they were taken.
using LogRatios = std::vector<double>;

/// How much the ratio of one pair deviates: a standard deviation of its logarithm, followed over a whole
/// search.
///
/// The difference of two successive pairs of one block is below 0.954 standard deviations in half of all
/// cases, if it is Gaussian: the estimate rises by a factor with each difference above, and falls by it with
/// each below. So it settles at the median of what is seen, whatever a few disturbed samples look like, and
/// is a single number that a resumed search goes on with.
class PairNoise {
 public:
  /// Before anything was seen: 5 %, as on a desktop machine.
  explicit PairNoise(double deviation = 0.05) : deviation_(deviation) {}

  void add(const LogRatios& block);
  [[nodiscard]] double deviation() const { return deviation_; }

 private:
  double deviation_;
};

/// Centre and half-width of an interval, in logarithms.
struct LogInterval {
  double centre = 0;
  double error = 0;

  [[nodiscard]] double low() const { return centre - error; }
  [[nodiscard]] double high() const { return centre + error; }
};

/// The ratio that these pairs tell: the median of all, at 2.5 standard errors of a median, for it is looked
/// at after each block. The deviation of a pair is `noise`, or what the pairs themselves show where that is
/// more. Not of nothing.
LogInterval ratio_of(const std::vector<LogRatios>& blocks, double noise);

}  // namespace dwarfsweep
