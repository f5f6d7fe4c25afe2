// The text of times, ratios and reasons in a cell.
#pragma once

#include <string>
#include <vector>

#include "suite/output/document.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// "1.234 ms": four significant digits.
std::string time_text(double ns);
/// "1.24", with a digit more where the interval is narrow.
std::string ratio_text(double ratio, double interval_width = 1);
/// "[1.20, 1.28]"; "[?]" where a single measurement block gives none.
std::string interval_text(double low, double high);
/// "+", "-", "~".
std::string verdict_mark(const std::string& verdict);
/// Ratio, interval and mark, as parts of a cell: "1.24x", "[1.20, 1.28]", "+".
std::vector<std::string> ratio_parts(double ratio, double low, double high, const std::string& mark);
/// The same of a row's speedup; nothing where it is the baseline's, or there is none.
std::vector<std::string> speedup_parts(const MeasurementRow& row, bool baseline);
/// "12.1x": time of the CPU reference over `time_ns`; empty where `reference` is null.
std::string over_reference(const MeasurementRow* reference, double time_ns);

/// One unit for all times of a table, so that they are easy to compare; none where they differ by more than a
/// factor of 10^4.
class TimeScale {
 public:
  explicit TimeScale(const std::vector<double>& times_ns);
  [[nodiscard]] std::string text(double ns) const;
  /// "ms"; empty where every cell carries its own unit.
  [[nodiscard]] const std::string& unit() const { return unit_; }

 private:
  std::string unit_;
  double ns_per_unit_ = 1;
  int decimals_ = 0;
};

/// Numbers reasons in the order of their first use; the same reason has one number.
class Footnotes {
 public:
  /// "[1]".
  std::string mark(const std::string& text);
  /// "[1] rejected: ...".
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  std::vector<std::string> texts_;
};

/// Time, speedup, interval, mark; or the status of a point that failed.
Cell result_cell(const MeasurementRow* row, const TimeScale& scale, bool baseline, Footnotes& notes);

}  // namespace dwarfsweep
