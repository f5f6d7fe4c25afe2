#include "suite/search/run_spaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/space/status.hpp"
#include "suite/search/read_space.hpp"

namespace dwarfsweep {
namespace {

struct RecordedPoint {
  Config config;
  std::optional<double> ms;
  RecordedFacts facts;
};

// All points with all axes, as the dwarf's rows may name them in different numbers.
RecordedTable table_of(const std::string& name, const std::vector<RecordedPoint>& points) {
  RecordedTable table{name, {}, {}, true};
  for (const RecordedPoint& point : points) {
    for (const auto& [axis, value] : point.config.entries()) {
      const auto known = std::find(table.parameters.begin(), table.parameters.end(), axis);
      if (known == table.parameters.end()) table.parameters.push_back(axis);
    }
  }
  for (const RecordedPoint& point : points) {
    RecordedTable::Row row{{}, point.ms, point.facts};
    for (const std::string& axis : table.parameters) {
      const Value* const value = point.config.find(axis);
      row.values.push_back(value ? *value : Value(""));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

RecordedFacts facts_of(const MeasurementRow& row) {
  RecordedFacts facts;
  if (row.build_ns) facts.compile_ms = *row.build_ns / 1e6;
  facts.registers = row.registers;
  facts.local_bytes = row.local_bytes;
  return facts;
}

}  // namespace

bool was_tried(const MeasurementRow& row) {
  static const std::set<Status> not_tried = {Status::rejected, Status::unsupported, Status::not_run};
  const std::optional<Status> status = status_from_string(row.status);
  return row.kernel == "total" && row.device_type != "host" && status && not_tried.count(*status) == 0;
}

std::vector<RecordedTable> spaces_of_run(const std::vector<MeasurementRow>& rows) {
  std::map<std::string, std::vector<RecordedPoint>> spaces;
  std::vector<std::string> order;
  for (const MeasurementRow& row : rows) {
    if (!was_tried(row)) continue;
    const std::string name = fmt::format("{}/{}/{}", row.dwarf, row.problem, row.device);
    const bool ok = row.status == to_string(Status::ok) && row.median_ns && *row.median_ns > 0;
    const auto [space, is_new] = spaces.try_emplace(name);
    if (is_new) order.push_back(name);
    space->second.push_back({Config::parse(config_text(row)),
                             ok ? std::optional(*row.median_ns / 1e6) : std::nullopt, facts_of(row)});
  }
  std::vector<RecordedTable> tables;
  for (const std::string& name : order) {
    const std::vector<RecordedPoint>& points = spaces[name];
    const auto timed =
        std::count_if(points.begin(), points.end(), [](const auto& point) { return point.ms.has_value(); });
    if (timed >= 2) tables.push_back(table_of(name, points));
  }
  return tables;
}

}  // namespace dwarfsweep
