// Changes that help or hinder each other.
#include <algorithm>
#include <cmath>
#include <map>

#include "suite/report/block_gains.hpp"
#include "suite/report/matched_pairs.hpp"

namespace dwarfsweep {
namespace {

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

std::vector<Interaction> interactions(const ReportData& data, std::size_t most) {
  std::vector<Interaction> all;
  std::string dwarf;
  std::map<std::size_t, std::vector<Interaction>> of_dwarf;
  const auto keep_largest = [&] {
    for (auto& [column, found] : of_dwarf) {
      std::stable_sort(found.begin(), found.end(), [](const Interaction& a, const Interaction& b) {
        return std::abs(std::log(a.excess.ratio)) > std::abs(std::log(b.excess.ratio));
      });
      all.insert(all.end(), found.begin(),
                 found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size())));
    }
    of_dwarf.clear();
  };
  for (const SettingTable& table : data.model.tables) {
    if (table.kernel != "total") continue;
    if (table.dwarf != dwarf) keep_largest();
    dwarf = table.dwarf;
    for (std::size_t column = 0; column < data.model.columns.size(); ++column)
      add_of_table(data, table, column, of_dwarf[column]);
  }
  keep_largest();
  return all;
}

}  // namespace dwarfsweep
