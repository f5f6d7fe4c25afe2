#include "suite/report/matched_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "dwarfs/registry.hpp"
#include "harness/statistics/interval.hpp"
#include "harness/statistics/quantile.hpp"
#include "suite/output/problem_tables.hpp"
#include "suite/report/block_gains.hpp"

namespace dwarfsweep {
namespace {

struct TimedPoint {
  const MeasurementRow* row;
  Config config;
};

// The timed points of one problem of a dwarf on one device.
using PointGroup = std::vector<TimedPoint>;

// The context of a point for that axis.
std::string context_of(const Config& config, const std::string& axis) {
  return config.with(axis, "").to_string();
}

std::string value_text(const Config& config, const std::string& axis) {
  const Value* const value = config.find(axis);
  return value == nullptr ? "" : value->to_string();
}

// The member that the others of a context are compared with.
const TimedPoint* reference_of(const std::vector<const TimedPoint*>& members, const Config* baseline,
                               const std::string& axis) {
  for (const TimedPoint* member : members) {
    if (baseline != nullptr && value_text(member->config, axis) == value_text(*baseline, axis)) return member;
  }
  const auto number = [&](const TimedPoint* member) {
    const Value* const value = member->config.find(axis);
    return value == nullptr || value->is_string() ? 0.0 : value->real();
  };
  return *std::min_element(members.begin(), members.end(),
                           [&](const TimedPoint* a, const TimedPoint* b) { return number(a) < number(b); });
}

const Config* baseline_of(const PointGroup& group) {
  for (const TimedPoint& point : group) {
    if (point.row->baseline) return &point.config;
  }
  return nullptr;
}

AxisEffect& effect_of(std::vector<AxisEffect>& effects, const std::string& dwarf, const std::string& axis,
                      std::size_t column) {
  for (AxisEffect& effect : effects) {
    if (effect.dwarf == dwarf && effect.axis == axis && effect.column == column) return effect;
  }
  AxisEffect& added = effects.emplace_back();
  added.dwarf = dwarf;
  added.axis = axis;
  added.column = column;
  return added;
}

void add_context(const ReportData& data, AxisEffect& effect, const std::vector<const TimedPoint*>& members,
                 const TimedPoint& reference) {
  std::optional<MatchedPair> best;
  for (const TimedPoint* member : members) {
    if (member == &reference) continue;
    const auto gain = gain_between(data, *reference.row, *member->row);
    if (!gain) continue;
    const MatchedPair pair{effect.axis,
                           value_text(reference.config, effect.axis),
                           value_text(member->config, effect.axis),
                           reference.row,
                           member->row,
                           *gain};
    effect.pairs.push_back(pair);
    if (!best || pair.gain.ratio > best->gain.ratio) best = pair;
  }
  if (best) effect.best_of_context.push_back(*best);
}

void add_axis(const ReportData& data, std::vector<AxisEffect>& effects, const PointGroup& group,
              const std::string& axis, std::size_t column) {
  std::map<std::string, std::vector<const TimedPoint*>> contexts;
  for (const TimedPoint& point : group) {
    if (point.config.has(axis)) contexts[context_of(point.config, axis)].push_back(&point);
  }
  for (const auto& [context, members] : contexts) {
    if (members.size() < 2) continue;
    add_context(data, effect_of(effects, group.front().row->dwarf, axis, column), members,
                *reference_of(members, baseline_of(group), axis));
  }
}

// The defaults of the other variants against the baseline.
void add_variants(const ReportData& data, std::vector<AxisEffect>& effects, const SettingTable& table,
                  std::size_t column) {
  const MeasurementRow* baseline = nullptr;
  for (const Setting& setting : table.settings) {
    if (setting.baseline && is_timed(setting.cells[column])) baseline = setting.cells[column];
  }
  if (baseline == nullptr) return;
  for (const Setting& setting : table.settings) {
    const MeasurementRow* const row = setting.cells[column];
    if (!is_timed(row) || setting.label != "variant=" + row->variant || row->variant == baseline->variant ||
        !gives_whole_result(row->dwarf, row->variant))
      continue;
    const auto gain = gain_between(data, *baseline, *row);
    if (!gain) continue;
    AxisEffect& effect = effect_of(effects, table.dwarf, variant_with_defaults, column);
    effect.pairs.push_back({variant_with_defaults, baseline->variant, row->variant, baseline, row, *gain});
    effect.best_of_context.push_back(effect.pairs.back());
  }
}

std::size_t count_verdicts(const std::vector<MatchedPair>& pairs, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      pairs.begin(), pairs.end(), [&](const MatchedPair& pair) { return pair.gain.verdict == verdict; }));
}

