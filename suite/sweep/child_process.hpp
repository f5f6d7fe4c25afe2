// This program once more, as a worker: a child process with a pipe for requests and a pipe for answers.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace dwarfsweep {

class ChildProcess {
 public:
  /// What the child and its drivers print is appended to `output`; empty: goes to standard error. Throws
  /// std::runtime_error where the system starts no process.
  explicit ChildProcess(const std::string& output);
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] bool running() const { return pid_ > 0; }
  /// File descriptor to write requests to.
  [[nodiscard]] int requests() const { return requests_; }
  /// File descriptor to read answers from.
  [[nodiscard]] int answers() const { return answers_; }
  /// Ends the child and what it started, and closes the pipes.
  void kill();
  /// To be called when the child has closed a pipe: the status of waitpid(), or nothing where it did not end
  /// by itself and was killed. Closes the pipes.
  std::optional<int> wait_for_end();

 private:
  pid_t pid_ = -1;
  int requests_ = -1;
  int answers_ = -1;
};

/// "was ended by signal SIGSEGV (Segmentation fault)", "exited with status 1": of a status of waitpid().
std::string describe_end(int status);

}  // namespace dwarfsweep
