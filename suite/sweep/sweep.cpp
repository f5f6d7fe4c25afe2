#include "suite/sweep/sweep.hpp"

#include <limits>
#include <stdexcept>

#include "suite/sweep/best_candidate.hpp"
#include "suite/sweep/measurement_rounds.hpp"

namespace dwarfsweep {

using std::chrono::milliseconds;
using Clock = TimeBudget::Clock;

Sweep::Sweep(const Options& options, const std::filesystem::path& folder, RunLog log)
    : options_(options),
      log_(folder, std::move(log)),
      budget_(options.budget),
      progress_(budget_),
      failures_(options.give_up_after),
      outcomes_(log_, failures_, options.cache),
      context_{options_, outcomes_, progress_},
      devices_(options_, folder, log_, progress_) {}

void Sweep::run(std::vector<SweepGroup>& groups) {
  if (log().run.run_id.empty()) throw std::logic_error("a sweep needs the record of its run");
  if (log_.is_new()) log_.append(RunRecord(log().run));
  try {
    std::size_t before = std::numeric_limits<std::size_t>::max();
    for (;;) {
      restore_from_log(groups);
      run_all(groups);
      // What some groups left of the budget is for the points of others.
      const std::size_t cut_short = cut_short_by_budget(groups);
      if (cut_short == 0 || cut_short >= before || budget_.left() < budget_.total() / 20) break;
      before = cut_short;
    }
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
  progress_.clear();
  devices_.close();
}

// What the log says of the points: a run goes on where it was stopped, or where the budget cut it short.
void Sweep::restore_from_log(std::vector<SweepGroup>& groups) {
  std::size_t total = 0;
  for (SweepGroup& group : groups) {
    for (SweepPoint& point : group.points) {
      const std::string* stopped = log_.stop_reason(point);
      // What the budget cut short goes on when there is more.
      point.ended = stopped != nullptr && *stopped != out_of_budget;
      point.alive = false;
      point.stop_reason.clear();
      point.process = 0;
    }
    total += points_to_do(group);
  }
  progress_.start(total);
}

void Sweep::run_all(std::vector<SweepGroup>& groups) {
  std::size_t to_do = 0;
  for (const SweepGroup& group : groups) to_do += points_to_do(group);
  for (SweepGroup& group : groups) {
    const std::size_t points = points_to_do(group);
    const milliseconds share = budget_.share(points, to_do);
    to_do -= points;
    run_group(group, share);
    progress_.add_done(points);
  }
}

std::size_t Sweep::cut_short_by_budget(const std::vector<SweepGroup>& groups) const {
  std::size_t count = 0;
  for (const SweepGroup& group : groups) {
    for (const SweepPoint& point : group.points) {
      const std::string* stopped = log_.stop_reason(point);
      if (stopped != nullptr && *stopped == out_of_budget) ++count;
    }
  }
  return count;
}

void Sweep::run_group(SweepGroup& group, milliseconds share) {
  const Clock::time_point deadline = Clock::now() + share;
  for (SweepPoint& point : group.points) {
    if (!point.rejected.empty() && !point.ended) outcomes_.reject(point);
  }
  failures_.give_another_chance(group);
  if (points_to_do(group) == 0) {
    for (const SweepPoint* point : preparation_order(group, options_.seed)) outcomes_.count_known(*point);
    return;
  }
  DeviceClient& client = devices_.client_of(group.device);
  if (const auto problem = devices_.open(client)) {
    for (SweepPoint& point : group.points) {
      if (point.rejected.empty() && !point.ended)
        outcomes_.fail(point, problem->status, "opening the device: " + problem->reason);
    }
    return;
  }
  PointMeasurer measurer(context_, client, group);
  // A quarter of the group's time remains for measuring what was prepared.
  prepare_all(measurer, group, Clock::now() + share * 3 / 4);
  MeasurementRounds(context_, measurer, group).measure_until(deadline);
  remeasure_best_candidate(group, context_, measurer);
  finish(measurer, group);
  drop_points(client);
}

void Sweep::prepare_all(PointMeasurer& measurer, SweepGroup& group, Clock::time_point deadline) {
  for (SweepPoint* point : preparation_order(group, options_.seed)) {
    if (point->ended) {
      // A baseline that has ended is still needed: what is to do is paired with it.
      if (!point->baseline || !outcomes_.restore(*point)) outcomes_.count_known(*point);
    } else if (point->baseline || Clock::now() < deadline) {
      measurer.prepare(*point);
    }
  }
}

void Sweep::finish(PointMeasurer& measurer, SweepGroup& group) {
  for (SweepPoint& point : group.points) {
    if (point.ended || !point.rejected.empty()) continue;
    if (!point.alive || log_.ordinary_blocks(point).empty()) {
      outcomes_.fail(point, Status::rejected,
                     "not measured: the budget was spent before its turn; --resume measures it",
                     out_of_budget);
    } else if (measurer.check_last_output(point)) {
      outcomes_.end(point, point.stop_reason.empty() ? out_of_budget : point.stop_reason);
    }
  }
}

// The next group has other data. A worker that cannot even forget is ended.
void Sweep::drop_points(DeviceClient& client) {
  try {
    (void)client.ask({{"do", "drop"}}, options_.point_timeout);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client.stop();
  }
}

}  // namespace dwarfsweep
