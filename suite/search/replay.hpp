// Searches of recorded spaces, many times over, and what they reach.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "suite/search/recorded_space.hpp"

namespace dwarfsweep {

struct ReplayRequest {
  std::vector<std::string> strategies;
  std::vector<std::size_t> evaluations;  ///< distinct points asked for, failed ones included
  std::size_t repeats = 100;
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

/// One strategy with one number of evaluations on one space, over all repeats.
struct ReplayResult {
  std::string space;
  std::string strategy;
  std::size_t repeats = 0;
  std::size_t evaluations = 0;
  double median_over_best = 0;  ///< the median of the best time found, over the best there is
  double within_2_percent = 0;  ///< the share of the repeats that came so near to the best there is
  double score = 0;             ///< see replay_score
};

/// By space, then strategy, then evaluations, as given. Random search is not drawn but computed exactly. The
/// same seed gives the same results, whatever the number of threads. Throws UsageError for unknown
/// strategies.
std::vector<ReplayResult> replay(const std::vector<RecordedSpace>& spaces, const ReplayRequest& request);

/// How much of what random search leaves to be gained a strategy gains, after Willemsen, Schoonhoven,
/// Filipovic, Tørring, van Nieuwpoort, van Werkhoven, "A methodology for comparing optimization algorithms
/// for auto-tuning", FGCS 159, 2024: the mean over t of
///
///     P(t) = (S(t) - F(t)) / (S(t) - optimum)
///
/// where t counts evaluations, failed ones included, F(t) is the mean over the repeats of the best time after
/// t evaluations, and S(t) its exact expectation for random search. t runs from where S comes down to the
/// median of all times to where it has covered 95 % of the way from there to the optimum, but not beyond the
/// evaluations that the strategy had. 0 is as good as random search, 1 the optimum at once; below 0 is worse
/// than random. While nothing but failures is known, the best is the slowest time there is.
double replay_score(const RecordedSpace& space, const std::vector<double>& mean_best);

/// A header, and a line for each result: space, strategy, repeats, evaluations, median_over_best,
/// within_2_percent (of 1), score.
std::string to_csv(const std::vector<ReplayResult>& results);
/// A table for reading.
std::string to_text(const std::vector<ReplayResult>& results);

}  // namespace dwarfsweep
