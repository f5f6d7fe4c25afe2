#include "suite/commands/ask_each_device.hpp"

#include <fmt/format.h>

#include <chrono>

#include "suite/sweep/sweep_plan.hpp"
#include "suite/worker/device_client.hpp"

namespace dwarfsweep {
namespace {

constexpr std::chrono::minutes answer_limit{5};  // some seconds on most devices; interpreters need minutes

}  // namespace

int ask_each_device(const Options& options, const std::string& what, const PrintAnswer& print) {
  catch_interrupts();
  Json all = Json::array();
  int status = 0;
  for (const DeviceInfo& device : chosen_devices(options, ask_inventory())) {
    DeviceClient client(device, {options.kernels, CacheState::hot, ""});
    try {
      const Json answer = client.ask(
          {{"do", what}, {"limit_ms", std::chrono::milliseconds(answer_limit / 2).count()}}, answer_limit);
      if (options.json) {
        all.push_back({{"device", device.name}, {"device_id", device.id}, {what, answer}});
      } else {
        print(client.device(), answer);
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "dwarfsweep: {} of {} failed: {}\n", what, device.name, error.what());
      status = 1;
    }
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  return status;
}

}  // namespace dwarfsweep
