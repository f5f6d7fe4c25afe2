// Which row of measurements.csv stands where in which table.
#pragma once

#include <string>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// A device of a run.
struct DeviceColumn {
  std::string letter;                   ///< "A", "B", ...: short enough to head a column
  const MeasurementRow* any = nullptr;  ///< for run, host, device, platform, driver
};

/// A configuration, named by what differs from the baseline, or from the start of its variant.
struct Setting {
  std::string label;
  std::string config;  ///< "variant=tiled;work_group=16;..."
  bool baseline = false;
  std::vector<const MeasurementRow*> cells;  ///< by column; null where the device was not asked. Perhaps the
                                             ///< "total" of a point that failed
};

/// The dwarf on the host's own cores; null where it was not measured. By column, of that column's run.
struct HostTimes {
  std::vector<const MeasurementRow*> one_thread;
  std::vector<const MeasurementRow*> all_threads;
};

/// One dwarf, problem and kernel.
struct SettingTable {
  std::string dwarf, size, problem, kernel;
  std::vector<Setting> settings;    ///< baseline first, then variant by variant
  std::vector<std::string> starts;  ///< what a variant's rows are relative to: "blocked: work_group=16, ..."
  HostTimes host;
};

struct TableModel {
  std::vector<DeviceColumn> columns;
  std::vector<SettingTable> tables;  ///< problem by problem, the table of "total" first
};

/// The rows must outlive the model.
TableModel arrange(const std::vector<MeasurementRow>& rows);

/// "variant=tiled;work_group=16;direction=x": the axes of the row, those it does not have left out.
std::string config_text(const RowIdentity& row);

}  // namespace dwarfsweep
