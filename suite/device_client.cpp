#include "suite/device_client.hpp"

#include <fmt/format.h>

#include "harness/error.hpp"

namespace dwarfsweep {
namespace {

// Opening a device loads its driver and compiles the self-test's kernels; a minute is generous for the
// slowest.
constexpr std::chrono::seconds open_limit{60};

}  // namespace

Inventory ask_inventory() {
  try {
    WorkerProcess worker("");
    return worker.ask({{"do", "devices"}}, open_limit).get<Inventory>();
  } catch (const WorkerCrash& crash) {
    throw NoDeviceError(fmt::format("asking the OpenCL drivers for their devices failed: {}", crash.what()));
  } catch (const WorkerTimeout& timeout) {
    throw NoDeviceError(
        fmt::format("asking the OpenCL drivers for their devices failed: {}", timeout.what()));
  }
}

void DeviceClient::start() {
  worker_ = std::make_unique<WorkerProcess>(settings_.output);
  ++process_;
  Json request = {{"do", "open"},
                  {"device", device_},
                  {"kernels", settings_.kernels},
                  {"cache", settings_.cache == CacheState::cold ? "cold" : "hot"}};
  if (timer_) request["timer"] = *timer_;
  timer_ = worker_->ask(request, open_limit).get<TimerReport>();
}

const TimerReport& DeviceClient::timer() {
  if (!timer_) start();
  return *timer_;
}

Json DeviceClient::ask(const Json& request, std::chrono::milliseconds limit) {
  try {
    if (!worker_) start();
    return worker_->ask(request, limit);
  } catch (const WorkerCrash&) {
    worker_.reset();
    throw;
  } catch (const WorkerTimeout&) {
    worker_.reset();
    throw;
  }
}

const Json& DeviceClient::late() const {
  static const Json none = Json::array();
  return worker_ ? worker_->late() : none;
}

}  // namespace dwarfsweep
