#include "suite/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "suite/sweep/best_candidate.hpp"
#include "suite/sweep/resume.hpp"
#include "suite/sweep/size_choices.hpp"

namespace dwarfsweep {

using std::chrono::milliseconds;

Sweep::Sweep(const Options& options, const std::filesystem::path& folder, RunLog log)
    : options_(options),
      log_(folder, std::move(log)),
      budget_(options.budget),
      progress_(budget_),
      failures_(options.give_up_after),
      outcomes_(log_, failures_, options.cache),
      builds_(options_, folder),
      context_{options_, outcomes_, progress_, builds_},
      devices_(options_, folder, log_, progress_) {}

void Sweep::begin_part(const RunRecord& here) {
  log_.append(next_part(log(), here));
}

void Sweep::begin_log() {
  if (log().run.run_id.empty()) throw std::logic_error("a sweep needs the record of its run");
  if (log_.is_new() && !begun_) log_.append(RunRecord(log().run));
  begun_ = true;
}

void Sweep::choose_sizes(const std::vector<SweepGroup>& groups) {
  begin_log();
  try {
    SizeChooser(options_, devices_, log_, progress_).choose(groups);
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
}

void Sweep::run(std::vector<SweepGroup>& groups) {
  begin_log();
  if (interrupted_) return;
  say_known_points(groups);
  restore_from_log(groups);
  std::int64_t points = 0;
  for (const SweepGroup& group : groups) points += static_cast<std::int64_t>(group.points.size());
  if (log().planned != points) log_.append(PlanRecord{points});
  builds_.plan(groups);
  try {
    if (run_pass(groups, Pass::first)) run_pass(groups, Pass::rest);
    end_open_points(groups);
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
  progress_.clear();
  builds_.end();
  devices_.close();
}

void Sweep::say_known_points(const std::vector<SweepGroup>& groups) {
  for (const SweepGroup& group : groups) {
    if (!group.known) continue;
    const KnownPointRecord& known = *group.known;
    if (!log().known_points.contains(
            known_point_key(known.device_id, known.dwarf, known.size, known.problem)))
      log_.append(known);
    if (!known.transferred.empty()) continue;
    fmt::print(stderr, "{} on {}, {}: the best known point: {}\n", known.dwarf, group.device.name,
               known.problem, known.origin);
    if (!known.other_origin.empty()) fmt::print(stderr, "  compared with the one {}\n", known.other_origin);
  }
}

// What the log says of the points: a run goes on where it was stopped, or where the budget cut it short.
void Sweep::restore_from_log(std::vector<SweepGroup>& groups) {
  std::size_t total = 0;
  for (SweepGroup& group : groups) {
    group.order = order_points(group.points, options_.seed);
    for (SweepPoint& point : group.points) {
      const PointRecord* known = log_.find(point);
      const std::string* stopped = log_.stop_reason(point);
      const bool not_run = known != nullptr && known->preparation.status == Status::not_run;
      point.ended =
          (stopped != nullptr && *stopped != out_of_budget && !not_run) || log_.ended_earlier(point);
    }
    // What is measured in this part is paired in this part.
    SweepPoint& baseline = group.points.front();
    if (baseline.baseline && points_to_do(group) > 0 && log_.stop_reason(baseline) == nullptr &&
        baseline.rejected.empty())
      baseline.ended = false;
    total += points_to_do(group);
  }
  progress_.start(total);
}

// What some groups leave of their share of the time is for the points of others.
bool Sweep::run_pass(std::vector<SweepGroup>& groups, Pass pass) {
  const auto count_to_do = [&] {
    std::size_t count = 0;
    for (const GroupLoad& load : loads(groups, pass)) count += load.points_to_do;
    return count;
  };
  for (std::size_t before = count_to_do(); before > 0;) {
    visit_all(groups, pass);
    const std::size_t left = count_to_do();
    if (left > 0 && budget_.is_nearly_spent()) return false;
    if (left >= before) return true;
    before = left;
  }
  return true;
}

void Sweep::visit_all(std::vector<SweepGroup>& groups, Pass pass) {
  const std::vector<GroupLoad> all = loads(groups, pass);
  const std::size_t device =
      current_ == nullptr ? 0 : all[static_cast<std::size_t>(current_ - groups.data())].device;
  std::vector<std::size_t> turns = turns_by_need(all, device);
  // Nothing is known of the needs yet.
  if (pass == Pass::first) std::sort(turns.begin(), turns.end());
  std::vector<GroupLoad> to_come;
  for (const std::size_t turn : turns) to_come.push_back(all[turn]);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    SweepGroup& group = groups[turns[i]];
    // What is kept back is for the best candidates that were not measured again yet.
    const bool late = pass == Pass::rest && budget_.is_nearly_spent();
    if (!late || lacks_remeasurement(group, log_)) visit(group, pass, std::span(to_come).subspan(i));
  }
}

void Sweep::visit(SweepGroup& group, Pass pass, std::span<const GroupLoad> still_to_come) {
  const std::size_t before = points_to_do(group);
  if (enter(group)) {
    const auto begin = TimeBudget::Clock::now();
    VisitPlan plan;
    plan.share =
        budget_.unlimited()
            ? unlimited_share
            : fair_share(still_to_come, pass == Pass::first ? budget_.left() : budget_.left_to_share());
    // Where there is nothing but the first pass, this is the group's only visit.
    plan.brief = pass == Pass::first && !group.order.rest.empty();
    const std::vector<std::size_t>& order = pass == Pass::first ? group.order.first : group.order.rest;
    if (pass == Pass::rest) {
      for (const std::size_t i : group.order.first) plan.points.push_back(&group.points[i]);
    }
    for (const std::size_t i : order) plan.points.push_back(&group.points[i]);
    GroupVisit(context_, devices_.client_of(group.device), group).run(plan);
    group.spent += std::chrono::duration_cast<milliseconds>(TimeBudget::Clock::now() - begin);
  }
  progress_.add_done(before - points_to_do(group));
}

bool Sweep::enter(SweepGroup& group) {
  if (current_ != &group) {
    drop_points_of_last_group();
    for (SweepPoint& point : group.points) point.process = 0;
  }
  if (!group.visited) {
    for (SweepPoint& point : group.points) {
      if (!point.rejected.empty() && !point.ended) outcomes_.reject(point);
    }
    failures_.give_another_chance(group);
    for (const std::vector<std::size_t>* order : {&group.order.first, &group.order.rest}) {
      for (const std::size_t i : *order) {
        if (group.points[i].ended) outcomes_.count_known(group.points[i]);
      }
    }
    group.visited = true;
  }
  DeviceClient& client = devices_.client_of(group.device);
  if (const auto problem = devices_.open(client)) {
    for (SweepPoint& point : group.points) {
      if (point.rejected.empty() && !point.ended)
        outcomes_.lose(point, problem->status, "opening the device: " + problem->reason);
    }
    return false;
  }
  builds_.enter(group);
  current_ = &group;
  return true;
}

// The next group has other data. A worker that cannot even forget is ended.
void Sweep::drop_points_of_last_group() {
  if (current_ == nullptr) return;
  DeviceClient& client = devices_.client_of(current_->device);
  current_ = nullptr;
  try {
    (void)client.ask({{"do", "drop"}}, options_.point_timeout);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client.stop();
  }
}

bool Sweep::is_to_do(const SweepGroup& group, const SweepPoint& point, Pass pass) const {
  if (point.ended || !point.rejected.empty()) return false;
  if (pass == Pass::rest) return true;
  const auto index = static_cast<std::size_t>(&point - group.points.data());
  const std::vector<std::size_t>& first = group.order.first;
  return std::find(first.begin(), first.end(), index) != first.end() && log_.blocks(point).empty();
}

std::vector<GroupLoad> Sweep::loads(std::vector<SweepGroup>& groups, Pass pass) const {
  std::vector<GroupLoad> all;
  for (SweepGroup& group : groups) {
    GroupLoad load;
    load.spent = group.spent;
    while (groups[load.device].device.id != group.device.id) ++load.device;  // its first group stands for it
    for (const SweepPoint& point : group.points) {
      if (is_to_do(group, point, pass)) ++load.points_to_do;
      if (!log_.blocks(point).empty()) ++load.points_done;
    }
    if (pass == Pass::rest && load.points_to_do == 0 && lacks_remeasurement(group, log_))
      load.points_to_do = 1;
    all.push_back(load);
  }
  return all;
}

void Sweep::end_open_points(std::vector<SweepGroup>& groups) {
  for (SweepGroup& group : groups) {
    for (SweepPoint& point : group.points) {
      if (point.ended) continue;
      if (!point.rejected.empty()) {
        outcomes_.reject(point);
      } else if (log_.blocks(point).empty()) {
        outcomes_.leave_out(point);
      } else {
        outcomes_.end(point, out_of_budget);
      }
    }
  }
}

}  // namespace dwarfsweep
