// A comparison as JSON.
#include "suite/compare/compare.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

// JSON has another name for one change, which readers of its reports rely on.
std::string json_name(Change change) {
  return change == Change::fixed ? "mended" : std::string(to_string(change));
}

Json entry_of(const ComparedPoint& point) {
  Json entry = {{"name", point.name},
                {"change", json_name(point.change)},
                {"device", point.after->device},
                {"dwarf", point.after->dwarf},
                {"problem", point.after->problem},
                {"setting", point.setting},
                {"configuration", config_text(*point.after)},
                {"status_before", point.before->status},
                {"status_now", point.after->status},
                {"blocks_before", point.blocks_before},
                {"blocks_now", point.blocks_after}};
  if (point.before->median_ns) entry["before_ns"] = *point.before->median_ns;
  if (point.after->median_ns) entry["now_ns"] = *point.after->median_ns;
  if (point.ratio) {
    entry["ratio"] = point.ratio->ratio;
    entry["low"] = point.ratio->low;
    entry["high"] = point.ratio->high;  // null where a single measurement block gives no bound
  }
  if (!point.allowed.empty()) entry["allowed"] = point.allowed;
  return entry;
}

}  // namespace

Json to_json_report(const Comparison& comparison) {
  constexpr Change changes[] = {Change::slower, Change::failing,      Change::undecided,   Change::faster,
                                Change::fixed,  Change::within_noise, Change::incomparable};
  Json report;
  report["verdict"] = verdict_sentence(comparison);
  report["exit_status"] = comparison.exit_status();
  report["worse"] = comparison.is_worse();
  report["threshold"] = comparison.rule.threshold;
  report["adjust"] = comparison.adjusted ? "holm" : "none";
  report["confidence"] = comparison.confidence;
  report["paired"] = comparison.paired;
  report["differences"] = comparison.differences;
  report["only_before"] = comparison.only_before;
  report["only_after"] = comparison.only_after;
  for (const Change change : changes) report["counts"][json_name(change)] = comparison.count(change);
  report["points"] = Json::array();
  for (const ComparedPoint& point : comparison.points) report["points"].push_back(entry_of(point));
  report["drifts"] = Json::array();
  for (const Drift& drift : comparison.drifts) {
    report["drifts"].push_back({{"name", drift.name},
                                {"factor", drift.factor},
                                {"runs", drift.runs},
                                {"since", drift.since},
                                {"allowed", drift.allowed}});
  }
  report["notes"] = comparison.notes;
  report["next"] = comparison.next;
  return report;
}

}  // namespace dwarfsweep
