#include "suite/engine/build_ahead.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "dwarfs/registry.hpp"
#include "harness/program/program_cache.hpp"
#include "harness/space/text.hpp"
#include "suite/worker/device_queues.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

// Builders hand programs on through the cache.
BuilderCount builders_of(const DeviceInfo& device, const Options& options, int cores) {
  return count_builders(device, program_cache_folder().empty() ? 0 : options.builders, cores);
}

// A point takes longer only if it is compiled, or itself slow.
constexpr double cached_ns = 200e6;

// Whether another process finds what the first launch compiled: in PoCL's cache, or in the program cache.
bool shares_compiled_launches(const DeviceInfo& device) {
  if (device.type != "cpu" || device.checks_bounds) return false;
  return keeps_binaries(device) ||
         lower(device.platform).find("portable computing language") != std::string::npos;
}

std::vector<std::string> keys_of(const std::vector<PointRequest>& points) {
  std::vector<std::string> keys;
  for (const PointRequest& point : points) keys.push_back(point.key());
  return keys;
}

// `most`: for a request; `cancelled`: as in ProcessJobs.
LaunchedPoints launch_in_processes(const OpenDevice& opening, const std::vector<PointRequest>& points,
                                   std::size_t processes, std::chrono::milliseconds most,
                                   ProcessJobs::Clock::time_point end,
                                   const std::atomic<bool>* cancelled = nullptr) {
  LaunchedPoints launched;
  std::mutex mutex;
  ProcessJobs jobs{"worker", points.size(), processes, end, {}, {}, cancelled};
  jobs.open = [&](WorkerProcess& worker) { (void)worker.ask(opening, most); };
  const auto note = [&](std::size_t job, bool done, bool slow) {
    const std::lock_guard<std::mutex> lock(mutex);
    launched.keys.push_back(points[job].key());
    if (!done) launched.failed.push_back(points[job].key());
    launched.done += done ? 1 : 0;
    launched.slow += slow ? 1 : 0;
  };
  // Not limited by `end`: the worker would compile again what was cut off.
  jobs.work = [&](WorkerProcess& worker, std::size_t job) {
    const auto begin = ProcessJobs::Clock::now();
    try {
      (void)worker.ask(StagePoint{points[job]}, most);
      (void)worker.ask(LaunchStaged{}, most);
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception&) {
      note(job, false, false);
      throw;
    }
    const std::chrono::duration<double, std::nano> took = ProcessJobs::Clock::now() - begin;
    note(job, true, took.count() > cached_ns);
  };
  run_jobs(jobs);
  return launched;
}

// Of the points that are prepared in this sweep, those of the first pass come first.
std::vector<PointRequest> points_to_build(const SweepGroup& group, std::size_t& early) {
  std::vector<PointRequest> points;
  for (const std::vector<std::size_t>* indices : {&group.order.first, &group.order.rest}) {
    for (const std::size_t i : *indices) {
      const SweepPoint& point = group.points[i];
      if (!point.stop_reason || point.baseline) points.push_back(point.request);
    }
    if (indices == &group.order.first) early = points.size();
  }
  return points;
}

}  // namespace

std::size_t launching_processes(const DeviceInfo& device, std::vector<PointRequest>& points, int cores) {
  constexpr std::size_t most = 16;
  const auto wanted = std::min({most, static_cast<std::size_t>(cores), points.size()});
  std::map<std::string, double> sizes;  // by problem
  for (const PointRequest& point : points) {
    const auto& demand = find_dwarf(point.dwarf).info().demand;
    if (!demand) return std::min<std::size_t>(wanted, 2);
    sizes[point.data_key()] = std::max(1.0, demand(point.problem).working_set_bytes);
  }
  const double room = static_cast<double>(device.capabilities.global_bytes) / 4;
  for (;;) {
    const auto largest = std::ranges::max_element(sizes, {}, &std::pair<const std::string, double>::second);
    if (largest == sizes.end()) return 0;
    const double bytes =
        static_cast<double>(1 + std::min(sizes.size(), StagePoint::kept_data)) * largest->second;
    const auto processes = std::min(wanted, static_cast<std::size_t>(room / bytes));
    if (processes >= std::max<std::size_t>(2, wanted / 2) || sizes.size() == 1) return processes;
    std::erase_if(points, [&](const PointRequest& point) { return point.data_key() == largest->first; });
    sizes.erase(largest);
  }
}

