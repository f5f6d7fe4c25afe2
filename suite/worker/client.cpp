#include "suite/worker/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "harness/space/error.hpp"
#include "suite/worker/device_queues.hpp"

namespace dwarfsweep {
namespace {

void work_through(const ProcessJobs& jobs, std::atomic<std::size_t>& next) {
  std::unique_ptr<WorkerProcess> process;
  for (std::size_t job = next++; job < jobs.count && ProcessJobs::Clock::now() < jobs.end && !interrupted();
       job = next++) {
    try {
      if (!process) {
        process = std::make_unique<WorkerProcess>(jobs.role, "/dev/null", WorkerProcess::Control{});
        jobs.open(*process);
      }
      jobs.work(*process, job);
    } catch (const WorkerLost&) {
      process.reset();
    } catch (const std::exception&) {
      // This one cannot be done.
    }
  }
}

}  // namespace

Inventory ask_inventory(const std::vector<std::string>& environment, std::chrono::milliseconds limit) {
  try {
    WorkerProcess worker("", environment);
    return worker.ask(ListDevices{}, limit);
  } catch (const WorkerLost& lost) {
    throw NoDeviceError(fmt::format("asking the OpenCL drivers for their devices failed: {}", lost.what()));
  }
}

void DeviceClient::start() {
  worker_ = std::make_unique<WorkerProcess>(settings_.output, settings_.environment, settings_.role);
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

std::chrono::milliseconds ProcessJobs::time_left() const {
  constexpr std::chrono::milliseconds most(20'000);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return std::clamp(left, std::chrono::milliseconds(1), most);
}

void run_jobs(const ProcessJobs& jobs) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(jobs.count, jobs.processes); ++i)
    threads.emplace_back([&] { work_through(jobs, next); });
  const TurnRelease others_work;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace dwarfsweep
