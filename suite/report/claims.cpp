#include "suite/report/claims.hpp"

#include <algorithm>
#include <map>

#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

const char* outcome_text(Claim::Outcome outcome) {
  switch (outcome) {
    case Claim::Outcome::holds:
      return "✓ holds here";
    case Claim::Outcome::fails:
      return "✕ does not hold here";
    case Claim::Outcome::mixed:
      return "◐ holds in part";
    case Claim::Outcome::open:
      break;
  }
  return "? cannot be told from these runs";
}

bool is_tile_axis(const std::string& axis) {
  return axis == "work_group" || axis == "panel" || axis.starts_with("tile");
}

bool is_number(const std::string& text) {
  return !Value::parse(text).is_string();
}

// The pairs of a context, by the point that they are compared with.
std::map<const MeasurementRow*, std::vector<const MatchedPair*>> by_context(const AxisEffect& effect) {
  std::map<const MeasurementRow*, std::vector<const MatchedPair*>> contexts;
  for (const MatchedPair& pair : effect.pairs) contexts[pair.before].push_back(&pair);
  return contexts;
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
    if (*pair->after->median_ns < *fastest->median_ns) fastest = pair->after;
  }
  if (largest == fastest) return false;
  const auto gain = gain_between(data, *largest, *fastest);
  return gain && gain->verdict == Verdict::faster;
}

}  // namespace

Claim unrolling_claim(const ReportData&, const std::vector<AxisEffect>& effects) {
  Claim claim{.text = "Unrolling pays, unless registers cost resident groups", .evidence = {}};
  std::size_t contexts = 0;
  std::size_t helped = 0;
  std::size_t slower = 0;
  std::size_t told = 0;
  std::size_t more_registers = 0;
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
  claim.evidence = fmt::format("unrolling helped in {} of {} contexts; {} changes made it slower", helped,
                               contexts, slower);
  claim.evidence += told == 0 ? (slower > 0 ? "; the device does not tell registers" : "")
                              : fmt::format(", {} of the {} whose registers are told with more registers",
                                            more_registers, told);
  if (contexts == 0) {
    claim.evidence = "no two points differ in unrolling alone";
    claim.command = "dwarfsweep sweep --axis unroll=1,2,4,8";
    return claim;
  }
  const bool pays = 2 * helped > contexts;
  const bool explained = more_registers == told;
  claim.outcome = pays && explained     ? Claim::Outcome::holds
                  : !pays && !explained ? Claim::Outcome::fails
                                        : Claim::Outcome::mixed;
  return claim;
}

Claim tile_claim(const ReportData& data, const std::vector<AxisEffect>& effects) {
  Claim claim{.text = "Larger tiles and groups are not always better", .evidence = {}};
  std::size_t contexts = 0;
  std::size_t lost = 0;
  std::string dwarfs;
  for (const AxisEffect& effect : effects) {
    if (!is_tile_axis(effect.axis)) continue;
    bool here = false;
    for (const auto& [before, pairs] : by_context(effect)) {
      if (!std::all_of(pairs.begin(), pairs.end(),
                       [](const MatchedPair* pair) { return is_number(pair->to); }))
        continue;
      ++contexts;
      if (!largest_loses(data, pairs)) continue;
      ++lost;
      here = true;
    }
    if (here) dwarfs += (dwarfs.empty() ? "" : ", ") + effect.dwarf + " " + effect.axis;
  }
  if (contexts == 0) {
    claim.evidence = "no two points differ in a tile's size alone";
    claim.command = "dwarfsweep sweep --axis work_group=16,64,256";
    return claim;
  }
  claim.evidence = fmt::format(
      "the largest size measured is slower than the best by more than noise in {} of {} contexts{}{}", lost,
      contexts, dwarfs.empty() ? "" : ": ", dwarfs);
  claim.outcome = lost > 0 ? Claim::Outcome::holds : Claim::Outcome::fails;
  return claim;
}

Claim coarsening_claim(const ReportData& data, const std::vector<AxisEffect>& effects) {
  Claim claim{.text = "Coarsening helps CPUs and hurts GPUs", .evidence = {}};
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
  int confirmed_kinds = 0;
  int judged = 0;
  for (const auto& [type, kind] : kinds) {
    claim.evidence +=
        fmt::format("{}{}: helped in {} of {} contexts, hurt whatever the value in {}",
                    claim.evidence.empty() ? "" : "; ", type, kind.helped, kind.contexts, kind.hurt);
    if (kind.contexts == 0 || (type != "cpu" && type != "gpu")) continue;
    ++judged;
    if (2 * (type == "cpu" ? kind.helped : kind.hurt) > kind.contexts) ++confirmed_kinds;
  }
  if (judged == 0) {
    claim.evidence = "no two points differ in granularity alone";
    claim.command = "dwarfsweep sweep --axis granularity=1,2,4,8";
    return claim;
  }
  if (judged == 1) claim.evidence += "; the other kind of device was not measured";
  claim.outcome = confirmed_kinds == judged ? Claim::Outcome::holds
                  : confirmed_kinds == 0    ? Claim::Outcome::fails
                                            : Claim::Outcome::mixed;
  return claim;
}

std::vector<Claim> check_claims(const ReportData& data, const std::vector<AxisEffect>& effects) {
  return {unrolling_claim(data, effects),
          tile_claim(data, effects),
          coarsening_claim(data, effects),
          occupancy_claim(data),
          local_maxima_claim(data),
          transfer_claim(data),
          loader_claim(data)};
}

Html claims_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  std::vector<Html> items;
  for (const Claim& claim : check_claims(data, effects)) {
    items.push_back(
        markup("<b>{}</b>: {}. {}{}", claim.text, outcome_text(claim.outcome), claim.evidence,
               claim.command.empty() ? Html() : markup(". Would decide: <code>{}</code>", claim.command)));
  }
  return markup("<h3 id=\"claims\">What the papers claim</h3>\n") + html_list(items);
}

}  // namespace dwarfsweep