BuilderCount count_builders(const DeviceInfo& device, int asked, int cores) {
  constexpr int max_processes = 14;
  constexpr int cores_for_timing = 2;
  // Of a context of NVIDIA's driver; builders may take an eighth of the device's memory.
  constexpr std::uint64_t context_bytes = std::uint64_t{512} << 20U;
  if (device.type == "host" || asked == 0) return {};
  const bool beside_timing = device.type != "cpu" && cores >= cores_for_timing + 2;
  if (asked > 0) return {beside_timing ? std::min(asked, cores - cores_for_timing) : asked, beside_timing};
  const std::uint64_t contexts = device.capabilities.global_bytes / 8 / context_bytes;
  const int most = static_cast<int>(std::min<std::uint64_t>(max_processes, contexts));
  return beside_timing ? BuilderCount{std::min(cores - cores_for_timing, most), true} : BuilderCount{};
}

std::map<std::string, int> builders_by_device(const std::vector<SweepGroup>& groups, const Options& options) {
  std::map<std::string, int> builders;
  const std::vector<Stage> stages = plan_stages(devices_of(groups), usable_cores());
  for (const SweepGroup& group : groups) {
    const BuilderCount count = builders_of(group.device, options, cores_for_queue(stages));
    if (count.processes > 0) builders[group.device.id] = count.processes;
  }
  return builders;
}

bool BuildAhead::has_builders(const DeviceInfo& device) const {
  return builders_of(device, options_, cores_).processes > 0;
}

BuildPool* BuildAhead::pool_of(const DeviceInfo& device) {
  const BuilderCount count = builders_of(device, options_, cores_);
  if (count.processes == 0) return nullptr;
  std::unique_ptr<BuildPool>& pool = pools_[device.id];
  if (!pool) {
    pool = std::make_unique<BuildPool>(BuildPool::Settings{
        device, options_.kernels, count.processes, count.beside_timing, options_.point_timeout, output_});
    pool->stop();
  }
  return pool.get();
}

void BuildAhead::plan(const std::vector<SweepGroup*>& groups) {
  for (const SweepGroup* group : groups) {
    std::size_t early = 0;
    const std::vector<PointRequest> points = points_to_build(*group, early);
    if (points.empty()) continue;
    if (BuildPool* const pool = pool_of(group->device)) pool->add(points, early);
  }
}

void BuildAhead::enter_unplanned(const DeviceInfo& device) {
  (void)pool_of(device);
  enter(device);
}

void BuildAhead::leave() {
  stop_launching();
  if (current_) current_->stop();
  current_ = nullptr;
}

void BuildAhead::enter(const DeviceInfo& device) {
  const auto found = pools_.find(device.id);
  BuildPool* const entered = found == pools_.end() ? nullptr : found->second.get();
  if (current_ != entered) stop_launching();
  if (current_ && current_ != entered) current_->stop();
  if (entered && current_ != entered) {
    entered->set_device(device);
    entered->go_on();
  }
  current_ = entered;
}

void BuildAhead::begin_unplanned(DeviceClient& client, const std::vector<std::vector<PointRequest>>& groups,
                                 std::chrono::steady_clock::time_point end) {
  enter_unplanned(client.device());
  std::vector<PointRequest> all;
  for (const std::vector<PointRequest>& points : groups) {
    if (current_) current_->add(points, points.size());
    all.insert(all.end(), points.begin(), points.end());
  }
  if (current_) {
    current_->prefer(keys_of(all));
  } else if (launches(client.device())) {
    launch(client, all, end);
  }
}

