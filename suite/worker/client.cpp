#include "suite/worker/client.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

// Even the slowest driver needs less.
constexpr std::chrono::seconds inventory_limit{60};

}  // namespace

Inventory ask_inventory(const std::vector<std::string>& environment) {
  try {
    WorkerProcess worker("", environment);
    return worker.ask(ListDevices{}, inventory_limit);
  } catch (const WorkerCrash& crash) {
    throw NoDeviceError(fmt::format("asking the OpenCL drivers for their devices failed: {}", crash.what()));
  } catch (const WorkerTimeout& timeout) {
    throw NoDeviceError(
        fmt::format("asking the OpenCL drivers for their devices failed: {}", timeout.what()));
  }
}

void DeviceClient::start() {
  worker_ = std::make_unique<WorkerProcess>(settings_.output, settings_.environment);
  ++process_;
  questions_ = 0;
  const OpenDevice request{device_, settings_.kernels,    settings_.cache,
                           timer_,  settings_.half_width, settings_.peaks};
  try {
    OpenedDevice opened = worker_->ask(request, settings_.open_limit);
    timer_ = std::move(opened.timer);
    device_.progress = opened.progress;
  } catch (...) {
    worker_.reset();  // a worker without its device is of no use
    throw;
  }
}

const TimerReport& DeviceClient::timer() {
  if (!timer_) start();
  return *timer_;
}

std::vector<DeferredFailure> DeviceClient::take_deferred_failures() {
  return worker_ ? worker_->take_deferred_failures() : std::vector<DeferredFailure>();
}

}  // namespace dwarfsweep
