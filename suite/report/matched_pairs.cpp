#include "suite/report/payoff.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "dwarfs/registry.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/output/table_model.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

// A sum of gains, each times its weight, by the rounds that all of them have; the interval takes a round as
// one number. None where fewer than two rounds have all.
struct WeightedGains {
  RoundGains gains;
  double weight = 1;
};
std::optional<Speedup> combined_gain(const std::vector<WeightedGains>& parts) {
  if (parts.empty()) return std::nullopt;
  std::vector<double> sums;
  for (const auto& [round, first] : parts.front().gains) {
    double sum = parts.front().weight * first;
    const bool in_all =
        std::all_of(parts.begin() + 1, parts.end(), [&, at = round](const WeightedGains& part) {
          const auto found = part.gains.find(at);
          if (found == part.gains.end()) return false;
          sum += part.weight * found->second;
          return true;
        });
    if (in_all) sums.push_back(sum);
  }
  if (sums.size() < 2) return std::nullopt;
  return speedup_of_logs(median(sums), median_interval(sums));
}

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
  return *std::ranges::min_element(members, {}, number);
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
                  const PointGroup& group, std::size_t column) {
  const auto baseline =
      std::ranges::find_if(group, [](const TimedPoint& point) { return point.row->baseline; });
  if (baseline == group.end()) return;
  for (const TimedPoint& point : group) {
    const MeasurementRow& row = *point.row;
    const auto setting = std::ranges::find_if(
        table.settings, [&](const Setting& each) { return each.cells[column] == point.row; });
    if (setting->label != "variant=" + row.variant || row.variant == baseline->row->variant ||
        !gives_whole_result(row.dwarf, row.variant))
      continue;
    const auto gain = gain_between(data, *baseline->row, row);
    if (!gain) continue;
    AxisEffect& effect = effect_of(effects, table.dwarf, variant_with_defaults, column);
    effect.pairs.push_back(
        {variant_with_defaults, baseline->row->variant, row.variant, baseline->row, &row, *gain});
    effect.best_of_context.push_back(effect.pairs.back());
  }
}

std::size_t count_verdicts(const std::vector<MatchedPair>& pairs, Verdict verdict) {
  return static_cast<std::size_t>(
      std::ranges::count_if(pairs, [&](const MatchedPair& pair) { return pair.gain.verdict == verdict; }));
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
  const double estimate = std::log(speedup_or_one(after) / speedup_or_one(before));
  const double width = std::hypot(half_width(before), half_width(after));
  return speedup_of_logs(estimate, {estimate - width, estimate + width});
}

using RowsByConfig = std::map<std::string, const MeasurementRow*>;

struct TwoAxes {
  std::string first, second;
};

// The two axes in which the configurations differ; none where it is another number.
std::optional<TwoAxes> two_differences(const Config& a, const Config& b) {
  if (a.entries().size() != b.entries().size()) return std::nullopt;
  std::vector<std::string> axes;
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    if (a.entries()[i].first != b.entries()[i].first) return std::nullopt;
    if (a.entries()[i].second != b.entries()[i].second) axes.push_back(a.entries()[i].first);
    if (axes.size() > 2) return std::nullopt;
  }
  return axes.size() == 2 ? std::optional(TwoAxes{axes[0], axes[1]}) : std::nullopt;
}

std::string change_text(const std::string& axis, const Config& from, const Config& to) {
  return axis + " " + from.at(axis).to_string() + " to " + to.at(axis).to_string();
}

