// A space that was measured completely and can be searched again without a device.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// What was recorded: one row for each point that could be tried.
struct RecordedTable {
  struct Row {
    std::vector<Value> values;   ///< one for each parameter
    std::optional<double> time;  ///< none: the point failed
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
  [[nodiscard]] std::optional<double> time(PointNumber point) const { return rows_.at(point); }
  /// The legal points, ascending.
  [[nodiscard]] const std::vector<PointNumber>& points() const { return points_; }
  /// The times of the points that have one, ascending.
  [[nodiscard]] const std::vector<double>& sorted_times() const { return sorted_times_; }

 private:
  std::string name_;
  std::unordered_map<PointNumber, std::optional<double>> rows_;
  std::vector<PointNumber> points_;
  std::vector<double> sorted_times_;
};

}  // namespace dwarfsweep
