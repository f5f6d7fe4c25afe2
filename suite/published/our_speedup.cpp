#include "suite/published/our_speedup.hpp"

#include "suite/output/cpu_reference_table.hpp"

namespace dwarfsweep {

const Setting* PublishedJoin::setting_of(const PublishedRow& row, std::size_t column) const {
  return is_best_of_search(row) ? settings_.find_fastest(row.changes, column) : settings_.find(row.changes);
}

const MeasurementRow* PublishedJoin::measurement(const PublishedRow& row, std::size_t column) const {
  const Setting* const setting = setting_of(row, column);
  return setting == nullptr ? nullptr : setting->cells[column];
}

std::optional<double> PublishedJoin::time_over_threads(const PublishedRow& row, const MeasurementRow& ours) {
  return row.kernel == "total" ? time_with_transfers(ours) : ours.median_ns;
}

std::optional<OurSpeedup> PublishedJoin::over_threads(const PublishedRow& row, std::size_t column) const {
  const CpuReference& references = ours_.cpu_reference;
  const MeasurementRow* const reference =
      row.reference == one_cpu_thread ? references.one_thread[column] : references.four_threads[column];
  const std::optional<double> time = time_over_threads(row, *measurement(row, column));
  if (!time || !is_timed(reference)) return std::nullopt;
  return OurSpeedup{*reference->median_ns / *time, ""};
}

std::optional<OurSpeedup> PublishedJoin::speedup(const PublishedRow& row, std::size_t column) const {
  const MeasurementRow* const ours = measurement(row, column);
  if (!is_timed(ours)) return std::nullopt;
  if (is_over_threads(row)) return over_threads(row, column);
  const PublishedRow* const reference = find_reference(figure_, row);
  const Setting* const setting = reference == nullptr ? nullptr : setting_of(*reference, column);
  const MeasurementRow* const other = setting == nullptr ? nullptr : setting->cells[column];
  if (!is_timed(other) || other == ours) return std::nullopt;
  // The baseline's own row has a speedup of 1 over itself, which says nothing here.
  if (setting->baseline && ours->speedup) return OurSpeedup{*ours->speedup, ours->verdict};
  return OurSpeedup{*other->median_ns / *ours->median_ns, ""};
}

}  // namespace dwarfsweep
