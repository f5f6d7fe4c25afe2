// A space that was measured completely and can be searched again without a device: as a table, as a space,
// and its files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

struct MeasurementRow;
struct RunLog;

/// A point whose time is at most this factor above the best counts as near it.
inline constexpr double near_best = 1.02;

/// What was recorded of a point in addition to its time; none: it was not recorded.
struct RecordedFacts {
  std::optional<double> compile_ms, benchmark_ms, verify_ms, count_ms;
  std::optional<double> ir_instructions, threads, regions;  ///< see InstructionCounts
  std::optional<double> registers, local_bytes, group_size;
};

/// What was recorded: one row for each point that could be tried.
struct RecordedTable {
  struct Row {
    std::vector<Value> values;   ///< one for each parameter
    std::optional<double> time;  ///< none: the point failed
    RecordedFacts facts = {};
  };

  std::string name;
  std::vector<std::string> parameters;
  std::vector<Row> rows;
  /// The first row of each value of the parameter "variant", if there is one, is that variant's default.
  bool defaults_first = false;
};

/// The rows are the legal points, failed ones among them; the axes' values are those that occur. Every value
/// of a parameter `variant` is a part with the axes that vary in it.
class RecordedSpace : public SearchSpace {
 public:
  /// If several rows have the same point, the last one counts. Throws UsageError if no row has a time.
  explicit RecordedSpace(const RecordedTable& table);

  [[nodiscard]] bool is_legal(PointNumber point) const override { return rows_.count(point) > 0; }
  [[nodiscard]] std::optional<PointNumber> try_draw(Random& random) const override;
  [[nodiscard]] std::optional<PointNumber> next_legal(PointNumber first,
                                                      std::uint64_t max_scan) const override;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::optional<double> time(PointNumber point) const { return rows_.at(point).time; }
  [[nodiscard]] const RecordedFacts& facts(PointNumber point) const { return rows_.at(point).facts; }
  /// Efficiency from the instructions that were counted; utilisation from registers and group, by the limits
  /// of compute capability 9.0, which are assumed for every GPU.
  [[nodiscard]] std::optional<CarveMetrics> carve_metrics(PointNumber point) const override;
  /// The first row's point: the baseline, in spaces of ours.
  [[nodiscard]] PointNumber first_point() const { return first_point_; }
  /// The legal points, ascending.
  [[nodiscard]] const std::vector<PointNumber>& points() const { return points_; }
  /// The times of the points that have one, ascending.
  [[nodiscard]] const std::vector<double>& sorted_times() const { return sorted_times_; }

 private:
  std::string name_;
  struct Recorded {
    std::optional<double> time;
    RecordedFacts facts;
  };
  std::unordered_map<PointNumber, Recorded> rows_;
  PointNumber first_point_ = 0;
  std::vector<PointNumber> points_;
  std::vector<double> sorted_times_;
};

/// The spaces of one file or folder, by what it holds:
/// - the folder of a run, or its measurements.csv: a space for each device, dwarf and problem with at
///   least two measured points;
/// - JSON: Kernel Tuner's cache file, or results in the T4 schema;
/// - other CSV: parameters, then `time_ms` and what else was recorded.
/// Files may be compressed by gzip, and have at most 256 MiB when unpacked. Throws UsageError and InputError.
std::vector<RecordedTable> read_spaces(const std::filesystem::path& path);

/// Time in ms; the columns after `time_ms` are no parameters. An empty time is a failed point. The first row
/// is the baseline, and the first one of each `variant` its default, if there are any.
RecordedTable parse_space_csv(const std::string& name, const std::string& file, const std::string& text);

/// The points of `total` that ran or failed; rejected and unmeasured ones are not part of the space.
std::vector<RecordedTable> spaces_of_run(const std::vector<MeasurementRow>& rows);

/// A run's points as a recorded space, for `tune --replay` and other tools: what `parse_space_csv` reads.
///
/// A line for each point that ran or failed: all its axes, `time_ms` (empty: it failed), `invalid` (the
/// status then), what it cost (`compile_ms`; `benchmark_ms`: warm-up and samples, including the baseline's
/// next to it; `verify_ms`), and what carving needs (`registers`, `spill_bytes`, `local_bytes`,
/// `group_size`). The baseline comes first, then each variant's default, then the others in order. `name` is
/// the run's, for messages. Throws UsageError if the run has no such points, or those of several devices,
/// dwarfs or problems.
std::string space_csv(const RunLog& log, const std::string& name);

}  // namespace dwarfsweep
