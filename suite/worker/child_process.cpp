#include "suite/worker/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "suite/worker/worker.hpp"

namespace dwarfsweep {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return {ends[0], ends[1]};
}

std::string name_of(const std::string& variable) {
  return variable.substr(0, variable.find('='));
}

// This process's environment with `changes` in it.
std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all = changes;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const bool changed = std::any_of(changes.begin(), changes.end(),
                                     [&](const std::string& each) { return name_of(each) == name_of(text); });
    if (!changed) all.push_back(text);
  }
  return all;
}

// Between fork and exec only calls that POSIX allows there.
[[noreturn]] void become_child(const char* role, int requests, int answers, int output, char** environment) {
  ::setpgid(0, 0);  // Ctrl-C is for the parent alone
  sigset_t none;    // the parent's thread may block signals
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(requests, worker_request_fd);
  if (output >= 0) {
    ::dup2(output, STDERR_FILENO);
  }
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // drivers print to either
  if (answers == worker_answer_fd) {
    ::fcntl(answers, F_SETFD, 0);
  } else {
    ::dup2(answers, worker_answer_fd);
  }
  char name[] = "dwarfsweep";
  char* const arguments[] = {name, const_cast<char*>(role), nullptr};
  ::execve("/proc/self/exe", arguments, environment);
  ::_exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::string& role, const std::string& output,
                           const std::vector<std::string>& changes) {
  ::signal(SIGPIPE, SIG_IGN);  // a dead child is an error of write(), not the end of the parent
  const Pipe requests = make_pipe();
  const Pipe answers = make_pipe();
  const int output_fd =
      output.empty() ? -1 : ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  std::vector<std::string> environment = changed_environment(changes);
  std::vector<char*> pointers;
  for (std::string& variable : environment) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) become_child(role.c_str(), requests.read_end, answers.write_end, output_fd, pointers.data());
  ::close(requests.read_end);
  ::close(answers.write_end);
  if (output_fd >= 0) ::close(output_fd);
  requests_ = requests.write_end;
  answers_ = answers.read_end;
  if (pid_ < 0) throw std::runtime_error(fmt::format("cannot start a {}: {}", role, std::strerror(errno)));
}

bool ChildProcess::running() const {
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  return pid_ > 0;
}

void ChildProcess::signal(int number) const {
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  if (pid_ <= 0) return;
  ::kill(-pid_, number);  // with it, what it started: a driver's compiler, for example
  ::kill(pid_, number);
}

bool ChildProcess::reap(int* status) {
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  if (pid_ > 0 && ::waitpid(pid_, status, WNOHANG) == 0) return false;
  pid_ = -1;
  return true;
}

void ChildProcess::kill() {
  if (requests_ >= 0) ::close(requests_);
  if (answers_ >= 0) ::close(answers_);
  requests_ = answers_ = -1;
  signal(SIGKILL);
  // A process that a driver holds within the kernel cannot die and is left behind: the sweep must go on.
  for (int i = 0; i < 1000 && !reap(nullptr); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(i < 100 ? 1 : 10));
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  pid_ = -1;
}

std::optional<int> ChildProcess::wait_for_end() {
  // The pipe closes a moment before the process can be waited for; one that lives on without it is killed.
  for (int i = 0; i < 200; ++i) {
    int status = -1;
    if (reap(&status)) {
      kill();
      return status < 0 ? std::nullopt : std::optional(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill();
  return std::nullopt;
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("was ended by signal SIG{} ({})", name ? name : "?", ::strsignal(signal));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

}  // namespace dwarfsweep
