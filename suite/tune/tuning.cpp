#include "suite/tune/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "harness/space/error.hpp"
#include "suite/engine/measurer.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// A budget that is used up leaves each search what it must do in any case.
milliseconds budget_left(const Options& options, const RunLog& log) {
  if (options.budget.count() == 0) return milliseconds(0);
  const double used_ms =
      std::clamp(1000 * seconds_used(log), 0.0, static_cast<double>(options.budget.count()));
  return std::max(milliseconds(1), options.budget - milliseconds(static_cast<long long>(used_ms)));
}

// A worker loads the management library, as everything of a driver.
bool has_meter(const DeviceInfo& device) {
  constexpr std::chrono::seconds limit{30};
  try {
    return !WorkerProcess("").ask(FindMeter{device}, limit).empty();
  } catch (const WorkerCrash&) {
    return false;
  } catch (const WorkerTimeout&) {
    return false;
  }
}

}  // namespace

void SearchQueue::search(SearchGroup& searched, SearchShare share) {
  const auto begin = std::chrono::steady_clock::now();
  SweepGroup& group = searched.group();
  DeviceClient& client = devices_.client_of(group.device);
  context_.progress.set_remark("");
  if (const auto problem = devices_.open(client)) {
    for (SweepPoint& point : group.points)
      context_.outcomes.fail_unless_verified(point, problem->status,
                                             "opening the device: " + problem->reason);
    return;
  }
  group.device = client.device();  // its progress is tested, which programs depend on
  builds_.enter_unplanned(group.device);
  // Opening is part of the time: the tests of the driver and the device's peaks take seconds.
  if (share.time.count() > 0) {
    const auto spent = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
    share.time = std::max(milliseconds(1), share.time - spent);
  }
  search_device(context_, builds_, client, searched, share);
  drop_points(client, context_.options.point_timeout);  // the next search has other data
}

// If searches ran at the same time, the seconds of the device that took longest.
double seconds_used(const RunLog& log) {
  std::vector<double> seconds;
  std::vector<const DeviceInfo*> devices;
  for (const auto& [group, search] : log.searches) {
    const auto device = log.devices.find(search.baseline.device_id);
    if (device == log.devices.end()) continue;
    const auto found = log.evaluations.find(group);
    const double last = found == log.evaluations.end() ? 0 : found->second.back().seconds;
    seconds.push_back(std::max(search.seconds, last));
    devices.push_back(&device->second.info);
  }
  double used = 0;
  for (const Stage& stage : plan_stages(devices, usable_cores())) {
    double longest = 0;
    for (const DeviceQueue& queue : stage) {
      double of_queue = 0;
      for (const std::size_t place : queue) of_queue += seconds[place];
      longest = std::max(longest, of_queue);
    }
    used += longest;
  }
  return used;
}

Tuning::Tuning(const Options& options, const std::filesystem::path& folder, RunLog log)
    : StagedRun(options, folder, std::move(log), budget_left(options, log)) {}

void Tuning::run(std::vector<SearchGroup>& searches, bool extends) {
  std::vector<const DeviceInfo*> devices;
  for (SearchGroup& each : searches) devices.push_back(&each.group().device);
  const std::vector<Stage> stages = begin_stages(devices);
  unless_interrupted([&] {
    for (std::size_t i = 0; i < stages.size() && !interrupted_; ++i)
      run_stage(searches, stages[i],
                length_of({stages.begin() + static_cast<std::ptrdiff_t>(i) + 1, stages.end()}), extends);
    log_points();
  });
  end();
}

void Tuning::run_stage(std::vector<SearchGroup>& searches, const Stage& stage, std::size_t later,
                       bool extends) {
  const int cores = usable_cores() / static_cast<int>(stage.size());
  std::vector<std::function<void()>> running;
  for (std::size_t number = 0; number < stage.size(); ++number) {
    SearchQueue& made = queue(number, cores);
    running.emplace_back([this, &searches, &made, places = stage[number], later, extends] {
      for (std::size_t i = 0; i < places.size(); ++i)
        made.search(searches[places[i]], share_of(places.size() - i + later, extends));
      made.end();
    });
  }
  run_queues(running);
  queues_.clear();
}

SearchShare Tuning::share_of(std::size_t searches_left, bool extends) const {
  SearchShare share;
  share.extends = extends;
  if (context_.options.evaluations_given) share.evaluations = context_.options.evaluations.front();
  if (!context_.budget.unlimited())
    share.time = std::max(milliseconds(1), context_.budget.left() / static_cast<int>(searches_left));
  return share;
}

// How many points there are is known where all searches have ended; for `merge`.
void Tuning::log_points() {
  const auto points = static_cast<std::int64_t>(context_.log.run().ends.size());
  if (!interrupted_ && context_.log.run().planned != points) context_.log.append(PlanRecord{points});
}

void require_meters(const std::vector<DeviceInfo>& devices, const std::string& objective) {
  for (const DeviceInfo& device : devices) {
    if (has_meter(device)) continue;
    throw UsageError(
        fmt::format("--objective {} needs a device that reports its energy, and {} ({}) does not: NVIDIA's "
                    "GPUs report it "
                    "by NVML, CPUs by RAPL if /sys/class/powercap may be read (often by root alone); use "
                    "--objective time",
                    objective, device.name, device.id));
  }
}

}  // namespace dwarfsweep
