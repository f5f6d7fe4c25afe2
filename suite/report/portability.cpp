#include "suite/report/portability.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/report/payoff.hpp"

namespace dwarfsweep {
namespace {

std::vector<std::size_t> timed_columns(const TableModel& model, const SettingTable& table) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    if (best_setting(table, column).row != nullptr) columns.push_back(column);
  }
  return columns;
}

// Columns of the same device count once: a device is no company for itself.
std::size_t distinct_devices(const TableModel& model, const std::vector<std::size_t>& columns) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const std::size_t column : columns) {
    const MeasurementRow& row = *model.columns[column].any;
    seen.emplace(row.host, row.device_id);
  }
  return seen.size();
}

std::size_t asked_on_all(const SettingTable& table, const std::vector<std::size_t>& columns) {
  return static_cast<std::size_t>(
      std::count_if(table.settings.begin(), table.settings.end(), [&](const Setting& setting) {
        return std::all_of(columns.begin(), columns.end(),
                           [&](std::size_t column) { return setting.cells[column] != nullptr; });
      }));
}

// One problem for at least two devices, or each device's own.
void choose_tables(const TableModel& model, PortableDwarf& dwarf) {
  const SettingTable* chosen = nullptr;
  std::pair<std::size_t, std::size_t> most{1, 0};
  for (const SettingTable& table : model.tables) {
    if (table.kernel != "total" || table.dwarf != dwarf.dwarf) continue;
    const std::vector<std::size_t> columns = timed_columns(model, table);
    const std::pair rank{distinct_devices(model, columns), asked_on_all(table, columns)};
    if (rank.first < 2 || rank <= most) continue;
    most = rank;
    chosen = &table;
    dwarf.columns = columns;
  }
  if (chosen != nullptr) {
    dwarf.tables.assign(dwarf.columns.size(), chosen);
    return;
  }
  dwarf.same_problem = false;
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    for (const SettingTable& table : model.tables) {
      if (table.kernel != "total" || table.dwarf != dwarf.dwarf || best_setting(table, column).row == nullptr)
        continue;
      dwarf.columns.push_back(column);
      dwarf.tables.push_back(&table);
      break;
    }
  }
}

std::optional<double> efficiency_of(const MeasurementRow* row, const MeasurementRow& best,
                                    double share_of_known) {
  if (row == nullptr || row->status == to_string(Status::not_run)) return std::nullopt;
  if (!is_timed(row)) return 0;
  const double own = row->baseline ? 1 : row->speedup.value_or(0);
  const double highest = best.baseline ? 1 : best.speedup.value_or(0);
  const double ratio = own > 0 && highest > 0 ? own / highest : *best.median_ns / *row->median_ns;
  return std::min(1.0, ratio) * share_of_known;
}

void add_settings(PortableDwarf& dwarf) {
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    for (const Setting& setting : dwarf.tables[device]->settings) {
      const MeasurementRow* const row = setting.cells[dwarf.columns[device]];
      if (row == nullptr || !gives_whole_result(row->dwarf, row->variant)) continue;
      auto known = std::ranges::find(dwarf.settings, setting.config, &PortableSetting::config);
      if (known == dwarf.settings.end()) {
        PortableSetting added{setting.config, setting.label, setting.baseline, {}, {}};
        added.cells.resize(dwarf.columns.size());
        added.efficiencies.resize(dwarf.columns.size());
        known = dwarf.settings.insert(dwarf.settings.end(), std::move(added));
      }
      known->cells[device] = row;
      known->efficiencies[device] = efficiency_of(row, *dwarf.best[device].row, dwarf.share_of_known(device));
    }
  }
}

// Settings that are chosen together, under a name.
struct Candidate {
  std::string name;
  std::vector<const PortableSetting*> settings;
};

// What the candidates reach on each device.
Choice choice_of(const PortableDwarf& dwarf, const std::vector<const Candidate*>& candidates) {
  Choice choice{{}, {}, 1};
  for (const Candidate* each : candidates) choice.names.push_back(each->name);
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    const PortableSetting* best = nullptr;
    for (const Candidate* each : candidates) {
      for (const PortableSetting* setting : each->settings) {
        if (best == nullptr ||
            setting->efficiencies[device].value_or(0) > best->efficiencies[device].value_or(0))
          best = setting;
      }
    }
    choice.settings.push_back(best);
    const double share = best == nullptr ? 0 : best->efficiencies[device].value_or(0);
    // Where a library is faster than all, that is no other setting's merit.
    choice.least = std::min(choice.least, share / dwarf.share_of_known(device));
  }
  return choice;
}

