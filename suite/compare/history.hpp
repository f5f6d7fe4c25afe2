// The results of earlier runs, and drifts that no comparison of two runs shows.
//
// A point that gets slower by 1 % every week is within noise, or below a threshold, every night. The folder
// of --history has a file, history.jsonl, with a line for each run: its id, its timestamp, and the median
// time of each of its points. Over the last `max_runs` runs of a point, each counted once, in the order of
// their timestamps:
//
// Its drift is the Theil-Sen slope of the logarithms over the number of the run, the median over all pairs of
// runs, times the span (Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of the
// American Statistical Association 63, 1968). Its interval follows from the distribution of Kendall's S
// without a trend, whose variance with ties is k (k - 1)(2k + 5)/18 - sum t (t - 1)(2t + 5)/18 (Kendall,
// "Rank Correlation Methods", 1975). A point drifts where the whole interval, at the confidence of one of as
// many points by Bonferroni's inequality, lies beyond the threshold. What differs between runs, and no
// interval from within a run can see, is the noise here. At least some ten runs are needed before anything
// can be found. The runs count as independent; a change that was found when it came, and stays, is a drift,
// too, until it is allowed (--allow), or a new folder is begun.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/compare/compare.hpp"

namespace dwarfsweep {

inline constexpr std::size_t max_runs = 60;

struct PastRun {
  std::string run_id;
  std::string timestamp;                ///< ISO 8601, UTC
  std::map<std::string, double> times;  ///< ns, by name of the point
};

/// What the history keeps of a run.
PastRun past_run_of(const RunData& run);

/// Adds the run to the history in the folder, made where it is missing, and returns all runs by timestamp. A
/// run that is there already is not added again. Throws InputError for a file that is no history, and
/// UsageError where it cannot be written.
std::vector<PastRun> keep_in_history(const std::filesystem::path& folder, const PastRun& run);

/// The interval of the factor by which a point's time has grown over all of its runs; empty where they are
/// too few for this confidence.
struct DriftInterval {
  double factor, low, high;
};
std::optional<DriftInterval> drift_of(const std::vector<double>& logs, double confidence);

/// Of the points of the last run that the rule's filter leaves.
std::vector<Drift> find_drifts(const std::vector<PastRun>& runs, const CompareRule& rule);

}  // namespace dwarfsweep
