#include "suite/compare/compare_match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/space/value.hpp"

namespace dwarfsweep {
namespace {

std::string variant_axis(const RowIdentity& row, const std::string& axis) {
  return fmt::format("{}|{}|{}", row.dwarf, row.variant, axis);
}

// Dwarfs ("srad") and their own axes ("srad|sync") that the run knows.
std::set<std::string> known_axes(const RunData& run) {
  std::set<std::string> known;
  for (const MeasurementRow& row : run.measurements) {
    const ValueMap settings = ValueMap::parse(row.options);
    for (const auto& [axis, value] : settings.entries()) known.insert(row.dwarf + "|" + axis);
    known.insert(row.dwarf);
  }
  return known;
}

}  // namespace

PointNames::PointNames(const RunData& run, const RunData& other) {
  const std::set<std::string> known = known_axes(other);
  std::map<std::string, std::map<std::string, int>> counts;
  for (const MeasurementRow& row : run.measurements) {
    if (!known.contains(row.dwarf)) continue;
    const ValueMap settings = ValueMap::parse(row.options);
    for (const auto& [axis, value] : settings.entries()) {
      if (known.contains(row.dwarf + "|" + axis)) continue;
      ++counts[variant_axis(row, axis)][value.to_string()];
      unknown_axes_.insert(fmt::format("{} of {}", axis, row.dwarf));
    }
  }
  for (const auto& [axis, values] : counts) {
    const auto most = std::max_element(values.begin(), values.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    usual_values_[axis] = most->first;
  }
}

std::string PointNames::name(RowIdentity row, const std::string& device_id) const {
  ValueMap options;
  const ValueMap settings = ValueMap::parse(row.options);
  for (const auto& [axis, value] : settings.entries()) {
    const auto usual = usual_values_.find(variant_axis(row, axis));
    if (usual == usual_values_.end() || usual->second != value.to_string())
      options = options.with(axis, value);
  }
  row.options = options.to_string();
  return fmt::format("{}|{}|{}|{}", device_id, row.dwarf, row.problem, config_text(row));
}

std::map<std::string, ComparedDevice> devices_of(const RunData& run) {
  std::map<std::string, ComparedDevice> devices;
  for (const MeasurementRow& row : run.measurements)
    devices[row.device_id] = {row.device, row.driver, row.host};
  return devices;
}

std::map<std::string, std::string> match_devices(const std::map<std::string, ComparedDevice>& before,
                                                 const std::map<std::string, ComparedDevice>& after) {
  std::map<std::string, std::string> matches;
  for (const auto& [id, device] : after) {
    if (before.contains(id)) {
      matches[id] = id;
      continue;
    }
    std::vector<std::string> same_name;
    for (const auto& [old_id, old_device] : before) {
      if (old_device.name == device.name && !after.contains(old_id)) same_name.push_back(old_id);
    }
    if (same_name.size() == 1) matches[id] = same_name.front();
    if (before.size() == 1 && after.size() == 1) matches[id] = before.begin()->first;
  }
  return matches;
}

}  // namespace dwarfsweep
