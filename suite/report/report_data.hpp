// What a report is made from: the rows, blocks and descriptions of its runs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/statistics/statistics.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/json.hpp"
#include "suite/record/rows.hpp"
#include "suite/report/peer_times.hpp"

namespace dwarfsweep {

/// One measurement block of a point: the whole runs' times.
struct ReportBlock {
  std::int64_t round = 0;
  bool confirmation = false;
  std::vector<double> ns;  ///< of the point itself
  std::vector<SamplePair> pairs;
};

struct ReportRun {
  std::string name;  ///< the last part of its folder's name
  Json description;  ///< run.json; an empty object where the run has none
};

struct ReportData {
  std::vector<ReportRun> runs;
  std::vector<MeasurementRow> rows;
  TableModel model;  ///< of `rows`
  /// By `point_text`; empty where a run has no samples.
  std::map<std::string, std::vector<ReportBlock>> blocks;
  std::vector<PeerTime> peers;  ///< times of comparison libraries, on any device
};

/// Names a point among all runs.
std::string point_text(const RowIdentity& row);

/// With the comparison libraries' times that come with the program. Throws UsageError and InputError.
ReportData read_report_data(const std::vector<std::filesystem::path>& runs);

/// Of `rows`; the samples in any order.
ReportData make_report_data(std::vector<ReportRun> runs, std::vector<MeasurementRow> rows,
                            const std::vector<SampleRow>& samples);

/// The blocks by which points are compared with each other: those of the rounds; those of re-measuring
/// where there are no others. Empty where there is none.
std::vector<ReportBlock> round_blocks(const ReportData& data, const MeasurementRow& row);

/// The place of a row in `data.rows`.
std::size_t index_of(const ReportData& data, const MeasurementRow& row);

/// Whether the column is of a run that measured the points of earlier runs (--plan transfer).
bool is_transfer(const ReportData& data, const DeviceColumn& column);

/// The description of the column's device in run.json; null where there is none.
const Json* device_description(const ReportData& data, const DeviceColumn& column);

}  // namespace dwarfsweep
