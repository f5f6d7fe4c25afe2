// A library with the functions of NVIDIA's libnvidia-ml.so.1 that the harness uses; only tests load it.
#include "tests/faults/fake_nvml.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

namespace {

FakeNvml state;

constexpr int success = 0;
constexpr int not_supported = 3;

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_and_vendor, subsystem;
  char bus_id[32];
};

// A handle is the index of the device, from 1.
unsigned index_of(void* handle) {
  state.asked_device = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(handle)) - 1;
  return state.asked_device;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED FakeNvml* fake_nvml() {
  return &state;
}

EXPORTED int nvmlInit_v2() {
  if (!state.initialises) return not_supported;
  ++state.initialised;
  return success;
}

EXPORTED int nvmlShutdown() {
  --state.initialised;
  return success;
}

EXPORTED int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(state.devices.size());
  return success;
}

EXPORTED int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  *handle = reinterpret_cast<void*>(std::uintptr_t{index} + 1);
  return success;
}

EXPORTED int nvmlDeviceGetUUID(void* handle, char* text, unsigned length) {
  std::strncpy(text, state.devices.at(index_of(handle)).uuid.c_str(), length);
  return success;
}

EXPORTED int nvmlDeviceGetPciInfo_v3(void* handle, void* to) {
  PciInfo& info = *static_cast<PciInfo*>(to);
  info.bus = state.devices.at(index_of(handle)).bus;
  info.device = state.devices.at(index_of(handle)).device;
  return success;
}

EXPORTED int nvmlDeviceGetTotalEnergyConsumption(void* handle, unsigned long long* millijoules) {
  index_of(handle);
  *millijoules = state.millijoules;
  return state.tells_energy ? success : not_supported;
}

EXPORTED int nvmlDeviceGetClockInfo(void* handle, unsigned type, unsigned* mhz) {
  index_of(handle);
  ++state.clock_calls;
  std::this_thread::sleep_for(std::chrono::milliseconds(state.clock_takes_ms));
  *mhz = type == 1 ? state.mhz : 7777;  // 1: SM
  return state.tells_clock ? success : not_supported;
}

// The old name, as before driver 535.
EXPORTED int nvmlDeviceGetCurrentClocksThrottleReasons(void* handle, unsigned long long* bits) {
  index_of(handle);
  *bits = state.reasons;
  return state.tells_reasons ? success : not_supported;
}
