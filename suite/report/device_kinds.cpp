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
  std::string name;
  double gain;
  const KindsOfEffect* kinds;
};

double largest_gain_of(const KindsOfEffect& kinds) {
  double largest = 1;
  for (const auto& [type, kind] : kinds) largest = std::max(largest, kind.largest);
  return largest;
}

// What helps on one type alone, by type; what helps on all of them under "".
using EntriesByType = std::map<std::string, std::vector<KindEntry>>;

EntriesByType entries_by_type(const std::map<std::string, KindsOfEffect>& counts,
                              const std::set<std::string>& types) {
  EntriesByType entries;
  for (const auto& [name, kinds] : counts) {
    if (kinds.size() < types.size()) continue;  // not varied on all of them
    std::vector<std::string> helped;
    for (const auto& [type, kind] : kinds) {
      if (kind.helped > 0) helped.push_back(type);
    }
    const KindEntry entry{name, largest_gain_of(kinds), &kinds};
    if (helped.size() == 1) entries[helped.front()].push_back(entry);
    if (helped.size() == types.size()) entries[""].push_back(entry);
  }
  for (auto& [type, list] : entries) {
    std::stable_sort(list.begin(), list.end(),
                     [](const KindEntry& a, const KindEntry& b) { return a.gain > b.gain; });
  }
  return entries;
}

std::set<std::string> types_of(const ReportData& data) {
  std::set<std::string> types;
  for (const DeviceColumn& column : data.model.columns) types.insert(column.any->device_type);
  return types;
}

// "1 of 2, up to 9.83x".
Html counted(const KindCounts& kind) {
  return markup("{} of {}{}", kind.helped, kind.contexts,
                kind.helped > 0 ? ", up to " + ratio_text(kind.largest) + "x" : "");
}

Html entry_table(const Html& caption, const std::vector<KindEntry>& entries,
                 const std::set<std::string>& types) {
  HtmlTable table{.caption = caption, .header = {markup("dwarf: axis")}, .numbers = 1};
  for (const std::string& type : types) table.header.push_back(markup("{}: helped in", type));
  std::size_t small = 0;
  for (const KindEntry& entry : entries) {
    if (entry.gain < worth_telling) {
      ++small;
      continue;
    }
    std::vector<Html> cells = {markup("{}", entry.name)};
    for (const std::string& type : types) cells.push_back(counted(entry.kinds->at(type)));
    table.rows.push_back(std::move(cells));
  }
  Html content =
      table.rows.empty() ? markup("<p>{}: nothing by 5 % or more.</p>\n", caption) : to_html(table);
  if (small > 0) content += markup("<p class=\"note\">And {} by less than 5 %.</p>\n", small);
  return content;
}

}  // namespace

Html device_kinds_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  if (data.model.columns.size() < 2) return {};
  const std::set<std::string> types = types_of(data);
  if (types.size() < 2)
    return markup("<p>All devices here are of one type, so that nothing can be told of others.</p>\n");
  const auto counts = counts_by_kind(data, effects);
  const EntriesByType entries = entries_by_type(counts, types);
  const auto entries_of = [&](const std::string& type) {
    const auto found = entries.find(type);
    return found == entries.end() ? std::vector<KindEntry>() : found->second;
  };
  Html content = markup(
      "<h3 id=\"by-type\">By type of device</h3>\n<p>Contexts in which it helped, of those measured, and by "
      "how much at most; left out is what was not measured on each type.</p>\n");
  for (const std::string& type : types)
    content += entry_table(markup("Helps on type <b>{}</b> only", type), entries_of(type), types);
  return content + entry_table(markup("Helps on all types"), entries_of(""), types);
}

Html device_kinds_summary(const ReportData& data, const std::vector<AxisEffect>& effects) {
  const std::set<std::string> types = types_of(data);
  if (types.size() < 2) return {};
  const auto counts = counts_by_kind(data, effects);
  const EntriesByType entries = entries_by_type(counts, types);
  std::vector<Html> lines;
  for (const std::string& type : types) {
    const auto found = entries.find(type);
    if (found == entries.end()) continue;
    constexpr std::size_t most = 5;
    Html line;
    for (std::size_t i = 0; i < std::min(most, found->second.size()); ++i) {
      const KindEntry& entry = found->second[i];
      if (entry.gain >= worth_telling)
        line += markup("{}{} ({}x)", line.empty() ? "" : ", ", entry.name, ratio_text(entry.gain));
    }
    if (!line.empty()) lines.push_back(markup("on type <b>{}</b> only: {}", type, line));
  }
  if (lines.empty()) return {};
  return markup("<h3>What helps on one type of device only?</h3>\n") + html_list(lines) +
         markup(
             "<p>The largest gains; <a href=\"#by-type\">all of them, and what helps everywhere</a>.</p>\n");
}

}  // namespace dwarfsweep
