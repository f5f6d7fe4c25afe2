#include "suite/sweep/sweep.hpp"

#include <algorithm>
#include <functional>

#include "suite/record/standard_error.hpp"
#include "suite/sweep/resume.hpp"

namespace dwarfsweep {

void Sweep::begin_part(const RunRecord& here) {
  context_.log.append(next_part(log(), here));
}

void Sweep::run(std::vector<SweepGroup>& groups) {
  if (interrupted_) return;
  say_known_points(groups);
  restore_from_log(groups);
  std::int64_t points = 0;
  for (const SweepGroup& group : groups) points += static_cast<std::int64_t>(group.points.size());
  if (log().planned != points) context_.log.append(PlanRecord{points});
  make_queues(groups);
  unless_interrupted([&] {
    if (run_pass(groups, Pass::first)) run_pass(groups, Pass::rest);
    end_open_points(groups);
  });
  end();
}

void Sweep::make_queues(std::vector<SweepGroup>& groups) {
  std::size_t number = 0;
  for (const Stage& stage : begin_stages(devices_of(groups))) {
    std::vector<QueueGroups>& running = stages_.emplace_back();
    for (const DeviceQueue& places : stage) {
      std::vector<SweepGroup*> of_queue;
      for (const std::size_t place : places) of_queue.push_back(&groups[place]);
      SweepQueue& made = queue(number++, usable_cores() / static_cast<int>(stage.size()));
      made.plan(of_queue);
      running.push_back({&made, of_queue});
    }
  }
}

void Sweep::say_known_points(const std::vector<SweepGroup>& groups) {
  for (const SweepGroup& group : groups) {
    if (!group.known) continue;
    const KnownPointRecord& known = *group.known;
    if (!log().known_points.contains(
            known_point_key(known.device_id, known.dwarf, known.size, known.problem)))
      context_.log.append(known);
    if (!known.transferred.empty()) continue;
    print_stderr("{} on {}, {}: the best known point: {}\n", known.dwarf, group.device.name, known.problem,
                 known.origin);
    for (const KnownSettings& each : known.candidates)
      print_stderr("  unless this one is faster: {}\n", each.origin);
    if (!known.other_origin.empty()) print_stderr("  compared with the one {}\n", known.other_origin);
  }
}

void Sweep::measure_in_this_part(SweepPoint& reference) const {
  if (context_.log.stop_reason(reference) == nullptr && !reference.rejected) reference.stop_reason.reset();
}

// Takes the points from the log: a run continues where it was stopped, or where the budget cut it short.
void Sweep::restore_from_log(std::vector<SweepGroup>& groups) {
  std::size_t total = 0;
  for (SweepGroup& group : groups) {
    group.order = order_points(group.points, context_.options.seed);
    for (SweepPoint& point : group.points) {
      const PointRecord* known = context_.log.find(point);
      const std::string* stopped = context_.log.stop_reason(point);
      const bool not_run = known != nullptr && known->preparation.status == Status::not_run &&
                           (stopped == nullptr || *stopped != too_slow);
      if (stopped == nullptr || *stopped == out_of_budget || not_run)
        stopped = context_.log.earlier_stop_reason(point);
      if (stopped != nullptr) point.stop_reason = *stopped;
    }
    const auto anchor = std::ranges::find_if(
        group.points, [&](const SweepPoint& point) { return context_.log.is_anchor(point); });
    if (anchor != group.points.end()) group.anchor = static_cast<std::size_t>(anchor - group.points.begin());
    // What is measured in this part is paired in this part.
    if (group.points_to_do() > 0) {
      if (group.reference() != nullptr) measure_in_this_part(*group.reference());
      if (group.anchor) measure_in_this_part(*anchor);
    }
    total += group.points_to_do();
  }
  context_.progress.start(total);
}

// What some groups leave of their share of the time is for the points of others.
bool Sweep::run_pass(std::vector<SweepGroup>& groups, Pass pass) {
  const auto count_to_do = [&] {
    std::size_t count = 0;
    for (SweepGroup& group : groups) {
      for (const GroupLoad& load : loads_of({&group}, pass, context_.log)) count += load.points_to_do;
    }
    return count;
  };
  for (std::size_t before = count_to_do(); before > 0;) {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) measure_stage(stage, pass);
    const std::size_t left = count_to_do();
    if (left > 0 && context_.budget.is_nearly_spent()) return false;
    if (left >= before) return true;
    before = left;
  }
  return true;
}

void Sweep::measure_stage(std::size_t stage, Pass pass) {
  std::vector<GroupLoad> after;
  for (std::size_t later = stage + 1; later < stages_.size(); ++later) {
    for (const QueueGroups& each : stages_[later]) {
      for (const GroupLoad& load : loads_of(each.groups, pass, context_.log)) after.push_back(load);
    }
  }
  std::vector<std::function<void()>> running;
  for (const QueueGroups& each : stages_[stage]) {
    running.emplace_back([this, &each, &after, pass] {
      each.queue->measure_all(pass, after);
      if (stages_.size() > 1 || stages_.front().size() > 1) each.queue->leave();
    });
  }
  run_queues(running);
}

void Sweep::end_open_points(std::vector<SweepGroup>& groups) {
  for (SweepGroup& group : groups) {
    for (SweepPoint& point : group.points) {
      if (point.stop_reason) continue;
      if (point.rejected) {
        context_.outcomes.reject(point);
      } else if (context_.log.blocks(point).empty()) {
        context_.outcomes.leave_out(point);
      } else {
        context_.outcomes.end(point, out_of_budget);
      }
    }
  }
}

}  // namespace dwarfsweep
