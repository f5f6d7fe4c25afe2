// The claims that do not rest on matched pairs.
#include <algorithm>

#include "dwarfs/registry.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/report/claims.hpp"
#include "suite/report/hill_climb.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

// By table, device and variant.
template <typename Use>
void for_each_variant(const ReportData& data, const Use& use) {
  for (const SettingTable& table : data.model.tables) {
    if (table.kernel != "total") continue;
    for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
      std::map<std::string, std::vector<const Setting*>> variants;
      for (const Setting& setting : table.settings) {
        if (is_timed(setting.cells[column])) variants[setting.cells[column]->variant].push_back(&setting);
      }
      for (const auto& [variant, settings] : variants) use(table, column, settings);
    }
  }
}

const MeasurementRow* quicker(const MeasurementRow* known, const MeasurementRow* row) {
  return known == nullptr || *row->median_ns < *known->median_ns ? row : known;
}

}  // namespace

Claim occupancy_claim(const ReportData& data) {
  Claim claim{.text = "Occupancy is not performance", .evidence = {}};
  std::size_t groups = 0;
  std::size_t not_leanest = 0;
  for_each_variant(data,
                   [&](const SettingTable&, std::size_t column, const std::vector<const Setting*>& settings) {
                     double fewest = 0;
                     double most = 0;
                     const MeasurementRow* leanest = nullptr;
                     const MeasurementRow* fastest = nullptr;
                     for (const Setting* setting : settings) {
                       const MeasurementRow* const row = setting->cells[column];
                       if (!row->registers) continue;
                       if (leanest == nullptr || *row->registers < fewest) {
                         fewest = *row->registers;
                         leanest = row;
                       } else if (*row->registers == fewest) {
                         leanest = quicker(leanest, row);
                       }
                       most = std::max(most, *row->registers);
                       fastest = quicker(fastest, row);
                     }
                     if (leanest == nullptr || fewest == most) return;
                     ++groups;
                     if (fastest == leanest || *fastest->registers == fewest) return;
                     const auto gain = gain_between(data, *leanest, *fastest);
                     if (gain && gain->verdict == Verdict::faster) ++not_leanest;
                   });
  if (groups == 0) {
    claim.evidence = "no device here tells registers, which decide how many groups are resident";
    return claim;
  }
  claim.evidence = fmt::format(
      "by registers per work-item, which limit the groups that are resident: in {} of {} variants the "
      "fastest "
      "setting takes more registers than the leanest, and is faster by more than noise",
      not_leanest, groups);
  claim.outcome = not_leanest > 0 ? Claim::Outcome::holds : Claim::Outcome::fails;
  return claim;
}

Claim local_maxima_claim(const ReportData& data) {
  Claim claim{.text = "Tuning one axis at a time is trapped in local maxima", .evidence = {}};
  std::size_t climbs = 0;
  std::size_t trapped = 0;
  double worst = 1;
  std::string where;
  for_each_variant(
      data, [&](const SettingTable& table, std::size_t column, const std::vector<const Setting*>& settings) {
        const auto climb = climb_hill(settings, column);
        if (!climb) return;
        ++climbs;
        constexpr double clearly_worse = 1.02;
        if (climb->over_best > clearly_worse) ++trapped;
        if (climb->over_best > worst) {
          worst = climb->over_best;
          where = table.dwarf + " " + settings.front()->cells[column]->variant;
        }
      });
  if (climbs == 0) {
    claim.evidence = "the points vary one axis at a time, so that there is nothing to be trapped from";
    claim.command = "dwarfsweep sweep --plan stratified:300";
    return claim;
  }
  claim.evidence = fmt::format(
      "changing one axis at a time among the points measured, from a variant's default, ends more than 2 % "
      "above "
      "the best in {} of {} climbs; the worst at {}x{}{}",
      trapped, climbs, ratio_text(worst), where.empty() ? "" : " in ", where);
  claim.outcome = trapped == 0           ? Claim::Outcome::fails
                  : 2 * trapped > climbs ? Claim::Outcome::holds
                                         : Claim::Outcome::mixed;
  return claim;
}

Claim transfer_claim(const ReportData& data) {
  Claim claim{.text = "Transfers decide", .evidence = {}};
  std::size_t dwarfs = 0;
  std::size_t longer = 0;
  std::string examples;
  for (const MeasuredTable& measured : measured_tables(data)) {
    const MeasurementRow& best = *measured.best.row;
    if (!best.upload_ns || !best.download_ns) continue;
    const double transfers = *best.upload_ns + *best.download_ns;
    ++dwarfs;
    if (transfers > *best.median_ns) ++longer;
    if (measured.baseline == nullptr || measured.best.setting->baseline) continue;
    const double gain = *measured.baseline->median_ns / *best.median_ns;
    const double with = (*measured.baseline->median_ns + transfers) / (*best.median_ns + transfers);
    examples += fmt::format(
        "{}{} on {}: transfers {:.0f} % of the total, {}x becomes {}x", examples.empty() ? "" : "; ",
        measured.table->dwarf, data.model.columns[measured.column].letter,
        100 * transfers / (transfers + *best.median_ns), ratio_text(gain), ratio_text(with));
  }
  if (dwarfs == 0) {
    claim.evidence = "no point has times of its transfers";
    return claim;
  }
  claim.evidence = fmt::format(
      "moving inputs and results once takes longer than the best run for {} of {} dwarfs and devices. By "
      "Amdahl's "
      "law, transfers included: {}",
      longer, dwarfs, examples);
  claim.outcome = 2 * longer > dwarfs ? Claim::Outcome::holds
                  : longer == 0       ? Claim::Outcome::fails
                                      : Claim::Outcome::mixed;
  return claim;
}

Claim loader_claim(const ReportData& data) {
  Claim claim{.text = "Dedicated loaders pay where loading and computing balance (sgemv)", .evidence = {}};
  int pays = 0;
  int judged = 0;
  for (const SettingTable& table : data.model.tables) {
    if (table.kernel != "total" || table.dwarf != "sgemv") continue;
    for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
      const MeasurementRow* staged = nullptr;
      const MeasurementRow* plain = nullptr;
      for (const Setting& setting : table.settings) {
        const MeasurementRow* const row = setting.cells[column];
        if (!is_timed(row)) continue;
        if (row->variant.starts_with("vec_") || row->variant.starts_with("both_"))
          staged = quicker(staged, row);
        if (row->variant.starts_with("row_per_")) plain = quicker(plain, row);
      }
      if (staged == nullptr || plain == nullptr) continue;
      const auto gain = gain_between(data, *plain, *staged);
      if (!gain) continue;
      ++judged;
      if (gain->verdict == Verdict::faster) ++pays;
      claim.evidence += fmt::format(
          "{}{} on {}: the best with loaders ({}) is {}x as fast as the best without ({}); {} % of the "
          "memory's peak against {} %",
          claim.evidence.empty() ? "" : "; ", table.problem, data.model.columns[column].letter,
          staged->variant, ratio_text(gain->ratio), plain->variant,
          ratio_text(100 * staged->peak_fraction.value_or(0)),
          ratio_text(100 * plain->peak_fraction.value_or(0)));
    }
  }
  if (judged == 0) {
    claim.evidence = "sgemv was not measured both with loaders and without";
    claim.command = "dwarfsweep sweep --dwarf sgemv";
    return claim;
  }
  claim.outcome = pays == judged ? Claim::Outcome::holds
                  : pays == 0    ? Claim::Outcome::fails
                                 : Claim::Outcome::mixed;
  return claim;
}

}  // namespace dwarfsweep
