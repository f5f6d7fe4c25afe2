#include "suite/tune/race.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "suite/engine/block_loop.hpp"

namespace dwarfsweep {
namespace {

// The first point of a scale.
Standing standing_of(Objective objective, std::size_t point, const RunTimes& sample) {
  Standing standing{point};
  standing.log_time = std::log(sample.span_ns > 0 ? sample.span_ns : sample.wall_ns);
  standing.log_cost = standing.log_time;
  if (objective == Objective::time) return standing;
  standing.log_joules = std::log(sample.joules);
  standing.log_cost =
      objective == Objective::energy ? *standing.log_joules : (standing.log_time + *standing.log_joules) / 2;
  return standing;
}

class Race {
 public:
  Race(Candidates& candidates, std::size_t point, const RaceRules& rules, RaceState& state)
      : candidates_(candidates), point_(point), rules_(rules), state_(state) {}

  RaceResult run() {
    const std::optional<RunTimes> sample = candidates_.enter(point_);
    if (!sample) return {};
    RaceResult result = against_incumbents(*sample);
    if (result.standing && !candidates_.leave(point_)) result = {};
    if (!result.standing) return {};
    state_.standings.add(*result.standing, result.outcome);
    if (result.outcome == RaceOutcome::faster) state_.incumbent_times = own_times_;
    return result;
  }

 private:
  // An incumbent that fails, which is found out only now, is followed by another.
  RaceResult against_incumbents(const RunTimes& sample) {
    while (const Standing* const incumbent = state_.standings.incumbent()) {
      const Standing opponent = *incumbent;
      const double behind = log_ratio(sample, state_.incumbent_times);
      if (behind > std::log(rules_.hopeless)) return {RaceOutcome::screened, by_sample(opponent, behind)};
      const std::optional<RaceOutcome> outcome = against(opponent.point);
      if (outcome) {
        if (*outcome == RaceOutcome::failed) return {};
        if (blocks_.empty())  // its time limit has no room for a pair
          return {RaceOutcome::dropped, by_sample(opponent, behind)};
        return {*outcome, by_pairs(opponent)};
      }
      state_.standings.remove(opponent.point);
      if (const Standing* const next = state_.standings.incumbent()) {
        // What it takes now is not known; its place on the scale is.
        const double factor = std::exp(next->log_time - opponent.log_time);
        state_.incumbent_times.span_ns *= factor;
        state_.incumbent_times.wall_ns *= factor;
      }
    }
    return first(sample);
  }

  RaceResult first(RunTimes sample) {
    if (rules_.objective != Objective::time) {
      const std::optional<double> joules = candidates_.joules(point_);
      if (!joules) return {};
      sample.joules = *joules;
    }
    own_times_ = sample;
    return {RaceOutcome::faster, standing_of(rules_.objective, point_, sample)};
  }

  // As if it took the opponent's power.
  Standing by_sample(const Standing& opponent, double behind) const {
    Standing standing{point_, opponent.log_cost + behind, 0, opponent.point};
    standing.log_time = opponent.log_time + behind;
    return standing;
  }

  Standing by_pairs(const Standing& opponent) const {
    const double noise = state_.noise.deviation();
    const LogInterval ratio = ratio_of(blocks_, noise);
    Standing standing{point_, opponent.log_cost - ratio.centre, ratio.error, opponent.point};
    standing.log_time = opponent.log_time - ratio_of(times_, noise).centre;
    if (opponent.log_joules) standing.log_joules = *opponent.log_joules - ratio_of(energies_, noise).centre;
    return standing;
  }

  void forget_blocks() {
    blocks_.clear();
    times_.clear();
    energies_.clear();
  }

