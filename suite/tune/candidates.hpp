// The points of a search as its races and finals measure them: on a device, or on a synthetic one in a test;
// and the ratios of times taken one right after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/statistics/statistics.hpp"
#include "suite/record/record.hpp"
#include "suite/tune/objective.hpp"

namespace dwarfsweep {

/// Of one run, by both clocks; 0: there is none.
struct RunTimes {
  double span_ns = 0;
  double wall_ns = 0;
  double joules = 0;  ///< if the objective has energy
};

/// ln(time of `other` / time of `own`): above 0 if `own` is the faster. By their spans if both have
/// one, else by their wall times: the two kinds never meet in one ratio.
double log_ratio(const RunTimes& other, const RunTimes& own);
/// The same of what the objective compares. Both: the mean of the logarithms of time and energy, so that
/// what is compared is their product, the energy-delay product.
double log_ratio(Objective objective, const RunTimes& other, const RunTimes& own);

/// A pair of samples, in random order.
struct PairTimes {
  RunTimes reference;
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

/// Points are named by their index in the group; 0 is the baseline.
class Candidates {
 public:
  struct Block {
    std::size_t point = 0;
    std::size_t reference = 0;  ///< the point that it is paired with: the incumbent, in the end the baseline
    int pairs = 1;
    bool remeasured = false;  ///< taken when the search is over, to confirm what it has found
  };

  Candidates() = default;
  virtual ~Candidates() = default;
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  /// Builds, verifies and warms up the point, and takes one sample. Nothing if it fails.
  virtual std::optional<RunTimes> enter(std::size_t point) = 0;
  /// What a run of the point takes, by the device's counter; nothing if that does not report it.
  virtual std::optional<double> joules(std::size_t point) {
    (void)point;
    return std::nullopt;
  }
  /// A measurement block; if the objective has energy, with that of both. Empty if the point fails, or its
  /// reference does: `runs` says which; or if the time limit of the point is reached.
  virtual std::vector<PairTimes> measure(const Block& block) = 0;
  /// The point is not needed for now: its last output is verified. False if that is wrong.
  virtual bool leave(std::size_t point) = 0;
  /// Entered, and has not failed since.
  [[nodiscard]] virtual bool runs(std::size_t point) const = 0;
};

}  // namespace dwarfsweep
