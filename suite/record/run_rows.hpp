// Runs, finished or killed, read back: as rows, those of an earlier version with the axes of today; and
// run.json, which describes a run and its devices. The CSV files of a run may be compressed (.csv.gz).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/device/inventory.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// Names the points of an earlier version's rows as today's version does.
///
/// A row written before a dwarf had an axis, or its problem a key, lacks it. What the dwarf did then is the
/// axis' baseline and the key's preset: with these filled in, rows of two versions describe the same point.
/// Rows of dwarfs or variants that this program does not know stay as they are.
class RowCompletion {
 public:
  void complete(RowIdentity& row);

 private:
  RowIdentity last_, completed_;  // rows of a point follow each other
};

/// Rows just made from a log as they would be read back from measurements.csv.
std::vector<MeasurementRow> as_read(std::vector<MeasurementRow> rows);

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
/// The same of a log in memory. `name`: of the folder.
RunData run_data_of(const RunLog& log, const std::string& name);

/// The content of run.json: the run as it was begun, and the parts that were added when it was resumed.
Json describe_run(const RunLog& log);
/// What run.json says of one part of a run.
Json describe_part(const RunLog& log);

/// Devices from a file, recorded here or on another machine: one device, an inventory as `devices --json`
/// prints it, or a run.json. Throws UsageError naming the file, the device and what is missing.
Inventory read_device_file(const std::filesystem::path& file);

}  // namespace dwarfsweep
