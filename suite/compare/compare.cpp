#include "suite/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "harness/space/value.hpp"
#include "suite/compare/sides.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_commands = 5;

std::string with_commas(std::string text) {
  std::ranges::replace(text, ';', ',');
  return text;
}

// A part of the name that chooses the device: a list of selectors is split at commas.
std::string selector_of(const MeasurementRow& row) {
  return row.device.substr(0, row.device.find(','));
}

std::string command_for(const ComparedPoint& point, const Comparison& comparison) {
  const MeasurementRow& row = *point.after;
  const std::size_t blocks =
      blocks_to_decide(*point.ratio, comparison.rule.threshold,
                       std::min(point.blocks_before, point.blocks_after), comparison.confidence);
  const bool named = row.size != "custom" && row.size != "file";
  const std::string what = fmt::format(
      "--dwarf {} {} --plan baseline", shell_quoted(row.dwarf),
      named ? "--size " + shell_quoted(row.size) : "--problem " + shell_quoted(with_commas(row.problem)));
  const std::string which = "--set " + shell_quoted(with_commas(config_text(row)));
  const std::string how = fmt::format("--blocks {} --rounds {} --budget 0", blocks, blocks);
  if (comparison.paired) return fmt::format("{} {} {} {}", comparison.pairs_command, what, which, how);
  constexpr const char* then =
      "--no-device-figures  # with the old driver and with the new one; then compare these two";
  // The dwarf as plain C++ is no point of a space.
  if (row.device_type == "host")
    return fmt::format("dwarfsweep sweep {} --cpu-reference {} {}", what, how, then);
  return fmt::format("dwarfsweep sweep --device {} {} {} {} {}", shell_quoted(selector_of(row)), what, which,
                     how, then);
}

// The names of settings in tables, by dwarf, problem and configuration.
std::map<std::string, std::string> setting_labels(const std::vector<MeasurementRow>& rows) {
  std::map<std::string, std::string> labels;
  for (const SettingTable& table : arrange(rows).tables) {
    for (const Setting& setting : table.settings) {
      labels[table.dwarf + "|" + table.problem + "|" + setting.config] = setting.label;
    }
  }
  return labels;
}

bool was_not_run(const MeasurementRow& row) {
  return row.status == to_string(Status::not_run);
}

class Comparer {
 public:
  Comparer(const ComparedSide& before, const ComparedSide& after, const CompareRule& rule, bool paired)
      : before_(before), after_(after), settings_(setting_labels(before.run.measurements)) {
    result_.rule = rule;
    result_.paired = paired;
  }

  Comparison compare() {
    collect_points();
    decide_points();
    apply_allow_list();
    std::ranges::stable_sort(result_.points, {}, &ComparedPoint::change);
    return std::move(result_);
  }

 private:
  void collect_points() {
    std::set<std::string> wanted;
    if (result_.rule.only_best) {
      // Of either side: what was best before, and what is best now.
      wanted = best_names(before_);
      wanted.merge(best_names(after_));
    }
    std::optional<PointPattern> filter;
    if (!result_.rule.filter.empty()) filter.emplace(result_.rule.filter);
    std::map<std::string, int> uses;
    // In the order of the old run.
    for (const MeasurementRow& row : before_.run.measurements) {
      const std::string key = row.kernel == "total" ? before_.name(row) : "";
      if (key.empty() || before_.rows.at(key) != &row) continue;
      if (result_.rule.only_best && !wanted.contains(key)) continue;
      std::string name = point_name(row);
      if (filter && !filter->matches(name)) continue;
      const auto now = after_.rows.find(key);
      if (now == after_.rows.end()) {
        ++result_.only_before;
        continue;
      }
      if (uses[name]++ > 0) name += " " + row.device_id;
      ComparedPoint& point = result_.points.emplace_back();
      point.before = &row;
      point.after = now->second;
      point.name = std::move(name);
      prepare(point, key);
    }
    for (const auto& [key, row] : after_.rows) {
      if (!before_.rows.contains(key)) ++result_.only_after;
    }
  }

  void prepare(ComparedPoint& point, const std::string& key) {
    const MeasurementRow& row = *point.before;
    point.setting = settings_[row.dwarf + "|" + row.problem + "|" + config_text(row)];
    const bool was_ok = row.status == "ok";
    const bool is_ok = point.after->status == "ok";
    if (was_not_run(row) || was_not_run(*point.after)) {
      // Neither failed nor measured: incomparable.
    } else if (was_ok != is_ok) {
      point.change = was_ok ? Change::failing : Change::fixed;
    } else if (was_ok && row.timer == point.after->timer) {
      if (std::optional<BlockLogs> logs = logs_of(key, point)) {
        judged_.push_back(result_.points.size() - 1);
        logs_.push_back(std::move(*logs));
      }
    }
  }

