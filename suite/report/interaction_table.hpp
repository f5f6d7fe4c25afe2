// What a report says of interactions.
#pragma once

#include "suite/report/html.hpp"
#include "suite/report/matched_pairs.hpp"

namespace dwarfsweep {

/// Those that the points allow to estimate; for the other dwarfs the command that would.
Html interaction_part(const ReportData& data, const std::vector<AxisEffect>& effects);

}  // namespace dwarfsweep
