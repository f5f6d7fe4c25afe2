#include "suite/worker/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "harness/space/error.hpp"
#include "suite/record/reason.hpp"
#include "suite/worker/device_queues.hpp"
#include "suite/worker/host_limits.hpp"

namespace dwarfsweep {

// A file descriptor that is closed with its owner.
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

// "was ended by signal SIGSEGV (Segmentation fault)", "exited with status 1": of a status of waitpid().
std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("was ended by signal SIG{} ({})", name ? name : "?", ::strsignal(signal));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

// Far beyond any true answer: a worker that writes without end must not fill the parent's memory.
constexpr std::size_t max_answer_bytes = std::size_t{256} << 20U;

[[noreturn]] void throw_reported(const ReportedError& error) {
  if (error.status == "usage") throw UsageError(error.sentence);
  if (error.status == "no_device") throw NoDeviceError(error.sentence);
  throw PointFailure(status_from_string(error.status).value_or(Status::launch_failed), error.sentence);
}

int poll_in_turn(pollfd& answers, int ms) {
  const TurnRelease others_work;
  return ::poll(&answers, 1, ms);
}

std::int64_t size_of(const std::string& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<std::int64_t>(bytes);
}

// The end of `text` on one line, without what a terminal or a table might stumble over.
std::string last_line(const std::string& text) {
  constexpr std::size_t max_length = 400;
  std::string line;
  for (const char c : text) {
    const bool printable = static_cast<unsigned char>(c) > ' ' && c != '\x7f';
    if (printable) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  line = without_folders(line);  // the log of the workers has them in full
  if (line.size() <= max_length) return line;
  std::size_t begin = line.size() - max_length;
  // Does not split a character of several bytes.
  while (begin < line.size() && (static_cast<unsigned char>(line[begin]) & 0xC0U) == 0x80U) ++begin;
  return "..." + line.substr(begin);
}

}  // namespace

// --- the process and its pipes

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
  // To write requests to, and to read answers from.
  [[nodiscard]] int requests() const { return requests_.number(); }
  [[nodiscard]] int answers() const { return answers_.number(); }
  // To the child and to what it started, if it runs. May be called by any thread.
  void signal(int number) const;
  // Ends the child and what it started, and closes the pipes.
  void kill();
  // To be called when the child has closed a pipe: the status of waitpid(), or nothing if it did not end by
  // itself and was killed.
  std::optional<int> wait_for_end();

 private:
  bool reap(int* status);

  mutable std::mutex pid_in_use_;
  pid_t pid_ = -1;
  Descriptor requests_;
  Descriptor answers_;
};

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

// --- the conversation with it

WorkerProcess::WorkerProcess(const std::string& output, const std::vector<std::string>& environment,
                             const std::string& role)
    : role_(role), output_(output), child_(std::make_unique<ChildProcess>(role_, output, environment)) {}

WorkerProcess::WorkerProcess(const std::string& role, const std::string& output, const Control& control)
    : role_(role),
      control_(control),
      output_(output),
      child_(std::make_unique<ChildProcess>(role, output, std::vector<std::string>())) {}

WorkerProcess::~WorkerProcess() = default;

void WorkerProcess::signal(int number) const {
  child_->signal(number);
}

JsonAnswer WorkerProcess::exchange(const std::string& request, milliseconds limit) {
  if (!child_->running()) throw WorkerCrash(fmt::format("the {} process is gone", role_));
  output_begin_ = size_of(output_);
  oom_kills_ = count_oom_kills();
  send(request + "\n");
  std::optional<Envelope> answer = read_envelope(read_line(limit));
  if (!answer) protocol_error();
  deferred_.insert(deferred_.end(), answer->deferred.begin(), answer->deferred.end());
  if (const auto* error = std::get_if<ReportedError>(&answer->content)) throw_reported(*error);
  return std::get<JsonAnswer>(std::move(answer->content));
}

void WorkerProcess::send(const std::string& line) {
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(child_->requests(), line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) died("");
    done += static_cast<std::size_t>(written);
  }
}

std::string WorkerProcess::read_line(milliseconds limit) {
  const auto deadline = now() + limit;
  // How long until it is seen that the process is to be given up.
  const long long slice_ms = control_.cancelled ? 100 : 1000;
  std::size_t searched = 0;
  for (;;) {
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    searched = pending_.size();
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - now()).count();
    if (interrupted() || is_abandoned() || (control_.cancelled && *control_.cancelled)) {
      child_->kill();
      throw Interrupted();
    }
    if (left <= 0) {
      child_->kill();
      throw WorkerTimeout(fmt::format("no answer within {:.1f} s; the {} process was killed",
                                      static_cast<double>(limit.count()) / 1000, role_));
    }
    pollfd poll_answers{child_->answers(), POLLIN, 0};
    const int ready = poll_in_turn(poll_answers, static_cast<int>(std::min<long long>(left, slice_ms)));
    if (ready <= 0) continue;
    char bytes[65536];
    const ssize_t got = ::read(child_->answers(), bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) died(pending_.empty() ? "" : " in the middle of an answer");
    pending_.append(bytes, static_cast<std::size_t>(got));
    if (pending_.size() > max_answer_bytes) protocol_error();
  }
}

void WorkerProcess::died(const std::string& when) {
  const std::optional<int> status = child_->wait_for_end();
  const bool no_memory =
      status && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL && count_oom_kills() > oom_kills_;
  throw WorkerCrash(fmt::format("the {} process {}{}{}{}", role_, status ? describe_end(*status) : "is gone",
                                no_memory ? ": the system ran out of memory" : "", when, end_of_output()),
                    no_memory ? Status::out_of_memory : Status::crashed);
}

void WorkerProcess::protocol_error() {
  child_->kill();
  throw WorkerCrash(
      fmt::format("protocol error: the {} process sent something that is not an answer and was killed{}",
                  role_, end_of_output()));
}

void WorkerProcess::wrong_form(const std::string& request, const std::string& what) {
  child_->kill();
  throw WorkerCrash(fmt::format(
      "protocol error: the {} process's answer to '{}' is not of the expected form; it was killed: {}", role_,
      request, what));
}

std::chrono::steady_clock::duration WorkerProcess::now() const {
  return control_.clock ? control_.clock->now() : std::chrono::steady_clock::now().time_since_epoch();
}

std::string WorkerProcess::end_of_output() const {
  if (output_.empty()) return "";
  constexpr std::int64_t enough = 4096;
  std::ifstream stream(output_, std::ios::binary);
  stream.seekg(std::max(output_begin_, size_of(output_) - enough));
  const std::string end = last_line({std::istreambuf_iterator<char>(stream), {}});
  return end.empty() ? "" : "; end of stderr: " + end;
}

}  // namespace dwarfsweep
