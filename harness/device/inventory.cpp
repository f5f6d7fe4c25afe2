#include "harness/device/inventory.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/device/opencl.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"

namespace dwarfsweep {
namespace {

std::vector<cl::Device> devices_of(const cl::Platform& platform) {
  std::vector<cl::Device> devices;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  } catch (const cl::Error& error) {
    if (error.err() != CL_DEVICE_NOT_FOUND) throw;
  }
  return devices;
}

bool matches(const DeviceInfo& device, const std::string& selector) {
  const std::string wanted = lower(selector);
  if (wanted == "all") return true;
  if (wanted == device.index) return true;
  if (wanted == "cpu" || wanted == "gpu" || wanted == "accelerator") return device.type == wanted;
  const std::string text = lower(device.platform + "\n" + device.platform_vendor + "\n" +
                                 device.platform_version + "\n" + device.name + "\n" + device.id);
  return text.find(wanted) != std::string::npos;
}

// Two ICD files may name the same library; then every device comes twice, under the same identity and name.
bool is_duplicate(const Inventory& inventory, const DeviceInfo& device, std::size_t platform_first) {
  return std::any_of(inventory.devices.begin(),
                     inventory.devices.begin() + static_cast<std::ptrdiff_t>(platform_first),
                     [&](const DeviceInfo& other) {
                       return other.id == device.id && other.platform == device.platform &&
                              other.platform_version == device.platform_version && other.name == device.name;
                     });
}

// The loader silently skips an ICD file whose library does not load. Here that becomes a note.
void note_broken_icds(Inventory& inventory) {
  const char* given = std::getenv("OCL_ICD_VENDORS");
  const std::filesystem::path folder = given ? given : "/etc/OpenCL/vendors";
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  // Reading the folder may fail at any entry.
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".icd") continue;
    std::ifstream file(entry->path());
    std::string library;
    std::getline(file, library);
    library = trimmed(library);
    // A library that works is loaded already: this only adds a reference.
    if (void* handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
      ::dlclose(handle);
    } else {
      const char* reason = ::dlerror();
      inventory.notes.push_back(
          {entry->path().filename().string(),
           fmt::format("is broken: {}", reason ? reason : "its library does not load")});
    }
  }
  const bool is_missing =
      error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  if (error && !is_missing)
    inventory.notes.push_back({folder.string(), fmt::format("cannot be read: {}", error.message())});
}

void add_platform(Inventory& inventory, const cl::Platform& platform, std::size_t number) {
  std::string name = fmt::format("platform {}", number);
  try {
    name = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
    const std::vector<cl::Device> devices = devices_of(platform);
    if (devices.empty()) inventory.notes.push_back({name, "has no device"});
    const std::size_t platform_first = inventory.devices.size();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      DeviceInfo info = query_device(platform, devices[i], fmt::format("{}:{}", number, i));
      if (is_duplicate(inventory, info, platform_first)) {
        inventory.notes.push_back({name, "device " + info.index + " was listed before and is skipped"});
      } else if (devices[i].getInfo<CL_DEVICE_AVAILABLE>() != CL_TRUE) {
        inventory.notes.push_back({name, "device " + info.index + " is not available"});
      } else {
        if (info.capabilities.compute_units == 0) {
          // Plans and kernels divide by it.
          info.capabilities.compute_units = 1;
          inventory.notes.push_back({name, "device " + info.index + " reports 0 compute units, taken as 1"});
        }
        inventory.devices.push_back(std::move(info));
      }
    }
  } catch (const cl::Error& error) {
    inventory.notes.push_back({name, "is broken: " + describe(error)});
  }
}

}  // namespace

Inventory discover_devices() {
  Inventory inventory;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    // CL_PLATFORM_NOT_FOUND_KHR: no ICD is installed. That is an empty inventory, and anything else a note.
    if (error.err() != CL_PLATFORM_NOT_FOUND_KHR)
      inventory.notes.push_back({"OpenCL loader", describe(error)});
  }
  for (std::size_t i = 0; i < platforms.size(); ++i) add_platform(inventory, platforms[i], i);
  note_broken_icds(inventory);
  return inventory;
}

std::vector<DeviceInfo> select_devices(const Inventory& inventory, const std::string& selector) {
  std::vector<DeviceInfo> chosen;
  for (const DeviceInfo& device : inventory.devices) {
    if (matches(device, selector)) chosen.push_back(device);
  }
  if (!chosen.empty()) return chosen;
  std::string list;
  for (const DeviceInfo& device : inventory.devices) list += "\n  " + describe(device);
  if (list.empty()) {
    throw NoDeviceError(
        "there is no OpenCL device; install one: a GPU's driver, or for CPUs PoCL (apt install "
        "pocl-opencl-icd) or Intel's runtime (pip install 'dwarfsweep[intel]'); "
        "if one is installed, check clinfo, OCL_ICD_VENDORS and the rights on /dev/dri");
  }
  throw NoDeviceError(fmt::format("no device matches '{}'; there are:{}", selector, list));
}

}  // namespace dwarfsweep
