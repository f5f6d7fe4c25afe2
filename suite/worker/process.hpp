// This program once more, as a worker, a builder or a counter: starting it, ending it, saying how it died.
// suite/worker/client.hpp sends it requests.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/space/error.hpp"

namespace dwarfsweep {

/// The process is gone, and the answer with it: WorkerCrash or WorkerTimeout.
class WorkerLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It crashed, or was killed for a protocol error. The message ends with the last it printed.
class WorkerCrash : public WorkerLost {
 public:
  explicit WorkerCrash(const std::string& what, Status status = Status::crashed)
      : WorkerLost(what), status_(status) {}
  /// crashed, or out_of_memory if the system ended it for want of memory.
  [[nodiscard]] Status status() const { return status_; }

 private:
  Status status_;
};

/// It did not answer in time and was killed.
class WorkerTimeout : public WorkerLost {
 public:
  using WorkerLost::WorkerLost;
};

/// A clock that stands still while it is paused, as the processes do whose time it limits. Its functions may
/// be called by any thread.
class PausableClock {
 public:
  using Time = std::chrono::steady_clock::duration;

  [[nodiscard]] Time now() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return (paused_ ? pause_begin_ : steady()) - time_paused_;
  }
  /// How much of the steady clock's time from `begin` to `end` it was paused.
  [[nodiscard]] Time time_paused(Time begin, Time end) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    Time paused{0};
    for (const auto& [from, to] : pauses_)
      paused += std::max(Time{0}, std::min(end, to) - std::max(begin, from));
    if (paused_) paused += std::max(Time{0}, end - std::max(begin, pause_begin_));
    return paused;
  }
  void pause() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (paused_) return;
    paused_ = true;
    pause_begin_ = steady();
  }
  void resume() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!paused_) return;
    paused_ = false;
    pauses_.emplace_back(pause_begin_, steady());
    time_paused_ += pauses_.back().second - pauses_.back().first;
  }

 private:
  static Time steady() { return std::chrono::steady_clock::now().time_since_epoch(); }

  mutable std::mutex mutex_;
  bool paused_ = false;
  Time pause_begin_{0};
  Time time_paused_{0};
  std::vector<std::pair<Time, Time>> pauses_;  // that are over
};

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// A process of this program, with a pipe for requests and one for answers.
class ChildProcess {
 public:
  ChildProcess(const std::string& role, const std::string& output, const std::vector<std::string>& changes);
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] bool running() const {
    const std::lock_guard<std::mutex> lock(pid_in_use_);
    return pid_ > 0;
  }
  /// To write requests to, and to read answers from.
  [[nodiscard]] int requests() const { return requests_.number(); }
  [[nodiscard]] int answers() const { return answers_.number(); }
  /// To the child and to what it started, if it runs. May be called by any thread.
  void signal(int number) const;
  /// It gets cores that nobody else needs, as will the threads that it starts later.
  void give_way();
  /// Ends the child and what it started, and closes the pipes.
  void kill();
  /// To be called when the child has closed a pipe: the status of waitpid(), or nothing if it did not end by
  /// itself and was killed.
  std::optional<int> wait_for_end();

 private:
  bool reap(int* status);

  mutable std::mutex pid_in_use_;
  pid_t pid_ = -1;
  Descriptor requests_;
  Descriptor answers_;
};

/// "was ended by signal SIGSEGV (Segmentation fault)", "exited with status 1": of a status of waitpid().
std::string describe_end(int status);

}  // namespace dwarfsweep
