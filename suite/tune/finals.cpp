#include "suite/tune/finals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/statistics/random.hpp"
#include "suite/engine/block_loop.hpp"

namespace dwarfsweep {
namespace {

// Of the time for the finals, without what is kept for the confirmation.
constexpr double halving_part = 0.5;

using Blocks = std::vector<PairBlock>;

std::optional<Speedup> speedup_of(Objective objective, const Blocks& blocks) {
  std::vector<std::vector<SamplePair>> pairs;
  for (const PairBlock& block : blocks) {
    pairs.emplace_back();
    for (const PairTimes& pair : block)
      pairs.back().push_back({std::exp(log_ratio(objective, pair.reference, pair.own)), 1});
  }
  return paired_speedup(pairs, sequential_confidence, tick_of(objective, blocks));
}

class Finals {
 public:
  Finals(Candidates& candidates, const Standings& standings, double noise, const FinalRules& rules,
         const TimeLeft& time_left)
      : candidates_(candidates),
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
    if (!candidates_.runs(*result.best)) return {};
    for (const auto& [point, speedup] : over_leader_) {
      if (candidates_.runs(point) && speedup.low <= 1 && speedup.high >= 1)
        result.tied.push_back({point, speedup, true});
    }
    for (std::size_t i = 1; i < finalists_.size(); ++i) {
      if (!over_leader_.contains(finalists_[i].point)) others_.push_back(finalists_[i]);  // no time for it
    }
    add_tied_by_search(result);
    return result;
  }

 private:
  // The leader stays in front: all others are measured against it.
  void halve() {
    std::vector<Standing> left = finalists_;
    const double left_after = 1 - halving_part * (1 - rules_.confirming_part);
    for (int blocks = 1; left.size() > 1 && left_() > left_after; blocks *= 2) {
      std::map<std::size_t, Blocks> measured;
      measure_blocks(
          first_of({after_rounds(blocks), when_left(left_after)}),
          [&](int) {
            return shuffled({left.begin() + 1, left.end()});
          },
          [&](std::size_t point, int) {
            const PairBlock block = candidates_.measure({point, left.front().point, rules_.pairs, false});
            if (!block.empty()) measured[point].push_back(block);
          });
      update(left, measured);
      std::ranges::stable_sort(left, {}, &Standing::log_cost);
      left.resize((left.size() + 1) / 2);
      put_first(left);
    }
  }

  StopWhen when_left(double part) const {
    return [this, part](int) { return left_() <= part; };
  }

  std::vector<std::size_t> shuffled(const std::vector<Standing>& standings) {
    std::vector<std::size_t> points;
    for (const Standing& each : standings) points.push_back(each.point);
    random_.shuffle(points);
    return points;
  }

  // Points that fail are out.
  void update(std::vector<Standing>& left, const std::map<std::size_t, Blocks>& blocks) {
    const Standing leader = left.front();
    for (Standing& each : left) {
      if (const auto measured = blocks.find(each.point); measured != blocks.end())
        each.log_cost = leader.log_cost - ratio_of(rules_.objective, measured->second, noise_).centre;
    }
    const auto fails = [&](const Standing& each) { return !candidates_.runs(each.point); };
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
      return std::ranges::find(left, each.point, &Standing::point);
    };
    std::ranges::stable_sort(finalists_,
                             [&](const Standing& a, const Standing& b) { return rank(a) < rank(b); });
  }

  // Each finalist in new blocks against the leader, in rounds, until they differ or the interval is as
  // narrow as wanted. A faster one takes the lead; what was measured against the previous leader is measured
  // again.
  void compare() {
    constexpr int max_leaders = 3;
    for (int leaders = 1; leaders <= max_leaders; ++leaders) {
      over_leader_.clear();
      std::map<std::size_t, Blocks> blocks;
      bool any = true;
      const auto next_round = [&](int) {
        if (!std::exchange(any, false)) return std::vector<std::size_t>();
        return undecided(blocks);
      };
      measure_blocks(first_of({after_rounds(rules_.max_blocks), when_left(rules_.confirming_part)}),
                     next_round,
                     [&](std::size_t point, int) { any = compare_with_leader(point, blocks[point]) || any; });
      const std::optional<std::size_t> faster = faster_than_leader();
      if (!faster || leaders == max_leaders) break;
      std::stable_partition(finalists_.begin(), finalists_.end(),
                            [&](const Standing& each) { return each.point == *faster; });
    }
    drop_failed();
  }

