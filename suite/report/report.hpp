// A report: one HTML file about finished runs, whole without script, without a network and on paper. What it
// is made from: the rows, blocks and descriptions of its runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "suite/compare/compare.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/record.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// One line of a file in results/peers: from another run, by the library's own clock.
struct PeerTime {
  std::string device, dwarf;
  std::string problem;  ///< what it does not name is as the dwarf has it by default
  std::string peer;
  double ns = 0;
};

/// The times of libraries in all .csv files of the folder; none if the folder does not exist. Throws
/// InputError.
std::vector<PeerTime> read_peers(const std::filesystem::path& folder);

/// Those that did what the row did on its device: of each library the shortest, the fastest library first.
std::vector<PeerTime> peers_of(const std::vector<PeerTime>& peers, const MeasurementRow& row);

/// One measurement block of a point: the whole runs' times.
struct ReportBlock {
  std::int64_t round = 0;
  bool confirmation = false;
  std::vector<double> ns;  ///< of the point itself
  std::vector<SamplePair> pairs;
};

struct ReportRun {
  std::string name;                         ///< the last part of its folder's name
  std::shared_ptr<const Json> description;  ///< run.json; an empty object if the run has none
  std::string label = {};                   ///< what the user calls its device; empty: made from the device
  std::set<std::string> run_ids = {};       ///< of its rows; those of its parts, too
};

struct ReportData {
  std::vector<ReportRun> runs;
  std::vector<MeasurementRow> rows;
  /// Of `rows`. A column is a device: runs on one host with the same device, number of cores, driver and
  /// label share it.
  TableModel model;
  std::map<std::string, std::size_t> device_columns;  ///< by `device_key`
  std::vector<std::string> names;  ///< by column: "H200", "EPYC 2 cores, PoCL 3.1"; each is unique
  /// By `point_text`; empty where a run has no samples.
  std::map<std::string, std::vector<ReportBlock>> blocks;
  std::vector<PeerTime> peers;  ///< times of comparison libraries, on any device
};

/// Names a point among all runs.
std::string point_text(const RowIdentity& row);

/// With the comparison libraries' times that come with the program. `labels` are for the first runs. Throws
/// UsageError and InputError.
ReportData read_report_data(const std::vector<std::filesystem::path>& runs,
                            const std::vector<std::string>& labels = {});

/// The same of a run whose log is at hand; `folder` gives its name.
ReportData make_report_data(const std::filesystem::path& folder, const RunLog& log);

/// Of `rows`; the samples in any order.
ReportData make_report_data(std::vector<ReportRun> runs, std::vector<MeasurementRow> rows,
                            const std::vector<SampleRow>& samples);

/// The blocks by which points are compared with each other: those of the rounds; those of re-measuring
/// where there are no others. Empty where there is none.
std::vector<ReportBlock> round_blocks(const ReportData& data, const MeasurementRow& row);

/// "H200", "EPYC 2 cores, PoCL 3.1". `cores` of a CPU; 0: not known.
std::string short_device_name(const MeasurementRow& row, int cores);

/// Of whole runs, with each device: `use(table, column)`.
template <typename Use>
void for_each_total(const ReportData& data, const Use& use) {
  for (const SettingTable& table : data.model.tables) {
    for (std::size_t column = 0; table.kernel == "total" && column < data.model.columns.size(); ++column)
      use(table, column);
  }
}

/// The text of that name in a description; empty where it has none.
std::string text_of(const Json& description, const char* name);

/// The place of a row in `data.rows`.
std::size_t index_of(const ReportData& data, const MeasurementRow& row);

/// The column of a row; none for the CPU reference.
std::optional<std::size_t> column_of(const ReportData& data, const MeasurementRow& row);

/// Whether the row is of a run that measured the best points of earlier runs (--plan transfer).
bool is_transfer(const ReportData& data, const MeasurementRow& row);

/// A number that a run.json has of the column's device, in the group "peaks", "selftest" or "info"; NaN if
/// there is none.
double device_number(const ReportData& data, std::size_t column, const char* group, const char* name);

/// A report of runs that are read.
struct ReportRequest {
  std::vector<std::filesystem::path> runs;  ///< folders, or files measurements.csv
  std::filesystem::path against = {};       ///< an older run to compare with; empty: none
  bool all_samples = false;                 ///< every sample, however many
  std::vector<std::string> labels = {};     ///< names for the first runs
};

/// `comparison` of an older run with the first one; may be null.
std::string make_report(const ReportData& data, const Comparison* comparison, bool all_samples);

/// Throws std::runtime_error naming file and reason.
void write_report(const std::filesystem::path& file, const ReportData& data,
                  const Comparison* comparison = nullptr, bool all_samples = false);
/// Throws UsageError and InputError for runs that cannot be read, std::runtime_error naming file and reason.
void write_report(const std::filesystem::path& file, const ReportRequest& request);

}  // namespace dwarfsweep
