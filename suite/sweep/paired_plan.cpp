#include "suite/sweep/paired_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/space/error.hpp"
#include "suite/sweep/sweep_plan.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {
namespace {

std::vector<std::string> parse_environment(const std::string& text) {
  std::vector<std::string> variables;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.find('=') == std::string::npos || word[0] == '=')
      throw UsageError(fmt::format(
          "--pairs takes two environments, as OCL_ICD_VENDORS=/old OCL_ICD_VENDORS=/new; '{}' has no '='",
          word));
    variables.push_back(word);
  }
  return variables;
}

PairedSide find_side(const std::string& text, const char* name, const std::vector<std::string>& selectors) {
  PairedSide side;
  side.text = text;
  side.variables = parse_environment(text);
  Options options;
  options.devices = selectors;
  const std::vector<DeviceInfo> devices = chosen_devices(options, ask_inventory(side.variables));
  if (devices.size() != 1) {
    std::string names;
    for (const DeviceInfo& each : devices) names += (names.empty() ? "" : ", ") + describe(each);
    throw UsageError(fmt::format(
        "--pairs compares one device with one, and with '{}' there are {}: {}; choose by --device", text,
        devices.size(), names));
  }
  side.device = devices.front();
  side.id = fmt::format("{}@{}", side.device.id, name);
  return side;
}

// The points of one side, as the other has them.
SweepPoint on_side(SweepPoint point, const SweepGroup& group, const PairedSide& side) {
  point.key.device_id = side.id;
  point.note.clear();
  point.rejected = group.dwarf->space()
                       .why_rejected({point.request.config, point.request.problem, side.device.capabilities})
                       .value_or("");
  return point;
}

bool same_data(const SweepGroup& one, const SweepGroup& other) {
  const PointKey& a = one.points.front().key;
  const PointKey& b = other.points.front().key;
  return a.dwarf == b.dwarf && a.size == b.size && a.problem == b.problem;
}

PairedGroup paired(const SweepGroup& before, const SweepGroup& after, const PairedSides& sides) {
  std::vector<SweepPoint> all = before.points;
  for (const SweepPoint& point : after.points) {
    const bool known = std::any_of(
        all.begin(), all.end(), [&](const SweepPoint& each) { return each.key.config == point.key.config; });
    if (!known) all.push_back(point);
  }
  PairedGroup group = {before, after};
  for (std::size_t side = 0; side < sides.size(); ++side) {
    group[side].points.clear();
    for (const SweepPoint& point : all)
      group[side].points.push_back(on_side(point, group[side], sides[side]));
    group[side].device.id = sides[side].id;
  }
  return group;
}

}  // namespace

PairedSides find_sides(const Options& options) {
  if (options.runs.size() != 1)
    throw UsageError(
        fmt::format("--pairs takes two environments, as OCL_ICD_VENDORS=/old OCL_ICD_VENDORS=/new; "
                    "{} given",
                    options.runs.size() + 1));
  const std::vector<std::string>& devices = options.devices;
  if (devices.size() > 2)
    throw UsageError("with --pairs --device names the device of each environment: one selector, or two");
  const auto of = [&](std::size_t side) {
    return devices.size() == 2 ? std::vector<std::string>{devices[side]} : devices;
  };
  return {find_side(options.compare.pairs, "old", of(0)), find_side(options.runs[0], "new", of(1))};
}

std::vector<PairedGroup> plan_pairs(const Options& options, const PairedSides& sides) {
  if (takes_auto_size(options))
    throw UsageError(
        "with --pairs each plan but ci needs its --size or --problem, the same for both devices");
  Options here = options;
  here.devices.clear();
  here.runs.clear();
  std::array<std::vector<SweepGroup>, 2> planned;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    Inventory inventory;
    inventory.devices = {sides[side].device};
    planned[side] = plan_sweep(here, inventory);
  }
  std::vector<PairedGroup> groups;
  for (const SweepGroup& before : planned[0]) {
    for (const SweepGroup& after : planned[1]) {
      if (same_data(before, after)) groups.push_back(paired(before, after, sides));
    }
  }
  return groups;
}

}  // namespace dwarfsweep
