#include "suite/record/device_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

// The library's messages begin with a number of its own in brackets.
std::string plain_message(const Json::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

// A run also records the host's own code as a device; no kernel is built for that.
bool is_opencl_device(const DeviceInfo& device) {
  return device.type != "host";
}

Json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw UsageError(fmt::format("cannot read the file of devices '{}'", file.string()));
  try {
    return Json::parse(stream);
  } catch (const Json::exception& error) {
    throw UsageError(
        fmt::format("the file of devices '{}' is not JSON: {}", file.string(), plain_message(error)));
  }
}

}  // namespace

Inventory read_device_file(const std::filesystem::path& file) {
  const Json json = read_json(file);
  const Json devices = json.is_object() && json.contains("devices") ? json["devices"] : Json::array({json});
  if (!devices.is_array())
    throw UsageError(fmt::format("'devices' in the file '{}' is not a list", file.string()));
  Inventory inventory;
  std::size_t number = 0;
  for (const Json& entry : devices) {
    ++number;
    try {
      const auto device = (entry.contains("info") ? entry["info"] : entry).get<DeviceInfo>();
      if (is_opencl_device(device)) inventory.devices.push_back(device);
    } catch (const Json::exception& error) {
      throw UsageError(fmt::format("device {} of the file '{}' is not as 'devices --json' prints it: {}",
                                   number, file.string(), plain_message(error)));
    }
  }
  if (inventory.devices.empty())
    throw UsageError(fmt::format("the file of devices '{}' has none", file.string()));
  return inventory;
}

}  // namespace dwarfsweep
