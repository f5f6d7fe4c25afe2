#include "suite/tune/finals.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace dwarfsweep {
namespace {

// Of the time for the finals, what is left after each step.
constexpr double left_after_halving = 0.6;
constexpr double left_after_comparing = 0.25;

SamplePair pair_of(Objective objective, const PairTimes& times) {
  return {std::exp(log_ratio(objective, times.opponent, times.own)), 1};
}

class Finals {
 public:
  Finals(Track& track, const Standings& standings, double noise, const FinalRules& rules,
         const TimeLeft& time_left)
      : track_(track),
        standings_(standings),
        noise_(noise),
        rules_(rules),
        left_(time_left),
        random_(rules.seed) {}

  FinalResult run() {
    for (const Standing& each : standings_.contenders()) {
      (finalists_.size() < rules_.finalists ? finalists_ : others_).push_back(each);
    }
    if (finalists_.empty() && standings_.fastest()) finalists_.push_back(*standings_.fastest());
    halve();
    compare();
    FinalResult result;
    if (finalists_.empty()) return result;
    result.best = finalists_.front().point;
    confirm(result);
    if (!track_.runs(*result.best)) return {};
    for (const auto& [point, speedup] : fresh_) {
      if (track_.runs(point) && speedup.low <= 1 && speedup.high >= 1)
        result.tied.push_back({point, speedup, true});
    }
    add_tied_by_search(result);
    return result;
  }

 private:
  using Blocks = std::vector<std::vector<SamplePair>>;

  // The leader stays in front: all others are measured against it.
  void halve() {
    std::vector<Standing> left = finalists_;
    for (int blocks = 1; left.size() > 1 && left_() > left_after_halving; blocks *= 2) {
      std::map<std::size_t, std::vector<LogRatios>> ratios;
      for (int block = 0; block < blocks && (block == 0 || left_() > left_after_halving); ++block)
        measure_round(left, ratios);
      update(left, ratios);
      std::stable_sort(left.begin(), left.end(),
                       [](const Standing& a, const Standing& b) { return a.log_cost < b.log_cost; });
      left.resize((left.size() + 1) / 2);
      put_first(left);
    }
  }

  void measure_round(const std::vector<Standing>& left,
                     std::map<std::size_t, std::vector<LogRatios>>& ratios) {
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i < left.size(); ++i) order.push_back(left[i].point);
    random_.shuffle(order);
    for (const std::size_t point : order) {
      LogRatios block;
      for (const PairTimes& pair : track_.measure({point, left.front().point, rules_.pairs, false}))
        block.push_back(log_ratio(rules_.objective, pair.opponent, pair.own));
      if (!block.empty()) ratios[point].push_back(block);
    }
  }

  // Points that fail are out.
  void update(std::vector<Standing>& left, const std::map<std::size_t, std::vector<LogRatios>>& ratios) {
    const Standing leader = left.front();
    for (Standing& each : left) {
      const auto measured = ratios.find(each.point);
      if (measured == ratios.end()) continue;
      const LogInterval ratio = ratio_of(measured->second, noise_);
      each.log_cost = leader.log_cost - ratio.centre;
    }
    const auto fails = [&](const Standing& each) { return !track_.runs(each.point); };
    std::erase_if(left, fails);
    std::erase_if(finalists_, fails);
    for (Standing& each : finalists_) {
      for (const Standing& now : left) {
        if (now.point == each.point) each = now;
      }
    }
  }

  void put_first(const std::vector<Standing>& left) {
    const auto rank = [&](const Standing& each) {
      return std::find_if(left.begin(), left.end(),
                          [&](const Standing& other) { return other.point == each.point; });
    };
    std::stable_sort(finalists_.begin(), finalists_.end(),
                     [&](const Standing& a, const Standing& b) { return rank(a) < rank(b); });
  }

  // Each finalist in fresh blocks against the leader, in rounds, until it is told apart or the interval is as
  // narrow as wanted. One that is faster takes the lead; what was measured against the last leader is
  // measured again.
  void compare() {
    constexpr int max_leaders = 3;
    for (int leaders = 1; leaders <= max_leaders; ++leaders) {
      fresh_.clear();
      std::map<std::size_t, Blocks> blocks;
      for (int round = 0; round < rules_.max_blocks; ++round) {
        if (round > 0 && left_() <= left_after_comparing) break;
        if (!compare_round(blocks)) break;
      }
      const std::optional<std::size_t> faster = faster_than_leader();
      if (!faster || leaders == max_leaders) break;
      std::stable_partition(finalists_.begin(), finalists_.end(),
                            [&](const Standing& each) { return each.point == *faster; });
    }
    drop_failed();
  }

  void drop_failed() {
    std::erase_if(finalists_, [&](const Standing& each) { return !track_.runs(each.point); });
  }

