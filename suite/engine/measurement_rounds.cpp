#include "suite/engine/measurement_rounds.hpp"

#include <algorithm>

#include "harness/statistics/random.hpp"
#include "suite/engine/convergence.hpp"

namespace dwarfsweep {

void MeasurementRounds::measure_until(Clock::time_point deadline, int rounds) {
  std::vector<SweepPoint*> open = open_points();
  const int pairs = pairs_that_fit(deadline);
  const int blocks_per_process = options_.quality.blocks_per_process;
  for (int round = 0; round < rounds && !open.empty(); ++round) {
    if (round > 0 && Clock::now() > deadline) return;
    if (blocks_per_process > 0 && round > 0 && round % blocks_per_process == 0) measurer_.renew_process();
    measure_round(open, round, pairs, deadline);
    std::erase_if(open, [](const SweepPoint* point) { return !point->alive || !point->stop_reason.empty(); });
  }
  if (rounds < options_.quality.rounds) return;
  for (SweepPoint* point : open) point->stop_reason = "rounds";
}

std::vector<SweepPoint*> MeasurementRounds::open_points() const {
  std::vector<SweepPoint*> open;
  for (SweepPoint& point : group_.points) {
    if (point.alive && !point.ended) open.push_back(&point);
  }
  return open;
}

int MeasurementRounds::pairs_that_fit(Clock::time_point deadline) const {
  double pair_ns = 0;
  const double baseline_ns = group_.points.front().sample_ns;
  for (const SweepPoint* point : open_points()) pair_ns += point->sample_ns + baseline_ns;
  const double left_ns = std::chrono::duration<double, std::nano>(deadline - Clock::now()).count();
  const double fit = left_ns / std::max(1.0, pair_ns * options_.quality.blocks);
  return static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(options_.quality.pairs)));
}

void MeasurementRounds::measure_round(std::vector<SweepPoint*>& open, int round, int pairs,
                                      Clock::time_point deadline) {
  Random random(seed_of_part(options_.seed, static_cast<std::uint64_t>(round)));
  random.shuffle(open);
  for (SweepPoint* point : open) {
    if (round > 0 && Clock::now() > deadline) return;
    if (point->alive) measure_in_turn(*point, round, pairs);
  }
}

void MeasurementRounds::measure_in_turn(SweepPoint& point, int round, int pairs) {
  const SweepLog& log = outcomes_.log();
  const auto has_converged = [&] { return converged(log.ordinary_blocks(point), options_.quality); };
  const int blocks = static_cast<int>(log.ordinary_blocks(point).size());
  if (blocks > round) {  // of an earlier visit, or of the run that is resumed
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
