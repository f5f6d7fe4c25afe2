// What the papers claim, checked on what was measured here.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/space/value.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/report/payoff.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

using Outcome = Claim::Outcome;
using Effects = std::vector<AxisEffect>;

const char* outcome_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "✓ yes";
    case Outcome::fails:
      return "no";
    case Outcome::mixed:
      return "◐ in part";
    case Outcome::open:
      break;
  }
  return "? open";
}

Outcome outcome_of(std::size_t count, std::size_t all) {
  return count == all ? Outcome::holds : count == 0 ? Outcome::fails : Outcome::mixed;
}

Outcome by_majority(std::size_t count, std::size_t all) {
  return 2 * count > all ? Outcome::holds : count == 0 ? Outcome::fails : Outcome::mixed;
}

bool is_faster(const ReportData& data, const MeasurementRow& after, const MeasurementRow& before) {
  const auto gain = gain_between(data, before, after);
  return gain && gain->verdict == Verdict::faster;
}

const MeasurementRow* quicker(const MeasurementRow* known, const MeasurementRow* row) {
  return known == nullptr || *row->median_ns < *known->median_ns ? row : known;
}

// --- from matched pairs ---

Claim unrolling_claim(const Effects& effects) {
  std::size_t contexts = 0, helped = 0, slower = 0, told = 0, more_registers = 0;
  for (const AxisEffect& effect : effects) {
    if (effect.axis != "unroll") continue;
    contexts += effect.contexts();
    helped += effect.helped();
    for (const MatchedPair& pair : effect.pairs) {
      if (pair.gain.verdict != Verdict::slower) continue;
      ++slower;
      if (!pair.before->registers || !pair.after->registers) continue;
      ++told;
      if (*pair.after->registers > *pair.before->registers) ++more_registers;
    }
  }
  Claim claim{"Unrolling pays, unless registers cost resident groups"};
  if (contexts == 0)
    return claim.open("no two points differ in unrolling alone", "dwarfsweep sweep --axis unroll=1,2,4,8");
  claim.evidence = fmt::format("unrolling helped in {} of {} contexts; {} changes made it slower", helped,
                               contexts, slower);
  if (told > 0) {
    claim.evidence +=
        fmt::format(", {} of the {} whose registers are known with more registers", more_registers, told);
  } else if (slower > 0) {
    claim.evidence += "; the device does not report registers";
  }
  const bool pays = 2 * helped > contexts;
  const bool explained = more_registers == told;
  claim.outcome = pays == explained ? (pays ? Outcome::holds : Outcome::fails) : Outcome::mixed;
  return claim;
}

bool is_tile_axis(const std::string& axis) {
  return axis == "work_group" || axis == "panel" || axis.starts_with("tile");
}

// Whether the context's largest value is slower than its fastest by more than noise.
bool largest_loses(const ReportData& data, const std::vector<const MatchedPair*>& pairs) {
  const MeasurementRow* largest = pairs.front()->before;
  const MeasurementRow* fastest = largest;
  double size = Value::parse(pairs.front()->from).real();
  for (const MatchedPair* pair : pairs) {
    if (const double own = Value::parse(pair->to).real(); own > size) {
      size = own;
      largest = pair->after;
    }
    fastest = quicker(fastest, pair->after);
  }
  return largest != fastest && is_faster(data, *fastest, *largest);
}

Claim tile_claim(const ReportData& data, const Effects& effects) {
  std::size_t contexts = 0, lost = 0;
  std::string dwarfs;
  for (const AxisEffect& effect : effects) {
    if (!is_tile_axis(effect.axis)) continue;
    std::map<const MeasurementRow*, std::vector<const MatchedPair*>>
        by_context;  // what they are compared with
    for (const MatchedPair& pair : effect.pairs) by_context[pair.before].push_back(&pair);
    const std::size_t lost_before = lost;
    for (const auto& [before, pairs] : by_context) {
      const bool numbers = std::all_of(pairs.begin(), pairs.end(), [](const MatchedPair* pair) {
        return !Value::parse(pair->to).is_string();
      });
      if (!numbers) continue;
      ++contexts;
      if (largest_loses(data, pairs)) ++lost;
    }
    if (lost > lost_before) dwarfs += (dwarfs.empty() ? ": " : ", ") + effect.dwarf + " " + effect.axis;
  }
  Claim claim{"Larger tiles and groups are not always better"};
  if (contexts == 0)
    return claim.open("no two points differ in a tile's size alone",
                      "dwarfsweep sweep --axis work_group=16,64,256");
  claim.evidence = fmt::format(
      "the largest size measured is slower than the best by more than noise in {} of {} contexts{}", lost,
      contexts, dwarfs);
  claim.outcome = lost > 0 ? Outcome::holds : Outcome::fails;
  return claim;
}

