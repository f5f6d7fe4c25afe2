#include "suite/worker/worker_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>

#include "harness/space/error.hpp"
#include "suite/worker/memory_limit.hpp"
#include "suite/worker/strands.hpp"

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

int wait_for(pollfd& answers, int ms) {
  const WhileWaiting others_work;
  return ::poll(&answers, 1, ms);
}

}  // namespace

Json WorkerProcess::exchange(const std::string& request, milliseconds limit) {
  if (!child_.running()) throw WorkerCrash(fmt::format("the {} process is gone", role_));
  output_.begin_request();
  oom_kills_ = count_oom_kills();
  send(request + "\n");
  std::optional<Envelope> answer = read_envelope(read_line(limit));
  if (!answer) protocol_error();
  deferred_.insert(deferred_.end(), answer->deferred.begin(), answer->deferred.end());
  if (const auto* error = std::get_if<ReportedError>(&answer->content)) throw_reported(*error);
  return std::get<Json>(std::move(answer->content));
}

void WorkerProcess::send(const std::string& line) {
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(child_.requests(), line.data() + done, line.size() - done);
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
      child_.kill();
      throw Interrupted();
    }
    if (left <= 0) {
      child_.kill();
      throw WorkerTimeout(fmt::format("no answer within {:.1f} s; the {} process was killed",
                                      static_cast<double>(limit.count()) / 1000, role_));
    }
    pollfd poll_answers{child_.answers(), POLLIN, 0};
    const int ready = wait_for(poll_answers, static_cast<int>(std::min<long long>(left, slice_ms)));
    if (ready <= 0) continue;
    char bytes[65536];
    const ssize_t got = ::read(child_.answers(), bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) died(pending_.empty() ? "" : " in the middle of an answer");
    pending_.append(bytes, static_cast<std::size_t>(got));
    if (pending_.size() > max_answer_bytes) protocol_error();
  }
}

void WorkerProcess::died(const std::string& when) {
  const std::optional<int> status = child_.wait_for_end();
  const bool no_memory =
      status && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL && count_oom_kills() > oom_kills_;
  throw WorkerCrash(fmt::format("the {} process {}{}{}{}", role_, status ? describe_end(*status) : "is gone",
                                no_memory ? ": the system ran out of memory" : "", when, end_of_output()),
                    no_memory ? Status::out_of_memory : Status::crashed);
}

void WorkerProcess::protocol_error() {
  child_.kill();
  throw WorkerCrash(
      fmt::format("protocol error: the {} process sent something that is not an answer and was killed{}",
                  role_, end_of_output()));
}

void WorkerProcess::wrong_form(const std::string& request, const std::string& what) {
  child_.kill();
  throw WorkerCrash(fmt::format(
      "protocol error: the {} process's answer to '{}' is not of the expected form; it was killed: {}", role_,
      request, what));
}

std::chrono::steady_clock::duration WorkerProcess::now() const {
  return control_.clock ? control_.clock->now() : std::chrono::steady_clock::now().time_since_epoch();
}

std::string WorkerProcess::end_of_output() const {
  const std::string end = output_.end();
  return end.empty() ? "" : "; end of stderr: " + end;
}

}  // namespace dwarfsweep
