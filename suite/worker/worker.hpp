// The worker: the process that does everything OpenCL. It may crash or hang at any time; its parent
// (suite/worker/worker_process.hpp) is prepared for that.
#pragma once

namespace dwarfsweep {

/// The file descriptors of a worker: standard input, and one that no driver prints to.
inline constexpr int worker_request_fd = 0;
inline constexpr int worker_answer_fd = 3;

/// Serves requests until their end is closed. Returns the exit status of the process.
int run_worker();

}  // namespace dwarfsweep
