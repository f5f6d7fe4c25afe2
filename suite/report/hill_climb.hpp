// Tuning one axis at a time, replayed on measured points.
#pragma once

#include <optional>
#include <vector>

#include "suite/output/table_model.hpp"

namespace dwarfsweep {

struct HillClimb {
  const MeasurementRow* end = nullptr;
  double over_best = 1;  ///< time where it ends over the shortest
};

/// From the default of a variant, again and again to the quickest point that differs in one axis, until none
/// is quicker. `settings`: those of one variant, all timed in that column. None where no point differs from
/// the default in two axes or more: then there is nothing to be trapped from.
std::optional<HillClimb> climb_hill(const std::vector<const Setting*>& settings, std::size_t column);

}  // namespace dwarfsweep
