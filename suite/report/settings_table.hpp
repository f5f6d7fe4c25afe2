// The settings of one problem on one device: the quickest first, each with its interval drawn.
#pragma once

#include "suite/report/html.hpp"
#include "suite/report/report_data.hpp"

namespace dwarfsweep {

/// Empty where nothing of the table was planned on that device.
Html settings_table(const ReportData& data, const SettingTable& table, std::size_t column);

}  // namespace dwarfsweep
