#include "suite/worker/process_jobs.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "suite/worker/strands.hpp"

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
    } catch (const WorkerTimeout&) {
      process.reset();
    } catch (const WorkerCrash&) {
      process.reset();
    } catch (const std::exception&) {
      // This one cannot be done.
    }
  }
}

}  // namespace

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
  const WhileWaiting others_work;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace dwarfsweep