std::vector<double> logs_of(const RoundGains& gains) {
  std::vector<double> logs;
  for (const auto& [round, log] : gains) logs.push_back(log);
  return logs;
}

// Where there are no samples.
std::optional<Speedup> gain_of_rows(const MeasurementRow& before, const MeasurementRow& after) {
  if (!before.speedup || !after.speedup) return std::nullopt;
  const auto half_width = [](const MeasurementRow& row) {
    const double high = row.speedup_high.value_or(INFINITY);
    return row.baseline ? 0.0 : std::log(high / row.speedup_low.value_or(0)) / 2;
  };
  const double estimate =
      std::log(after.baseline ? 1 : *after.speedup) - std::log(before.baseline ? 1 : *before.speedup);
  const double width = std::hypot(half_width(before), half_width(after));
  return gain_of_logs(estimate, estimate - width, estimate + width);
}

}  // namespace

std::size_t AxisEffect::helped() const {
  return count_verdicts(best_of_context, Verdict::faster);
}
std::size_t AxisEffect::hurt() const {
  return count_verdicts(best_of_context, Verdict::slower);
}

std::optional<Speedup> gain_between(const ReportData& data, const MeasurementRow& before,
                                    const MeasurementRow& after) {
  const RoundGains from = round_gains(round_blocks(data, before));
  const RoundGains to = round_gains(round_blocks(data, after));
  if (before.baseline && to.size() > 1) return combined_gain({{to, 1}});
  if (after.baseline && from.size() > 1) return combined_gain({{from, -1}});
  if (const auto gain = combined_gain({{to, 1}, {from, -1}})) return gain;
  if (from.size() < 2 || to.size() < 2) return gain_of_rows(before, after);
  const std::vector<double> own = logs_of(from);
  const std::vector<double> other = logs_of(to);
  const Interval interval = median_difference_interval(other, own);
  return gain_of_logs(median(other) - median(own), interval.low, interval.high);
}

std::vector<AxisEffect> axis_effects(const ReportData& data) {
  std::vector<AxisEffect> effects;
  for (const SettingTable& table : data.model.tables) {
    if (table.kernel != "total" || table.settings.empty()) continue;
    for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
      PointGroup group;
      for (const Setting& setting : table.settings) {
        if (is_timed(setting.cells[column]))
          group.push_back({setting.cells[column], Config::parse(setting.config)});
      }
      if (group.empty()) continue;
      add_variants(data, effects, table, column);
      std::vector<std::string> axes;
      for (const TimedPoint& point : group) {
        for (const auto& [axis, value] : point.config.entries()) {
          if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
        }
      }
      for (const std::string& axis : axes) add_axis(data, effects, group, axis, column);
    }
  }
  return effects;
}

std::vector<AxisEffect> told_effects(const ReportData& data) {
  std::vector<AxisEffect> effects = axis_effects(data);
  const auto is_chosen = [&](const AxisEffect& effect) {
    return is_transfer(data, data.model.columns[effect.column]);
  };
  if (!std::all_of(effects.begin(), effects.end(), is_chosen)) std::erase_if(effects, is_chosen);
  return effects;
}

}  // namespace dwarfsweep
