// Section 6: which optimisation pays off.
#include <algorithm>
#include <map>

#include "suite/output/table_cells.hpp"
#include "suite/report/claims.hpp"
#include "suite/report/device_kinds.hpp"
#include "suite/report/figure.hpp"
#include "suite/report/interaction_table.hpp"
#include "suite/report/matched_pairs.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

constexpr double effect_left = 190;
constexpr double effect_right = 700;
constexpr double effect_line = 15;

std::string gain_text(const Speedup& gain) {
  return ratio_text(gain.ratio, gain.high - gain.low) + "x " + interval_text(gain.low, gain.high);
}

const char* effect_glyph(const AxisEffect& effect) {
  if (effect.helped() > 0) return effect.helped() == effect.contexts() ? "▲" : "◐";
  return effect.hurt() == effect.contexts() ? "▼" : "≈";
}

const MatchedPair& largest_gain(const AxisEffect& effect) {
  return *std::max_element(
      effect.best_of_context.begin(), effect.best_of_context.end(),
      [](const MatchedPair& a, const MatchedPair& b) { return a.gain.ratio < b.gain.ratio; });
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
  HtmlTable table{
      .caption = markup("{}: effects by dwarf and axis. ▲ helped in every context, ◐ in some, ≈ in none "
                        "by more than noise, ▼ every other value is slower.",
                        column_name(data.model.columns[column])),
      .header = {markup("dwarf"), markup("axis"), markup("helped"), markup("every value hurt"),
                 markup("largest gain"), markup("by")},
      .numbers = 2};
  for (const AxisEffect& effect : effects) {
    if (effect.column != column || effect.best_of_context.empty()) continue;
    const MatchedPair& best = largest_gain(effect);
    table.rows.push_back(
        {markup("{}", effect.dwarf), markup("{}", effect.axis),
         markup("{} in {} of {} {}{}", effect_glyph(effect), effect.helped(), effect.contexts(),
                effect.axis == variant_with_defaults ? "variants"
                : effect.contexts() == 1             ? "context"
                                                     : "contexts",
                effect.contexts() == 1 ? " ▨" : ""),
         markup("{}", effect.hurt()), markup("{}", gain_text(best.gain)),
         markup("<a class=\"pt\" href=\"#r{}\">{}</a>", index_of(data, *best.after), pair_text(best))});
  }
  return table.rows.empty() ? Html() : to_html(table);
}

}  // namespace

Html payoff_section(const ReportData& data) {
  const std::vector<AxisEffect> effects = told_effects(data);
  Html content = markup(
      "<p>From matched pairs: two points that differ in one axis and nothing else. A context is everything "
      "that stays the "
      "same. A dot is the context's best other value against the value of the baseline (or the smallest "
      "measured), with a 95 % "
      "interval from the rounds that have both points; choosing the best of several values favours it a "
      "little. Where an axis "
      "was varied in one context only, it is hatched (▨): nothing says that it holds in others. A variant "
      "comes with defaults "
      "of its own, so that its line is a comparison of algorithms and no matched pair.</p>\n"
      "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" width=\"3\" "
      "height=\"3\" "
      "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 "
      "0V3\"/></pattern>"
      "</defs></svg>\n");
  content += device_kinds_part(data, effects);
  for (std::size_t column = 0; column < data.model.columns.size(); ++column)
    content += effect_figure(data, effects, column) + effect_table(data, effects, column);
  content += interaction_part(data, effects);
  content += claims_part(data, effects);
  return html_section("payoff", "6 Which optimisation pays off", content);
}

}  // namespace dwarfsweep
