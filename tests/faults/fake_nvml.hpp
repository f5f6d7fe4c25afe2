// The values that the fake NVML library reports; a test sets them through the library's function fake_nvml().
#pragma once

#include <string>
#include <vector>

struct FakeNvmlDevice {
  std::string uuid;
  unsigned bus = 0;
  unsigned device = 0;
};

struct FakeNvml {
  std::vector<FakeNvmlDevice> devices;
  bool initialises = true;
  int initialised = 0;  ///< calls of nvmlInit_v2 less those of nvmlShutdown
  bool tells_energy = true;
  bool tells_clock = true;
  bool tells_reasons = true;
  unsigned long long millijoules = 0;
  unsigned mhz = 0;
  unsigned long long reasons = 0;
  unsigned asked_device = ~0U;  ///< the index of the device that was asked last
  int clock_calls = 0;
  int clock_takes_ms = 0;
};
