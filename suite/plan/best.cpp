#include "suite/plan/best.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "dwarfs/registry.hpp"
#include "suite/record/csv.hpp"

namespace dwarfsweep {

extern const char* const best_table;

namespace {

// Each text column once, for reading and for writing.
struct Column {
  const char* name;
  std::string BestPoint::*text;
};
constexpr Column texts[] = {{"device", &BestPoint::device},     {"device_type", &BestPoint::device_type},
                            {"platform", &BestPoint::platform}, {"dwarf", &BestPoint::dwarf},
                            {"size", &BestPoint::size},         {"problem", &BestPoint::problem},
                            {"config", &BestPoint::config},     {"run_id", &BestPoint::run_id}};

std::string number_cell(const Number& number) {
  return number ? number_text(*number) : "";
}

Number cell_number(const std::string& cell) {
  return cell.empty() ? Number() : Number(Value::parse(cell).real());
}

}  // namespace

const std::vector<BestPoint>& best_points() {
  static const std::vector<BestPoint> points = parse_best("best.csv", best_table);
  return points;
}

const BestPoint* nearest_best(const std::vector<BestPoint>& points, const DeviceInfo& device,
                              const std::string& dwarf, const Problem& problem) {
  using Nearness = std::tuple<int, int>;
  const auto nearness = [&](const BestPoint& point) {
    const bool same_type = point.device_type == device.type;
    return Nearness{point.device == device.name                      ? 3
                    : same_type && point.platform == device.platform ? 2
                    : same_type                                      ? 1
                                                                     : 0,
                    point.problem == problem.values.to_string() ? 2
                    : point.size == problem.size                ? 1
                                                                : 0};
  };
  const BestPoint* nearest = nullptr;
  for (const BestPoint& point : points) {
    if (point.dwarf != dwarf) continue;
    if (!nearest || nearness(point) >= nearness(*nearest)) nearest = &point;
  }
  return nearest;
}

namespace {

// In runs of schema 1 `median_ns` is a sum of kernel times; their whole runs are known by the host's clock.
double whole_run_ns(const MeasurementRow& row) {
  return row.schema_version == 1 && row.wall_ns ? *row.wall_ns : *row.median_ns;
}

// Of two rows of the same schema. What was re-measured counts more than what was not: the fastest of many is
// biased.
bool is_better(const MeasurementRow& row, const MeasurementRow& other) {
  const auto rank = [](const MeasurementRow& each) {
    return std::pair(each.schema_version > 1 && each.stop_reason == confirmed ? 0 : 1, whole_run_ns(each));
  };
  return rank(row) < rank(other);
}

// The best rows of one dwarf, problem and device.
struct Candidates {
  const MeasurementRow* latest = nullptr;
  const MeasurementRow* old = nullptr;  // of schema 1

  void add(const MeasurementRow& row) {
    const MeasurementRow*& best = row.schema_version == 1 ? old : latest;
    if (best == nullptr || is_better(row, *best)) best = &row;
  }

  // Between the two the wall time decides, which both have.
  [[nodiscard]] const MeasurementRow& best() const {
    if (latest == nullptr || old == nullptr) return latest == nullptr ? *old : *latest;
    const bool older_is_faster = old->wall_ns && latest->wall_ns && *old->wall_ns < *latest->wall_ns;
    return older_is_faster ? *old : *latest;
  }
};

}  // namespace

std::vector<BestPoint> find_best(const std::vector<MeasurementRow>& rows) {
  std::vector<Candidates> candidates;
  std::map<std::string, std::size_t> place;
  for (const MeasurementRow& row : rows) {
    if (row.kernel != "total" || row.status != "ok" || !row.median_ns || row.device_type == "host") continue;
    if (!gives_whole_result(row.dwarf, row.variant)) continue;
    const std::string key = fmt::format("{}|{}|{}", row.device, row.dwarf, row.problem);
    const auto [found, is_new] = place.emplace(key, candidates.size());
    if (is_new) candidates.emplace_back();
    candidates[found->second].add(row);
  }
  std::vector<BestPoint> points;
  for (const Candidates& each : candidates) {
    const MeasurementRow& row = each.best();
    points.push_back({row.device, row.device_type, row.platform, row.dwarf, row.size, row.problem,
                      config_text(row), whole_run_ns(row), row.speedup, row.run_id});
  }
  return points;
}

std::string to_csv(const std::vector<BestPoint>& points) {
  std::string text;
  for (const Column& column : texts) text += fmt::format("{},", column.name);
  text += "median_ns,speedup\n";
  for (const BestPoint& point : points) {
    for (const Column& column : texts) text += csv_cell(point.*column.text) + ",";
    text += fmt::format("{},{}\n", number_cell(point.median_ns), number_cell(point.speedup));
  }
  return text;
}

std::vector<BestPoint> parse_best(const std::string& name, const std::string& text) {
  const CsvTable table = parse_csv(name, text);
  std::vector<BestPoint> points;
  for (const CsvTable::Row& row : table.rows) {
    BestPoint point;
    for (const Column& column : texts) point.*column.text = row.cells[table.column(column.name)];
    point.median_ns = cell_number(row.cells[table.column("median_ns")]);
    point.speedup = cell_number(row.cells[table.column("speedup")]);
    points.push_back(point);
  }
  return points;
}

}  // namespace dwarfsweep
