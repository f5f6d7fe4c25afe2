#include "suite/report/portability.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/report/payoff.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

std::vector<std::size_t> timed_columns(const TableModel& model, const SettingTable& table) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    if (best_setting(table, column).row != nullptr) columns.push_back(column);
  }
  return columns;
}

std::size_t asked_on_all(const SettingTable& table, const std::vector<std::size_t>& columns) {
  return static_cast<std::size_t>(std::ranges::count_if(table.settings, [&](const Setting& setting) {
    return std::ranges::all_of(columns, [&](std::size_t column) { return setting.cells[column] != nullptr; });
  }));
}

std::optional<double> efficiency_of(const MeasurementRow* row, const MeasurementRow& best,
                                    double share_of_known) {
  if (row == nullptr || row->status == to_string(Status::not_run)) return std::nullopt;
  if (!is_timed(row)) return 0;
  const double own = speedup_or_one(*row);
  const double highest = speedup_or_one(best);
  const double ratio = own > 0 && highest > 0 ? own / highest : *best.median_ns / *row->median_ns;
  return std::min(1.0, ratio) * share_of_known;
}

void add_settings(PortableDwarf& dwarf) {
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    for (const Setting& setting : dwarf.table->settings) {
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

// What the best settings of these variants reach on each device.
Choice choice_of(const PortableDwarf& dwarf, const std::vector<std::string>& variants) {
  Choice choice{variants, {}, 1};
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    const PortableSetting* best = nullptr;
    for (const PortableSetting& setting : dwarf.settings) {
      if (std::ranges::find(variants, setting.variant()) == variants.end()) continue;
      if (best == nullptr ||
          setting.efficiencies[device].value_or(0) > best->efficiencies[device].value_or(0))
        best = &setting;
    }
    choice.settings.push_back(best);
    // Where a library is faster than all, that is no other setting's merit.
    choice.least =
        std::min(choice.least, best->efficiencies[device].value_or(0) / dwarf.share_of_known(device));
  }
  return choice;
}

// The best choice of `count` more variants from that place on.
Choice best_choice(const PortableDwarf& dwarf, const std::vector<std::string>& all, std::size_t count,
                   std::size_t from, std::vector<std::string>& chosen) {
  if (count == 0) return choice_of(dwarf, chosen);
  Choice best;
  for (std::size_t i = from; i < all.size(); ++i) {
    chosen.push_back(all[i]);
    Choice each = best_choice(dwarf, all, count - 1, i + 1, chosen);
    if (each.least > best.least) best = std::move(each);
    chosen.pop_back();
  }
  return best;
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

std::string PortableSetting::variant() const {
  return Config::parse(config).at("variant").to_string();
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

std::vector<PortableDwarf> portable_dwarfs(const ReportData& data) {
  std::vector<PortableDwarf> found;
  std::pair<std::size_t, std::size_t> most;
  for (const SettingTable& table : data.model.tables) {
    if (table.kernel != "total") continue;
    const std::vector<std::size_t> columns = timed_columns(data.model, table);
    if (columns.size() < 2) continue;
    const std::pair rank{columns.size(), asked_on_all(table, columns)};
    const bool known = !found.empty() && found.back().table->dwarf == table.dwarf;
    if (known && rank <= most) continue;
    most = rank;
    if (!known) found.emplace_back();
    found.back().table = &table;
    found.back().columns = columns;
  }
  for (PortableDwarf& dwarf : found) {
    for (const std::size_t column : dwarf.columns) {
      dwarf.best.push_back(best_setting(*dwarf.table, column));
      const MeasurementRow& row = *dwarf.best.back().row;
      const std::vector<PeerTime> peers = peers_of(data.peers, row);
      const bool is_faster = !peers.empty() && peers.front().ns < *row.median_ns;
      dwarf.library.push_back(is_faster ? std::optional(peers.front()) : std::nullopt);
    }
    add_settings(dwarf);
  }
  return found;
}

Choice algorithms_needed(const PortableDwarf& dwarf) {
  std::vector<std::string> variants;
  for (const PortableSetting& setting : dwarf.settings) {
    if (std::ranges::find(variants, setting.variant()) == variants.end())
      variants.push_back(setting.variant());
  }
  constexpr std::size_t most = 3;
  for (std::size_t count = 1; count <= std::min(most, variants.size()); ++count) {
    std::vector<std::string> chosen;
    Choice best = best_choice(dwarf, variants, count, 0, chosen);
    if (best.least >= good_enough) return best;
  }
  return {};
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
