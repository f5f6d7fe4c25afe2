// Many jobs for a few processes of one role, before anything is measured.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "suite/worker/worker_process.hpp"

namespace dwarfsweep {

struct ProcessJobs {
  using Clock = std::chrono::steady_clock;

  std::string role;           ///< "builder", "counter"
  std::size_t count = 0;      ///< of jobs
  std::size_t processes = 1;  ///< at most
  Clock::time_point end;      ///< after which no job is begun
  /// Asks a new process for what comes before its jobs.
  std::function<void(WorkerProcess&)> open;
  /// Does a job; several at the same time, in threads. Throws where it cannot: that job is left out, and the
  /// process is replaced where it has died.
  std::function<void(WorkerProcess&, std::size_t job)> work;

  /// What a request may take: until the end, and at most 20 s.
  [[nodiscard]] std::chrono::milliseconds time_left() const;
};

/// Returns when all are done, or the time is over, or the program was interrupted.
void run_jobs(const ProcessJobs& jobs);

}  // namespace dwarfsweep