  std::optional<BlockLogs> logs_of(const std::string& key, ComparedPoint& point) const {
    const auto old_blocks = before_.blocks.find(key);
    const auto new_blocks = after_.blocks.find(key);
    if (old_blocks == before_.blocks.end() || new_blocks == after_.blocks.end()) return std::nullopt;
    BlockLogs logs;
    if (result_.paired) {
      logs = pair_by_rounds(old_blocks->second, new_blocks->second);
      if (logs.before.empty()) return std::nullopt;
    } else {
      logs.before = old_blocks->second.logs;
      logs.after = new_blocks->second.logs;
      logs.inflation_before = before_.inflations.at(before_.ids.at(point.before->device_id));
      logs.inflation_after = after_.inflations.at(after_.ids.at(point.after->device_id));
    }
    point.blocks_before = logs.before.size();
    point.blocks_after = logs.after.size();
    return logs;
  }

  static BlockLogs pair_by_rounds(const PointBlocks& before, const PointBlocks& after) {
    BlockLogs logs;
    logs.paired = true;
    for (std::size_t i = 0; i < before.rounds.size(); ++i) {
      const auto same = std::ranges::find(after.rounds, before.rounds[i]);
      if (same == after.rounds.end()) continue;
      logs.before.push_back(before.logs[i]);
      logs.after.push_back(after.logs[static_cast<std::size_t>(same - after.rounds.begin())]);
    }
    return logs;
  }

  // What pairs leave of the drift: estimated from the differences themselves, of all points.
  void set_inflation_of_pairs() {
    std::vector<std::vector<double>> differences;
    for (const BlockLogs& logs : logs_) {
      std::vector<double>& each = differences.emplace_back();
      for (std::size_t i = 0; i < logs.before.size(); ++i) each.push_back(logs.before[i] - logs.after[i]);
    }
    std::vector<const std::vector<double>*> series;
    for (const std::vector<double>& each : differences) series.push_back(&each);
    const double inflation = variance_inflation(series);
    for (BlockLogs& logs : logs_) logs.inflation_before = logs.inflation_after = inflation;
  }

  void decide_points() {
    if (result_.paired) set_inflation_of_pairs();
    using Adjust = CompareRule::Adjust;
    const Adjust adjust = result_.rule.adjust;
    const Decision decision = decide(
        logs_, result_.rule.threshold,
        adjust == Adjust::holm || (adjust == Adjust::by_count && logs_.size() > max_unadjusted_points));
    result_.confidence = decision.confidence;
    result_.adjusted = decision.adjusted;
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      ComparedPoint& point = result_.points[judged_[i]];
      point.ratio = decision.ratios[i];
      point.change = judge(*point.ratio, result_.rule.threshold);
    }
  }

  void apply_allow_list() {
    const AllowList& list = result_.rule.allowed;
    std::set<int> needed;
    for (ComparedPoint& point : result_.points) {
      if (point.change != Change::slower && point.change != Change::failing) continue;
      for (const AllowedPoint* entry : list.matches(point.name)) {
        needed.insert(entry->line);
        if (list.has_expired(*entry)) {
          result_.notes.push_back(
              fmt::format("{}, line {}: expired on {}, so that this counts again: {} ({})", list.file,
                          entry->line, entry->until, point.name, entry->reason));
        } else if (point.allowed.empty()) {
          point.allowed = fmt::format("{} (until {})", entry->reason, entry->until);
        }
        if (!point.allowed.empty()) break;
      }
    }
    for (const AllowedPoint& entry : list.entries) {
      if (needed.contains(entry.line)) continue;
      result_.notes.push_back(fmt::format("{}, line {}: no point that '{}' matches is slower or failing ({})",
                                          list.file, entry.line, entry.points, entry.reason));
    }
  }

  const ComparedSide& before_;
  const ComparedSide& after_;
  std::map<std::string, std::string> settings_;
  Comparison result_;
  std::vector<std::size_t> judged_;  // indices of points that have blocks on both sides
  std::vector<BlockLogs> logs_;      // of these
};

std::int64_t schema_of(const RunData& run) {
  return run.measurements.empty() ? schema_version : run.measurements.front().schema_version;
}

void require_same_schema(const RunData& before, const RunData& after) {
  if (schema_of(before) == schema_of(after)) return;
  throw UsageError(
      fmt::format("'{}' is of schema version {} and '{}' of schema version {}: one has sums of kernel times "
                  "and the other times "
                  "of whole runs, which no ratio may mix; measure the older one again",
                  before.name, schema_of(before), after.name, schema_of(after)));
}