void BuildAhead::prefer(const std::vector<SweepPoint*>& points) {
  if (!current_) return;
  std::vector<std::string> keys;
  for (const SweepPoint* point : points) keys.push_back(point->request.key());
  current_->prefer(keys);
}

void BuildAhead::expect(const std::vector<PointRequest>& points) {
  if (!current_) return;
  current_->add(points, points.size());
  current_->prefer(keys_of(points));
}

SweepPoint* BuildAhead::take_next(std::vector<SweepPoint*>& points) const {
  std::size_t next = 0;
  if (current_) {
    std::vector<std::string> keys;
    for (const SweepPoint* point : points) keys.push_back(point->request.key());
    next = current_->choose(keys);
  } else {
    const auto first = std::ranges::find_if(
        points, [&](const SweepPoint* point) { return !failed_.contains(point->request.key()); });
    if (first != points.end()) next = static_cast<std::size_t>(first - points.begin());
  }
  SweepPoint* const point = points[next];
  points.erase(points.begin() + static_cast<std::ptrdiff_t>(next));
  return point;
}

void BuildAhead::prepared(std::chrono::nanoseconds took, double sample_ns) {
  constexpr double launches = 4;  // one that is verified, three to warm up
  if (static_cast<double>(took.count()) > std::max(cached_ns, 2 * launches * sample_ns)) compiles_ = true;
}

bool BuildAhead::launches(const DeviceInfo& device) const {
  return !current_ && options_.builders != 0 && shares_compiled_launches(device);
}

std::vector<PointRequest> BuildAhead::not_launched(const std::vector<PointRequest>& points) const {
  std::vector<PointRequest> left;
  std::ranges::copy_if(points, std::back_inserter(left),
                       [&](const PointRequest& point) { return !launched_.contains(point.key()); });
  return left;
}

void BuildAhead::note(const LaunchedPoints& launched) {
  launched_.insert(launched.keys.begin(), launched.keys.end());
  failed_.insert(launched.failed.begin(), launched.failed.end());
  if (2 * launched.slow > launched.done) compiles_ = true;
}

void BuildAhead::launch(DeviceClient& client, const std::vector<PointRequest>& points,
                        std::chrono::steady_clock::time_point end) {
  std::vector<PointRequest> left = not_launched(points);
  const std::size_t processes = launching_processes(client.device(), left, cores_);
  if (processes < 2) return;
  // A slower request would take too much of the worker's time.
  constexpr std::chrono::seconds most{10};
  const LaunchedPoints launched = launch_in_processes(client.opening(), left, processes, most, end);
  note(launched);
  if (interrupted()) throw Interrupted();
}

bool BuildAhead::can_launch_meanwhile(const DeviceInfo& device) const {
  return current_ && current_->works_beside_timing() && !launching_.joinable() &&
         shares_compiled_launches(device);
}

void BuildAhead::launch_meanwhile(DeviceClient& client, const std::vector<PointRequest>& points) {
  std::vector<PointRequest> left = not_launched(points);
  const std::size_t processes = launching_processes(client.device(), left, cores_);
  if (processes < 2) return;
  stops_launching_ = false;
  launching_ = std::thread([this, opening = client.opening(), left = std::move(left), processes] {
    leave_interrupts_to_main_thread();
    constexpr std::chrono::seconds most{60};  // nobody waits, and other processes come first
    const LaunchedPoints launched = launch_in_processes(
        opening, left, processes, most, ProcessJobs::Clock::time_point::max(), &stops_launching_);
    note(launched);
  });
}

void BuildAhead::stop_launching() {
  if (!launching_.joinable()) return;
  stops_launching_ = true;
  launching_.join();
  launching_ = {};
}

std::optional<BuildOutcome> BuildAhead::outcome_of(const PointRequest& point) {
  return current_ ? current_->wait_for(point.key()) : std::nullopt;
}

}  // namespace dwarfsweep
