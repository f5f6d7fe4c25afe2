// Building ahead in a sweep: which device has how many builders, and when they may work.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "suite/engine/build_pool.hpp"
#include "suite/engine/sweep_group.hpp"
#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// How many builders a device gets, and whether they run while it is timed.
struct BuilderCount {
  int processes = 0;
  bool beside_timing = false;
};

/// `asked`: --builders; negative: not given. `cores`: those that this process may use. Builders run during
/// timing on a GPU whose host has at least four cores; they leave two cores free. Elsewhere there are none
/// unless --builders asks for them: BuildAhead::launch also compiles what CPU drivers compile in the first
/// launch. On a GPU there are at most 14, and their contexts take at most an eighth of its
/// memory.
BuilderCount count_builders(const DeviceInfo& device, int asked, int cores);

/// Of the devices of the groups that get any, by id.
std::map<std::string, int> builders_by_device(const std::vector<SweepGroup>& groups, const Options& options);

/// How many processes, at most one per core, launch `points` ahead. Each holds the data of a point on the
/// device, and those of several problems on the host; together they use a quarter of the memory. While fewer
/// than half of the processes have room, the points of the largest problem are removed from `points`, unless
/// there is no other problem: the worker compiles them.
std::size_t launching_processes(const DeviceInfo& device, std::vector<PointRequest>& points, int cores);

/// Points that were launched ahead.
struct LaunchedPoints {
  std::vector<std::string> keys;    ///< failed or not
  std::vector<std::string> failed;  ///< of these, those that failed or took too long
  std::size_t done = 0;
  std::size_t slow = 0;  ///< of these, those that were probably compiled
};

class BuildAhead {
 public:
  /// What builders print goes to the file `output`. `cores`: for the device that is timed and its builders.
  BuildAhead(const Options& options, const std::filesystem::path& output, int cores)
      : options_(options), output_(output.string()), cores_(cores) {}
  ~BuildAhead() { stop_launching(); }
  BuildAhead(const BuildAhead&) = delete;
  BuildAhead& operator=(const BuildAhead&) = delete;

  /// The points that have not ended are built in this order: the first of all groups, then the rest.
  void plan(const std::vector<SweepGroup*>& groups);
  /// Whether builders compile for the device. They launch nothing.
  [[nodiscard]] bool has_builders(const DeviceInfo& device) const;
  /// Builds points while sizes are chosen, before groups are planned. Builders work while the worker does; if
  /// there are none, the call itself compiles, and takes until `end` at most. Throws Interrupted.
  void begin_unplanned(DeviceClient& client, const std::vector<std::vector<PointRequest>>& groups,
                       std::chrono::steady_clock::time_point end);
  /// These points of the group, whose device is timed, will probably be prepared next.
  void expect(const std::vector<PointRequest>& points);
  /// From now on this device, as its worker has opened it, is timed: its builders may work, others are
  /// stopped.
  void enter(const DeviceInfo& device);
  /// The same for a group that was not planned: `expect` names its points.
  void enter_unplanned(const DeviceInfo& device);
  /// No device is timed until another group is entered: all builders are stopped.
  void leave();
  /// These are prepared next.
  void prefer(const std::vector<SweepPoint*>& points);
  /// Takes out of `points`, which is not empty, the one that is best prepared next: one that is built; a
  /// point whose launch ahead failed comes last.
  SweepPoint* take_next(std::vector<SweepPoint*>& points) const;
  /// What became of the point's programs; nothing where the worker finds out by itself. Waits where that is
  /// being found out. Throws Interrupted.
  std::optional<BuildOutcome> outcome_of(const PointRequest& point);
  /// The worker took so long to prepare a point.
  void prepared(std::chrono::nanoseconds took, double sample_ns);
  /// Whether launch() will save time on this device: something was compiled before. False if builders are at
  /// work, or if --builders 0 was given.
  [[nodiscard]] bool should_launch(const DeviceInfo& device) const { return compiles_ && launches(device); }
  /// Launches each point once, unverified, in one process per core. No launch begins after `end`. Drivers for
  /// CPUs compile on one core, half of it in the first launch with each local size, and keep the result on
  /// disk, so the worker finds it there. Errors are ignored: the worker meets them again. Throws Interrupted.
  void launch(DeviceClient& client, const std::vector<PointRequest>& points,
              std::chrono::steady_clock::time_point end);
  /// Whether launch_meanwhile() works for this device: the entered device is timed on other cores.
  [[nodiscard]] bool can_launch_meanwhile(const DeviceInfo& device) const;
  /// Whether it will save time, too: something was compiled before.
  [[nodiscard]] bool should_launch_meanwhile(const DeviceInfo& device) const {
    return compiles_ && can_launch_meanwhile(device);
  }
  /// As launch(), on cores that nothing else needs, until all are launched or another device is entered.
  /// Returns at once.
  void launch_meanwhile(DeviceClient& client, const std::vector<PointRequest>& points);
  /// Ends all builders.
  void end() {
    stop_launching();
    pools_.clear();
  }

 private:
  /// Null where the device has no builders.
  BuildPool* pool_of(const DeviceInfo& device);
  /// Whether launch() hands anything on, and no builder does so.
  [[nodiscard]] bool launches(const DeviceInfo& device) const;
  [[nodiscard]] std::vector<PointRequest> not_launched(const std::vector<PointRequest>& points) const;
  void note(const LaunchedPoints& launched);
  void stop_launching();

  const Options& options_;
  std::string output_;
  int cores_;
  std::map<std::string, std::unique_ptr<BuildPool>> pools_;  // by device id
  BuildPool* current_ = nullptr;
  std::atomic<bool> compiles_ = false;  // in this run: the driver's cache does not have all
  std::set<std::string> launched_;      // keys of points, also of those that failed
  std::set<std::string> failed_;        // of these
  std::thread launching_;
  std::atomic<bool> stops_launching_ = false;
};

}  // namespace dwarfsweep
