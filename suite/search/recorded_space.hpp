// A space that was measured completely and can be searched again without a device.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// A point of at most so many times the best time there is counts as near it.
inline constexpr double near_best = 1.02;

/// What was recorded of a point beside its time; none where it was not.
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
  /// Rows in which each variant's default configuration stands first; where there is a parameter "variant".
  bool defaults_first = false;
};

/// The rows are the legal points, failed ones among them; the axes' values are those that occur. Every value
/// of a parameter `variant` is a part with the axes that vary in it.
class RecordedSpace : public SearchSpace {
 public:
  /// Of rows of the same point the last one counts. Throws UsageError where no row has a time.
  explicit RecordedSpace(const RecordedTable& table);

  [[nodiscard]] bool is_legal(PointNumber point) const override { return rows_.count(point) > 0; }
  [[nodiscard]] std::optional<PointNumber> try_draw(Random& random) const override;
  [[nodiscard]] std::optional<PointNumber> next_legal(PointNumber first,
                                                      std::uint64_t max_scan) const override;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::optional<double> time(PointNumber point) const { return rows_.at(point).time; }
  [[nodiscard]] const RecordedFacts& facts(PointNumber point) const { return rows_.at(point).facts; }
  /// From the instructions that were counted, and on compute capability 9.0, whose limits are assumed for
  /// every GPU, from registers and group.
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

}  // namespace dwarfsweep
