#include "suite/search/space_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/rows.hpp"
#include "suite/search/run_spaces.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {
namespace {

struct SpacePoint {
  Config config;
  MeasurementRow row;
  double benchmark_ms = 0;
  double verify_ms = 0;
  double group_size = 0;
  int rank = 2;  // 0: the baseline, 1: its variant's default
};

PointKey key_of(const MeasurementRow& row) {
  return {row.device_id, row.dwarf, row.size, row.problem, config_text(row)};
}

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
  if (!std::all_of(axes.begin(), axes.end(), known)) return;  // of a version with other axes
  const Problem problem{point.row.size, ValueMap::parse(point.row.problem)};
  point.group_size = static_cast<double>(space.group_items_of({point.config, problem, capabilities}));
  if (point.config == space.default_config(point.config.string("variant"), capabilities)) point.rank = 1;
}

SpacePoint point_of(const RunLog& log, const MeasurementRow& row) {
  SpacePoint point{Config::parse(config_text(row)), row};
  for (const RunLog* const part : parts_of(log)) {
    add_costs(point, *part, key_of(row).text());
    add_facts(point, *part);
  }
  if (row.baseline) point.rank = 0;
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
    spaces.insert(fmt::format("{}/{}/{}", row.dwarf, row.problem, row.device));
    points.push_back(point_of(log, row));
  }
  if (spaces.size() != 1) {
    throw UsageError(
        fmt::format("--format space is for a run of one dwarf, problem and device; '{}' has {}{}{}", name,
                    spaces.empty() ? "none" : std::to_string(spaces.size()), spaces.empty() ? "" : ": ",
                    fmt::join(spaces, ", ")));
  }
  std::stable_sort(points.begin(), points.end(), stands_before);
  return points;
}

std::string line_of(const SpacePoint& point) {
  const auto number = [](const Number& value) { return value ? number_text(*value) : std::string(); };
  const auto ms = [](double value) { return fmt::format("{:.3f}", value); };
  const MeasurementRow& row = point.row;
  const bool ok = row.status == to_string(Status::ok) && row.median_ns && *row.median_ns > 0;
  std::vector<std::string> cells;
  for (const auto& [axis, value] : point.config.entries()) cells.push_back(csv_cell(value.to_string()));
  const std::vector<std::string> rest = {ok ? number_text(*row.median_ns / 1e6) : "",
                                         ok ? "" : row.status,
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

std::string space_csv(const RunLog& log, const std::string& name) {
  const std::vector<SpacePoint> points = points_of(log, name);
  std::string text;
  for (const auto& [axis, value] : points.front().config.entries()) text += csv_cell(axis) + ",";
  text += "time_ms,invalid,compile_ms,benchmark_ms,verify_ms,registers,spill_bytes,local_bytes,group_size\n";
  for (const SpacePoint& point : points) text += line_of(point);
  return text;
}

}  // namespace dwarfsweep
