// Compares two runs point by point: what became faster or slower?
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/space/error.hpp"
#include "suite/compare/rule.hpp"
#include "suite/record/record.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

/// A point (all its kernels together) that both runs have.
struct ComparedPoint {
  Change change = Change::incomparable;
  const MeasurementRow* before = nullptr;
  const MeasurementRow* after = nullptr;
  std::string name;              ///< "lud n=240 variant=tiled;work_group=16 on DEVICE": of no other point
  std::string setting;           ///< its label in tables: "granularity=4"
  std::optional<Speedup> ratio;  ///< old time over new time: above 1 is faster now
  std::size_t blocks_before = 0, blocks_after = 0;
  std::string allowed;  ///< the reason, where it is slower or failing and that is known
};

/// "lud n=240 variant=tiled;work_group=16 on DEVICE": the text that --filter and lists of known regressions
/// match.
std::string point_name(const MeasurementRow& row);

/// A drift over many runs, found in their history.
struct Drift {
  std::string name;   ///< of the point
  double factor = 1;  ///< new time over old time, over all of these runs
  std::size_t runs = 0;
  std::string since;  ///< timestamp of the first of them
  std::string allowed;
};

struct Comparison {
  std::vector<ComparedPoint> points;  ///< by change, then in the order of the old run
  std::size_t only_before = 0;        ///< points that only the old run has
  std::size_t only_after = 0;
  std::vector<std::string> differences;  ///< what else differs: host, device, driver, revision of the kernels
  CompareRule rule;
  double confidence = default_confidence;  ///< of each interval
  bool adjusted = false;                   ///< for the number of points
  bool paired = false;                     ///< both sides were measured alternately, in one run
  std::string pairs_command;               ///< of those: what measures them again; options may follow
  std::vector<Drift> drifts;
  std::vector<std::string> notes;  ///< of the allow list: what has expired, what is not needed
  std::vector<std::string> next;   ///< commands that would decide what is undecided

  [[nodiscard]] std::size_t count(Change change) const;
  /// Without those that are allowed.
  [[nodiscard]] std::size_t regressions(Change change) const;
  /// Something is slower, at least as many points as the rule asks for, or fails that did not, or drifts.
  [[nodiscard]] bool is_worse() const;
  /// 0 fine, 1 worse, 5 undecided.
  [[nodiscard]] int exit_status() const;
};

/// The two runs have no point in common. Exit status 3.
class NothingInCommon : public UsageError {
 public:
  using UsageError::UsageError;
};

/// The runs must outlive the comparison. Devices are matched by their identity, else by their name, else if
/// each run has only one. Throws NothingInCommon, and UsageError for a wrong rule.
Comparison compare_runs(const RunData& before, const RunData& after, const CompareRule& rule = {});

/// Two devices of one run whose blocks were taken alternately: the times of one are paired with those of the
/// other, by rounds.
Comparison compare_devices(const RunData& run, const std::string& before_id, const std::string& after_id,
                           const CompareRule& rule = {});

std::string to_text(const Comparison& comparison);
/// At most 60,000 characters, the summary first: what a comment on GitHub may hold is 65,536.
std::string to_markdown(const Comparison& comparison);
/// A test case for each point.
std::string to_junit(const Comparison& comparison);
Json to_json_report(const Comparison& comparison);

/// "2 slower and 1 failing of 18 points", the regression or why there is none: one sentence.
std::string verdict_sentence(const Comparison& comparison);
/// How the points were judged: intervals, adjustment, threshold.
std::string method_sentence(const Comparison& comparison);

/// The word as a shell takes it: in single quotes unless it is plain, and without control characters.
std::string shell_quoted(const std::string& word);

/// For each of the first few undecided points a sweep of that point alone with as many measurement blocks as
/// should suffice. Unless the comparison is `paired` it is to be run under the old driver and under the new
/// one.
std::vector<std::string> next_commands(const Comparison& comparison);

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
struct Growth {
  double factor;
  Interval interval;
};
std::optional<Growth> drift_of(const std::vector<double>& logs, double confidence);

/// Of the points of the last run that the rule's filter leaves.
std::vector<Drift> find_drifts(const std::vector<PastRun>& runs, const CompareRule& rule);

}  // namespace dwarfsweep
