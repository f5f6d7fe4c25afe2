#include "suite/report/device_kinds.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "suite/output/table_cells.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

// Below this a gain is not worth a line.
constexpr double worth_telling = 1.05;

struct KindCounts {
  std::size_t helped = 0, contexts = 0;
  double largest = 1;
};
// By device type.
using KindsOfEffect = std::map<std::string, KindCounts>;

std::map<std::string, KindsOfEffect> counts_by_kind(const ReportData& data,
                                                    const std::vector<AxisEffect>& effects) {
  std::map<std::string, KindsOfEffect> counts;
  for (const AxisEffect& effect : effects) {
    if (effect.best_of_context.empty() || effect.axis == "variant") continue;
    const std::string type = data.model.columns[effect.column].any->device_type;
    for (const MatchedPair& pair : effect.best_of_context) {
      const bool variant = effect.axis == variant_with_defaults;
      KindCounts& kind = counts[effect.dwarf + (variant ? ": variant " + pair.to : ": " + effect.axis)][type];
      ++kind.contexts;
      if (pair.gain.verdict != Verdict::faster) continue;
      ++kind.helped;
      kind.largest = std::max(kind.largest, pair.gain.ratio);
    }
  }
  return counts;
}

struct KindEntry {
  double gain;
  Html text;
};

double largest_gain_of(const KindsOfEffect& kinds) {
  double largest = 1;
  for (const auto& [type, kind] : kinds) largest = std::max(largest, kind.largest);
  return largest;
}

// "cpu 0 of 1, gpu 1 of 1 up to 9.80x".
std::string counted(const KindsOfEffect& kinds) {
  std::string text;
  for (const auto& [type, kind] : kinds) {
    text += fmt::format("{}{} {} of {}{}", text.empty() ? "" : ", ", type, kind.helped, kind.contexts,
                        kind.helped > 0 ? " up to " + ratio_text(kind.largest) + "x" : "");
  }
  return text;
}

Html named_list(std::string_view title, std::vector<KindEntry> entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const KindEntry& a, const KindEntry& b) { return a.gain > b.gain; });
  Html list;
  std::size_t small = 0;
  for (const KindEntry& entry : entries) {
    if (entry.gain < worth_telling) {
      ++small;
    } else {
      list += markup("{}{}", list.empty() ? "" : "; ", entry.text);
    }
  }
  if (list.empty()) list = markup("nothing");
  if (small > 0) list += markup("; and {} by less than 5 %", small);
  return markup("<li>{}: {}</li>\n", title, list);
}

}  // namespace

Html device_kinds_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  if (data.model.columns.size() < 2) return {};
  std::set<std::string> types;
  for (const DeviceColumn& column : data.model.columns) types.insert(column.any->device_type);
  if (types.size() < 2)
    return markup("<p>All devices here are of one type, so that nothing can be told of others.</p>\n");
  std::map<std::string, std::vector<KindEntry>> only;
  std::vector<KindEntry> everywhere;
  for (const auto& [name, kinds] : counts_by_kind(data, effects)) {
    if (kinds.size() < types.size()) continue;  // not varied on all of them
    std::vector<std::string> helped;
    for (const auto& [type, kind] : kinds) {
      if (kind.helped > 0) helped.push_back(type);
    }
    const KindEntry entry{largest_gain_of(kinds), markup("<b>{}</b> ({})", name, counted(kinds))};
    if (helped.size() == 1) only[helped.front()].push_back(entry);
    if (helped.size() == types.size()) everywhere.push_back(entry);
  }
  Html lists;
  for (const std::string& type : types) lists += named_list("helps on type " + type + " only", only[type]);
  lists += named_list("helps on all types", everywhere);
  return markup(
      "<h3>By type of device</h3>\n<p>Contexts in which it helped, of those measured; left out is what was "
      "not "
      "measured on each type.</p>\n<ul>\n{}</ul>\n",
      lists);
}

}  // namespace dwarfsweep