Claim coarsening_claim(const ReportData& data, const Effects& effects) {
  struct Counts {
    std::size_t contexts = 0, helped = 0, hurt = 0;
  };
  std::map<std::string, Counts> kinds;
  for (const AxisEffect& effect : effects) {
    if (effect.axis != "granularity") continue;
    Counts& kind = kinds[data.model.columns[effect.column].any->device_type];
    kind.contexts += effect.contexts();
    kind.helped += effect.helped();
    kind.hurt += effect.hurt();
  }
  Claim claim{"Coarsening helps CPUs and hurts GPUs"};
  std::size_t as_claimed = 0, judged = 0;
  for (const auto& [type, kind] : kinds) {
    claim.evidence +=
        fmt::format("{}{}: helped in {} of {} contexts, hurt whatever the value in {}",
                    claim.evidence.empty() ? "" : "; ", type, kind.helped, kind.contexts, kind.hurt);
    if (kind.contexts == 0 || (type != "cpu" && type != "gpu")) continue;
    ++judged;
    if (2 * (type == "cpu" ? kind.helped : kind.hurt) > kind.contexts) ++as_claimed;
  }
  if (judged == 0)
    return claim.open("no two points differ in granularity alone",
                      "dwarfsweep sweep --axis granularity=1,2,4,8");
  if (judged == 1) claim.evidence += "; the other kind of device was not measured";
  claim.outcome = outcome_of(as_claimed, judged);
  return claim;
}

// --- from whole spaces, and from what a run is part of ---

// By table, device and variant: the settings that have a time.
template <typename Use>
void for_each_variant(const ReportData& data, const Use& use) {
  for_each_total(data, [&](const SettingTable& table, std::size_t column) {
    std::map<std::string, std::vector<const Setting*>> variants;
    for (const Setting& setting : table.settings) {
      if (is_timed(setting.cells[column])) variants[setting.cells[column]->variant].push_back(&setting);
    }
    for (const auto& [variant, settings] : variants) use(table, column, settings);
  });
}

Claim occupancy_claim(const ReportData& data) {
  std::size_t groups = 0, not_leanest = 0;
  for_each_variant(data, [&](const SettingTable&, std::size_t column, const auto& settings) {
    double most = 0;
    const MeasurementRow* leanest = nullptr;
    const MeasurementRow* fastest = nullptr;
    for (const Setting* setting : settings) {
      const MeasurementRow* const row = setting->cells[column];
      if (!row->registers) continue;
      if (leanest == nullptr || *row->registers < *leanest->registers) {
        leanest = row;
      } else if (*row->registers == *leanest->registers) {
        leanest = quicker(leanest, row);
      }
      most = std::max(most, *row->registers);
      fastest = quicker(fastest, row);
    }
    if (leanest == nullptr || *leanest->registers == most) return;
    ++groups;
    if (*fastest->registers != *leanest->registers && is_faster(data, *fastest, *leanest)) ++not_leanest;
  });
  Claim claim{"Occupancy is not performance"};
  if (groups == 0)
    return claim.open("no device here reports registers, which decide how many groups are resident");
  claim.evidence = fmt::format(
      "by registers per work-item, which limit the groups that are resident: in {} of {} variants the "
      "fastest setting takes more registers than the leanest, and is faster by more than noise",
      not_leanest, groups);
  claim.outcome = not_leanest > 0 ? Outcome::holds : Outcome::fails;
  return claim;
}

std::size_t count_differences(const Config& a, const Config& b) {
  return static_cast<std::size_t>(
      std::count_if(a.entries().begin(), a.entries().end(), [&](const auto& entry) {
        const Value* const other = b.find(entry.first);
        return other == nullptr || *other != entry.second;
      }));
}

// Tuning one axis at a time, replayed: from the default of a variant again and again to the quickest point
// that differs in one axis, until none is quicker. The time where it ends over the shortest; none where no
// point differs from the default in two axes or more: then there is nothing to be trapped from.
std::optional<double> climb_over_best(const std::vector<const Setting*>& settings, std::size_t column) {
  struct Step {
    Config config;
    double ns;
  };
  std::vector<Step> points;
  std::optional<Step> here;
  double best = INFINITY;
  for (const Setting* setting : settings) {
    const MeasurementRow& row = *setting->cells[column];
    points.push_back({Config::parse(setting->config), *row.median_ns});
    if (setting->baseline || setting->label == "variant=" + row.variant) here = points.back();
    best = std::min(best, *row.median_ns);
  }
  const auto is_far = [&](const Step& point) { return count_differences(point.config, here->config) > 1; };
  if (!here || std::none_of(points.begin(), points.end(), is_far)) return std::nullopt;
  for (bool moved = true; moved;) {
    moved = false;
    const Config from = here->config;
    for (const Step& point : points) {
      if (count_differences(point.config, from) != 1 || point.ns >= here->ns) continue;
      here = point;
      moved = true;
    }
  }
  return here->ns / best;
}

