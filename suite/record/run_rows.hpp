// Runs, finished or killed, read back as rows; those of an earlier version with the axes of today
// (row_completion.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// `run` is the folder of a run (one without measurements.csv is read from its log) or a measurements.csv.
/// Throws UsageError and InputError.
std::vector<MeasurementRow> read_run_measurements(const std::filesystem::path& run);

/// `run` is a folder; empty where it has neither samples.csv nor a log. Throws InputError.
std::vector<SampleRow> read_run_samples(const std::filesystem::path& run);

/// The devices of a run, of all its parts; none where only its measurements.csv is left. Throws UsageError
/// and InputError.
std::vector<DeviceInfo> read_run_devices(const std::filesystem::path& run);

/// A run as comparisons and exports need it.
struct RunData {
  std::string name;  ///< as given
  std::string run_id;
  std::string revision;  ///< of the program and its kernels
  std::string host;
  std::string timestamp;  ///< when the run began, ISO 8601
  unsigned threads = 0;   ///< of the host
  std::vector<MeasurementRow> measurements;
  std::vector<SampleRow> samples;
};

/// `run` is a folder. Throws UsageError and InputError.
RunData read_run(const std::filesystem::path& run);

}  // namespace dwarfsweep
