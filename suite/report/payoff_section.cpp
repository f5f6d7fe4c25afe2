// Section 6: which optimisation pays off, on which kind of device, and which changes help each other.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "suite/output/table_cells.hpp"
#include "suite/report/payoff.hpp"
#include "suite/report/sections.hpp"

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
    std::ranges::stable_sort(list, std::greater(), &KindEntry::gain);
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
  HtmlTable table{.caption = caption, .header = {"dwarf: axis"}, .numbers = 1};
  for (const std::string& type : types) table.header.push_back(markup("{}: helped in", type));
  std::size_t small = 0;
  for (const KindEntry& entry : entries) {
    if (entry.gain < worth_telling) {
      ++small;
      continue;
    }
    std::vector<Html> cells = {entry.name};
    for (const std::string& type : types) cells.push_back(counted(entry.kinds->at(type)));
    table.rows.push_back(std::move(cells));
  }
  Html content =
      table.rows.empty() ? markup("<p>{}: nothing by 5 % or more.</p>\n", caption) : to_html(table);
  if (small > 0) content += markup("<p class=\"note\">And {} by less than 5 %.</p>\n", small);
  return content;
}

constexpr std::size_t most_of_each = 4;

// Two changes of one variant on one device: those that gain most, of different axes.
std::string command_for_two(const std::vector<const MatchedPair*>& pairs) {
  const MatchedPair& first = *pairs[0];
  const MatchedPair& second = *pairs[1];
  const MeasurementRow& row = *first.after;
  const std::string problem = ValueMap::parse(row.problem).to_string(",");
  return fmt::format(
      "dwarfsweep sweep --dwarf {} --device {} --problem {} --plan full --set {} --axis {} --axis {}",
      shell_quoted(row.dwarf), shell_quoted(row.device), shell_quoted(problem),
      shell_quoted("variant=" + row.variant), shell_quoted(first.axis + "=" + first.from + "," + first.to),
      shell_quoted(second.axis + "=" + second.from + "," + second.to));
}

double ratio_of_pair(const MatchedPair* pair) {
  return pair->gain.ratio;
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
      if (std::ranges::find(list, pair.axis, &MatchedPair::axis) == list.end()) list.push_back(&pair);
    }
  }
  for (auto& [variant, list] : found) {
    std::ranges::stable_sort(list, std::greater(), ratio_of_pair);
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
  HtmlTable table{.caption = markup("Pairs of changes measured alone and together. Excess: together over the "
                                    "product; above 1 they help each other."),
                  .header = {"dwarf", "device", "changes", "in", "product", "together", "excess"},
                  .numbers = 4};
  for (const Interaction& each : found) {
    const char* const glyph = each.excess.verdict == Verdict::faster   ? "▲"
                              : each.excess.verdict == Verdict::slower ? "▼"
                                                                       : "≈";
    table.rows.push_back(
        {each.dwarf, data.model.columns[each.column].letter,
         markup("<a class=\"pt\" href=\"#r{}\">{}; {}</a>", index_of(data, *each.both), each.first,
                each.second),
         each.neither->variant, markup("{}x", ratio_text(each.product)),
         markup("{}x", ratio_text(each.together)),
         markup("{} {} {}", glyph, ratio_text(each.excess.ratio, each.excess.high - each.excess.low),
                interval_text(each.excess.low, each.excess.high))});
  }
  return to_html(table);
}

constexpr double effect_left = 190;
constexpr double effect_right = 700;
constexpr double effect_line = 15;

const char* effect_glyph(const AxisEffect& effect) {
  if (effect.helped() > 0) return effect.helped() == effect.contexts() ? "▲" : "◐";
  return effect.hurt() == effect.contexts() ? "▼" : "≈";
}

const MatchedPair& largest_gain(const AxisEffect& effect) {
  return *std::ranges::max_element(effect.best_of_context, {},
                                   [](const MatchedPair& pair) { return pair.gain.ratio; });
}

// "1 to 8 in tiled".
std::string pair_text(const MatchedPair& pair) {
  return pair.from + " to " + pair.to +
         (pair.axis == variant_with_defaults ? "" : " in " + pair.after->variant);
}

