// Our measurement of a published setting, and its speedup over what the published speedup is over.
#pragma once

#include <optional>
#include <string>

#include "suite/output/table_model.hpp"
#include "suite/published/published_rows.hpp"
#include "suite/published/published_settings.hpp"

namespace dwarfsweep {

struct OurSpeedup {
  double ratio = 0;     ///< above 1 is faster
  std::string verdict;  ///< of a paired comparison with our baseline; empty: a ratio of medians
};

/// Joins one figure's rows with our table of the same dwarf, kernel and problem.
class PublishedJoin {
 public:
  /// The figure and the table must outlive the join.
  PublishedJoin(const SettingTable& ours, const std::vector<PublishedRow>& figure)
      : ours_(ours), figure_(figure), settings_(ours) {}

  /// Ours of that setting and column; null where it was not part of the run.
  [[nodiscard]] const MeasurementRow* measurement(const PublishedRow& row, std::size_t column) const;

  /// None where there is nothing to compare with. Over threads of the CPU it is as published: the whole
  /// program with the transfers, a kernel alone.
  [[nodiscard]] std::optional<OurSpeedup> speedup(const PublishedRow& row, std::size_t column) const;

  /// Of a row over CPU threads: our time, with the transfers where the speedup has them. None where it was
  /// not measured.
  [[nodiscard]] static std::optional<double> time_over_threads(const PublishedRow& row,
                                                               const MeasurementRow& ours);

  /// Empty where the table has no baseline.
  [[nodiscard]] const Config& baseline() const { return settings_.baseline(); }

 private:
  [[nodiscard]] const Setting* setting_of(const PublishedRow& row, std::size_t column) const;
  [[nodiscard]] std::optional<OurSpeedup> over_threads(const PublishedRow& row, std::size_t column) const;

  const SettingTable& ours_;
  const std::vector<PublishedRow>& figure_;
  SettingFinder settings_;
};

}  // namespace dwarfsweep
