// One function for each claim. Each looks at one device; the text of its rule is in the list at the end.
#include "suite/report/claim_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/space/value.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/report/sections.hpp"
#include "suite/search/random_search.hpp"

namespace dwarfsweep {
namespace {

using Outcome = Claim::Outcome;
using Judged = Claim::Verdict;

Judged undecided(std::string missing, std::string command = "") {
  return {Outcome::undecided, std::move(missing), std::move(command)};
}

Judged not_about(const char* devices) {
  return {Outcome::not_about_it, fmt::format("a claim about {}", devices), ""};
}

// More than two thirds agree, or fewer than one third do.
Judged by_share(std::size_t agree, std::size_t all, const std::string& evidence) {
  const Outcome outcome = 3 * agree > 2 * all ? Outcome::holds
                          : 3 * agree < all   ? Outcome::fails
                                              : Outcome::undecided;
  return {outcome, evidence, ""};
}

Judged by_existence(std::size_t count, const std::string& evidence) {
  return {count > 0 ? Outcome::holds : Outcome::fails, evidence, ""};
}

bool is_faster(const ReportData& data, const MeasurementRow& after, const MeasurementRow& before) {
  const auto gain = gain_between(data, before, after);
  return gain && gain->verdict == Verdict::faster;
}

const MeasurementRow* quicker(const MeasurementRow* known, const MeasurementRow* row) {
  return known == nullptr || *row->median_ns < *known->median_ns ? row : known;
}

struct Counts {
  std::size_t contexts = 0, helped = 0, hurt = 0;
};

Counts counts_of(const ClaimFacts& facts, const std::string& axis) {
  Counts counts;
  for (const AxisEffect& effect : facts.effects) {
    if (effect.axis != axis) continue;
    counts.contexts += effect.contexts();
    counts.helped += effect.helped();
    counts.hurt += effect.hurt();
  }
  return counts;
}

// Pairs by the point that they are compared with.
using PairsByContext = std::map<const MeasurementRow*, std::vector<const MatchedPair*>>;

PairsByContext by_context(const AxisEffect& effect) {
  PairsByContext contexts;
  for (const MatchedPair& pair : effect.pairs) contexts[pair.before].push_back(&pair);
  return contexts;
}

// `use(table)` for each table of that kernel that has times of the device.
template <typename Use>
void for_each_table(const ClaimFacts& facts, const std::string& kernel, const Use& use) {
  for (const SettingTable& table : facts.data.model.tables) {
    const auto timed = [&](const Setting& setting) { return is_timed(setting.cells[facts.column]); };
    if (table.kernel == kernel && std::ranges::any_of(table.settings, timed)) use(table);
  }
}

// Table and variant: the settings that have a time.
template <typename Use>
void for_each_variant(const ClaimFacts& facts, const std::string& kernel, const Use& use) {
  for_each_table(facts, kernel, [&](const SettingTable& table) {
    std::map<std::string, std::vector<const Setting*>> variants;
    for (const Setting& setting : table.settings) {
      const MeasurementRow* const row = setting.cells[facts.column];
      if (is_timed(row)) variants[row->variant].push_back(&setting);
    }
    for (const auto& [variant, settings] : variants) use(table, settings);
  });
}

// --- geometry ---

Judged coarsening_helps(const ClaimFacts& facts) {
  if (facts.device_type() != "cpu") return not_about("CPUs");
  const Counts counts = counts_of(facts, "granularity");
  if (counts.contexts == 0)
    return undecided("no two points differ in granularity alone",
                     "dwarfsweep sweep --axis granularity=1,2,4,8");
  return by_share(counts.helped, counts.contexts,
                  fmt::format("helped in {} of {} contexts", counts.helped, counts.contexts));
}

Judged coarsening_hurts(const ClaimFacts& facts) {
  if (facts.device_type() != "gpu") return not_about("GPUs");
  const Counts counts = counts_of(facts, "granularity");
  if (counts.contexts == 0)
    return undecided("no two points differ in granularity alone",
                     "dwarfsweep sweep --axis granularity=1,2,4,8");
  return by_share(
      counts.hurt, counts.contexts,
      fmt::format("every other value is slower in {} of {} contexts", counts.hurt, counts.contexts));
}

// Printed speedups have two decimals.
constexpr double clearly = 1.02;

Judged wider_stores_pay(const ClaimFacts& facts) {
  std::size_t contexts = 0, paid = 0;
  double largest = 0;
  for_each_table(facts, "compute", [&](const SettingTable& table) {
    if (table.dwarf != "crc") return;
    std::map<std::string, double> narrow;  // one answer for each work-item, by what else is set
    std::map<std::string, double> wide;    // the quickest with several
    for (const Setting& setting : table.settings) {
      const MeasurementRow* const row = setting.cells[facts.column];
      if (!is_timed(row)) continue;
      const Config config = Config::parse(setting.config);
      const std::string rest = config.with("answers", "").with("granularity", "").to_string();
      const Value* const answers = config.find("answers");
      if (row->granularity == "1") {
        narrow[rest] = *row->median_ns;
      } else if (answers != nullptr && answers->to_string() == "each") {
        const auto [at, is_new] = wide.emplace(rest, *row->median_ns);
        if (!is_new) at->second = std::min(at->second, *row->median_ns);
      }
    }
    for (const auto& [rest, ns] : wide) {
      const auto one = narrow.find(rest);
      if (one == narrow.end()) continue;
      ++contexts;
      if (one->second / ns > clearly) ++paid;
      largest = std::max(largest, one->second / ns);
    }
  });
  if (contexts == 0)
    return undecided("crc was not measured with answers=each", "dwarfsweep sweep --plan paper --dwarf crc");
  return by_share(paid, contexts,
                  fmt::format("in {} of {} contexts, at most {}x", paid, contexts, ratio_text(largest)));
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

Judged larger_loses(const ClaimFacts& facts) {
  std::size_t contexts = 0, lost = 0;
  std::string dwarfs;
  for (const AxisEffect& effect : facts.effects) {
    if (!is_tile_axis(effect.axis)) continue;
    const std::size_t lost_before = lost;
    for (const auto& [before, pairs] : by_context(effect)) {
      const bool numbers = std::all_of(pairs.begin(), pairs.end(), [](const MatchedPair* pair) {
        return !Value::parse(pair->to).is_string();
      });
      if (!numbers) continue;
      ++contexts;
      if (largest_loses(facts.data, pairs)) ++lost;
    }
    if (lost > lost_before) dwarfs += (dwarfs.empty() ? ": " : ", ") + effect.dwarf + " " + effect.axis;
  }
  if (contexts == 0)
    return undecided("no two points differ in a tile's size alone",
                     "dwarfsweep sweep --axis work_group=16,64,256");
  return by_existence(lost, fmt::format("in {} of {} contexts{}", lost, contexts, dwarfs));
}

// --- vectors, loops, branches ---

Judged vectors_pay(const ClaimFacts& facts) {
  if (facts.device_type() != "cpu") return not_about("CPUs");
  std::size_t contexts = 0, paid = 0;
  for (const AxisEffect& effect : facts.effects) {
    if (effect.axis != "vector_width") continue;
    for (const auto& [before, pairs] : by_context(effect)) {
      const auto has_width = [](const MatchedPair* pair) {
        return pair->from == "1" && (pair->to == "4" || pair->to == "8");
      };
      if (std::ranges::none_of(pairs, has_width)) continue;
      ++contexts;
      const bool faster = std::ranges::any_of(pairs, [&](const MatchedPair* pair) {
        return has_width(pair) && pair->gain.verdict == Verdict::faster;
      });
      if (faster) ++paid;
    }
  }
  if (contexts == 0)
    return undecided("no two points differ in vector_width alone",
                     "dwarfsweep sweep --axis vector_width=1,4,8");
  return by_share(paid, contexts, fmt::format("in {} of {} contexts", paid, contexts));
}

Judged unrolling_pays(const ClaimFacts& facts) {
  const Counts counts = counts_of(facts, "unroll");
  if (counts.contexts == 0)
    return undecided("no two points differ in unrolling alone", "dwarfsweep sweep --axis unroll=1,2,4,8");
  return by_share(counts.helped, counts.contexts,
                  fmt::format("helped in {} of {} contexts", counts.helped, counts.contexts));
}

Judged unrolling_costs_registers(const ClaimFacts& facts) {
  std::size_t slower = 0, more = 0;
  for (const AxisEffect& effect : facts.effects) {
    if (effect.axis != "unroll") continue;
    for (const MatchedPair& pair : effect.pairs) {
      if (pair.gain.verdict != Verdict::slower || !pair.before->registers || !pair.after->registers) continue;
      ++slower;
      if (*pair.after->registers > *pair.before->registers) ++more;
    }
  }
  if (slower == 0) return undecided("no unrolled point is slower and has its registers known");
  return by_share(more, slower, fmt::format("in {} of the {} slower ones", more, slower));
}

// Dwarfs whose padding replaces the tests for an end; elsewhere padding is of local memory, or aligns rows.
constexpr const char* padded_against_tests[] = {"cp", "crc", "des", "hotspot", "mri", "sad", "saxpy", "srad"};

Judged padding_pays(const ClaimFacts& facts) {
  std::size_t contexts = 0, paid = 0;
  double largest = 0;
  const auto count = [&](const MatchedPair& pair) {
    ++contexts;
    if (pair.gain.verdict == Verdict::faster) ++paid;
    largest = std::max(largest, pair.gain.ratio);
  };
  for (const AxisEffect& effect : facts.effects) {
    const bool replaces_tests =
        std::ranges::find(padded_against_tests, effect.dwarf) != std::end(padded_against_tests);
    for (const MatchedPair& pair : effect.best_of_context) {
      const bool of_srad = effect.dwarf == "srad" && pair.from == "branches" && pair.to == "halo";
      if (effect.axis == variant_with_defaults ? of_srad : effect.axis == "padding" && replaces_tests)
        count(pair);
    }
  }
  if (contexts == 0)
    return undecided("neither srad's variants nor padding were compared",
                     "dwarfsweep sweep --dwarf srad,cp,saxpy --axis padding=0,1");
  return by_share(paid, contexts,
                  fmt::format("in {} of {} contexts, at most {}x", paid, contexts, ratio_text(largest)));
}

// --- micro-benchmarks ---

// How a variant of micro compares with the baseline in one of its kernels, table by table.
template <typename Agrees>
Judged judge_micro(const ClaimFacts& facts, const char* kernel, const char* variant, const Agrees& agrees) {
  std::size_t all = 0, agree = 0;
  std::string ratios;
  for_each_table(facts, kernel, [&](const SettingTable& table) {
    if (table.dwarf != "micro") return;
    for (const Setting& setting : table.settings) {
      const MeasurementRow* const row = setting.cells[facts.column];
      if (!is_timed(row) || !row->speedup || setting.label != std::string("variant=") + variant) continue;
      ++all;
      if (agrees(*row)) ++agree;
      ratios += (ratios.empty() ? "" : ", ") + ratio_text(*row->speedup) + "x";
    }
  });
  if (all == 0) return undecided("micro was not measured", "dwarfsweep sweep --plan paper --dwarf micro");
  return by_share(agree, all, ratios);
}

Judged tables_pay(const ClaimFacts& facts) {
  return judge_micro(facts, "permute", "tables",
                     [](const MeasurementRow& row) { return row.verdict == "faster"; });
}

Judged conflicts_cost(const ClaimFacts& facts) {
  if (facts.device_type() != "gpu") return not_about("GPUs");
  return judge_micro(facts, "traverse", "columns",
                     [](const MeasurementRow& row) { return row.verdict == "slower"; });
}

struct Curve {
  std::vector<double> x, y;

  // The square of the correlation; 0 where nothing varies.
  [[nodiscard]] double determination() const {
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sx += x[i];
      sy += y[i];
      sxx += x[i] * x[i];
      sxy += x[i] * y[i];
      syy += y[i] * y[i];
    }
    const double covariance = n * sxy - sx * sy;
    const double spread = (n * sxx - sx * sx) * (n * syy - sy * sy);
    return spread > 0 ? covariance * covariance / spread : 0;
  }
};

Judged divergence_is_linear(const ClaimFacts& facts) {
  if (facts.device_type() != "gpu") return not_about("GPUs");
  constexpr std::size_t least_points = 5;
  std::size_t all = 0, linear = 0;
  std::string evidence;
  for_each_variant(facts, "diverge", [&](const SettingTable& table, const auto& settings) {
    if (table.dwarf != "micro") return;
    std::map<std::string, Curve> curves;
    for (const Setting* setting : settings) {
      const Config config = Config::parse(setting->config);
      if (const Value* const divergent = config.find("divergent")) {
        Curve& curve = curves[config.with("divergent", "").to_string()];
        curve.x.push_back(divergent->real());
        curve.y.push_back(*setting->cells[facts.column]->median_ns);
      }
    }
    for (const auto& [rest, curve] : curves) {
      if (curve.x.size() < least_points) continue;
      const auto [least, most] = std::ranges::minmax_element(curve.y);
      ++all;
      if (curve.determination() >= 0.95 && *most > 2 * *least) ++linear;
      evidence += fmt::format("{}r^2 {:.3f} over {} points, {}x at most", evidence.empty() ? "" : "; ",
                              curve.determination(), curve.x.size(), ratio_text(*most / *least));
    }
  });
  if (all == 0)
    return undecided("no five numbers of work-items that diverge were measured",
                     "dwarfsweep sweep --plan paper --dwarf micro");
  return by_share(linear, all, evidence);
}

// --- occupancy and search ---

Judged occupancy_is_not_all(const ClaimFacts& facts) {
  std::size_t groups = 0, not_leanest = 0;
  for_each_variant(facts, "total", [&](const SettingTable&, const auto& settings) {
    double most = 0;
    const MeasurementRow* leanest = nullptr;
    const MeasurementRow* fastest = nullptr;
    for (const Setting* setting : settings) {
      const MeasurementRow* const row = setting->cells[facts.column];
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
    if (*fastest->registers != *leanest->registers && is_faster(facts.data, *fastest, *leanest))
      ++not_leanest;
  });
  if (groups == 0) return undecided("the device does not report registers, or no two points differ in them");
  return by_existence(not_leanest, fmt::format("in {} of {} variants", not_leanest, groups));
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

Judged climbs_are_trapped(const ClaimFacts& facts) {
  std::size_t climbs = 0, trapped = 0;
  double worst = 1;
  for_each_variant(facts, "total", [&](const SettingTable&, const auto& settings) {
    const auto over_best = climb_over_best(settings, facts.column);
    if (!over_best) return;
    ++climbs;
    if (*over_best > clearly) ++trapped;
    worst = std::max(worst, *over_best);
  });
  if (climbs == 0)
    return undecided("the points vary one axis at a time, so that there is nothing to be trapped from",
                     "dwarfsweep sweep --plan stratified:300");
  return by_share(trapped, climbs,
                  fmt::format("{} of {} climbs, the worst {}x", trapped, climbs, ratio_text(worst)));
}

Judged random_sample_suffices(const ClaimFacts& facts) {
  constexpr std::size_t least_points = 30;
  std::size_t spaces = 0, enough = 0;
  double worst = 1;
  for_each_variant(facts, "total", [&](const SettingTable&, const auto& settings) {
    if (settings.size() < least_points) return;
    std::vector<double> times;
    for (const Setting* setting : settings) times.push_back(*setting->cells[facts.column]->median_ns);
    std::ranges::sort(times);
    const double fraction =
        times.front() / RandomSearch(times, times.size()).expected_best(times.size() / 10);
    ++spaces;
    if (fraction >= 0.95) ++enough;
    worst = std::min(worst, fraction);
  });
  if (spaces == 0) return undecided("no variant has 30 points", "dwarfsweep sweep --plan stratified:300");
  return by_share(
      enough, spaces,
      fmt::format("in {} of {} variants; in the worst {:.0f} % of the best", enough, spaces, 100 * worst));
}

// --- transfers and loaders ---

Judged transfers_decide(const ClaimFacts& facts) {
  std::size_t problems = 0, longer = 0;
  for (const MeasuredTable& measured : measured_tables(facts.data)) {
    const MeasurementRow& best = *measured.best.row;
    if (measured.column != facts.column || !best.upload_ns || !best.download_ns) continue;
    ++problems;
    if (*best.upload_ns + *best.download_ns > *best.median_ns) ++longer;
  }
  if (problems == 0) return undecided("no point has times of its transfers");
  return by_share(longer, problems, fmt::format("for {} of {} problems", longer, problems));
}

Judged loaders_pay(const ClaimFacts& facts) {
  std::size_t pays = 0, judged = 0;
  std::string evidence;
  for_each_table(facts, "total", [&](const SettingTable& table) {
    if (table.dwarf != "sgemv") return;
    const MeasurementRow* staged = nullptr;
    const MeasurementRow* plain = nullptr;
    for (const Setting& setting : table.settings) {
      const MeasurementRow* const row = setting.cells[facts.column];
      if (!is_timed(row)) continue;
      if (row->variant.starts_with("vec_") || row->variant.starts_with("both_"))
        staged = quicker(staged, row);
      if (row->variant.starts_with("row_per_")) plain = quicker(plain, row);
    }
    if (staged == nullptr || plain == nullptr) return;
    const auto gain = gain_between(facts.data, *plain, *staged);
    if (!gain) return;
    ++judged;
    if (gain->verdict == Verdict::faster) ++pays;
    evidence += (evidence.empty() ? "" : ", ") + ratio_text(gain->ratio) + "x";
  });
  if (judged == 0)
    return undecided("sgemv was not measured both with loaders and without",
                     "dwarfsweep sweep --dwarf sgemv");
  return by_share(pays, judged, evidence);
}

Judged few_loaders_suffice(const ClaimFacts& facts) {
  if (facts.device_type() != "gpu") return not_about("GPUs");
  std::size_t judged = 0, enough = 0;
  std::string evidence;
  for_each_table(facts, "total", [&](const SettingTable& table) {
    if (table.dwarf != "saxpy") return;
    double plain = 0;                 // the best bandwidth without loaders, whatever resides
    std::map<double, double> staged;  // with them, by the local memory that limits residency
    for (const Setting& setting : table.settings) {
      const MeasurementRow* const row = setting.cells[facts.column];
      if (!is_timed(row) || !row->gb_per_s) continue;
      const Config config = Config::parse(setting.config);
      const Value* const dummy = config.find("dummy");
      if (row->variant != "staged") plain = std::max(plain, *row->gb_per_s);
      if (row->variant == "staged" && dummy != nullptr) {
        double& best = staged[dummy->real()];
        best = std::max(best, *row->gb_per_s);
      }
    }
    if (plain == 0 || staged.size() < 2) return;
    const auto& [kib, rate] = *staged.rbegin();
    ++judged;
    if (rate >= 0.95 * plain) ++enough;
    evidence += fmt::format("{}{:.0f} % of the best bandwidth with {:.0f} KiB in use",
                            evidence.empty() ? "" : "; ", 100 * rate / plain, kib);
  });
  if (judged == 0)
    return undecided("saxpy was not measured with loaders and fewer resident groups",
                     "dwarfsweep sweep --plan paper --dwarf saxpy");
  return by_share(enough, judged, evidence);
}

}  // namespace

const std::vector<ClaimRule>& claim_rules() {
  static const std::vector<ClaimRule> rules = {
      {"Coarsening helps CPUs", "thesis_2013", "some granularity above the baseline's is faster",
       coarsening_helps},
      {"Coarsening hurts GPUs", "thesis_2013", "every other granularity is slower", coarsening_hurts},
      {"Coarsening pays by wider stores", "thesis_2013",
       "crc: some granularity that stores all answers as a vector is faster by 2 % than one answer",
       wider_stores_pay},
      {"Larger tiles and groups are not always better", "optimization_principles_2008",
       "the largest size is slower than the best in at least one context", larger_loses},
      {"Vectors of 4 and 8 pay on CPUs", "thesis_2013", "a vector_width of 4 or 8 is faster than 1",
       vectors_pay},
      {"Unrolling pays", "thesis_2013", "some unroll above the baseline's is faster", unrolling_pays},
      {"Unrolling loses by its registers", "optimization_principles_2008",
       "the unrolled points that are slower use more registers", unrolling_costs_registers},
      {"Padding instead of branches pays", "thesis_2013",
       "srad's halo is faster than its branches, and padding is faster where it replaces tests",
       padding_pays},
      {"Tables pay instead of ifs", "performance_study_2008", "micro's permute is faster with a table",
       tables_pay},
      {"Bank conflicts cost", "performance_study_2008", "micro's traverse is slower by columns",
       conflicts_cost},
      {"Time grows linearly with divergence", "performance_study_2008",
       "micro's diverge: r^2 of a line is 0.95 or more, and the time more than doubles",
       divergence_is_linear},
      {"Occupancy is not performance", "optimization_principles_2008",
       "in at least one variant the fastest setting uses more registers than the leanest and is faster",
       occupancy_is_not_all},
      {"Tuning one axis at a time is trapped", "optimization_carving_2008",
       "such a climb among the points measured ends more than 2 % above the best", climbs_are_trapped},
      {"A random sample suffices", "optimization_carving_2008",
       "a tenth of a variant's points is expected to have one within 5 % of the best",
       random_sample_suffices},
      {"Transfers decide", "performance_study_2008",
       "moving inputs and results once takes longer than the best execution", transfers_decide},
      {"Dedicated loaders pay", "cudadma_2011",
       "sgemv: the best variant with loaders is faster than the best without", loaders_pay},
      {"Few resident groups with loaders reach the bandwidth", "cudadma_2011",
       "saxpy: with the most local memory occupied, staged reaches 95 % of the best bandwidth without "
       "loaders",
       few_loaders_suffice}};
  return rules;
}

}  // namespace dwarfsweep
