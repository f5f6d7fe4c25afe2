#include "suite/record/run_rows.hpp"

#include <nlohmann/json.hpp>

#include "suite/record/json.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;

namespace {

DeviceInfo some_gpu(const std::string& name) {
  DeviceInfo device;
  device.index = "0:0";
  device.name = name;
  device.type = "gpu";
  device.extensions = {"cl_khr_fp64"};
  device.capabilities.local_bytes = 65536;
  device.derive_capabilities();
  return device;
}

}  // namespace

TEST_CASE("devices are read from what `devices --json` prints, from a run.json, and one by itself",
          "[unit]") {
  const test::ScratchDirectory folder;
  Inventory inventory;
  inventory.devices = {some_gpu("a"), some_gpu("b")};
  DeviceInfo host;
  host.type = "host";
  const Json run = {{"devices", {{{"info", host}}, {{"info", some_gpu("c")}}}}};
  const auto names = [&](const Json& json) {
    std::string all;
    for (const DeviceInfo& device : read_device_file(folder.file("devices.json", json.dump())).devices) {
      CHECK(device.capabilities.fp64);
      CHECK(device.capabilities.is_gpu);
      CHECK(device.capabilities.local_bytes == 65536);
      all += device.name;
    }
    return all;
  };
  CHECK(names(inventory) == "ab");
  CHECK(names(run) == "c");  // the host's own code is no device to build for
  CHECK(names(some_gpu("d")) == "d");
}

TEST_CASE("a file that has no device is refused in a sentence that says what is wrong", "[unit]") {
  const test::ScratchDirectory folder;
  const auto refusal = [&](const std::string& text) {
    return test::usage_error([&] { (void)read_device_file(folder.file("devices.json", text)); });
  };
  CHECK_THAT(refusal("{"), test::contains("devices.json' is not JSON: parse error at line 1"));
  CHECK_THAT(refusal(R"({"devices": 3})"), test::contains("is not a list"));
  CHECK_THAT(refusal(R"({"devices": []})"), test::contains("has none"));
  CHECK_THAT(refusal(R"({"devices": [3]})"), test::contains("device 1 of the file"));
  Json device = some_gpu("a");
  device["limits"].erase("local_bytes");
  CHECK_THAT(refusal(device.dump()), test::contains("key 'local_bytes' not found"));
  device["limits"]["local_bytes"] = "plenty";
  CHECK_THAT(refusal(device.dump()), test::contains("type must be number"));
}
