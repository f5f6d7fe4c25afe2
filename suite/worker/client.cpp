#include "suite/worker/client.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "harness/space/error.hpp"
#include "suite/record/reason.hpp"
#include "suite/worker/device_queues.hpp"
#include "suite/worker/host_limits.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

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

void work_through(const ProcessJobs& jobs, std::atomic<std::size_t>& next) {
  std::unique_ptr<WorkerProcess> process;
  const auto goes_on = [&] {
    return ProcessJobs::Clock::now() < jobs.end && !interrupted() && !(jobs.cancelled && *jobs.cancelled);
  };
  for (std::size_t job = next++; job < jobs.count && goes_on(); job = next++) {
    try {
      if (!process) {
        process = std::make_unique<WorkerProcess>(jobs.role, "/dev/null",
                                                  WorkerProcess::Control{nullptr, jobs.cancelled});
        if (jobs.cancelled) process->give_way();
        jobs.open(*process);
      }
      jobs.work(*process, job);
    } catch (const WorkerLost&) {
      process.reset();
    } catch (const std::exception&) {
      // This one cannot be done.
    }
  }
}

}  // namespace

// --- one process

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

void WorkerProcess::give_way() {
  child_->give_way();
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

// --- one device

Inventory ask_inventory(const std::vector<std::string>& environment, std::chrono::milliseconds limit) {
  try {
    WorkerProcess worker("", environment);
    return worker.ask(ListDevices{}, limit);
  } catch (const WorkerLost& lost) {
    throw NoDeviceError(fmt::format("asking the OpenCL drivers for their devices failed: {}", lost.what()));
  }
}

void DeviceClient::start() {
  worker_ = std::make_unique<WorkerProcess>(settings_.output, settings_.environment, settings_.role);
  ++process_;
  questions_ = 0;
  try {
    OpenedDevice opened = worker_->ask(opening_request(), settings_.open_limit);
    timer_ = std::move(opened.timer);
    device_.progress = opened.progress;
  } catch (...) {
    worker_.reset();  // a worker without its device is of no use
    throw;
  }
}

const TimerReport& DeviceClient::timer() {
  if (!timer_) start();
  return *timer_;
}

OpenDevice DeviceClient::opening_request() const {
  return {device_, settings_.kernels, settings_.cache, timer_, settings_.half_width, settings_.peaks};
}

OpenDevice DeviceClient::opening() {
  if (!timer_ || !device_.progress.tested) start();
  return opening_request();
}

std::vector<DeferredFailure> DeviceClient::take_deferred_failures() {
  return worker_ ? worker_->take_deferred_failures() : std::vector<DeferredFailure>();
}

std::chrono::milliseconds ProcessJobs::time_left() const {
  constexpr std::chrono::milliseconds most(20'000);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return std::clamp(left, std::chrono::milliseconds(1), most);
}

void run_jobs(const ProcessJobs& jobs) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(jobs.count, jobs.processes); ++i)
    threads.emplace_back([&] { work_through(jobs, next); });
  const TurnRelease others_work;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace dwarfsweep
