// Which of our settings and problems is the one that a published figure is about.
#pragma once

#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// Is our table about the published size? "n=4096" is the problem "m=4096;n=4096;gap=10" if every value of it
/// is the same there. A figure that does not state its size is compared with the problems of size `paper`,
/// which we chose for it.
bool is_published_problem(const std::string& size, const SettingTable& ours);

/// Finds our settings by what they change in our baseline.
class SettingFinder {
 public:
  /// `table` must outlive the finder.
  explicit SettingFinder(const SettingTable& table);

  /// The setting with these changes of the baseline and no other; null where there is none. A variant has
  /// axes of its own, so where the changes name a variant, its setting with the fewest other changes.
  [[nodiscard]] const Setting* find(const Config& changes) const;

  /// The setting that took least in that column of all that have these changes, whatever else they change;
  /// null where none was timed.
  [[nodiscard]] const Setting* find_fastest(const Config& changes, std::size_t column) const;

  /// Empty where the table has no baseline.
  [[nodiscard]] const Config& baseline() const { return baseline_; }

 private:
  [[nodiscard]] bool same_value(const Value& ours, const Value& theirs) const;
  [[nodiscard]] bool has_changes(const Config& config, const Config& changes) const;
  [[nodiscard]] std::size_t other_changes(const Config& config, const Config& changes) const;

  const SettingTable& table_;
  Config baseline_;
};

}  // namespace dwarfsweep
