// Which share of a whole run each kernel takes.
#pragma once

#include "suite/report/html.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {

/// Of the baseline and of the best setting; empty where their kernels have no times of their own.
Html kernel_share_figure(const ReportData& data, const MeasuredTable& measured);

}  // namespace dwarfsweep
