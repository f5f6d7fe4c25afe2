// The worker: the process that does everything OpenCL. It reads requests, one JSON object a line, and answers
// each with one line. It may crash or hang at any time; its parent (suite/worker/worker_process.hpp) is
// prepared for that.
//
//   {"do": "devices"}                                        -> Inventory
//   {"do": "open", "device", "kernels", "cache", "timer"?,   -> {"timer": TimerReport, "progress":
//    "half_width"?, "peaks"?}                                 ProgressReport}; tested anew where not given
//   {"do": "selftest"}                                       -> SelfTestReport
//   {"do": "peaks", "limit_ms": ...}                         -> {name: value}
//   {"do": "load", "point"}                                  -> Problem, sizes filled in from the input files
//   {"do": "prepare", "point"}                               -> Preparation
//   {"do": "verify", "point"}                                -> Check of two launches; nothing is kept ready
//   {"do": "measure", "point", "baseline", "pairs", "seed"}  -> {"samples": [BlockSample...], "clock":
//   ClockReading}
//   {"do": "energy", "point", "seconds"}                     -> {"meter", "use": EnergyUse}; {} where the
//   device does not tell
//   {"do": "finish", "point", "forget"}                      -> {}: the output of the last sample was
//   verified; with "forget": true, the point is forgotten
//   {"do": "dump", "point", "folder"}                        -> {}
//   {"do": "drop"}                                           -> {}: all points and data are forgotten
//
// An answer is {"result": ...}, or {"error": sentence, "status": Status or "usage" or "no_device"}. Where a
// point had to make room and its last output turned out wrong, the answer carries {"late": [{"key",
// "reason"}...]}.
#pragma once

namespace dwarfsweep {

/// The file descriptors of a worker: standard input, and one that no driver prints to.
inline constexpr int worker_request_fd = 0;
inline constexpr int worker_answer_fd = 3;

/// Serves requests until their end is closed. Returns the exit status of the process.
int run_worker();

}  // namespace dwarfsweep
