#include "suite/report/interaction_table.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "suite/output/table_cells.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t most_of_each = 4;

// Two changes of one variant on one device: those that gain most, of different axes.
std::string command_for_two(const std::vector<const MatchedPair*>& pairs) {
  const MatchedPair& first = *pairs[0];
  const MatchedPair& second = *pairs[1];
  const MeasurementRow& row = *first.after;
  const std::string problem = ValueMap::parse(row.problem).to_string(",");
  return fmt::format(
      "dwarfsweep sweep --dwarf {} --device {} --problem {} --plan full --set {} --axis {} --axis {}",
      shell_word(row.dwarf), shell_word(row.device), shell_word(problem),
      shell_word("variant=" + row.variant), shell_word(first.axis + "=" + first.from + "," + first.to),
      shell_word(second.axis + "=" + second.from + "," + second.to));
}

// By variant, of one dwarf and device, with the largest gain of each axis first.
std::map<std::string, std::vector<const MatchedPair*>> pairs_by_variant(
    const std::vector<AxisEffect>& effects, const std::string& dwarf, std::size_t column) {
  std::map<std::string, std::vector<const MatchedPair*>> found;
  for (const AxisEffect& effect : effects) {
    if (effect.dwarf != dwarf || effect.column != column || effect.axis == variant_with_defaults ||
        effect.axis == "variant")
      continue;
    for (const MatchedPair& pair : effect.best_of_context) {
      auto& list = found[pair.after->variant];
      const bool known = std::any_of(list.begin(), list.end(),
                                     [&](const MatchedPair* each) { return each->axis == pair.axis; });
      if (!known) list.push_back(&pair);
    }
  }
  for (auto& [variant, list] : found) {
    std::stable_sort(list.begin(), list.end(), [](const MatchedPair* a, const MatchedPair* b) {
      return a->gain.ratio > b->gain.ratio;
    });
  }
  return found;
}

std::string estimating_command(const std::vector<AxisEffect>& effects, const std::string& dwarf,
                               std::size_t column) {
  const std::vector<const MatchedPair*>* best = nullptr;
  const auto found = pairs_by_variant(effects, dwarf, column);
  for (const auto& [variant, list] : found) {
    if (list.size() < 2) continue;
    if (best == nullptr || list[1]->gain.ratio > (*best)[1]->gain.ratio) best = &list;
  }
  return best == nullptr ? "" : command_for_two(*best);
}

Html interaction_rows(const ReportData& data, const std::vector<Interaction>& found) {
  HtmlTable table{
      .caption = markup("Pairs of changes measured alone and together. Excess: together over the product; "
                        "above 1 they help each other."),
      .header = {markup("dwarf"), markup("device"), markup("changes"), markup("in"), markup("product"),
                 markup("together"), markup("excess")},
      .numbers = 4};
  for (const Interaction& each : found) {
    const char* const glyph = each.excess.verdict == Verdict::faster   ? "▲"
                              : each.excess.verdict == Verdict::slower ? "▼"
                                                                       : "≈";
    table.rows.push_back(
        {markup("{}", each.dwarf), markup("{}", data.model.columns[each.column].letter),
         markup("<a class=\"pt\" href=\"#r{}\">{}; {}</a>", index_of(data, *each.both), each.first,
                each.second),
         markup("{}", each.neither->variant), markup("{}x", ratio_text(each.product)),
         markup("{}x", ratio_text(each.together)),
         markup("{} {} {}", glyph, ratio_text(each.excess.ratio, each.excess.high - each.excess.low),
                interval_text(each.excess.low, each.excess.high))});
  }
  return to_html(table);
}

}  // namespace

Html interaction_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  const std::vector<Interaction> found = interactions(data, most_of_each);
  std::set<std::pair<std::string, std::size_t>> estimated;
  for (const Interaction& each : found) estimated.insert({each.dwarf, each.column});
  Html content = markup("<h3>Interactions</h3>\n");
  if (!found.empty()) content += interaction_rows(data, found);
  Html missing;
  std::set<std::pair<std::string, std::size_t>> told;
  for (const AxisEffect& effect : effects) {
    if (estimated.contains({effect.dwarf, effect.column}) ||
        !told.insert({effect.dwarf, effect.column}).second)
      continue;
    const std::string command = estimating_command(effects, effect.dwarf, effect.column);
    missing += command.empty() ? markup("<li>{} on {}: no two axes of one variant were varied</li>\n",
                                        effect.dwarf, data.model.columns[effect.column].letter)
                               : markup("<li>{} on {}: <code>{}</code></li>\n", effect.dwarf,
                                        data.model.columns[effect.column].letter, command);
  }
  if (missing.empty()) return content;
  return content +
         markup(
             "<p>Not estimable from these points, since no two changes were measured alone and together; "
             "these commands would, with the two that gain most:</p>\n<ul class=\"notes\">\n{}</ul>\n",
             missing);
}

}  // namespace dwarfsweep
