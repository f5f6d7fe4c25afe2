// The parent's side of a worker: start it, ask it, wait no longer than agreed, tell how it died.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "suite/json.hpp"

namespace dwarfsweep {

/// The worker is gone: it crashed, or said something that is no answer.
class WorkerCrash : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The worker did not answer in time and was killed.
class WorkerTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The person pressed Ctrl-C.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// From now on SIGINT and SIGTERM end a request with Interrupted instead of ending the program.
void catch_interrupts();
[[nodiscard]] bool interrupted();

class WorkerProcess {
 public:
  /// Starts this very program as a worker. What it and its drivers print goes to the end of `output`; empty:
  /// to standard error.
  explicit WorkerProcess(const std::string& output);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// The "result" of the worker's answer. Throws what the answer reports (PointFailure, UsageError,
  /// NoDeviceError), WorkerCrash, WorkerTimeout or Interrupted; after the last three the worker is dead.
  Json ask(const Json& request, std::chrono::milliseconds limit);
  /// What the last answer said of points that had to make room: [{"key", "reason"}...].
  [[nodiscard]] const Json& late() const { return late_; }

 private:
  std::string read_line(std::chrono::milliseconds limit);
  [[noreturn]] void died(const std::string& what);
  void kill_now();

  pid_t pid_ = -1;
  int requests_ = -1;
  int answers_ = -1;
  std::string pending_;  // bytes after the last whole line
  Json late_ = Json::array();
};

}  // namespace dwarfsweep
