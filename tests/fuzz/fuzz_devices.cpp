// Fuzz target of read_device_file and read_run_devices: run.json, and what `devices --json` prints.
#include "suite/record/run_rows.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::run_record(data, size, [](std::string_view bytes) {
    const Inventory inventory = read_device_file(fuzz::as_file("run.json", bytes));
    fuzz::require(!inventory.devices.empty());
    for (const DeviceInfo& device : inventory.devices)
      fuzz::require(device.capabilities.compute_units > 0 && device.type != "host");
  });
  return fuzz::run_record(
      data, size, [](std::string_view bytes) { (void)read_run_devices(fuzz::as_file("run.json", bytes)); });
}
