// The best setting of every dwarf, problem and device.
#pragma once

#include <cstddef>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// A setting and its row on one device; both null where nothing was measured there.
struct BestSetting {
  const Setting* setting = nullptr;
  const MeasurementRow* row = nullptr;
};

/// Of the settings that give the whole result: the best candidate that was re-measured (of several, as a
/// resumed run may have, the fastest); else the largest speedup that is more than noise; else the baseline.
/// Where nothing is paired with a baseline, the shortest time.
BestSetting best_setting(const SettingTable& table, std::size_t column);

/// The table of them all, all kernels together; empty where nothing was measured.
Document best_settings_table(const TableModel& model);

}  // namespace dwarfsweep