template <typename Use>
void for_each_subset(const std::vector<Candidate>& all, std::size_t count, std::size_t from,
                     std::vector<const Candidate*>& chosen, const Use& use) {
  if (chosen.size() == count) {
    use(chosen);
    return;
  }
  for (std::size_t i = from; i < all.size(); ++i) {
    chosen.push_back(&all[i]);
    for_each_subset(all, count, i + 1, chosen, use);
    chosen.pop_back();
  }
}

Choice fewest(const PortableDwarf& dwarf, const std::vector<Candidate>& candidates) {
  constexpr std::size_t most = 3;
  for (std::size_t count = 1; count <= std::min(most, candidates.size()); ++count) {
    Choice best;
    std::vector<const Candidate*> chosen;
    for_each_subset(candidates, count, 0, chosen, [&](const std::vector<const Candidate*>& subset) {
      Choice each = choice_of(dwarf, subset);
      if (each.least > best.least) best = std::move(each);
    });
    if (best.least >= good_enough) return best;
  }
  return {};
}

constexpr int resamples = 500;

// The blocks by which the point's row was made: those of re-measuring alone where it was re-measured.
std::vector<double> log_gains_of(const ReportData& data, const MeasurementRow& row) {
  const auto found = data.blocks.find(point_text(row));
  if (found == data.blocks.end()) return {};
  const bool again = row.stop_reason == confirmed;
  std::vector<ReportBlock> blocks;
  std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(blocks),
               [&](const ReportBlock& block) { return block.confirmation == again; });
  std::vector<double> logs;
  for (const auto& [round, gain] : round_gains(blocks)) logs.push_back(gain);
  return logs;
}

double resampled_median(const std::vector<double>& values, Random& random) {
  std::vector<double> drawn(values.size());
  for (double& each : drawn) each = values[random.below(values.size())];
  return median(drawn);
}

// Box and Muller's transform.
double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform01())) *
         std::cos(2 * std::numbers::pi * random.uniform01());
}

Interval interval_of(const std::vector<double>& values) {
  return {quantile(values, 0.025), quantile(values, 0.975)};
}

}  // namespace

double performance_portability(std::span<const double> efficiencies) {
  if (efficiencies.empty()) return NAN;
  double sum = 0;
  for (const double each : efficiencies) {
    if (each <= 0) return 0;
    sum += 1 / each;
  }
  return static_cast<double>(efficiencies.size()) / sum;
}

bool PortableSetting::asked_everywhere() const {
  return std::ranges::all_of(efficiencies, [](const auto& each) { return each.has_value(); });
}

std::optional<double> PortableSetting::portability() const {
  if (!asked_everywhere()) return std::nullopt;
  std::vector<double> values;
  for (const auto& each : efficiencies) values.push_back(*each);
  return performance_portability(values);
}

std::optional<double> PortableSetting::portability_of_peak() const {
  if (!asked_everywhere()) return std::nullopt;
  std::vector<double> values;
  for (const MeasurementRow* row : cells) {
    if (!is_timed(row)) return 0;
    if (!row->peak_fraction) return std::nullopt;
    values.push_back(*row->peak_fraction);
  }
  return performance_portability(values);
}

const PortableSetting* PortableDwarf::best_single() const {
  const PortableSetting* found = nullptr;
  double highest = 0;
  for (const PortableSetting& setting : settings) {
    const double own = setting.portability().value_or(0);
    if (own <= highest) continue;
    found = &setting;
    highest = own;
  }
  return found;
}

const PortableSetting* PortableDwarf::find(const std::string& config) const {
  const auto found = std::ranges::find(settings, config, &PortableSetting::config);
  return found == settings.end() ? nullptr : &*found;
}

std::optional<std::size_t> PortableDwarf::device_of(std::size_t column) const {
  const auto found = std::ranges::find(columns, column);
  return found == columns.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

double PortableDwarf::share_of_known(std::size_t device) const {
  return library[device] ? library[device]->ns / *best[device].row->median_ns : 1;
}

std::vector<std::size_t> columns_of(const std::vector<PortableDwarf>& dwarfs, bool same_problem_only) {
  std::set<std::size_t> columns;
  for (const PortableDwarf& dwarf : dwarfs) {
    if (dwarf.same_problem || !same_problem_only) columns.insert(dwarf.columns.begin(), dwarf.columns.end());
  }
  return {columns.begin(), columns.end()};
}

std::vector<PortableDwarf> portable_dwarfs(const ReportData& data) {
  std::vector<PortableDwarf> found;
  std::string last;
  for (const SettingTable& table : data.model.tables) {
    if (table.dwarf == last) continue;
    last = table.dwarf;
    PortableDwarf dwarf;
    dwarf.dwarf = table.dwarf;
    choose_tables(data.model, dwarf);
    if (distinct_devices(data.model, dwarf.columns) < 2) continue;
    for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
      dwarf.best.push_back(best_setting(*dwarf.tables[device], dwarf.columns[device]));
      const MeasurementRow& row = *dwarf.best.back().row;
      const std::vector<PeerTime> peers = peers_of(data.peers, row);
      const bool is_faster = !peers.empty() && peers.front().ns < *row.median_ns;
      dwarf.library.push_back(is_faster ? std::optional(peers.front()) : std::nullopt);
    }
    add_settings(dwarf);
    found.push_back(std::move(dwarf));
  }
  return found;
}