  void drop_failed() {
    std::erase_if(finalists_, [&](const Standing& each) { return !candidates_.runs(each.point); });
  }

  std::vector<std::size_t> undecided(std::map<std::size_t, Blocks>& blocks) {
    const std::size_t leader = finalists_.empty() ? 0 : finalists_.front().point;
    drop_failed();
    if (finalists_.empty()) return {};
    if (finalists_.front().point != leader) {
      blocks.clear();
      over_leader_.clear();
    }
    std::vector<Standing> open(finalists_.begin() + 1, finalists_.end());
    std::erase_if(open, [&](const Standing& each) { return is_decided(each.point, blocks[each.point]); });
    return shuffled(open);
  }

  bool compare_with_leader(std::size_t point, Blocks& blocks) {
    const PairBlock taken = candidates_.measure({point, finalists_.front().point, rules_.pairs, true});
    if (taken.empty()) return false;
    blocks.push_back(taken);
    over_leader_[point] = *speedup_of(rules_.objective, blocks);
    return true;
  }

  bool is_decided(std::size_t point, const Blocks& blocks) const {
    if (static_cast<int>(blocks.size()) < rules_.min_blocks) return false;
    const Speedup& speedup = over_leader_.at(point);
    return speedup.high < 1 || speedup.low > 1 || relative_half_width(speedup) <= rules_.target;
  }

  std::optional<std::size_t> faster_than_leader() const {
    std::optional<std::size_t> faster;
    double ratio = 1;
    for (const auto& [point, speedup] : over_leader_) {
      if (speedup.low <= 1 || speedup.ratio <= ratio || !candidates_.runs(point)) continue;
      faster = point;
      ratio = speedup.ratio;
    }
    return faster;
  }

  // Without a running baseline there is no pair: the point is measured alone.
  void confirm(FinalResult& result) {
    constexpr std::size_t baseline = 0;
    const std::size_t best = finalists_.front().point;
    const bool has_energy = rules_.objective != Objective::time;
    if (best == baseline) {
      result.speedup = Speedup{1, 1, 1, Verdict::within_noise};
      if (has_energy) result.saving = result.speedup;
      return;
    }
    Blocks blocks;
    const auto narrow = [&](const std::optional<Speedup>& ratio) {
      return !ratio || relative_half_width(*ratio) <= rules_.target;
    };
    const auto both_narrow = [&](int taken) {
      return taken >= rules_.min_blocks && narrow(result.speedup) && narrow(result.saving);
    };
    const auto no_time_left = [&](int taken) { return taken > 0 && left_() <= 0; };
    measure_blocks_of_one(first_of({after_rounds(3 * rules_.max_blocks), no_time_left, both_narrow}),
                          [&](int) {
                            const PairBlock taken = candidates_.measure({best, baseline, rules_.pairs, true});
                            if (taken.empty()) return false;
                            if (taken.front().reference.wall_ns <= 0) return true;
                            blocks.push_back(taken);
                            result.speedup = speedup_of(Objective::time, blocks);
                            if (has_energy) result.saving = speedup_of(Objective::energy, blocks);
                            return true;
                          });
  }

  // Adds the points outside the finals that nothing separates from the best, on the scale of the search.
  void add_tied_by_search(FinalResult& result) const {
    const Standing* const best = standings_.find(*result.best);
    if (best == nullptr) return;
    for (const Standing& each : others_) {
      const double error = standings_.error_between(each.point, best->point);
      const double ratio = best->log_cost - each.log_cost;
      if (ratio + error < 0 || !candidates_.runs(each.point)) continue;
      const Speedup over_best{std::exp(ratio), std::exp(ratio - error), std::exp(ratio + error),
                              Verdict::within_noise};
      result.tied.push_back({each.point, over_best, false});
    }
  }

