#include "suite/tune/race.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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
  Race(Track& track, std::size_t point, const RaceRules& rules, RaceState& state)
      : track_(track), point_(point), rules_(rules), state_(state) {}

  RaceResult run() {
    const std::optional<RunTimes> sample = track_.enter(point_);
    if (!sample) return {};
    RaceResult result = against_incumbents(*sample);
    if (result.standing && !track_.leave(point_)) result = {};
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
      const std::optional<double> joules = track_.joules(point_);
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

  // Nothing where the opponent failed.
  std::optional<RaceOutcome> against(std::size_t opponent) {
    forget_blocks();
    for (const int pairs : rules_.pairs) {
      const std::vector<PairTimes> block = track_.measure({point_, opponent, pairs});
      if (!track_.runs(opponent)) return std::nullopt;
      if (!track_.runs(point_)) return RaceOutcome::failed;
      if (block.empty()) break;  // no time left
      take(block);
      const LogInterval ratio = ratio_of(blocks_, state_.noise.deviation());
      if (ratio.high() < 0) return RaceOutcome::dropped;
      const bool enough = blocks_.size() >= rules_.min_blocks;
      if (enough && ratio.low() > 0) return measured_again(opponent);
      if (enough && ratio.error < rules_.target) break;
    }
    return RaceOutcome::tied;
  }

  // The pairs by which it was found to be faster flatter it, and over many incumbents that would add up: what
  // counts is a fresh block.
  std::optional<RaceOutcome> measured_again(std::size_t opponent) {
    const std::vector<PairTimes> block = track_.measure({point_, opponent, rules_.fresh_pairs});
    if (!track_.runs(opponent)) return std::nullopt;
    if (!track_.runs(point_)) return RaceOutcome::failed;
    if (block.empty()) return RaceOutcome::faster;  // no time left
    forget_blocks();
    take(block);
    return ratio_of(blocks_, state_.noise.deviation()).centre > 0 ? RaceOutcome::faster : RaceOutcome::tied;
  }

  void take(const std::vector<PairTimes>& block) {
    LogRatios ratios;
    LogRatios times;
    LogRatios energies;
    std::vector<RunTimes> own;
    std::vector<RunTimes> opponents;
    for (const PairTimes& pair : block) {
      ratios.push_back(log_ratio(rules_.objective, pair.opponent, pair.own));
      times.push_back(log_ratio(pair.opponent, pair.own));
      if (rules_.objective != Objective::time)
        energies.push_back(log_ratio(Objective::energy, pair.opponent, pair.own));
      own.push_back(pair.own);
      opponents.push_back(pair.opponent);
    }
    own_times_ = median_times(own);
    state_.incumbent_times = median_times(opponents);
    state_.noise.add(ratios);
    blocks_.push_back(std::move(ratios));
    times_.push_back(std::move(times));
    if (rules_.objective != Objective::time) energies_.push_back(std::move(energies));
  }

  Track& track_;
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
  rules.fresh_pairs = 2;
  return rules;
}

RaceResult race(Track& track, std::size_t point, const RaceRules& rules, RaceState& state) {
  return Race(track, point, rules, state).run();
}

}  // namespace dwarfsweep