std::vector<std::string> find_differences(const ComparedSide& before, const ComparedSide& after) {
  std::vector<std::string> lines;
  const auto compare = [&](const std::string& what, const std::string& old_value,
                           const std::string& new_value) {
    if (old_value == new_value) return;
    std::string line = fmt::format("{}: '{}' before, '{}' now", what, old_value, new_value);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  };
  compare("host", before.run.host, after.run.host);
  compare("revision of program and kernels", before.run.revision, after.run.revision);
  for (const auto& [id, common] : after.ids) {
    const ComparedDevice& new_device = after.devices.at(id);
    for (const auto& [old_id, old_common] : before.ids) {
      if (old_common != common) continue;
      const ComparedDevice& old_device = before.devices.at(old_id);
      compare("device", old_device.name, new_device.name);
      compare(fmt::format("driver of {}", new_device.name), old_device.driver, new_device.driver);
    }
  }
  for (const std::string& axis : before.names.unknown_axes()) compare("axis " + axis, "known", "unknown");
  for (const std::string& axis : after.names.unknown_axes()) compare("axis " + axis, "unknown", "known");
  return lines;
}

Comparison compare_sides(const ComparedSide& before, const ComparedSide& after, const CompareRule& rule,
                         bool paired) {
  Comparison result = Comparer(before, after, rule, paired).compare();
  result.differences = find_differences(before, after);
  result.next = next_commands(result);
  if (result.points.empty()) {
    const std::string narrowed =
        rule.filter.empty() && !rule.only_best ? "" : " that --filter and --only leave";
    throw NothingInCommon(
        fmt::format("'{}' and '{}' have no point in common{}", before.run.name, after.run.name, narrowed));
  }
  return result;
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) ||
           std::string_view("-_=.,:/+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (static_cast<unsigned char>(c) < 0x20) continue;
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::vector<std::string> next_commands(const Comparison& comparison) {
  std::vector<std::string> commands;
  for (const ComparedPoint& point : comparison.points) {
    if (point.change != Change::undecided) continue;
    if (commands.size() == max_commands) {
      commands.push_back(fmt::format("# and {} more points, which need as much",
                                     comparison.count(Change::undecided) - max_commands));
      break;
    }
    commands.push_back(command_for(point, comparison));
  }
  return commands;
}

std::string point_name(const MeasurementRow& row) {
  return fmt::format("{} {} {} on {}", row.dwarf, row.problem, config_text(row), row.device);
}

Comparison compare_runs(const RunData& before, const RunData& after, const CompareRule& rule) {
  require_same_schema(before, after);
  const std::map<std::string, ComparedDevice> old_devices = devices_of(before);
  std::map<std::string, std::string> old_ids;
  for (const auto& [id, device] : old_devices) old_ids[id] = id;
  const ComparedSide old_side(before, after, old_ids);
  std::map<std::string, std::string> new_ids = match_devices(old_devices, devices_of(after));
  const ComparedSide new_side(after, before, new_ids);
  Comparison result = compare_sides(old_side, new_side, rule, false);
  std::set<std::string> elsewhere;
  for (const MeasurementRow& row : after.measurements) {
    if (row.kernel == "total" && !new_ids.contains(row.device_id))
      elsewhere.insert(new_side.names.name(row, row.device_id));
  }
  result.only_after += elsewhere.size();
  return result;
}

Comparison compare_devices(const RunData& run, const std::string& before_id, const std::string& after_id,
                           const CompareRule& rule) {
  const ComparedSide before(run, run, {{before_id, "pair"}});
  const ComparedSide after(run, run, {{after_id, "pair"}});
  return compare_sides(before, after, rule, true);
}

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(points, [&](const auto& point) { return point.change == change; }));
}

std::size_t Comparison::regressions(Change change) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      points, [&](const auto& point) { return point.change == change && point.allowed.empty(); }));
}

bool Comparison::is_worse() const {
  const std::size_t slower = regressions(Change::slower);
  const bool drifts_now =
      std::ranges::any_of(drifts, [](const Drift& drift) { return drift.allowed.empty(); });
  // What fails is no noise that a minimum count would keep out.
  return (slower > 0 && slower >= rule.min_count) || regressions(Change::failing) > 0 || drifts_now;
}

int Comparison::exit_status() const {
  constexpr int undecided = 5;
  if (is_worse()) return 1;
  const auto judged = [](const ComparedPoint& point) { return point.change != Change::incomparable; };
  const bool any = std::ranges::any_of(points, judged);
  // A run that could measure nothing passes no gate.
  const bool was_ok =
      std::ranges::any_of(points, [](const ComparedPoint& point) { return point.before->status == "ok"; });
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