  // False where all is known.
  bool compare_round(std::map<std::size_t, Blocks>& blocks) {
    const std::size_t leader = finalists_.empty() ? 0 : finalists_.front().point;
    drop_failed();
    if (finalists_.empty()) return false;
    if (finalists_.front().point != leader) {
      blocks.clear();
      fresh_.clear();
    }
    std::vector<std::size_t> open;
    for (std::size_t i = 1; i < finalists_.size(); ++i) {
      if (!is_decided(finalists_[i].point, blocks[finalists_[i].point])) open.push_back(finalists_[i].point);
    }
    random_.shuffle(open);
    bool any = false;
    for (const std::size_t point : open) {
      const std::vector<PairTimes> taken =
          track_.measure({point, finalists_.front().point, rules_.pairs, true});
      if (taken.empty()) continue;
      any = true;
      blocks[point].emplace_back();
      for (const PairTimes& pair : taken) blocks[point].back().push_back(pair_of(rules_.objective, pair));
      fresh_[point] = *paired_speedup(blocks[point], sequential_confidence);
    }
    return any;
  }

  bool is_decided(std::size_t point, const Blocks& blocks) const {
    if (static_cast<int>(blocks.size()) < rules_.min_blocks) return false;
    const Speedup& speedup = fresh_.at(point);
    return speedup.high < 1 || speedup.low > 1 || relative_half_width(speedup) <= rules_.target;
  }

  std::optional<std::size_t> faster_than_leader() const {
    std::optional<std::size_t> faster;
    double ratio = 1;
    for (const auto& [point, speedup] : fresh_) {
      if (speedup.low <= 1 || speedup.ratio <= ratio || !track_.runs(point)) continue;
      faster = point;
      ratio = speedup.ratio;
    }
    return faster;
  }

  // Nothing where the baseline does not run: the point is measured alone.
  void confirm(FinalResult& result) {
    constexpr std::size_t baseline = 0;
    const std::size_t best = finalists_.front().point;
    const bool has_energy = rules_.objective != Objective::time;
    if (best == baseline) {
      result.speedup = Speedup{1, 1, 1, Verdict::within_noise};
      if (has_energy) result.saving = result.speedup;
      return;
    }
    Blocks times;
    Blocks energies;
    const auto narrow = [&](const std::optional<Speedup>& ratio) {
      return !ratio || relative_half_width(*ratio) <= rules_.target;
    };
    for (int block = 0; block < 3 * rules_.max_blocks; ++block) {
      if (block > 0 && left_() <= 0) break;
      if (block >= rules_.min_blocks && narrow(result.speedup) && narrow(result.saving)) break;
      const std::vector<PairTimes> taken = track_.measure({best, baseline, rules_.pairs, true});
      if (taken.empty()) break;
      if (taken.front().opponent.wall_ns <= 0) continue;
      result.speedup = paired_with(taken, Objective::time, times);
      if (has_energy) result.saving = paired_with(taken, Objective::energy, energies);
    }
  }

  static std::optional<Speedup> paired_with(const std::vector<PairTimes>& taken, Objective objective,
                                            Blocks& blocks) {
    blocks.emplace_back();
    for (const PairTimes& pair : taken) blocks.back().push_back(pair_of(objective, pair));
    return paired_speedup(blocks, sequential_confidence);
  }

  // Those outside of the finals that nothing separates from the best, on the scale of the search.
  void add_tied_by_search(FinalResult& result) const {
    const Standing* const best = standings_.find(*result.best);
    if (best == nullptr) return;
    for (const Standing& each : others_) {
      const double error = standings_.error_between(each.point, best->point);
      const double ratio = best->log_cost - each.log_cost;
      if (ratio + error < 0 || !track_.runs(each.point)) continue;
      const Speedup over_best{std::exp(ratio), std::exp(ratio - error), std::exp(ratio + error),
                              Verdict::within_noise};
      result.tied.push_back({each.point, over_best, false});
    }
  }

  Track& track_;
  const Standings& standings_;
  double noise_;
  const FinalRules& rules_;
  const TimeLeft& left_;
  Random random_;
  std::vector<Standing> finalists_;  // the leader first
  std::vector<Standing> others_;
  std::map<std::size_t, Speedup> fresh_;  // over the leader
};

}  // namespace

FinalRules final_rules(Objective objective, double target, std::uint64_t seed) {
  FinalRules rules;
  rules.target = target;
  rules.seed = seed;
  rules.objective = objective;
  if (objective == Objective::time) return rules;
  rules.finalists = 4;
  rules.pairs = 1;
  rules.max_blocks = 6;
  return rules;
}

FinalResult run_finals(Track& track, const Standings& standings, double noise, const FinalRules& rules,
                       const TimeLeft& time_left) {
  return Finals(track, standings, noise, rules, time_left).run();
}

}  // namespace dwarfsweep
