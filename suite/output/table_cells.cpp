#include "suite/output/table_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "suite/record/reason.hpp"

namespace dwarfsweep {
namespace {

struct Unit {
  const char* name;
  double ns;
};
constexpr std::array<Unit, 4> units = {{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

// The largest unit in which the time is at least one.
const Unit& unit_for(double ns) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (ns >= unit.ns) best = &unit;
  }
  return *best;
}

// For four significant digits; no clock has a resolution below a tenth of a nanosecond.
int decimals_for(double ns, const Unit& unit) {
  const double amount = ns / unit.ns;
  const int decimals = amount < 10 ? 3 : amount < 100 ? 2 : amount < 1000 ? 1 : 0;
  return unit.ns == 1 ? std::min(decimals, 1) : decimals;
}

}  // namespace

std::string time_text(double ns) {
  const Unit& unit = unit_for(ns);
  return fmt::format("{:.{}f} {}", ns / unit.ns, decimals_for(ns, unit), unit.name);
}

std::string ratio_text(double ratio, double interval_width) {
  const int decimals = ratio >= 100 ? 0 : ratio >= 10 ? 1 : ratio < 0.1 || interval_width < 0.02 ? 3 : 2;
  return fmt::format("{:.{}f}", ratio, decimals);
}

std::string interval_text(double low, double high) {
  if (!std::isfinite(high)) return "[?]";
  const auto bound = [&](double value) {
    const std::string text = ratio_text(value, high - low);
    // A bound close to 1 decides the verdict, so it must not be rounded to 1.
    return text == "1.00" && value != 1 ? ratio_text(value, 0) : text;
  };
  return fmt::format("[{}, {}]", bound(low), bound(high));
}

std::string verdict_mark(const std::string& verdict) {
  if (verdict == "faster") return "+";
  if (verdict == "slower") return "-";
  return verdict.empty() ? "" : "~";
}

std::vector<std::string> ratio_parts(double ratio, double low, double high, const std::string& mark) {
  return {ratio_text(ratio, high - low) + "x", interval_text(low, high), mark};
}

std::vector<std::string> speedup_parts(const MeasurementRow& row, bool baseline) {
  if (baseline || !row.speedup) return {"", "", ""};
  return ratio_parts(*row.speedup, row.speedup_low.value_or(0), row.speedup_high.value_or(INFINITY),
                     verdict_mark(row.verdict));
}

std::string over_reference(const MeasurementRow* reference, double time_ns) {
  return reference == nullptr ? "" : ratio_text(*reference->median_ns / time_ns) + "x";
}

TimeScale::TimeScale(const std::vector<double>& times_ns) {
  if (times_ns.empty()) return;
  const auto [min, max] = std::ranges::minmax_element(times_ns);
  if (*max > 1e4 * *min) return;
  const Unit& unit = unit_for(*min);
  unit_ = unit.name;
  ns_per_unit_ = unit.ns;
  decimals_ = decimals_for(*min, unit);
}

std::string TimeScale::text(double ns) const {
  return unit_.empty() ? time_text(ns) : fmt::format("{:.{}f}", ns / ns_per_unit_, decimals_);
}

std::string Footnotes::mark(const std::string& text) {
  auto place = std::ranges::find(texts_, text);
  if (place == texts_.end()) place = texts_.insert(texts_.end(), text);
  return fmt::format("[{}]", place - texts_.begin() + 1);
}

std::vector<std::string> Footnotes::lines() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < texts_.size(); ++i) lines.push_back(fmt::format("[{}] {}", i + 1, texts_[i]));
  return lines;
}

Cell result_cell(const MeasurementRow* row, const TimeScale& scale, bool baseline, Footnotes& notes) {
  if (row == nullptr) return {{}, "."};
  if (row->status != "ok" || !row->median_ns) {
    const std::string status = row->status == "ok" ? "no samples" : status_words(row->status);
    return {{}, status + " " + notes.mark(status + ": " + short_reason(row->reason))};
  }
  Cell cell{speedup_parts(*row, baseline), ""};
  cell.parts.insert(cell.parts.begin(), scale.text(*row->median_ns));
  if (baseline && row->speedup && row->verdict != "within_noise") {
    const double low = row->speedup_low.value_or(0);
    const double high = row->speedup_high.value_or(INFINITY);
    cell.parts[3] = notes.mark(
        fmt::format("the baseline against itself is not within noise: {} {}; do not trust this column",
                    ratio_text(*row->speedup, high - low), interval_text(low, high)));
  }
  if (!row->reason.empty()) cell.parts[3] += notes.mark(short_reason(row->reason));
  return cell;
}

}  // namespace dwarfsweep
