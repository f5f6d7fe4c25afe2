// Which optimisation pays off, on which kind of device, and which changes help each other.
#include <fmt/ranges.h>

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
constexpr double worth_showing = 1.05;

struct KindCounts {
  std::size_t helped = 0, contexts = 0;
  double largest = 1;
};
// By device type.
using KindsOfEffect = std::map<std::string, KindCounts>;

// By "dwarf: axis".
std::map<std::string, KindsOfEffect> counts_by_kind(const ReportData& data,
                                                    const std::vector<AxisEffect>& effects) {
  std::map<std::string, KindsOfEffect> counts;
  for (const AxisEffect& effect : effects) {
    if (effect.axis == "variant") continue;
    for (const MatchedPair& pair : effect.best_of_context) {
      const std::string name = effect.axis == variant_with_defaults ? "variant " + pair.to : effect.axis;
      KindCounts& kind =
          counts[effect.dwarf + ": " + name][data.model.columns[effect.column].any->device_type];
      ++kind.contexts;
      if (pair.gain.verdict != Verdict::faster) continue;
      ++kind.helped;
      kind.largest = std::max(kind.largest, pair.gain.ratio);
    }
  }
  return counts;
}

// What was varied on every type of device: what helps on one of them only comes first, large gains first.
Html device_kinds_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  std::set<std::string> types;
  for (const DeviceColumn& column : data.model.columns) types.insert(column.any->device_type);
  if (types.size() < 2) return {};
  struct Line {
    std::string name, only;  // the one type on which it helps; empty: all of them
    double gain;
    std::vector<Html> cells;
  };
  std::vector<Line> lines;
  for (const auto& [name, kinds] : counts_by_kind(data, effects)) {
    if (kinds.size() < types.size()) continue;
    Line line{name, "", 1, {}};
    std::size_t helped = 0;
    for (const auto& [type, kind] : kinds) {
      if (kind.helped > 0) line.only = type;
      helped += kind.helped > 0 ? 1 : 0;
      line.gain = std::max(line.gain, kind.largest);
      line.cells.push_back(markup("{} of {}{}", kind.helped, kind.contexts,
                                  kind.helped > 0 ? ", up to " + ratio_text(kind.largest) + "x" : ""));
    }
    if (line.gain < worth_showing || (helped != 1 && helped != types.size())) continue;
    if (helped > 1) line.only = "all";
    lines.push_back(std::move(line));
  }
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return (a.only == "all") != (b.only == "all") ? b.only == "all" : a.gain > b.gain;
  });
  HtmlTable table{
      .caption =
          "In how many contexts it helped on each type of device, of those measured on every type, "
          "and by how much at most. Gains below 5 % are left out.",
      .header = {"dwarf: axis", "helps on"},
      .numbers = 2};
  for (const std::string& type : types) table.header.push_back(type);
  for (Line& line : lines) {
    table.rows.push_back({line.name, line.only});
    std::ranges::move(line.cells, std::back_inserter(table.rows.back()));
  }
  return table.rows.empty() ? Html() : markup("<h3 id=\"by-type\">By type of device</h3>\n") + to_html(table);
}

Html interaction_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  constexpr std::size_t most_of_each = 4;
  HtmlTable table{
      .caption = markup("Pairs of changes measured alone and together, at most {} for each dwarf and device. "
                        "Excess: together over the product of both; above 1 they help each other.",
                        most_of_each),
      .header = {"dwarf", "device", "changes", "in", "product", "together", "excess"},
      .numbers = 4};
  std::set<std::string> estimated, missing;
  for (const Interaction& each : interactions(data, most_of_each)) {
    estimated.insert(each.dwarf);
    table.rows.push_back({each.dwarf, data.names[each.column],
                          point_name(data, *each.both, markup("{}; {}", each.first, each.second)),
                          each.neither->variant, markup("{}x", ratio_text(each.product)),
                          markup("{}x", ratio_text(each.together)),
                          markup("{} {} {}", verdict_mark_of(each.excess.verdict),
                                 ratio_text(each.excess.ratio, each.excess.high - each.excess.low),
                                 interval_text(each.excess.low, each.excess.high))});
  }
  for (const AxisEffect& effect : effects) {
    if (!estimated.contains(effect.dwarf)) missing.insert(effect.dwarf);
  }
  Html content = table.rows.empty() ? Html() : to_html(table);
  if (!missing.empty())
    content += markup(
        "<p>Not estimable for {}, because no two changes were measured alone and together. This measures all "
        "four "
        "points: <code>dwarfsweep sweep --dwarf {} --plan full --set variant=V --axis A=1,2 --axis "
        "B=1,2</code>.</p>\n",
        fmt::format("{}", fmt::join(missing, ", ")), *missing.begin());
  return content.empty() ? content : markup("<h3>Interactions</h3>\n") + content;
}

constexpr double effect_left = 190;
constexpr double effect_right = 700;
constexpr double effect_line = 15;

const char* effect_mark(const AxisEffect& effect) {
  if (effect.helped() > 0) return effect.helped() == effect.contexts() ? "▲" : "◐";
  return verdict_mark_of(effect.hurt() == effect.contexts() ? Verdict::slower : Verdict::within_noise);
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
  Figure figure{
      .title = fmt::format("{}: the gain from changing one axis; a dot for each context", data.names[column]),
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
                                    data.names[column]),
                  .header = {"dwarf", "axis", "helped", "every value hurt", "largest gain", "by"},
                  .numbers = 2};
  for (const AxisEffect& effect : effects) {
    if (effect.column != column || effect.best_of_context.empty()) continue;
    const MatchedPair& best = largest_gain(effect);
    table.rows.push_back(
        {effect.dwarf, effect.axis,
         markup("{} in {} of {} {}{}", effect_mark(effect), effect.helped(), effect.contexts(),
                effect.axis == variant_with_defaults ? "variants"
                : effect.contexts() == 1             ? "context"
                                                     : "contexts",
                effect.contexts() == 1 ? " ▨" : ""),
         effect.hurt(), gain_text(best.gain), point_name(data, *best.after, pair_text(best))});
  }
  return table.rows.empty() ? Html() : html_details("numbers", to_html(table));
}

}  // namespace

Html payoff_section(const ReportData& data) {
  const std::vector<AxisEffect> effects = shown_effects(data);
  Html content = device_kinds_part(data, effects);
  for (std::size_t column = 0; column < data.model.columns.size(); ++column)
    content += effect_figure(data, effects, column) + effect_table(data, effects, column);
  content += interaction_part(data, effects) + claims_part(data, effects);
  return effects.empty()
             ? Html()
             : markup(
                   "<p>Two points that differ in one axis and nothing else are a matched pair. A context is "
                   "everything that stays the same. Each dot compares the context's best other value with "
                   "the value of the baseline, or with the smallest measured. The line is the 95 % interval; "
                   "choosing the best of several values favours it a little. An axis that was varied in one "
                   "context only is hatched (▨): it may not help in others. A variant has defaults of its "
                   "own, so its dots compare algorithms and are not matched pairs.</p>\n"
                   "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" "
                   "width=\"3\" height=\"3\" patternUnits=\"userSpaceOnUse\" "
                   "patternTransform=\"rotate(45)\"><path class=\"hatch\" "
                   "d=\"M0 0V3\"/></pattern></defs></svg>\n") +
                   content;
}

}  // namespace dwarfsweep
