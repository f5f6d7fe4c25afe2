#include "suite/report/device_kinds.hpp"

#include <map>
#include <set>

#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

struct KindCounts {
  std::size_t helped = 0, contexts = 0;
};
// By device type.
using KindsOfEffect = std::map<std::string, KindCounts>;

std::map<std::string, KindsOfEffect> counts_by_kind(const ReportData& data,
                                                    const std::vector<AxisEffect>& effects) {
  std::map<std::string, KindsOfEffect> counts;
  for (const AxisEffect& effect : effects) {
    if (effect.best_of_context.empty()) continue;
    const std::string type = data.model.columns[effect.column].any->device_type;
    const auto add = [&](const std::string& name, std::size_t helped, std::size_t contexts) {
      KindCounts& kind = counts[name][type];
      kind.helped += helped;
      kind.contexts += contexts;
    };
    if (effect.axis != variant_with_defaults) {
      add(effect.dwarf + ": " + effect.axis, effect.helped(), effect.contexts());
      continue;
    }
    for (const MatchedPair& pair : effect.pairs)
      add(effect.dwarf + ": variant " + pair.to, pair.gain.verdict == Verdict::faster ? 1 : 0, 1);
  }
  return counts;
}

std::string counted(const KindsOfEffect& kinds) {
  std::string text;
  for (const auto& [type, kind] : kinds)
    text += fmt::format("{}{} {} of {}", text.empty() ? "" : ", ", type, kind.helped, kind.contexts);
  return text;
}

Html named_list(std::string_view title, const std::vector<Html>& entries) {
  if (entries.empty()) return markup("<li>{}: nothing</li>\n", title);
  Html list;
  for (const Html& entry : entries) list += markup("{}{}", list.empty() ? "" : "; ", entry);
  return markup("<li>{}: {}</li>\n", title, list);
}

}  // namespace

Html device_kinds_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  if (data.model.columns.size() < 2) return {};
  std::set<std::string> types;
  for (const DeviceColumn& column : data.model.columns) types.insert(column.any->device_type);
  if (types.size() < 2)
    return markup("<p>All devices here are of one type, so that nothing can be told of others.</p>\n");
  std::map<std::string, std::vector<Html>> only;
  std::vector<Html> everywhere;
  for (const auto& [name, kinds] : counts_by_kind(data, effects)) {
    if (kinds.size() < types.size()) continue;  // not varied on all of them
    std::vector<std::string> helped;
    for (const auto& [type, kind] : kinds) {
      if (kind.helped > 0) helped.push_back(type);
    }
    const Html entry = markup("<b>{}</b> ({})", name, counted(kinds));
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
