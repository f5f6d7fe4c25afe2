#include "suite/output/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/error.hpp"
#include "suite/output/compare_match.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {
namespace {

using Blocks = std::vector<std::vector<double>>;

// One of the two runs: the names of its points, and their samples by name.
struct Side {
  Side(const RunData& own, const RunData& other) : run(own), names(own, other), devices(devices_of(own)) {}

  const RunData& run;
  PointNames names;
  std::map<std::string, ComparedDevice> devices;
  std::map<std::string, std::string> old_ids;  // id of a device in this run -> its id in the old run
  std::map<std::string, Blocks> blocks;        // the samples of all kernels together, by name of the point
};

std::map<std::string, Blocks> blocks_of(const Side& side) {
  struct OfLastPart {
    std::string run_id;
    std::map<std::int64_t, std::vector<double>> blocks;
  };
  std::map<std::string, OfLastPart> found;
  for (const SampleRow& sample : side.run.samples) {
    if (sample.kernel != "total" || sample.role != "variant" || !sample.fault.empty() || !sample.ns) continue;
    const auto device = side.old_ids.find(sample.device_id);
    if (device == side.old_ids.end()) continue;
    OfLastPart& point = found[side.names.name(sample, device->second)];
    if (point.run_id != sample.run_id) point = {sample.run_id, {}};
    point.blocks[sample.block].push_back(*sample.ns);
  }
  std::map<std::string, Blocks> blocks;
  for (auto& [point, own] : found) {
    for (auto& [number, values] : own.blocks) blocks[point].push_back(std::move(values));
  }
  return blocks;
}

// The names of settings in tables, by dwarf, problem and configuration.
std::map<std::string, std::string> setting_labels(const std::vector<MeasurementRow>& rows) {
  std::map<std::string, std::string> labels;
  for (const SettingTable& table : arrange(rows).tables) {
    for (const Setting& setting : table.settings) {
      labels[table.dwarf + "|" + table.problem + "|" + setting.config] = setting.label;
    }
  }
  return labels;
}

Change change_of(Verdict verdict) {
  return verdict == Verdict::faster   ? Change::faster
         : verdict == Verdict::slower ? Change::slower
                                      : Change::within_noise;
}

bool was_not_run(const MeasurementRow& row) {
  return row.status == to_string(Status::not_run);
}

// Fills in change and ratio of a point that both runs have under this name.
void judge(ComparedPoint& point, const std::string& name, const Side& before, const Side& after) {
  if (was_not_run(*point.before) || was_not_run(*point.after)) return;
  const bool was_ok = point.before->status == "ok";
  const bool is_ok = point.after->status == "ok";
  if (was_ok != is_ok) {
    point.change = was_ok ? Change::failing : Change::fixed;
  } else if (was_ok && point.before->timer == point.after->timer) {
    const auto old_blocks = before.blocks.find(name);
    const auto new_blocks = after.blocks.find(name);
    if (old_blocks == before.blocks.end() || new_blocks == after.blocks.end()) return;
    point.ratio = unpaired_ratio(old_blocks->second, new_blocks->second);
    if (point.ratio) point.change = change_of(point.ratio->verdict);
  }
}

void compare_points(const Side& before, const Side& after, Comparison& result) {
  std::map<std::string, std::string> settings = setting_labels(before.run.measurements);
  std::map<std::string, const MeasurementRow*> now;
  std::set<std::string> names_after;
  for (const MeasurementRow& row : after.run.measurements) {
    if (row.kernel != "total") continue;
    const auto device = after.old_ids.find(row.device_id);
    const std::string name =
        after.names.name(row, device == after.old_ids.end() ? row.device_id : device->second);
    if (names_after.insert(name).second) ++result.only_after;
    if (device != after.old_ids.end()) now[name] = &row;
  }
  // A point that several parts of a run have is that of the last one.
  std::map<std::string, const MeasurementRow*> then;
  for (const MeasurementRow& row : before.run.measurements) {
    if (row.kernel == "total") then[before.names.name(row, row.device_id)] = &row;
  }
  for (const MeasurementRow& row : before.run.measurements) {
    if (row.kernel != "total") continue;
    const std::string name = before.names.name(row, row.device_id);
    if (then[name] != &row) continue;
    const auto found = now.find(name);
    if (found == now.end()) {
      ++result.only_before;
      continue;
    }
    --result.only_after;
    ComparedPoint& point = result.points.emplace_back();
    point.before = &row;
    point.after = found->second;
    point.setting = settings[row.dwarf + "|" + row.problem + "|" + config_text(row)];
    judge(point, name, before, after);
  }
  std::stable_sort(result.points.begin(), result.points.end(),
                   [](const auto& a, const auto& b) { return a.change < b.change; });
}

std::int64_t schema_of(const RunData& run) {
  return run.measurements.empty() ? schema_version : run.measurements.front().schema_version;
}

void require_same_schema(const RunData& before, const RunData& after) {
  if (schema_of(before) == schema_of(after)) return;
  throw UsageError(
      fmt::format("'{}' is of schema version {} and '{}' of schema version {}: one has sums of kernel times "
                  "and the other times "
                  "of whole runs, which no ratio may mix; measure the older one anew",
                  before.name, schema_of(before), after.name, schema_of(after)));
}

std::vector<std::string> find_differences(const Side& before, const Side& after) {
  std::vector<std::string> lines;
  const auto compare = [&](const std::string& what, const std::string& old_value,
                           const std::string& new_value) {
    if (old_value == new_value) return;
    std::string line = fmt::format("{}: '{}' before, '{}' now", what, old_value, new_value);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  };
  compare("host", before.run.host, after.run.host);
  compare("revision of program and kernels", before.run.revision, after.run.revision);
  for (const auto& [id, old_id] : after.old_ids) {
    const ComparedDevice& old_device = before.devices.at(old_id);
    const ComparedDevice& new_device = after.devices.at(id);
    compare("device", old_device.name, new_device.name);
    compare(fmt::format("driver of {}", new_device.name), old_device.driver, new_device.driver);
  }
  for (const std::string& axis : before.names.unknown_axes()) compare("axis " + axis, "known", "unknown");
  for (const std::string& axis : after.names.unknown_axes()) compare("axis " + axis, "unknown", "known");
  return lines;
}

}  // namespace

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const auto& point) { return point.change == change; }));
}

Comparison compare_runs(const RunData& before, const RunData& after) {
  require_same_schema(before, after);
  Side old_side(before, after);
  Side new_side(after, before);
  for (const auto& [id, device] : old_side.devices) old_side.old_ids[id] = id;
  new_side.old_ids = match_devices(old_side.devices, new_side.devices);
  old_side.blocks = blocks_of(old_side);
  new_side.blocks = blocks_of(new_side);

  Comparison result;
  result.differences = find_differences(old_side, new_side);
  compare_points(old_side, new_side, result);
  if (result.points.empty()) {
    throw UsageError(fmt::format("'{}' and '{}' have no point in common", before.name, after.name));
  }
  return result;
}

}  // namespace dwarfsweep