Claim local_maxima_claim(const ReportData& data) {
  std::size_t climbs = 0, trapped = 0;
  double worst = 1;
  std::string where;
  for_each_variant(data, [&](const SettingTable& table, std::size_t column, const auto& settings) {
    const auto over_best = climb_over_best(settings, column);
    if (!over_best) return;
    ++climbs;
    constexpr double clearly_worse = 1.02;
    if (*over_best > clearly_worse) ++trapped;
    if (*over_best <= worst) return;
    worst = *over_best;
    where = " in " + table.dwarf + " " + settings.front()->cells[column]->variant;
  });
  Claim claim{"Tuning one axis at a time is trapped in local maxima"};
  if (climbs == 0)
    return claim.open("the points vary one axis at a time, so that there is nothing to be trapped from",
                      "dwarfsweep sweep --plan stratified:300");
  claim.evidence = fmt::format(
      "changing one axis at a time among the points measured, from a variant's default, ends more than 2 % "
      "above the best in {} of {} climbs; the worst at {}x{}",
      trapped, climbs, ratio_text(worst), where);
  claim.outcome = by_majority(trapped, climbs);
  return claim;
}

Claim transfer_claim(const ReportData& data) {
  std::size_t dwarfs = 0, longer = 0;
  double largest = 0;
  std::string example;
  for (const MeasuredTable& measured : measured_tables(data)) {
    const MeasurementRow& best = *measured.best.row;
    if (!best.upload_ns || !best.download_ns) continue;
    const double transfers = *best.upload_ns + *best.download_ns;
    ++dwarfs;
    if (transfers > *best.median_ns) ++longer;
    if (measured.baseline == nullptr || measured.best.setting->baseline ||
        transfers / *best.median_ns <= largest)
      continue;
    largest = transfers / *best.median_ns;
    const double with = (*measured.baseline->median_ns + transfers) / (*best.median_ns + transfers);
    example = fmt::format(
        "; most for {} on {}, where {:.0f} % of the total are transfers, and by Amdahl's law {}x "
        "becomes {}x",
        measured.table->dwarf, data.names[measured.column], 100 * largest / (1 + largest),
        ratio_text(*measured.baseline->median_ns / *best.median_ns), ratio_text(with));
  }
  Claim claim{"Transfers decide"};
  if (dwarfs == 0) return claim.open("no point has times of its transfers");
  claim.evidence =
      fmt::format("moving inputs and results once takes longer than the best execution in {} of {} cases{}",
                  longer, dwarfs, example);
  claim.outcome = by_majority(longer, dwarfs);
  return claim;
}

Claim loader_claim(const ReportData& data) {
  Claim claim{"Dedicated loaders pay where loading and computing balance (sgemv)"};
  std::size_t pays = 0, judged = 0;
  for_each_total(data, [&](const SettingTable& table, std::size_t column) {
    if (table.dwarf != "sgemv") return;
    const MeasurementRow* staged = nullptr;
    const MeasurementRow* plain = nullptr;
    for (const Setting& setting : table.settings) {
      const MeasurementRow* const row = setting.cells[column];
      if (!is_timed(row)) continue;
      if (row->variant.starts_with("vec_") || row->variant.starts_with("both_"))
        staged = quicker(staged, row);
      if (row->variant.starts_with("row_per_")) plain = quicker(plain, row);
    }
    if (staged == nullptr || plain == nullptr) return;
    const auto gain = gain_between(data, *plain, *staged);
    if (!gain) return;
    ++judged;
    if (gain->verdict == Verdict::faster) ++pays;
    claim.evidence += fmt::format(
        "{}{} on {}: the best with loaders ({}) is {}x as fast as the best without ({}); {} % of the "
        "memory's peak against {} %",
        claim.evidence.empty() ? "" : "; ", table.problem, data.names[column], staged->variant,
        ratio_text(gain->ratio), plain->variant, ratio_text(100 * staged->peak_fraction.value_or(0)),
        ratio_text(100 * plain->peak_fraction.value_or(0)));
  });
  if (judged == 0)
    return claim.open("sgemv was not measured both with loaders and without",
                      "dwarfsweep sweep --dwarf sgemv");
  claim.outcome = outcome_of(pays, judged);
  return claim;
}

}  // namespace

Claim Claim::open(std::string missing, std::string deciding) const {
  return {text, Outcome::open, std::move(missing), std::move(deciding)};
}

std::vector<Claim> check_claims(const ReportData& data, const std::vector<AxisEffect>& effects) {
  return {unrolling_claim(effects), tile_claim(data, effects), coarsening_claim(data, effects),
          occupancy_claim(data),    local_maxima_claim(data),  transfer_claim(data),
          loader_claim(data)};
}

Html claims_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  HtmlTable table{.header = {"claim", "holds here", "evidence"}, .numbers = 3};
  for (const Claim& claim : check_claims(data, effects)) {
    const Html deciding =
        claim.command.empty() ? Html() : markup(". This would decide: <code>{}</code>", claim.command);
    table.rows.push_back({claim.text, outcome_words(claim.outcome), claim.evidence + deciding});
  }
  return markup("<h3 id=\"claims\">What the papers claim</h3>\n") + to_html(table);
}

}  // namespace dwarfsweep
