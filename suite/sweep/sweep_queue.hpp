// The groups of a sweep that are measured one after the other, and how their time is shared.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "suite/sweep/staged_run.hpp"

namespace dwarfsweep {

/// What the sharing of time knows of a group.
struct GroupLoad {
  std::size_t device = 0;              ///< groups of one device are measured one after the other
  std::chrono::milliseconds spent{0};  ///< on its points, so far
  std::size_t points_done = 0;         ///< those that were at least prepared
  std::size_t points_to_do = 0;

  /// Expected time for what is to do: as long for each point as for those done.
  [[nodiscard]] std::chrono::milliseconds need() const;
};

/// The share of the time `left` that the first of `groups` gets. All of them still have work to do. In the
/// end all have had the same time, as far as the time that they have already spent allows. What it does not
/// use is shared among the others when their turn comes.
std::chrono::milliseconds fair_share(std::span<const GroupLoad> groups, std::chrono::milliseconds left);

/// The indices of those groups that have something to do: device by device, `first_device` before the others,
/// and on each device the one that needs least first, so that its rest goes to those that need more.
std::vector<std::size_t> turns_by_need(std::span<const GroupLoad> groups, std::size_t first_device);

/// Two passes over all groups: the baseline and the default configuration of every variant; then the rest.
enum class Pass { first, rest };

/// What each group has to do in this pass.
std::vector<GroupLoad> loads_of(const std::vector<SweepGroup*>& groups, Pass pass, const SweepLog& log);

class SweepQueue : public RunQueue {
 public:
  using RunQueue::RunQueue;

  /// Those that it will measure, in their order.
  void plan(const std::vector<SweepGroup*>& groups);
  /// One turn of each group that has something to do. `after`: the loads of what comes behind, in other
  /// queues.
  void measure_all(Pass pass, std::span<const GroupLoad> after);
  /// Other queues come: the worker is ended, builders are stopped.
  void leave();

 private:
  void measure(SweepGroup& group, Pass pass, std::span<const GroupLoad> still_to_come);
  void compile_ahead(const SweepGroup& current, std::span<const GroupLoad> still_to_come);
  void compile_meanwhile();
  [[nodiscard]] std::vector<std::vector<PointRequest>> points_to_compile(const DeviceInfo& device) const;
  bool enter(SweepGroup& group);
  void drop_points_of_last_group();

  std::vector<SweepGroup*> groups_;
  const SweepGroup* current_ = nullptr;   // whose points are in the worker
  std::set<std::string> compiled_ahead_;  // ids of devices
};

}  // namespace dwarfsweep
