// Compares two runs point by point: what became faster or slower?
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/compare/allow_list.hpp"
#include "suite/record/json_fwd.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

enum class Change {
  slower,
  failing,    ///< ok before, not now
  undecided,  ///< seems slower by more than the threshold, but the interval does not show it
  faster,
  fixed,  ///< ok now, not before
  within_noise,
  incomparable,  ///< not ok in both, without samples, or timed by different clocks
};
std::string_view to_string(Change change);

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

/// "lud n=240 variant=tiled;work_group=16 on DEVICE": what --filter and lists of known regressions go by.
std::string point_name(const MeasurementRow& row);

/// What counts as a change.
struct CompareRule {
  enum class Adjust { by_count, holm, none };
  double threshold = 0;  ///< 0.05: the whole interval lies beyond 5 %
  Adjust adjust = Adjust::by_count;
  std::size_t min_count = 1;  ///< fewer slower points are no regression
  bool only_best = false;     ///< baselines and re-measured best candidates
  std::string filter;         ///< a regular expression found in the point's name; empty: all
  AllowList allowed;
};

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
  bool paired = false;                     ///< both sides were measured by turns, in one run
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

/// Two devices of one run whose blocks were taken by turns: the times of one are paired with those of the
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

}  // namespace dwarfsweep
