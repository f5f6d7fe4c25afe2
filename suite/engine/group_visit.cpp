#include "suite/engine/group_visit.hpp"

#include <algorithm>

#include "suite/engine/best_candidate.hpp"
#include "suite/engine/energy_phase.hpp"
#include "suite/engine/measurement_rounds.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// Parts of a visit's share. Many points are worth more than narrow intervals of few, but each must have its
// blocks, and the best candidate its re-measurement.
constexpr double preparing_part = 0.65;
constexpr double measuring_part = 0.85;
// A brief visit measures no more than the minimum; what it does not need is for the visits after it.
constexpr double brief_measuring_part = 0.3;

// Beyond the share, and only where the device has a counter of energy.
constexpr double energy_part = 0.15;

milliseconds part_of(milliseconds share, double part) {
  return milliseconds(static_cast<long long>(static_cast<double>(share.count()) * part));
}

}  // namespace

void GroupVisit::run(const VisitPlan& plan) {
  const auto begin = Clock::now();
  context_.builds.prefer(plan.points);
  prepare_baseline();
  prepare(plan, begin);
  MeasurementRounds rounds(context_, measurer_, group_);
  if (plan.brief) {
    const auto measuring = Clock::now() + part_of(plan.share, brief_measuring_part);
    rounds.measure_until(measuring, context_.options.quality.blocks);
  } else {
    rounds.measure_until(begin + part_of(plan.share, measuring_part), context_.options.quality.rounds);
    remeasure_best_candidates(group_, context_, measurer_, begin + plan.share);
    measure_energies(group_, context_, measurer_, part_of(plan.share, energy_part));
  }
  check_and_end();
}

void GroupVisit::prepare_baseline() {
  SweepPoint& baseline = group_.points.front();
  if (!baseline.baseline || baseline.alive || !baseline.rejected.empty()) return;
  if (baseline.ended) {
    (void)context_.outcomes.restore(baseline);
  } else {
    measurer_.prepare(baseline);
  }
}

void GroupVisit::prepare(const VisitPlan& plan, Clock::time_point begin) {
  const milliseconds latest = part_of(plan.share, preparing_part);
  std::vector<SweepPoint*> left;
  for (SweepPoint* point : plan.points) {
    if (!point->ended && !point->alive) left.push_back(point);
  }
  while (!left.empty()) {
    const auto last = begin + std::min(latest, plan.share - min_measuring_time());
    if (Clock::now() >= last) return;
    measurer_.prepare(*context_.builds.take_next(left));
  }
}

milliseconds GroupVisit::min_measuring_time() const {
  double pair_ns = 0;
  for (const SweepPoint& point : group_.points) {
    if (point.alive && !point.ended && context_.outcomes.log().blocks(point).empty())
      pair_ns += point.sample_ns + group_.points.front().sample_ns;
  }
  return milliseconds(static_cast<long long>(pair_ns / 1e6));
}

void GroupVisit::check_and_end() {
  measurer_.check_last_outputs();
  for (SweepPoint& point : group_.points) {
    if (point.alive && !point.ended && !point.stop_reason.empty())
      context_.outcomes.end(point, point.stop_reason);
  }
}

}  // namespace dwarfsweep
