// Which row of measurements.csv goes into which cell of which table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// A device of a run, or of several runs.
struct DeviceColumn {
  std::string letter;                   ///< "A", "B", ...: short enough for the head of a column
  const MeasurementRow* any = nullptr;  ///< any row of it, for run, host, device, platform and driver
  std::string key;                      ///< by which `arrange` distinguishes columns
};

/// A configuration, named by what differs from the baseline, or from the default configuration of its
/// variant.
struct Setting {
  std::string label;
  std::string config;  ///< "variant=tiled;work_group=16;..."
  bool baseline = false;
  /// By column; null where the point was not planned on that device. For a point that failed, in the tables
  /// of all kernels of its variant, the row of "total".
  std::vector<const MeasurementRow*> cells;
};

/// The dwarf in plain C++ on the host's own cores. By column, from a run of that column; null where it was
/// not measured.
struct CpuReference {
  std::vector<const MeasurementRow*> one_thread;
  std::vector<const MeasurementRow*> four_threads;  ///< of the plan `paper`
  std::vector<const MeasurementRow*> all_threads;
};

/// One dwarf, problem and kernel.
struct SettingTable {
  std::string dwarf, size, problem, kernel;
  std::vector<Setting> settings;  ///< baseline first, then variant by variant
  /// What the labels of a variant's settings are relative to: "blocked: work_group=16, ..."
  std::vector<std::string> default_configs;
  CpuReference cpu_reference;
};

struct TableModel {
  std::vector<DeviceColumn> columns;
  std::vector<SettingTable> tables;  ///< problem by problem, the table of "total" first
};

/// "RUN|DEVICE".
std::string device_key(const MeasurementRow& row);

/// Rows with the same key are one column; of two rows of one point in a column the last that is timed counts.
using ColumnKey = std::function<std::string(const MeasurementRow&)>;

/// The rows must outlive the model.
TableModel arrange(const std::vector<MeasurementRow>& rows, const ColumnKey& key = device_key);

/// A row with a time. `row` may be null.
bool is_timed(const MeasurementRow* row);

/// A row of the CPU reference, which is no column of the tables.
bool is_cpu_reference(const MeasurementRow& row);

}  // namespace dwarfsweep