std::optional<Interaction> interaction_of(const ReportData& data, const RowsByConfig& rows,
                                          const MeasurementRow& neither, const MeasurementRow& both) {
  const Config from = Config::parse(config_text(neither));
  const Config to = Config::parse(config_text(both));
  const auto axes = two_differences(from, to);
  // Another variant has other defaults, so that it is no single change.
  if (!axes || axes->first == "variant" || axes->second == "variant") return std::nullopt;
  const auto first = rows.find(from.with(axes->first, to.at(axes->first)).to_string());
  const auto second = rows.find(from.with(axes->second, to.at(axes->second)).to_string());
  if (first == rows.end() || second == rows.end()) return std::nullopt;
  const auto gains = [&](const MeasurementRow& row, double weight) {
    return WeightedGains{round_gains(round_blocks(data, row)), weight};
  };
  const auto excess = combined_gain(
      {gains(both, 1), gains(neither, 1), gains(*first->second, -1), gains(*second->second, -1)});
  if (!excess) return std::nullopt;
  const double before = *neither.median_ns;
  return Interaction{neither.dwarf,
                     0,
                     change_text(axes->first, from, to),
                     change_text(axes->second, from, to),
                     &neither,
                     &both,
                     before / *first->second->median_ns * before / *second->second->median_ns,
                     before / *both.median_ns,
                     *excess};
}

bool is_typical(const Setting& setting) {
  return setting.baseline || setting.label.starts_with("variant=");
}

void add_of_table(const ReportData& data, const SettingTable& table, std::size_t column,
                  std::vector<Interaction>& found) {
  RowsByConfig rows;
  for (const Setting& setting : table.settings) {
    if (is_timed(setting.cells[column])) rows[setting.config] = setting.cells[column];
  }
  for (const Setting& setting : table.settings) {
    if (!is_typical(setting) || !is_timed(setting.cells[column])) continue;
    for (const auto& [config, row] : rows) {
      auto interaction = interaction_of(data, rows, *setting.cells[column], *row);
      if (!interaction) continue;
      interaction->column = column;
      found.push_back(*interaction);
    }
  }
}

}  // namespace

RoundGains round_gains(const std::vector<ReportBlock>& blocks) {
  RoundGains gains;
  for (const ReportBlock& block : blocks) {
    if (block.pairs.empty()) continue;
    std::vector<double> logs;
    for (const SamplePair& pair : block.pairs) logs.push_back(std::log(pair.baseline_ns / pair.variant_ns));
    gains[block.round] = median(logs);
  }
  return gains;
}

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
  const bool same_run = before.run_id == after.run_id;
  if (const auto gain = combined_gain({{to, 1}, {from, -1}}); gain && same_run) return gain;
  if (from.size() < 2 || to.size() < 2) return gain_of_rows(before, after);
  const std::vector<double> own = logs_of(from);
  const std::vector<double> other = logs_of(to);
  return speedup_of_logs(median(other) - median(own), median_difference_interval(other, own));
}

std::vector<AxisEffect> axis_effects(const ReportData& data, bool with_transfers) {
  std::vector<AxisEffect> effects;
  const auto is_used = [&](const MeasurementRow* row) {
    return is_timed(row) && (with_transfers || !is_transfer(data, *row));
  };
  for_each_total(data, [&](const SettingTable& table, std::size_t column) {
    PointGroup group;
    for (const Setting& setting : table.settings) {
      if (is_used(setting.cells[column]))
        group.push_back({setting.cells[column], Config::parse(setting.config)});
    }
    if (group.empty()) return;
    add_variants(data, effects, table, group, column);
    std::vector<std::string> axes;
    for (const TimedPoint& point : group) {
      for (const auto& [axis, value] : point.config.entries()) {
        if (std::ranges::find(axes, axis) == axes.end()) axes.push_back(axis);
      }
    }
    for (const std::string& axis : axes) add_axis(data, effects, group, axis, column);
  });
  return effects;
}

std::vector<AxisEffect> shown_effects(const ReportData& data) {
  std::vector<AxisEffect> effects = axis_effects(data, false);
  return effects.empty() ? axis_effects(data) : effects;
}

std::vector<Interaction> interactions(const ReportData& data, std::size_t most) {
  std::vector<Interaction> all;
  for_each_total(
      data, [&](const SettingTable& table, std::size_t column) { add_of_table(data, table, column, all); });
  const auto size = [](const Interaction& each) { return std::abs(std::log(each.excess.ratio)); };
  std::ranges::stable_sort(all, std::greater(), size);
  std::map<std::pair<std::string, std::size_t>, std::size_t> counts;
  std::erase_if(all, [&](const Interaction& each) { return ++counts[{each.dwarf, each.column}] > most; });
  return all;
}

}  // namespace dwarfsweep