  // A sequential comparison; nothing if the reference failed.
  std::optional<RaceOutcome> against(std::size_t reference) {
    forget_blocks();
    const auto told_apart = [&](int) { return outcome_of_blocks().has_value(); };
    measure_blocks_of_one(
        first_of({after_rounds(static_cast<int>(rules_.pairs.size())), told_apart}),
        [&](int block) { return measure(reference, rules_.pairs[static_cast<std::size_t>(block)]); });
    if (!candidates_.runs(reference)) return std::nullopt;
    if (!candidates_.runs(point_)) return RaceOutcome::failed;
    const RaceOutcome outcome = outcome_of_blocks().value_or(RaceOutcome::tied);
    return outcome == RaceOutcome::faster ? remeasured(reference) : outcome;
  }

  // What the blocks so far say; nothing if more are needed.
  std::optional<RaceOutcome> outcome_of_blocks() const {
    if (blocks_.empty()) return std::nullopt;
    const LogInterval ratio = ratio_of(blocks_, state_.noise.deviation());
    if (ratio.high() < 0) return RaceOutcome::dropped;
    if (blocks_.size() < rules_.min_blocks) return std::nullopt;
    if (ratio.low() > 0) return RaceOutcome::faster;
    return ratio.error < rules_.target ? std::optional(RaceOutcome::tied) : std::nullopt;
  }

  // The pairs by which it was found to be faster flatter it, and over many incumbents that would add up: what
  // counts is a new block.
  std::optional<RaceOutcome> remeasured(std::size_t reference) {
    const std::vector<PairTimes> block = candidates_.measure({point_, reference, rules_.remeasured_pairs});
    if (!candidates_.runs(reference)) return std::nullopt;
    if (!candidates_.runs(point_)) return RaceOutcome::failed;
    if (block.empty()) return RaceOutcome::faster;  // no time left
    forget_blocks();
    take(block);
    return ratio_of(blocks_, state_.noise.deviation()).centre > 0 ? RaceOutcome::faster : RaceOutcome::tied;
  }

  // False if there was no block: one of the two fails, or no time is left.
  bool measure(std::size_t reference, int pairs) {
    const std::vector<PairTimes> block = candidates_.measure({point_, reference, pairs});
    if (block.empty() || !candidates_.runs(reference) || !candidates_.runs(point_)) return false;
    take(block);
    return true;
  }

  void take(const std::vector<PairTimes>& block) {
    LogRatios ratios;
    LogRatios times;
    LogRatios energies;
    std::vector<RunTimes> own;
    std::vector<RunTimes> references;
    for (const PairTimes& pair : block) {
      ratios.push_back(log_ratio(rules_.objective, pair.reference, pair.own));
      times.push_back(log_ratio(pair.reference, pair.own));
      if (rules_.objective != Objective::time)
        energies.push_back(log_ratio(Objective::energy, pair.reference, pair.own));
      own.push_back(pair.own);
      references.push_back(pair.reference);
    }
    own_times_ = median_times(own);
    state_.incumbent_times = median_times(references);
    state_.noise.add(ratios);
    blocks_.push_back(std::move(ratios));
    times_.push_back(std::move(times));
    if (rules_.objective != Objective::time) energies_.push_back(std::move(energies));
  }

  Candidates& candidates_;
  std::size_t point_;
  const RaceRules& rules_;
  RaceState& state_;
  std::vector<LogRatios> blocks_;    // by the objective
  std::vector<LogRatios> times_;     // of the same
  std::vector<LogRatios> energies_;  // of the same, where the objective has energy
  RunTimes own_times_;               // the latest
};

}  // namespace

RaceRules race_rules(Objective objective, double target) {
  RaceRules rules;
  rules.target = target;
  rules.objective = objective;
  if (objective == Objective::time) return rules;
  rules.pairs = {1, 1, 2, 2};
  rules.remeasured_pairs = 2;
  return rules;
}

RaceResult race(Candidates& candidates, std::size_t point, const RaceRules& rules, RaceState& state) {
  return Race(candidates, point, rules, state).run();
}

}  // namespace dwarfsweep
