#include "suite/worker/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "suite/worker/device_queues.hpp"
#include "suite/worker/requests.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::string name_of(const std::string& variable) {
  return variable.substr(0, variable.find('='));
}

// This process's environment with `changes` in it.
std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all = changes;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const bool changed =
        std::ranges::any_of(changes, [&](const std::string& each) { return name_of(each) == name_of(text); });
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

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("was ended by signal SIG{} ({})", name ? name : "?", ::strsignal(signal));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

ChildProcess::ChildProcess(const std::string& role, const std::string& output,
                           const std::vector<std::string>& changes) {
  ::signal(SIGPIPE, SIG_IGN);  // a dead child is an error of write(), not the end of the parent
  Pipe requests = make_pipe();
  Pipe answers = make_pipe();
  const Descriptor printed(
      output.empty() ? -1 : ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  std::vector<std::string> environment = changed_environment(changes);
  std::vector<char*> pointers;
  for (std::string& variable : environment) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0)
    become_child(role.c_str(), requests.read_end.number(), answers.write_end.number(), printed.number(),
                 pointers.data());
  if (pid_ < 0) throw std::runtime_error(fmt::format("cannot start a {}: {}", role, std::strerror(errno)));
  requests_ = std::move(requests.write_end);
  answers_ = std::move(answers.read_end);
}

void ChildProcess::signal(int number) const {
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  if (pid_ <= 0) return;
  ::kill(-pid_, number);  // with it, what it started: a driver's compiler, for example
  ::kill(pid_, number);
}

void ChildProcess::give_way() {
  constexpr int lowest_priority = 19;
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  if (pid_ > 0) (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(pid_), lowest_priority);
}

// Whether the child was waited for, so that its number may be another process's.
bool ChildProcess::reap(int* status) {
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  if (pid_ > 0 && ::waitpid(pid_, status, WNOHANG) == 0) return false;
  pid_ = -1;
  return true;
}

void ChildProcess::kill() {
  requests_.close();
  answers_.close();
  if (!running()) return;
  signal(SIGKILL);
  const TurnRelease others_work;
  // A process that a driver holds within the kernel cannot die and is left behind: the sweep must continue.
  for (int i = 0; i < 1000 && !reap(nullptr); ++i)
    std::this_thread::sleep_for(milliseconds(i < 100 ? 1 : 10));
  const std::lock_guard<std::mutex> lock(pid_in_use_);
  pid_ = -1;
}

std::optional<int> ChildProcess::wait_for_end() {
  const TurnRelease others_work;
  // The pipe closes a moment before the process can be waited for; one that lives on without it is killed.
  for (int i = 0; i < 200; ++i) {
    int status = -1;
    if (reap(&status)) {
      kill();
      return status < 0 ? std::nullopt : std::optional(status);
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  kill();
  return std::nullopt;
}

}  // namespace dwarfsweep
