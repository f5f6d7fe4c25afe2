#include "suite/sweep/resume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/space/error.hpp"
#include "suite/engine/sweep_devices.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

using Lines = std::vector<std::string>;

void compare(Lines& lines, const std::string& what, const std::string& then, const std::string& here) {
  if (then != here) lines.push_back(fmt::format("{} was '{}' and is '{}'", what, then, here));
}

// For CPUs: the memory that PoCL reports is a share of the memory that is free at that moment.
bool follows_free_memory(const std::string& limit) {
  return limit == "global_bytes" || limit == "allocation_bytes";
}

void compare_device(Lines& lines, const DeviceInfo& then, const DeviceInfo& here) {
  const std::string of = " of " + then.name;
  compare(lines, "the name" + of, then.name, here.name);
  compare(lines, "the driver" + of, then.driver, here.driver);
  compare(lines, "the platform" + of, then.platform + " " + then.platform_version,
          here.platform + " " + here.platform_version);
  compare(lines, "the number of compute units" + of, std::to_string(then.capabilities.compute_units),
          std::to_string(here.capabilities.compute_units));
  const Json limits = Json(then).at("limits");
  const Json limits_here = Json(here).at("limits");
  for (const auto& [name, value] : limits.items()) {
    if (then.type == "cpu" && follows_free_memory(name)) continue;
    if (limits_here.contains(name))
      compare(lines, name + of, json_text(value), json_text(limits_here.at(name)));
  }
}

}  // namespace

Lines differences(const RunLog& log, const RunRecord& here, const std::vector<DeviceInfo>& devices) {
  const RunRecord& then = log.run;
  Lines lines;
  compare(lines, "the schema", std::to_string(then.schema), std::to_string(here.schema));
  compare(lines, "the version", then.version, here.version);
  compare(lines, "the revision", then.revision, here.revision);
  compare(lines, "the hash of the kernels", then.kernels.empty() ? "not recorded" : then.kernels,
          here.kernels);
  compare(lines, "the host", then.host.name, here.host.name);
  compare(lines, "the processor", then.host.processor, here.host.processor);
  compare(lines, "the number of CPUs", std::to_string(then.host.threads), std::to_string(here.host.threads));
  for (const auto& [id, device] : log.devices) {
    if (device.info.type == "host") continue;  // its processor was compared
    const auto found = std::ranges::find(devices, id, &DeviceInfo::id);
    if (found == devices.end()) {
      lines.push_back(fmt::format("the device {} ({}) is not here", device.info.name, id));
    } else {
      compare_device(lines, device.info, *found);
    }
  }
  return lines;
}

void require_same(const RunLog& log, const RunRecord& here, const std::vector<DeviceInfo>& devices,
                  const std::string& folder) {
  const Lines lines = differences(log, here, devices);
  if (lines.empty()) return;
  throw UsageError(fmt::format("cannot resume the run in '{}' unchanged: {}; {}", folder,
                               fmt::join(lines, "; "), advice_if_changed(log)));
}

PartRecord next_part(const RunLog& log, const RunRecord& here) {
  const RunLog& first = *parts_of(log).front();
  PartRecord part{here};
  part.run.run_id = fmt::format("{}-part{}", first.run.run_id, log.earlier.size() + 2);
  part.run.arguments = first.run.arguments;
  return part;
}

}  // namespace dwarfsweep
