// What a comparison says as a whole.
#include <fmt/format.h>

#include <algorithm>

#include "suite/compare/compare.hpp"
#include "suite/compare/decision.hpp"

namespace dwarfsweep {

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const auto& point) { return point.change == change; }));
}

std::size_t Comparison::regressions(Change change) const {
  return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [&](const auto& point) {
    return point.change == change && point.allowed.empty();
  }));
}

bool Comparison::is_worse() const {
  const std::size_t slower = regressions(Change::slower);
  const bool drifts_now =
      std::any_of(drifts.begin(), drifts.end(), [](const Drift& drift) { return drift.allowed.empty(); });
  // What fails is no noise that a minimum count would keep out.
  return (slower > 0 && slower >= rule.min_count) || regressions(Change::failing) > 0 || drifts_now;
}

int Comparison::exit_status() const {
  constexpr int undecided = 5;
  if (is_worse()) return 1;
  const auto judged = [](const ComparedPoint& point) { return point.change != Change::incomparable; };
  const bool any = std::any_of(points.begin(), points.end(), judged);
  // A run that could measure nothing passes no gate.
  const bool was_ok = std::any_of(points.begin(), points.end(),
                                  [](const ComparedPoint& point) { return point.before->status == "ok"; });
  return count(Change::undecided) > 0 || (!any && was_ok) ? undecided : 0;
}

std::string verdict_sentence(const Comparison& comparison) {
  const std::size_t slower = comparison.regressions(Change::slower);
  const std::size_t failing = comparison.regressions(Change::failing);
  if (comparison.is_worse()) {
    std::string text = fmt::format("Regression: {} slower, {} failing", slower, failing);
    if (!comparison.drifts.empty()) text += fmt::format(", {} drifting", comparison.drifts.size());
    return text + ".";
  }
  if (comparison.exit_status() != 0) {
    const std::size_t undecided = comparison.count(Change::undecided);
    if (undecided == 0) return "Undecided: no point was measured in both, by the same clock.";
    return fmt::format("Undecided: {} point{} need{} more measurement blocks.", undecided,
                       undecided == 1 ? "" : "s", undecided == 1 ? "s" : "");
  }
  if (slower > 0) {
    return fmt::format("No regression: {} slower, fewer than --min-count {}.", slower,
                       comparison.rule.min_count);
  }
  return "No regression.";
}

std::string method_sentence(const Comparison& comparison) {
  std::string text =
      fmt::format("Intervals are of old time over new time{}, at {:.6g} % each",
                  comparison.paired ? ", paired by measurement blocks" : "", 100 * comparison.confidence);
  if (comparison.adjusted) {
    text += fmt::format(
        ": adjusted by Holm's procedure, so that two unchanged runs show any change at all once in {:.0f} "
        "comparisons",
        1 / family_error);
  }
  if (comparison.rule.threshold > 0) {
    text += fmt::format("; slower is an interval that lies beyond {:.3g} % as a whole",
                        100 * comparison.rule.threshold);
  }
  return text + ".";
}

}  // namespace dwarfsweep
