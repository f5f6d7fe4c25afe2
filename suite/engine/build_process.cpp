#include "suite/engine/build_process.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "harness/space/error.hpp"
#include "suite/record/duration.hpp"
#include "suite/worker/builder.hpp"

namespace dwarfsweep {
namespace {

std::string path_of(int file) {
  return fmt::format("/proc/self/fd/{}", file);
}

}  // namespace

BuildProcess::BuildProcess(const Settings& settings)
    : settings_(settings), printed_(settings.output.empty() ? -1 : ::memfd_create("builder", MFD_CLOEXEC)) {}

BuildProcess::~BuildProcess() {
  process_.reset();
  keep_output();
  if (printed_ >= 0) ::close(printed_);
}

void BuildProcess::keep_output() {
  if (printed_ < 0) return;
  std::ifstream from(path_of(printed_), std::ios::binary);
  if (from.peek() != std::ifstream::traits_type::eof())
    std::ofstream(settings_.output, std::ios::binary | std::ios::app) << from.rdbuf();
}

void BuildProcess::signal(int number) const {
  if (process_) process_->signal(number);
}

bool BuildProcess::do_job(const BuildQueue::Job& job, BuildQueue& queue,
                          std::unique_lock<std::mutex>& queue_lock) {
  if (job.in_new_process) end(queue_lock);
  start();
  return job.to_list.empty() ? build(job, queue, queue_lock) : list(job, queue, queue_lock);
}

// Under the lock, so that signal() finds either no process or a whole one.
void BuildProcess::start() {
  if (process_) return;
  process_ =
      std::make_unique<WorkerProcess>("builder", printed_ < 0 ? "" : path_of(printed_), settings_.control);
  is_open_ = false;
  builds_ = 0;
}

void BuildProcess::end(std::unique_lock<std::mutex>& queue_lock) {
  std::unique_ptr<WorkerProcess> ended = std::move(process_);
  queue_lock.unlock();  // a process may take its time to end
  ended.reset();
  queue_lock.lock();
}

template <typename Request>
typename Request::Answer BuildProcess::ask(const Request& request, std::unique_lock<std::mutex>& queue_lock) {
  struct Unlocked {
    std::unique_lock<std::mutex>& lock;
    explicit Unlocked(std::unique_lock<std::mutex>& locked) : lock(locked) { lock.unlock(); }
    ~Unlocked() { lock.lock(); }
  } const unlocked(queue_lock);
  return process_->ask(request, settings_.limit);
}

bool BuildProcess::list(const BuildQueue::Job& job, BuildQueue& queue,
                        std::unique_lock<std::mutex>& queue_lock) {
  try {
    queue.listed(job, ask(ListPrograms{settings_.device, settings_.kernels, job.to_list}, queue_lock));
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const WorkerCrash&) {
    end(queue_lock);
  } catch (const WorkerTimeout&) {
    end(queue_lock);
  } catch (const std::exception&) {
    // Whatever is wrong with the data, the worker meets it, too, and says so.
  }
  queue.cannot_list(job);
  return true;
}

bool BuildProcess::open(std::unique_lock<std::mutex>& queue_lock) {
  if (is_open_) return true;
  try {
    ask(OpenBuilder{settings_.device, settings_.kernels}, queue_lock);
    is_open_ = true;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception&) {
    end(queue_lock);
  }
  return is_open_;
}

void BuildProcess::correct_build_time(const ProgramText& text, const BuildTime& answer) const {
  const std::chrono::nanoseconds end(answer.end_ns);
  const std::chrono::nanoseconds took(answer.build_ns);
  if (end.count() == 0) return;
  const std::int64_t stopped = settings_.control.clock->time_paused(end - took, end).count();
  const ProgramCache cache(program_cache_folder());
  const ProgramKey key(text, settings_.device);
  auto build = stopped > 0 ? cache.find(key) : std::nullopt;
  if (!build) return;
  build->build_ns = took.count() - stopped;
  cache.store(key, *build);
}

bool BuildProcess::build(const BuildQueue::Job& job, BuildQueue& queue,
                         std::unique_lock<std::mutex>& queue_lock) {
  if (!open(queue_lock)) {
    queue.cannot_build(job);
    return false;
  }
  ++builds_;
  try {
    correct_build_time(job.to_build, ask(BuildProgram{job.to_build}, queue_lock));
    queue.built(job);
  } catch (const Interrupted&) {
    throw;
  } catch (const PointFailure& failure) {
    if (failure.status() == Status::build_failed)
      queue.failed(job, {failure.status(), failure.what(), ""});
    else
      queue.cannot_build(job);
  } catch (const WorkerCrash& crash) {
    end(queue_lock);
    queue.crashed(job, {crash.status(), crash.what(), ""}, builds_ == 1);
  } catch (const WorkerTimeout&) {
    end(queue_lock);
    queue.failed(job, {Status::timed_out,
                       fmt::format("the point's limit of {} was reached while doing 'build'; the builder "
                                   "process was killed",
                                   human_duration(settings_.limit)),
                       ""});
  } catch (const std::exception&) {
    queue.cannot_build(job);
  }
  return true;
}

}  // namespace dwarfsweep
