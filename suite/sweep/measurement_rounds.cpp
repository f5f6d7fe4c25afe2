#include "suite/sweep/measurement_rounds.hpp"

#include <algorithm>

#include "harness/random.hpp"
#include "suite/sweep/convergence.hpp"

namespace dwarfsweep {

void MeasurementRounds::measure_until(Clock::time_point deadline) {
  std::vector<SweepPoint*> open;
  for (SweepPoint& point : group_.points) {
    if (point.alive && !point.ended) open.push_back(&point);
  }
  const int pairs = pairs_that_fit(deadline);
  for (int round = 0; round < options_.quality.rounds && !open.empty(); ++round) {
    Random random(seed_of_part(options_.seed, static_cast<std::uint64_t>(round)));
    random.shuffle(open);
    for (SweepPoint* point : open) {
      if (Clock::now() > deadline && round > 0) {
        point->stop_reason = out_of_budget;
      } else if (point->alive) {
        measure_in_turn(*point, round, pairs);
      }
    }
    std::erase_if(open, [](const SweepPoint* point) { return !point->alive || !point->stop_reason.empty(); });
  }
  for (SweepPoint* point : open) point->stop_reason = "rounds";
}

int MeasurementRounds::pairs_that_fit(Clock::time_point deadline) const {
  double pair_ns = 0;
  const double baseline_ns = group_.points.front().sample_ns;
  for (const SweepPoint& point : group_.points) {
    if (point.alive) pair_ns += point.sample_ns + baseline_ns;
  }
  const double left_ns = std::chrono::duration<double, std::nano>(deadline - Clock::now()).count();
  const double fit = left_ns / std::max(1.0, pair_ns * options_.quality.blocks);
  return std::clamp(static_cast<int>(fit), 1, options_.quality.pairs);
}

void MeasurementRounds::measure_in_turn(SweepPoint& point, int round, int pairs) {
  const SweepLog& log = outcomes_.log();
  const auto has_converged = [&] { return converged(log.ordinary_blocks(point), options_.quality); };
  const int blocks = static_cast<int>(log.ordinary_blocks(point).size());
  if (blocks > round) {  // a resumed run has this block already
    if (blocks == round + 1 && has_converged()) point.stop_reason = "converged";
    return;
  }
  if (outcomes_.given_up(point)) {
    if (blocks == 0) return outcomes_.skip(point);
    point.stop_reason = skipped;
    return;
  }
  if (!measurer_.has_time_for_block(point)) {
    point.stop_reason = "point-timeout";
    return;
  }
  measurer_.measure_block(point, {.round = round, .pairs = pairs});
  if (point.alive && has_converged()) point.stop_reason = "converged";
}

}  // namespace dwarfsweep