Html effect_dots(const ReportData& data, const AxisEffect& effect, const LogScale& scale, double y) {
  Html dots;
  for (const MatchedPair& pair : effect.best_of_context) {
    const double x = scale.at(pair.gain.ratio);
    const Html shape =
        effect.contexts() == 1
            ? markup("<circle class=\"lone\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>", pixel(x), pixel(y))
            : marker(effect.column, x, y);
    dots += markup("<path class=\"ci\" d=\"M{} {}H{}\"/>", pixel(scale.at(pair.gain.low)), pixel(y),
                   pixel(scale.at(pair.gain.high)));
    dots += point_link(index_of(data, *pair.after),
                       effect.dwarf + " " + effect.axis + " " + pair_text(pair) + ": " + gain_text(pair.gain),
                       shape);
  }
  return dots;
}

Html effect_figure(const ReportData& data, const std::vector<AxisEffect>& effects, std::size_t column) {
  std::vector<const AxisEffect*> drawn;
  std::vector<double> gains = {1};
  for (const AxisEffect& effect : effects) {
    if (effect.column != column || effect.best_of_context.empty()) continue;
    drawn.push_back(&effect);
    for (const MatchedPair& pair : effect.best_of_context) gains.push_back(pair.gain.ratio);
  }
  if (drawn.empty()) return {};
  Figure figure{.title = fmt::format("{}: what changing one axis gains; a dot for each context",
                                     column_name(data.model.columns[column])),
                .description = "a line for each dwarf and axis; the table below has the numbers",
                .height = 44 + effect_line * static_cast<double>(drawn.size())};
  const LogScale scale(gains, effect_left, effect_right);
  figure.content = x_axis(scale, 2, figure.height - 34,
                          "gain of the best other value over the baseline's; hatched: a single context");
  double y = 10;
  for (const AxisEffect* effect : drawn) {
    figure.content +=
        markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{} {}</text>", pixel(effect_left - 6), pixel(y + 4),
               effect->dwarf, effect->axis == variant_with_defaults ? "variant, defaults" : effect->axis);
    figure.content += effect_dots(data, *effect, scale, y);
    y += effect_line;
  }
  return to_html(figure);
}

Html effect_table(const ReportData& data, const std::vector<AxisEffect>& effects, std::size_t column) {
  HtmlTable table{.caption = markup("{}: effects by dwarf and axis. ▲ helped in every context, ◐ in some, ≈ "
                                    "in none by more than noise, ▼ every other value is slower.",
                                    column_name(data.model.columns[column])),
                  .header = {"dwarf", "axis", "helped", "every value hurt", "largest gain", "by"},
                  .numbers = 2};
  for (const AxisEffect& effect : effects) {
    if (effect.column != column || effect.best_of_context.empty()) continue;
    const MatchedPair& best = largest_gain(effect);
    table.rows.push_back(
        {effect.dwarf, effect.axis,
         markup("{} in {} of {} {}{}", effect_glyph(effect), effect.helped(), effect.contexts(),
                effect.axis == variant_with_defaults ? "variants"
                : effect.contexts() == 1             ? "context"
                                                     : "contexts",
                effect.contexts() == 1 ? " ▨" : ""),
         effect.hurt(), gain_text(best.gain),
         markup("<a class=\"pt\" href=\"#r{}\">{}</a>", index_of(data, *best.after), pair_text(best))});
  }
  return table.rows.empty() ? Html() : to_html(table);
}

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

}  // namespace

Html device_kinds_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  if (data.model.columns.size() < 2) return {};
  const std::set<std::string> types = types_of(data);
  if (types.size() < 2)
    return markup("<p>All devices here are of one type; these runs say nothing about others.</p>\n");
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

Html payoff_section(const ReportData& data) {
  const std::vector<AxisEffect> effects = told_effects(data);
  Html content = markup(
      "<p>From matched pairs: two points that differ in one axis and nothing else. A context is everything "
      "that stays the same. A dot is the context's best other value against the value of the baseline (or "
      "the smallest measured), with a 95 % interval from the rounds that have both points; choosing the best "
      "of several values favours it a little. Where an axis was varied in one context only, it is hatched "
      "(▨): nothing says that it holds in others. A variant comes with defaults of its own, so that its line "
      "is a comparison of algorithms and no matched pair.</p>\n"
      "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" width=\"3\" "
      "height=\"3\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path class=\"hatch\" "
      "d=\"M0 0V3\"/></pattern></defs></svg>\n");
  content += device_kinds_part(data, effects);
  for (std::size_t column = 0; column < data.model.columns.size(); ++column)
    content += effect_figure(data, effects, column) + effect_table(data, effects, column);
  content += interaction_part(data, effects);
  content += claims_part(data, effects);
  return html_section("payoff", "6 Which optimisation pays off", content);
}

}  // namespace dwarfsweep