Choice algorithms_needed(const PortableDwarf& dwarf) {
  std::vector<Candidate> variants;
  for (const PortableSetting& setting : dwarf.settings) {
    const std::string variant = Config::parse(setting.config).at("variant").to_string();
    auto known = std::ranges::find(variants, variant, &Candidate::name);
    if (known == variants.end()) known = variants.insert(variants.end(), {variant, {}});
    known->settings.push_back(&setting);
  }
  return fewest(dwarf, variants);
}

Choice settings_needed(const PortableDwarf& dwarf) {
  std::vector<Candidate> settings;
  for (const PortableSetting& setting : dwarf.settings) {
    // What does on no device helps no choice, and hundreds of settings have millions of triples.
    bool does = false;
    for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
      does = does || setting.efficiencies[device].value_or(0) >= good_enough * dwarf.share_of_known(device);
    }
    if (does) settings.push_back({setting.label, {&setting}});
  }
  return fewest(dwarf, settings);
}

const std::vector<double>& PortabilityIntervals::log_speedups(const MeasurementRow& row) {
  const auto [place, is_new] = drawn_.emplace(&row, std::vector<double>());
  std::vector<double>& draws = place->second;
  if (!is_new) return draws;
  if (row.baseline) {
    draws.assign(resamples, 0);
    return draws;
  }
  Random random(drawn_.size());
  const std::vector<double> logs = log_gains_of(data_, row);
  const bool has_interval = row.speedup && row.speedup_low.value_or(0) > 0 && row.speedup_high;
  for (int i = 0; i < resamples && (logs.size() > 1 || has_interval); ++i) {
    if (logs.size() > 1) {
      draws.push_back(resampled_median(logs, random));
    } else {
      constexpr double half_widths_in_sigma = 1.96;
      const double sigma = std::log(*row.speedup_high / *row.speedup_low) / 2 / half_widths_in_sigma;
      draws.push_back(std::log(*row.speedup) + sigma * normal(random));
    }
  }
  return draws;
}

std::vector<double> PortabilityIntervals::efficiencies(const PortableSetting& setting, std::size_t device) {
  const MeasurementRow* const row = setting.cells[device];
  const MeasurementRow& best = *dwarf_.best[device].row;
  if (!is_timed(row)) return {};
  if (row == &best) return std::vector<double>(resamples, dwarf_.share_of_known(device));
  const std::vector<double> own = log_speedups(*row);
  const std::vector<double>& highest = log_speedups(best);
  std::vector<double> values;
  for (std::size_t i = 0; i < std::min(own.size(), highest.size()); ++i)
    values.push_back(std::min(1.0, std::exp(own[i] - highest[i])) * dwarf_.share_of_known(device));
  return values;
}

std::optional<Interval> PortabilityIntervals::of_efficiency(const PortableSetting& setting,
                                                            std::size_t device) {
  if (setting.cells[device] == dwarf_.best[device].row) return std::nullopt;
  const std::vector<double> values = efficiencies(setting, device);
  return values.empty() ? std::nullopt : std::optional(interval_of(values));
}

std::optional<Interval> PortabilityIntervals::of_all(const PortableSetting& setting, const Summary& summary) {
  std::vector<std::vector<double>> by_device;
  for (std::size_t device = 0; device < dwarf_.columns.size(); ++device) {
    by_device.push_back(efficiencies(setting, device));
    if (by_device.back().empty()) return std::nullopt;
  }
  std::vector<double> values;
  for (int i = 0; i < resamples; ++i) {
    std::vector<double> drawn;
    for (const std::vector<double>& each : by_device) drawn.push_back(each[static_cast<std::size_t>(i)]);
    values.push_back(summary(drawn));
  }
  return interval_of(values);
}

}  // namespace dwarfsweep
