#include "suite/engine/build_pool.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <stdexcept>

#include "harness/program/program_cache.hpp"
#include "harness/space/error.hpp"
#include "suite/record/duration.hpp"
#include "suite/worker/device_queues.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

// Listing a group's programs needs its data in memory.
constexpr std::size_t groups_listed_at_a_time = 3;

// A point's group is listed, its device opened, and its program built.
constexpr int jobs_of_a_wait = 3;

std::string path_of(int file) {
  return fmt::format("/proc/self/fd/{}", file);
}

}  // namespace

// --- one builder

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
                          std::unique_lock<std::mutex>& queue_lock, const bool& paused) {
  if (job.in_new_process) end(queue_lock);
  // The pool may have been paused while the last process ended.
  if (!process_ && paused) {
    queue.give_back(job);
    return true;
  }
  try {
    start();
  } catch (const std::exception&) {  // no more processes or files: the other builders, or the worker, do it
    queue.give_back(job);
    return false;
  }
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
  } catch (const WorkerLost&) {
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

// --- all of them

BuildPool::BuildPool(const Settings& settings)
    : beside_timing_(settings.beside_timing),
      longest_wait_(jobs_of_a_wait * settings.limit),
      queue_(settings.beside_timing ? groups_listed_at_a_time : 0),
      at_work_(static_cast<std::size_t>(settings.processes)) {
  const BuildProcess::Settings of_process{
      settings.device, settings.kernels, settings.limit, settings.output, {&clock_, &ending_}};
  set_paused(!beside_timing_);
  for (int i = 0; i < settings.processes; ++i)
    processes_.push_back(std::make_unique<BuildProcess>(of_process));
  for (const auto& process : processes_) threads_.emplace_back([this, &process] { work(*process); });
}

BuildPool::~BuildPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
    for (const auto& process : processes_) process->signal(SIGKILL);
  }
  changed_.notify_all();
  const TurnRelease others_work;
  for (std::thread& thread : threads_) thread.join();
}

void BuildPool::work(BuildProcess& process) {
  leave_interrupts_to_main_thread();
  std::unique_lock<std::mutex> lock(mutex_);
  try {
    for (bool useful = true; useful;) {
      std::optional<BuildQueue::Job> job;
      changed_.wait(lock, [&] {
        if (!ending_ && !paused_) job = queue_.next();
        return ending_ || job;
      });
      if (ending_) break;
      useful = process.do_job(*job, queue_, lock, paused_);
      changed_.notify_all();
    }
  } catch (const std::exception&) {
    // Interrupted.
    if (!lock.owns_lock()) lock.lock();
  }
  --at_work_;
  changed_.notify_all();
}

void BuildPool::add(const std::vector<PointRequest>& points, std::size_t early) {
  const std::lock_guard<std::mutex> lock(mutex_);
  queue_.add(points, early);
  changed_.notify_all();
}

void BuildPool::prefer(const std::vector<std::string>& keys) {
  const std::lock_guard<std::mutex> lock(mutex_);
  queue_.prefer(keys);
  changed_.notify_all();
}

std::size_t BuildPool::choose(const std::vector<std::string>& keys) const {
  using State = BuildQueue::State;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::size_t not_begun = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const State state = queue_.state_of(keys[i]);
    if (state == State::ready || state == State::failed) return i;
    if (state != State::under_way && not_begun == keys.size()) not_begun = i;
  }
  return beside_timing_ && not_begun < keys.size() ? not_begun : 0;
}

bool BuildPool::has_to_wait(const std::string& key) const {
  using State = BuildQueue::State;
  const State state = queue_.state_of(key);
  if (state == State::under_way) return true;
  return !beside_timing_ && (state == State::unlisted || state == State::waiting);
}

std::optional<BuildOutcome> BuildPool::wait_for(const std::string& key) {
  const TurnRelease others_work;  // the lock is let go before the turn is taken again
  std::unique_lock<std::mutex> lock(mutex_);
  if (beside_timing_) queue_.leave_to_worker(key);
  const bool runs_for_this = !beside_timing_ && at_work_ > 0 && has_to_wait(key);
  if (runs_for_this) set_paused(false);
  const auto given_up = clock_.now() + longest_wait_;
  while (at_work_ > 0 && has_to_wait(key) && clock_.now() < given_up) {
    changed_.wait_for(lock, std::chrono::milliseconds(100));
    if (interrupted() || is_abandoned()) throw Interrupted();
  }
  if (runs_for_this) set_paused(true);
  const BuildQueue::State state = queue_.state_of(key);
  if (state != BuildQueue::State::ready && state != BuildQueue::State::failed) return std::nullopt;
  return queue_.outcome_of(key);
}

void BuildPool::set_device(const DeviceInfo& device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& process : processes_) process->set_device(device);
}

void BuildPool::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  set_paused(true);
}

void BuildPool::go_on() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (beside_timing_) set_paused(false);
}

void BuildPool::set_paused(bool paused) {
  paused_ = paused;
  if (paused) {
    clock_.pause();
    for (const auto& process : processes_) process->signal(SIGSTOP);
  } else {
    for (const auto& process : processes_) process->signal(SIGCONT);
    clock_.resume();
    changed_.notify_all();
  }
}

}  // namespace dwarfsweep
