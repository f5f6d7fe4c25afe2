// This program once more, as a worker or a builder: a child process with a pipe for requests and a pipe for
// answers.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dwarfsweep {

class ChildProcess {
 public:
  /// `role`: "worker" or "builder". What the child and its drivers print is appended to `output`; empty: goes
  /// to standard error. `environment`: "NAME=value", which take the place of the parent's. Throws
  /// std::runtime_error where the system starts no process.
  ChildProcess(const std::string& role, const std::string& output,
               const std::vector<std::string>& environment = {});
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] bool running() const;
  /// File descriptor to write requests to.
  [[nodiscard]] int requests() const { return requests_; }
  /// File descriptor to read answers from.
  [[nodiscard]] int answers() const { return answers_; }
  /// Sends a signal to the child and to what it started, if it runs. May be called by any thread.
  void signal(int number) const;
  /// Ends the child and what it started, and closes the pipes.
  void kill();
  /// To be called when the child has closed a pipe: the status of waitpid(), or nothing where it did not end
  /// by itself and was killed. Closes the pipes.
  std::optional<int> wait_for_end();

 private:
  /// Whether the child was waited for, so that its number may be another process's.
  bool reap(int* status);

  mutable std::mutex pid_in_use_;
  pid_t pid_ = -1;
  int requests_ = -1;
  int answers_ = -1;
};

/// "was ended by signal SIGSEGV (Segmentation fault)", "exited with status 1": of a status of waitpid().
std::string describe_end(int status);

}  // namespace dwarfsweep
