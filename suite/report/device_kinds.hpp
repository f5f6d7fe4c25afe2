// Which optimisation helps on one kind of device only.
#pragma once

#include "suite/report/html.hpp"
#include "suite/report/matched_pairs.hpp"

namespace dwarfsweep {

/// Empty where there is only one device.
Html device_kinds_part(const ReportData& data, const std::vector<AxisEffect>& effects);

/// The largest of what helps on one type of device alone, for the first screen. Empty where there is none.
Html device_kinds_summary(const ReportData& data, const std::vector<AxisEffect>& effects);

}  // namespace dwarfsweep