  Candidates& candidates_;
  const Standings& standings_;
  double noise_;
  const FinalRules& rules_;
  const TimeLeft& left_;
  Random random_;
  std::vector<Standing> finalists_;  // the leader first
  std::vector<Standing> others_;
  std::map<std::size_t, Speedup> over_leader_;  // over the leader
};

// The number of points that are compared, including the best.
constexpr std::size_t max_members = 6;

std::optional<FrontMember> compare(Candidates& candidates, std::size_t point, std::size_t best,
                                   const FinalRules& rules, const TimeLeft& time_left) {
  FrontMember member{point};
  Blocks blocks;
  const auto narrow = [&](const Speedup& ratio) { return relative_half_width(ratio) <= rules.target; };
  const auto enough = [&](int taken) {
    return taken >= rules.min_blocks &&
           (time_left() <= 0 || (narrow(member.by_time) && narrow(member.by_energy)));
  };
  bool failed = false;
  measure_blocks_of_one(first_of({after_rounds(rules.max_blocks), enough}), [&](int) {
    blocks.push_back(candidates.measure({point, best, rules.pairs, true}));
    failed = blocks.back().empty();
    if (failed) return false;
    member.by_time = *speedup_of(Objective::time, blocks);
    member.by_energy = *speedup_of(Objective::energy, blocks);
    return true;
  });
  return failed ? std::nullopt : std::optional(member);
}

// Better in one by the intervals, and not worse in the other.
bool dominates(const FrontMember& one, const FrontMember& other) {
  const bool no_worse =
      one.by_time.ratio >= other.by_time.ratio && one.by_energy.ratio >= other.by_energy.ratio;
  return no_worse && (one.by_time.low > other.by_time.high || one.by_energy.low > other.by_energy.high);
}

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

FinalResult run_finals(Candidates& candidates, const Standings& standings, double noise,
                       const FinalRules& rules, const TimeLeft& time_left) {
  return Finals(candidates, standings, noise, rules, time_left).run();
}

std::vector<Standing> estimated_front(const Standings& standings, std::size_t most) {
  std::vector<Standing> sorted;
  for (const Standing& each : standings.all()) {
    if (each.log_joules) sorted.push_back(each);
  }
  std::ranges::stable_sort(sorted, [](const Standing& left, const Standing& right) {
    return left.log_time != right.log_time ? left.log_time < right.log_time
                                           : *left.log_joules < *right.log_joules;
  });
  std::vector<Standing> front;
  for (const Standing& each : sorted) {
    if (front.empty() || *each.log_joules < *front.back().log_joules) front.push_back(each);
  }
  if (front.size() <= most || most < 2) return front;
  std::vector<Standing> thinned;
  for (std::size_t i = 0; i < most; ++i) thinned.push_back(front[i * (front.size() - 1) / (most - 1)]);
  return thinned;
}

std::vector<FrontMember> find_front(Candidates& candidates, const Standings& standings, std::size_t best,
                                    const FinalRules& rules, const TimeLeft& time_left) {
  std::vector<FrontMember> members = {FrontMember{best}};
  for (const Standing& each : estimated_front(standings, max_members)) {
    if (each.point == best || !candidates.runs(each.point)) continue;
    if (const auto member = compare(candidates, each.point, best, rules, time_left))
      members.push_back(*member);
  }
  std::vector<FrontMember> front;
  for (const FrontMember& each : members) {
    if (std::ranges::none_of(members, [&](const FrontMember& other) { return dominates(other, each); }))
      front.push_back(each);
  }
  std::ranges::stable_sort(front, [](const FrontMember& left, const FrontMember& right) {
    return left.by_time.ratio > right.by_time.ratio;
  });
  return front;
}

}  // namespace dwarfsweep
