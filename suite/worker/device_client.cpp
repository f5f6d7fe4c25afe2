#include "suite/worker/device_client.hpp"

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
    return answer_as<Inventory>(worker.ask({{"do", "devices"}}, inventory_limit));
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
  Json request = {{"do", "open"},
                  {"device", device_},
                  {"kernels", settings_.kernels},
                  {"cache", settings_.cache == CacheState::cold ? "cold" : "hot"},
                  {"half_width", settings_.half_width},
                  {"peaks", settings_.peaks}};
  if (timer_) request["timer"] = *timer_;
  try {
    const Json answer = worker_->ask(request, settings_.open_limit);
    timer_ = answer_as<TimerReport>(answer.at("timer"));
    device_.progress = answer_as<ProgressReport>(answer.at("progress"));
  } catch (...) {
    worker_.reset();  // a worker without its device is of no use
    throw;
  }
}

const TimerReport& DeviceClient::timer() {
  if (!timer_) start();
  return *timer_;
}

Json DeviceClient::ask(const Json& request, std::chrono::milliseconds limit) {
  if (!worker_) start();
  ++questions_;
  try {
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
