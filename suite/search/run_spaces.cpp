// The spaces of our own runs: from the rows of a run, and written as CSV.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/record.hpp"
#include "suite/record/rows.hpp"
#include "suite/search/recorded_space.hpp"

namespace dwarfsweep {
namespace {

// The row of a whole point that ran or failed on a device. Other rows say nothing about how fast a point is.
bool was_tried(const MeasurementRow& row) {
  static const std::set<Status> not_tried = {Status::rejected, Status::unsupported, Status::not_run};
  const std::optional<Status> status = status_from_string(row.status);
  return row.kernel == "total" && row.device_type != "host" && status && not_tried.count(*status) == 0;
}

std::string space_of(const MeasurementRow& row) {
  return fmt::format("{}/{}/{}", row.dwarf, row.problem, row.device);
}

// None: the point failed.
std::optional<double> time_ms_of(const MeasurementRow& row) {
  const bool ok = row.status == to_string(Status::ok) && row.median_ns && *row.median_ns > 0;
  return ok ? std::optional(*row.median_ns / 1e6) : std::nullopt;
}

RecordedFacts facts_of(const MeasurementRow& row) {
  RecordedFacts facts;
  if (row.build_ns) facts.compile_ms = *row.build_ns / 1e6;
  facts.registers = row.registers;
  facts.local_bytes = row.local_bytes;
  return facts;
}

// All points with all axes, as the dwarf's rows may name them in different numbers.
RecordedTable table_of(const std::string& name, const std::vector<const MeasurementRow*>& rows) {
  RecordedTable table{name, {}, {}, true};
  std::vector<Config> configs;
  for (const MeasurementRow* row : rows) {
    configs.push_back(Config::parse(config_text(*row)));
    for (const auto& [axis, value] : configs.back().entries()) {
      const auto known = std::ranges::find(table.parameters, axis);
      if (known == table.parameters.end()) table.parameters.push_back(axis);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RecordedTable::Row& row = table.rows.emplace_back();
    row.time = time_ms_of(*rows[i]);
    row.facts = facts_of(*rows[i]);
    for (const std::string& axis : table.parameters) {
      const Value* const value = configs[i].find(axis);
      row.values.push_back(value ? *value : Value(""));
    }
  }
  return table;
}

// --- written as CSV -------------------------------------------------------------------------------------

enum class Rank { baseline, default_of_variant, other };

struct SpacePoint {
  Config config;
  MeasurementRow row;
  double benchmark_ms = 0;
  double verify_ms = 0;
  double group_size = 0;
  Rank rank = Rank::other;
};

void add_costs(SpacePoint& point, const RunLog& part, const std::string& key) {
  if (const auto found = part.points.find(key); found != part.points.end()) {
    point.verify_ms = found->second.preparation.verify_ns / 1e6;
    point.benchmark_ms += found->second.preparation.warm_up_ns / 1e6;
  }
  const auto blocks = part.blocks.find(key);
  if (blocks == part.blocks.end()) return;
  for (const BlockRecord& block : blocks->second) {
    for (const BlockSample& each : block.samples)
      point.benchmark_ms += each.sample.wall_ns * static_cast<double>(each.sample.launches) / 1e6;
  }
}

void add_facts(SpacePoint& point, const RunLog& part) {
  const auto device = part.devices.find(point.row.device_id);
  if (device == part.devices.end()) return;
  const Capabilities& capabilities = device->second.info.capabilities;
  const Space& space = find_dwarf(point.row.dwarf).space();
  const auto& axes = space.axes();
  const auto known = [&](const Axis& axis) { return point.config.has(axis.name); };
  if (!std::ranges::all_of(axes, known)) return;  // of a version with other axes
  const Problem problem{point.row.size, ValueMap::parse(point.row.problem)};
  point.group_size = static_cast<double>(space.group_items_of({point.config, problem, capabilities}));
  if (point.config == space.default_config(point.config.string("variant"), capabilities))
    point.rank = Rank::default_of_variant;
}

SpacePoint point_of(const RunLog& log, const MeasurementRow& row) {
  const std::string config = config_text(row);
  const PointKey key{row.device_id, row.dwarf, row.size, row.problem, config};
  SpacePoint point{Config::parse(config), row};
  for (const RunLog* const part : parts_of(log)) {
    add_costs(point, *part, key.text());
    add_facts(point, *part);
  }
  if (row.baseline) point.rank = Rank::baseline;
  return point;
}

bool stands_before(const SpacePoint& left, const SpacePoint& right) {
  if (left.rank != right.rank) return left.rank < right.rank;
  const auto& a = left.config.entries();
  const auto& b = right.config.entries();
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const auto& x, const auto& y) { return comes_before(x.second, y.second); });
}

std::vector<SpacePoint> points_of(const RunLog& log, const std::string& name) {
  std::vector<SpacePoint> points;
  std::set<std::string> spaces;
  for (const MeasurementRow& row : make_rows(log, [](const SampleRow&) {}).measurements) {
    if (!was_tried(row)) continue;
    spaces.insert(space_of(row));
    points.push_back(point_of(log, row));
  }
  if (spaces.size() != 1) {
    throw UsageError(
        fmt::format("--format space is for a run of one dwarf, problem and device; '{}' has {}{}{}", name,
                    spaces.empty() ? "none" : std::to_string(spaces.size()), spaces.empty() ? "" : ": ",
                    fmt::join(spaces, ", ")));
  }
  std::ranges::stable_sort(points, stands_before);
  return points;
}

std::string line_of(const SpacePoint& point) {
  const auto number = [](const Number& value) { return value ? number_text(*value) : std::string(); };
  const auto ms = [](double value) { return fmt::format("{:.3f}", value); };
  const MeasurementRow& row = point.row;
  const std::optional<double> time_ms = time_ms_of(row);
  std::vector<std::string> cells;
  for (const auto& [axis, value] : point.config.entries()) cells.push_back(csv_cell(value.to_string()));
  const std::vector<std::string> rest = {time_ms ? number_text(*time_ms) : "",
                                         time_ms ? "" : row.status,
                                         row.build_ns ? ms(*row.build_ns / 1e6) : "",
                                         ms(point.benchmark_ms),
                                         ms(point.verify_ms),
                                         number(row.registers),
                                         number(row.spill_bytes),
                                         number(row.local_bytes),
                                         point.group_size > 0 ? number_text(point.group_size) : ""};
  cells.insert(cells.end(), rest.begin(), rest.end());
  return fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace

std::vector<RecordedTable> spaces_of_run(const std::vector<MeasurementRow>& rows) {
  std::map<std::string, std::vector<const MeasurementRow*>> spaces;
  std::vector<std::string> order;
  for (const MeasurementRow& row : rows) {
    if (!was_tried(row)) continue;
    const auto [space, is_new] = spaces.try_emplace(space_of(row));
    if (is_new) order.push_back(space->first);
    space->second.push_back(&row);
  }
  std::vector<RecordedTable> tables;
  for (const std::string& name : order) {
    const auto& points = spaces[name];
    const auto timed =
        std::ranges::count_if(points, [](const auto* row) { return time_ms_of(*row).has_value(); });
    if (timed >= 2) tables.push_back(table_of(name, points));
  }
  return tables;
}

std::string space_csv(const RunLog& log, const std::string& name) {
  const std::vector<SpacePoint> points = points_of(log, name);
  std::string text;
  for (const auto& [axis, value] : points.front().config.entries()) text += csv_cell(axis) + ",";
  text += "time_ms,invalid,compile_ms,benchmark_ms,verify_ms,registers,spill_bytes,local_bytes,group_size\n";
  for (const SpacePoint& point : points) text += line_of(point);
  return text;
}

}  // namespace dwarfsweep
