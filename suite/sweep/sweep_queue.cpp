#include "suite/sweep/sweep_queue.hpp"

#include <algorithm>
#include <tuple>

#include "suite/engine/best_candidate.hpp"
#include "suite/engine/measure_group.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

bool is_to_do(const SweepGroup& group, const SweepPoint& point, Pass pass, const SweepLog& log) {
  if (!point.is_open()) return false;
  if (pass == Pass::rest) return true;
  const auto index = static_cast<std::size_t>(&point - group.points.data());
  const std::vector<std::size_t>& first = group.order.first;
  return std::ranges::find(first, index) != first.end() && log.blocks(point).empty();
}

// Points of one group come in blocks, so that a process rarely has to make the same data again.
std::vector<PointRequest> in_blocks(const std::vector<std::vector<PointRequest>>& groups) {
  constexpr std::size_t block = 8;
  std::size_t most = 0;
  for (const std::vector<PointRequest>& points : groups) most = std::max(most, points.size());
  std::vector<PointRequest> all;
  for (std::size_t begin = 0; begin < most; begin += block) {
    for (const std::vector<PointRequest>& points : groups) {
      for (std::size_t i = begin; i < std::min(begin + block, points.size()); ++i) all.push_back(points[i]);
    }
  }
  return all;
}

}  // namespace

milliseconds GroupLoad::need() const {
  return spent * static_cast<long long>(points_to_do) /
         static_cast<long long>(std::max<std::size_t>(1, points_done));
}

milliseconds fair_share(std::span<const GroupLoad> groups, milliseconds left) {
  if (groups.empty() || left.count() <= 0) return milliseconds(0);
  std::vector<milliseconds> spent;
  for (const GroupLoad& group : groups) spent.push_back(group.spent);
  std::ranges::sort(spent);
  // The level up to which `left` fills those that have spent least.
  milliseconds level{0};
  milliseconds sum{0};
  for (std::size_t count = 1; count <= spent.size(); ++count) {
    sum += spent[count - 1];
    level = (left + sum) / static_cast<long long>(count);
    if (count == spent.size() || level <= spent[count]) break;
  }
  return std::max(milliseconds(0), level - groups.front().spent);
}

