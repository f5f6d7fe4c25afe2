// What the exports are made of: each point of the given runs once, with a name for its device that no other
// device has.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "suite/record/json_fwd.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

/// A row of measurements.csv and its samples.
struct ExportRow {
  const MeasurementRow* row = nullptr;
  std::string device;
  /// Of the point itself, without those that have a fault; of a re-measured best candidate those its row is
  /// made from.
  std::vector<const SampleRow*> samples;
  double verification_ms = 0;  ///< before timing; 0 where the run has no log

  [[nodiscard]] bool ok() const;
  /// Rejected, or not supported: no failure, since the point is outside the device's space.
  [[nodiscard]] bool is_illegal() const;
  /// All kernels together, on an OpenCL device.
  [[nodiscard]] bool is_point() const;
  [[nodiscard]] std::string config() const;
  /// What failed or was refused, in one line.
  [[nodiscard]] std::string reason() const;
};

/// The rows point to the runs: neither copied nor moved apart from them.
struct ExportData {
  std::vector<RunData> runs;
  /// In the order of the runs, without what nobody tried (`not_run`). Of a point that several runs have, the
  /// last one in which it is ok, else the last.
  std::vector<ExportRow> rows;
};

/// Throws UsageError and InputError. The times of verifying are read from the logs where `with_logs` is set.
ExportData read_export_data(const std::vector<std::filesystem::path>& runs, bool with_logs);
/// The same from rows. `verification_ms`: by run and point_text().
ExportData arrange_export(std::vector<RunData> runs,
                          const std::vector<std::map<std::string, double>>& verification_ms = {});

/// Indented, with a line break at its end; what is no UTF-8 in a name is replaced.
std::string json_text(const Json& json);

/// Sum over the samples of what the host waited for them.
double benchmark_ms(const ExportRow& row);

/// "lud/n=240/total/variant=tiled;.../Fast GPU", with a kernel; without: "lud/n=240/variant=tiled;.../Fast
/// GPU".
std::string benchmark_name(const ExportRow& row, bool with_kernel);

}  // namespace dwarfsweep
