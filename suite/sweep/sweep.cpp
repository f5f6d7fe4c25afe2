#include "suite/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "suite/sweep/resume.hpp"
#include "suite/sweep/size_choices.hpp"

namespace dwarfsweep {

Sweep::Sweep(const Options& options, const std::filesystem::path& folder, RunLog log)
    : options_(options),
      log_(folder, std::move(log)),
      budget_(options.budget),
      progress_(budget_),
      failures_(options.give_up_after),
      outcomes_(log_, failures_, options.cache),
      shared_{options_, log_, budget_, progress_, outcomes_, failures_},
      folder_(folder) {}

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
    SizeChooser(options_, strand(0, usable_cores()).devices(), log_, progress_).choose(groups);
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
  make_strands(groups);
  try {
    if (run_pass(groups, Pass::first)) run_pass(groups, Pass::rest);
    end_open_points(groups);
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
  progress_.clear();
  for (const auto& each : strands_) each->end();
}

SweepStrand& Sweep::strand(std::size_t number, int cores) {
  while (strands_.size() <= number) {
    const std::string name =
        strands_.empty() ? "workers.log" : fmt::format("workers-{}.log", strands_.size() + 1);
    strands_.push_back(std::make_unique<SweepStrand>(shared_, folder_ / name, cores));
  }
  return *strands_[number];
}

void Sweep::make_strands(std::vector<SweepGroup>& groups) {
  const std::vector<const DeviceInfo*> devices = devices_of(groups);
  const std::vector<Stage> waves = plan_stages(devices, usable_cores());
  if (const std::string told = describe_stages(waves, devices); !told.empty())
    fmt::print(stderr, "{}\n", told);
  // What was opened to choose sizes does not know of others beside it.
  if (most_queues(waves) > 1) strands_.clear();
  std::size_t number = 0;
  for (const Stage& wave : waves) {
    std::vector<StrandGroups>& running = waves_.emplace_back();
    for (const DeviceQueue& places : wave) {
      std::vector<SweepGroup*> of_strand;
      for (const std::size_t place : places) of_strand.push_back(&groups[place]);
      SweepStrand& made = strand(number++, usable_cores() / static_cast<int>(wave.size()));
      made.plan(of_strand);
      running.push_back({&made, of_strand});
    }
  }
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
    for (SweepGroup& group : groups) {
      for (const GroupLoad& load : loads_of({&group}, pass, log_)) count += load.points_to_do;
    }
    return count;
  };
  for (std::size_t before = count_to_do(); before > 0;) {
    for (std::size_t wave = 0; wave < waves_.size(); ++wave) visit_wave(wave, pass);
    const std::size_t left = count_to_do();
    if (left > 0 && budget_.is_nearly_spent()) return false;
    if (left >= before) return true;
    before = left;
  }
  return true;
}

void Sweep::visit_wave(std::size_t wave, Pass pass) {
  std::vector<GroupLoad> after;
  for (std::size_t later = wave + 1; later < waves_.size(); ++later) {
    for (const StrandGroups& each : waves_[later]) {
      for (const GroupLoad& load : loads_of(each.groups, pass, log_)) after.push_back(load);
    }
  }
  std::vector<std::function<void()>> running;
  for (const StrandGroups& each : waves_[wave]) {
    running.emplace_back([this, &each, &after, pass] {
      each.strand->visit_all(pass, after);
      if (waves_.size() > 1 || waves_.front().size() > 1) each.strand->leave();
    });
  }
  run_queues(running);
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
