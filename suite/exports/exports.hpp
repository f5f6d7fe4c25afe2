// Runs in the formats of other tools: each point of the given runs once, with a name for its device that no
// other device has. Each export writes what one reader takes, and says in `notes` what it had to leave out
// and why; each throws UsageError where nothing is left.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/record/record.hpp"
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

/// Sum over the samples of what the host waited for them.
double benchmark_ms(const ExportRow& row);

/// "lud/n=240/total/variant=tiled;.../Fast GPU", with a kernel; without: "lud/n=240/variant=tiled;.../Fast
/// GPU".
std::string benchmark_name(const ExportRow& row, bool with_kernel);

struct ExportFile {
  std::string name;  ///< within the folder of --out
  std::string text;
};

struct Export {
  std::vector<ExportFile> files;
  std::vector<std::string> notes;  ///< a sentence each
};

/// Results of auto-tuning in the T4 schema (github.com/odgaard/TuningSchema): one result for each point, its
/// samples as run times. Device, dwarf and problem are parameters of the configuration. All times are in
/// milliseconds, as in the files of the benchmark hub, which have the compiler's as `compilation`; the schema
/// calls it `compilation_time`: both are there.
Export to_t4(const ExportData& data);

/// Kernel Tuner's cache files, for its simulation mode and `tune --replay`: one for each dwarf, problem and
/// device. Values in milliseconds. What the product of the axes has beyond what was measured is
/// InvalidConfig, so that the simulation has an answer for each point; not where that product is beyond all
/// measure.
Export to_kernel_tuner(const ExportData& data);

/// The JSON of Google Benchmark's --benchmark_out_format=json, for its tools (compare.py): every sample is a
/// repetition. Failures are entries with an error; what is not legal is left out.
Export to_google_benchmark(const ExportData& data);

/// [{"name", "unit", "value", "range", "extra"}...] for github-action-benchmark's tool customSmallerIsBetter.
Export to_github_action_benchmark(const ExportData& data);

/// A report for LNT (test suite nts, format 2): a test for each point, times in seconds.
Export to_lnt(const ExportData& data);

/// "FOM <dwarf> <size> <device> <ns>", four words and a number: the shortest time of each. Where two problems
/// have the same size, the problem stands in its place.
Export to_fom(const ExportData& data);

/// For p3-analysis-library: <dwarf>_<problem>.csv, and applications.txt with what its names stand for. An
/// application is a setting, a platform a device.
Export to_p3(const ExportData& data);

bool is_export_format(std::string_view format);

/// `runs` are folders. Writes to `out`, or into `folder` unless that is empty; remarks go to `notes`. Throws
/// UsageError and InputError.
struct ExportTarget {
  std::ostream& out;
  std::ostream& notes;
  std::string folder;
};
void write_export(const ExportTarget& target, std::string_view format,
                  const std::vector<std::filesystem::path>& runs);

/// Letters, digits and "=.,_-" alone, at most 120, and not starting with a dot.
std::string file_stem(const std::string& text);

}  // namespace dwarfsweep
