#include "suite/tune/race.hpp"

#include <algorithm>
#include <cmath>

namespace dwarfsweep {
namespace {

double log_of(const RunTimes& times) {
  return std::log(times.span_ns > 0 ? times.span_ns : times.wall_ns);
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
      if (behind > std::log(rules_.hopeless))
        return {RaceOutcome::screened, Standing{point_, opponent.log_time + behind, 0, opponent.point}};
      const std::optional<RaceOutcome> outcome = against(opponent.point);
      if (outcome) {
        if (*outcome == RaceOutcome::failed) return {};
        if (blocks_.empty())  // its time limit has no room for a pair
          return {RaceOutcome::dropped, Standing{point_, opponent.log_time + behind, 0, opponent.point}};
        const LogInterval ratio = ratio_of(blocks_, state_.noise.deviation());
        return {*outcome, Standing{point_, opponent.log_time - ratio.centre, ratio.error, opponent.point}};
      }
      state_.standings.remove(opponent.point);
      if (const Standing* const next = state_.standings.incumbent()) {
        // What it takes now is not known; its place on the scale is.
        const double factor = std::exp(next->log_time - opponent.log_time);
        state_.incumbent_times.span_ns *= factor;
        state_.incumbent_times.wall_ns *= factor;
      }
    }
    own_times_ = sample;
    return {RaceOutcome::faster, Standing{point_, log_of(sample), 0}};
  }

  // Nothing where the opponent failed.
  std::optional<RaceOutcome> against(std::size_t opponent) {
    blocks_.clear();
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
    blocks_.clear();
    take(block);
    return ratio_of(blocks_, state_.noise.deviation()).centre > 0 ? RaceOutcome::faster : RaceOutcome::tied;
  }

  void take(const std::vector<PairTimes>& block) {
    LogRatios ratios;
    std::vector<RunTimes> own;
    std::vector<RunTimes> opponents;
    for (const PairTimes& pair : block) {
      ratios.push_back(log_ratio(pair.opponent, pair.own));
      own.push_back(pair.own);
      opponents.push_back(pair.opponent);
    }
    own_times_ = median_times(own);
    state_.incumbent_times = median_times(opponents);
    state_.noise.add(ratios);
    blocks_.push_back(std::move(ratios));
  }

  Track& track_;
  std::size_t point_;
  const RaceRules& rules_;
  RaceState& state_;
  std::vector<LogRatios> blocks_;
  RunTimes own_times_;  // the latest
};

}  // namespace

RaceResult race(Track& track, std::size_t point, const RaceRules& rules, RaceState& state) {
  return Race(track, point, rules, state).run();
}

}  // namespace dwarfsweep
