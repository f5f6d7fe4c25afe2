// The parent's side of a worker: start it, ask it, wait no longer than agreed, tell how it died.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "harness/status.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {

/// The worker is gone: it crashed, or said something that is no answer. The message ends with the last it
/// printed.
class WorkerCrash : public std::runtime_error {
 public:
  explicit WorkerCrash(const std::string& what, Status status = Status::crashed)
      : std::runtime_error(what), status_(status) {}
  /// crashed, or out_of_memory where the system ended it for want of memory.
  [[nodiscard]] Status status() const { return status_; }

 private:
  Status status_;
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

/// A worker's answer as what it should be. Throws WorkerCrash where it is something else.
template <typename Wanted>
Wanted answer_as(const Json& answer) {
  try {
    return answer.get<Wanted>();
  } catch (const Json::exception& error) {
    throw WorkerCrash(std::string("the worker process answered with something else than asked for: ") +
                      error.what());
  }
}

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
  Json parse(const std::string& line);
  std::string read_line(std::chrono::milliseconds limit);
  [[noreturn]] void died(const std::string& what);
  [[noreturn]] void talked_rubbish();
  void kill_now();
  /// "; its last words: ...", or nothing.
  [[nodiscard]] std::string last_words() const;

  std::string output_;
  std::int64_t output_begin_ = 0;  // size of the output when the last question was asked
  std::int64_t oom_kills_ = 0;     // of the whole system, at the same time
  pid_t pid_ = -1;
  int requests_ = -1;
  int answers_ = -1;
  std::string pending_;  // bytes after the last whole line
  Json late_ = Json::array();
};

}  // namespace dwarfsweep
