#include "suite/engine/build_pool.hpp"

#include <pthread.h>

#include <csignal>

#include "suite/worker/strands.hpp"

namespace dwarfsweep {
namespace {

// Listing a group's programs needs its data in memory.
constexpr std::size_t groups_listed_at_a_time = 3;

// Ctrl-C is for the main thread, which waits for it.
void block_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

BuildPool::BuildPool(const Settings& settings)
    : beside_timing_(settings.beside_timing),
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
  for (std::thread& thread : threads_) thread.join();
}

void BuildPool::work(BuildProcess& process) {
  block_signals();
  std::unique_lock<std::mutex> lock(mutex_);
  try {
    for (bool useful = true; useful;) {
      std::optional<BuildQueue::Job> job;
      changed_.wait(lock, [&] {
        if (!ending_ && !paused_) job = queue_.next();
        return ending_ || job;
      });
      if (ending_) break;
      useful = process.do_job(*job, queue_, lock);
      changed_.notify_all();
    }
  } catch (const std::exception&) {
    // Interrupted, or the system starts no more processes: the others, or the worker, do what is left.
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
  std::unique_lock<std::mutex> lock(mutex_);
  if (beside_timing_) queue_.leave_to_worker(key);
  const bool runs_for_this = !beside_timing_ && at_work_ > 0 && has_to_wait(key);
  if (runs_for_this) set_paused(false);
  while (at_work_ > 0 && has_to_wait(key)) {
    const WhileWaiting others_work;
    changed_.wait_for(lock, std::chrono::milliseconds(100));
    if (interrupted() || is_abandoned()) throw Interrupted();
  }
  if (runs_for_this) set_paused(true);
  const BuildQueue::State state = queue_.state_of(key);
  if (state != BuildQueue::State::ready && state != BuildQueue::State::failed) return std::nullopt;
  return queue_.outcome_of(key);
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
