// The samples of a problem's baseline and best setting, block by block.
#pragma once

#include "suite/report/html.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {

/// Empty where the run has no samples.
Html sample_figure(const ReportData& data, const MeasuredTable& measured);

}  // namespace dwarfsweep