std::vector<std::size_t> turns_by_need(std::span<const GroupLoad> groups, std::size_t first_device) {
  std::vector<std::size_t> turns;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].points_to_do > 0) turns.push_back(i);
  }
  const auto rank = [&](std::size_t i) {
    return std::tuple(groups[i].device != first_device, groups[i].device, groups[i].need());
  };
  std::ranges::stable_sort(turns, [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return turns;
}

std::vector<GroupLoad> loads_of(const std::vector<SweepGroup*>& groups, Pass pass, const SweepLog& log) {
  std::vector<GroupLoad> all;
  for (SweepGroup* group : groups) {
    GroupLoad load;
    load.spent = group->spent;
    // The first group of a device stands for it.
    while (groups[load.device]->device.id != group->device.id) ++load.device;
    for (const SweepPoint& point : group->points) {
      if (is_to_do(*group, point, pass, log)) ++load.points_to_do;
      if (!log.blocks(point).empty()) ++load.points_done;
    }
    if (pass == Pass::rest && load.points_to_do == 0 && lacks_remeasurement(*group, log))
      load.points_to_do = 1;
    all.push_back(load);
  }
  return all;
}

void SweepQueue::plan(const std::vector<SweepGroup*>& groups) {
  groups_ = groups;
  builds_.plan(groups);
}

void SweepQueue::measure_all(Pass pass, std::span<const GroupLoad> after) {
  const std::vector<GroupLoad> all = loads_of(groups_, pass, context_.log);
  // The last device goes on, because its worker is open and has its programs.
  const auto last =
      std::ranges::find(groups_, devices_.last(), [](const SweepGroup* group) { return group->device.id; });
  const std::size_t device =
      last == groups_.end() ? 0 : all[static_cast<std::size_t>(last - groups_.begin())].device;
  std::vector<std::size_t> turns = turns_by_need(all, device);
  std::vector<GroupLoad> to_come;
  for (const std::size_t turn : turns) to_come.push_back(all[turn]);
  for (const GroupLoad& each : after) {
    if (each.points_to_do > 0) to_come.push_back(each);
  }
  for (std::size_t i = 0; i < turns.size(); ++i) {
    SweepGroup& group = *groups_[turns[i]];
    // What is kept back is for the best candidates that were not measured again yet. However short the budget
    // is, the first group has its turn, and so have those whose baselines are built, because their sizes were
    // chosen.
    const bool is_built =
        i == 0 || context_.log.run().sizes.contains(size_key(group.device.id, group.dwarf->info().name));
    const bool late = context_.budget.is_nearly_spent();
    if (!late || (pass == Pass::first ? is_built : lacks_remeasurement(group, context_.log)))
      measure(group, pass, std::span(to_come).subspan(i));
  }
}

void SweepQueue::leave() {
  drop_points_of_last_group();
  devices_.close();
  builds_.leave();
}

void SweepQueue::measure(SweepGroup& group, Pass pass, std::span<const GroupLoad> still_to_come) {
  const std::size_t before = group.points_to_do();
  if (enter(group)) {
    if (pass == Pass::rest) compile_ahead(group, still_to_come);
    const auto begin = TimeBudget::Clock::now();
    GroupTurn turn;
    turn.share = context_.budget.unlimited()
                     ? unlimited_share
                     : fair_share(still_to_come, pass == Pass::first ? context_.budget.left()
                                                                     : context_.budget.left_to_share());
    // Where there is nothing but the first pass, this is the group's only turn.
    turn.brief = pass == Pass::first && !group.order.rest.empty();
    // Every group has another turn, so the time that earlier groups did not need is for all of them.
    if (turn.brief && !context_.budget.unlimited())
      turn.share =
          std::min<milliseconds>(turn.share, context_.budget.left() / static_cast<int>(groups_.size()));
    // Those of the first pass have been measured: preparing them again is worth less than a new point.
    if (pass == Pass::rest) {
      for (const std::size_t i : group.order.rest) turn.points.push_back(&group.points[i]);
    }
    for (const std::size_t i : group.order.first) turn.points.push_back(&group.points[i]);
    measure_group(context_, builds_, devices_.client_of(group.device), group, turn);
    group.spent += std::chrono::duration_cast<milliseconds>(TimeBudget::Clock::now() - begin);
  }
  context_.progress.add_done(before - group.points_to_do());
}

// Those of all its groups that were not prepared yet, without their defaults. Each group's are together.
std::vector<std::vector<PointRequest>> SweepQueue::points_to_compile(const DeviceInfo& device) const {
  std::vector<std::vector<PointRequest>> groups;
  for (const SweepGroup* group : groups_) {
    if (group->device.id != device.id) continue;
    std::vector<PointRequest> points;
    for (const std::size_t i : group->order.rest) {
      const SweepPoint& point = group->points[i];
      const PointRecord* const known = context_.log.find(point);
      const bool is_new = known == nullptr || known->preparation.status == Status::not_run;
      if (point.is_open() && is_new && !context_.outcomes.given_up(point)) points.push_back(point.request);
    }
    if (!points.empty()) groups.push_back(std::move(points));
  }
  return groups;
}

// Compiles what all groups of the device have to do, once and on all cores. One turn would be too short for
// its group.
void SweepQueue::compile_ahead(const SweepGroup& current, std::span<const GroupLoad> still_to_come) {
  constexpr double part = 0.25;
  const DeviceInfo& device = current.device;
  if (!builds_.should_launch(device) || !compiled_ahead_.insert(device.id).second) return;
  const std::vector<std::vector<PointRequest>> to_do = points_to_compile(device);
  context_.progress.show(device.name + " · compiling on all cores");
  auto end = TimeBudget::Clock::time_point::max();
  if (!context_.budget.unlimited()) {
    const milliseconds share = fair_share(still_to_come, context_.budget.left_to_share());
    end = TimeBudget::Clock::now() +
          std::chrono::duration_cast<milliseconds>(part * static_cast<double>(to_do.size()) * share);
  }
  builds_.launch(devices_.client_of(device), in_blocks(to_do), end);
}

// While this device is timed, the cores that its worker and builders leave compile for one that is timed
// later.
void SweepQueue::compile_meanwhile() {
  for (const SweepGroup* group : groups_) {
    DeviceClient* const later = devices_.find_open(group->device);
    if (later == nullptr || !builds_.should_launch_meanwhile(group->device)) continue;
    builds_.launch_meanwhile(*later, in_blocks(points_to_compile(group->device)));
  }
}

// False if its device does not open: its points have failed.
bool SweepQueue::enter(SweepGroup& group) {
  if (current_ != &group) {
    drop_points_of_last_group();
    for (SweepPoint& point : group.points) point.process = 0;
  }
  if (!group.begun) {
    for (SweepPoint& point : group.points) {
      if (point.rejected && !point.stop_reason) context_.outcomes.reject(point);
    }
    context_.outcomes.give_another_chance(group);
    for (const std::vector<std::size_t>* order : {&group.order.first, &group.order.rest}) {
      for (const std::size_t i : *order) {
        if (group.points[i].stop_reason) context_.outcomes.count_known(group.points[i]);
      }
    }
    group.begun = true;
  }
  DeviceClient& client = devices_.client_of(group.device);
  if (const auto problem = devices_.open(client)) {
    for (SweepPoint& point : group.points) {
      if (point.is_open())
        context_.outcomes.fail_unless_verified(point, problem->status,
                                               "opening the device: " + problem->reason);
    }
    return false;
  }
  builds_.enter(client.device());
  compile_meanwhile();
  current_ = &group;
  return true;
}

// The next group has other data.
void SweepQueue::drop_points_of_last_group() {
  if (current_ == nullptr) return;
  DeviceClient& client = devices_.client_of(current_->device);
  current_ = nullptr;
  drop_points(client, context_.options.point_timeout);
}

}  // namespace dwarfsweep
