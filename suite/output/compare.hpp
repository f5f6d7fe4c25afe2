// Compares two runs point by point: what became faster or slower?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/statistics.hpp"
#include "suite/record/json_fwd.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

enum class Change {
  slower,
  failing,  ///< ok before, not now
  faster,
  fixed,  ///< ok now, not before
  within_noise,
  incomparable,  ///< not ok in both, without samples, or timed by different clocks
};
std::string_view to_string(Change change);

/// A point (all its kernels together) that both runs have.
struct ComparedPoint {
  Change change = Change::incomparable;
  const MeasurementRow* before = nullptr;
  const MeasurementRow* after = nullptr;
  std::string setting;           ///< its label in tables: "granularity=4"
  std::optional<Speedup> ratio;  ///< old time over new time: above 1 is faster now
};

struct Comparison {
  std::vector<ComparedPoint> points;  ///< by change, then in the order of the old run
  std::size_t only_before = 0;        ///< points that only the old run has
  std::size_t only_after = 0;
  std::vector<std::string> differences;  ///< what else differs: host, device, driver, revision of the kernels

  [[nodiscard]] std::size_t count(Change change) const;
  /// Something is slower, or fails that did not.
  [[nodiscard]] bool is_worse() const { return count(Change::slower) + count(Change::failing) > 0; }
};

/// The runs must outlive the comparison. Devices are matched by their identity, else by their name, else if
/// each run has only one. Ratios are unpaired, from measurement blocks. Throws UsageError where the runs have
/// no point in common.
Comparison compare_runs(const RunData& before, const RunData& after);

std::string to_text(const Comparison& comparison);
Json to_json_report(const Comparison& comparison);

}  // namespace dwarfsweep
