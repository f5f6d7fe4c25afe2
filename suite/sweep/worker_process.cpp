#include "suite/sweep/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/error.hpp"
#include "harness/status.hpp"
#include "suite/record/reason.hpp"

namespace dwarfsweep {
namespace {

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void on_interrupt(int) {
  interrupt_seen = true;
}

// Far beyond any true answer: a worker that writes without end must not fill the parent's memory.
constexpr std::size_t longest_answer = std::size_t{256} << 20U;

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

// Between fork and exec only calls that POSIX allows there.
[[noreturn]] void become_worker(int requests, int answers, int output) {
  ::setpgid(0, 0);  // Ctrl-C is for the parent alone
  ::dup2(requests, STDIN_FILENO);
  if (output >= 0) {
    ::dup2(output, STDERR_FILENO);
  }
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // drivers print to either
  constexpr int answer_fd = 3;
  if (answers == answer_fd) {
    ::fcntl(answers, F_SETFD, 0);
  } else {
    ::dup2(answers, answer_fd);
  }
  ::execl("/proc/self/exe", "dwarfsweep", "worker", static_cast<char*>(nullptr));
  ::_exit(127);
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("was ended by signal SIG{} ({})", name ? name : "?", ::strsignal(signal));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

// How often the system has ended a process for want of memory; 0 where it does not tell.
std::int64_t count_oom_kills() {
  std::ifstream counters("/proc/vmstat");
  std::string name;
  for (std::int64_t count = 0; counters >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return 0;
}

std::int64_t size_of(const std::string& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<std::int64_t>(bytes);
}

// The end of `text` on one line, without what a terminal or a table might stumble over.
std::string tail(const std::string& text) {
  constexpr std::size_t most = 400;
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
  if (line.size() <= most) return line;
  std::size_t begin = line.size() - most;
  // Not in the middle of a character of several bytes.
  while (begin < line.size() && (static_cast<unsigned char>(line[begin]) & 0xC0U) == 0x80U) ++begin;
  return "..." + line.substr(begin);
}

// Waits for a process that was sent SIGKILL. One that a driver holds within the kernel cannot die and is left
// behind: the sweep must go on.
void reap(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    if (::waitpid(pid, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(i < 100 ? 1 : 10));
  }
}

[[noreturn]] void rethrow(const Json& answer) {
  const auto what = answer.at("error").get<std::string>();
  const auto status = answer.at("status").get<std::string>();
  if (status == "usage") throw UsageError(what);
  if (status == "no_device") throw NoDeviceError(what);
  throw PointFailure(status_from_string(status).value_or(Status::launch_failed), what);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;  // without SA_RESTART: poll() must return
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
  return interrupt_seen;
}

WorkerProcess::WorkerProcess(const std::string& output) : output_(output) {
  ::signal(SIGPIPE, SIG_IGN);  // a dead worker is an error of write(), not the end of the parent
  const Pipe requests = make_pipe();
  const Pipe answers = make_pipe();
  const int output_fd =
      output.empty() ? -1 : ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  pid_ = ::fork();
  if (pid_ == 0) become_worker(requests.read_end, answers.write_end, output_fd);
  ::close(requests.read_end);
  ::close(answers.write_end);
  if (output_fd >= 0) ::close(output_fd);
  requests_ = requests.write_end;
  answers_ = answers.read_end;
  if (pid_ < 0) throw std::runtime_error(fmt::format("cannot start a worker: {}", std::strerror(errno)));
}

WorkerProcess::~WorkerProcess() {
  kill_now();
}

void WorkerProcess::kill_now() {
  if (requests_ >= 0) ::close(requests_);
  if (answers_ >= 0) ::close(answers_);
  requests_ = answers_ = -1;
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);  // with it, what it started: a driver's compiler, for example
    ::kill(pid_, SIGKILL);
    reap(pid_);
  }
  pid_ = -1;
}

std::string WorkerProcess::last_words() const {
  if (output_.empty()) return "";
  constexpr std::int64_t enough = 4096;
  std::ifstream file(output_, std::ios::binary);
  file.seekg(std::max(output_begin_, size_of(output_) - enough));
  const std::string words = tail({std::istreambuf_iterator<char>(file), {}});
  return words.empty() ? "" : "; its last words: " + words;
}

void WorkerProcess::talked_rubbish() {
  kill_now();
  throw WorkerCrash("the worker process answered with something that is no answer and was killed" +
                    last_words());
}

void WorkerProcess::died(const std::string& what) {
  int status = 0;
  // The pipe closes a moment before the process can be waited for; one that lives on without it is killed.
  pid_t waited = 0;
  for (int i = 0; i < 200 && waited == 0; ++i) {
    waited = ::waitpid(pid_, &status, WNOHANG);
    if (waited == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (waited == 0) kill_now();
  pid_ = -1;
  kill_now();
  const bool no_memory =
      waited > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && count_oom_kills() > oom_kills_;
  throw WorkerCrash(fmt::format("the worker process {}{}{}{}", waited > 0 ? describe_end(status) : "is gone",
                                no_memory ? ": the system ran out of memory" : "", what, last_words()),
                    no_memory ? Status::out_of_memory : Status::crashed);
}

std::string WorkerProcess::read_line(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  std::size_t searched = 0;
  for (;;) {
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    searched = pending_.size();
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
            .count();
    if (interrupt_seen) {
      kill_now();
      throw Interrupted();
    }
    if (left <= 0) {
      kill_now();
      throw WorkerTimeout(fmt::format("no answer within {:.1f} s; the worker process was killed",
                                      static_cast<double>(limit.count()) / 1000));
    }
    pollfd poll_answers{answers_, POLLIN, 0};
    const int ready = ::poll(&poll_answers, 1, static_cast<int>(std::min<long long>(left, 1000)));
    if (ready <= 0) continue;
    char bytes[65536];
    const ssize_t got = ::read(answers_, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) died(pending_.empty() ? "" : " in the middle of an answer");
    pending_.append(bytes, static_cast<std::size_t>(got));
    if (pending_.size() > longest_answer) talked_rubbish();
  }
}

Json WorkerProcess::ask(const Json& request, std::chrono::milliseconds limit) {
  if (pid_ < 0) throw WorkerCrash("the worker process is gone");
  output_begin_ = size_of(output_);
  oom_kills_ = count_oom_kills();
  const std::string line = request.dump() + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(requests_, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) died("");
    done += static_cast<std::size_t>(written);
  }
  const Json answer = parse(read_line(limit));
  late_ = answer.value("late", Json::array());
  if (answer.contains("error")) rethrow(answer);
  return answer.at("result");
}

Json WorkerProcess::parse(const std::string& line) {
  Json answer = Json::parse(line, nullptr, false);
  const auto has_word = [&](const char* name) {
    return answer.contains(name) && answer.at(name).is_string();
  };
  const bool is_answer =
      answer.is_object() && (answer.contains("result") || (has_word("error") && has_word("status")));
  if (!is_answer || (answer.contains("late") && !answer.at("late").is_array())) talked_rubbish();
  return answer;
}

}  // namespace dwarfsweep
