#include "suite/tune/front.hpp"

#include <algorithm>
#include <cmath>

namespace dwarfsweep {
namespace {

// As many as are compared, the best point included.
constexpr std::size_t max_members = 6;

using Blocks = std::vector<std::vector<SamplePair>>;

std::optional<FrontMember> compare(Track& track, std::size_t point, std::size_t best, const FinalRules& rules,
                                   const TimeLeft& time_left) {
  FrontMember member{point};
  Blocks times;
  Blocks energies;
  const auto narrow = [&](const Speedup& ratio) { return relative_half_width(ratio) <= rules.target; };
  for (int block = 0; block < rules.max_blocks; ++block) {
    const bool enough = block >= rules.min_blocks;
    if (enough && (time_left() <= 0 || (narrow(member.by_time) && narrow(member.by_energy)))) break;
    const std::vector<PairTimes> taken = track.measure({point, best, rules.pairs, true});
    if (taken.empty()) return std::nullopt;
    times.emplace_back();
    energies.emplace_back();
    for (const PairTimes& pair : taken) {
      times.back().push_back({std::exp(log_ratio(Objective::time, pair.opponent, pair.own)), 1});
      energies.back().push_back({std::exp(log_ratio(Objective::energy, pair.opponent, pair.own)), 1});
    }
    member.by_time = *paired_speedup(times, sequential_confidence);
    member.by_energy = *paired_speedup(energies, sequential_confidence);
  }
  return member;
}

// Better in one by the intervals, and not worse in the other.
bool dominates(const FrontMember& one, const FrontMember& other) {
  const bool no_worse =
      one.by_time.ratio >= other.by_time.ratio && one.by_energy.ratio >= other.by_energy.ratio;
  return no_worse && (one.by_time.low > other.by_time.high || one.by_energy.low > other.by_energy.high);
}

}  // namespace

std::vector<Standing> estimated_front(const Standings& standings, std::size_t most) {
  std::vector<Standing> sorted;
  for (const Standing& each : standings.all()) {
    if (each.log_joules) sorted.push_back(each);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Standing& left, const Standing& right) {
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

std::vector<FrontMember> find_front(Track& track, const Standings& standings, std::size_t best,
                                    const FinalRules& rules, const TimeLeft& time_left) {
  std::vector<FrontMember> members = {FrontMember{best}};
  for (const Standing& each : estimated_front(standings, max_members)) {
    if (each.point == best || !track.runs(each.point)) continue;
    if (const auto member = compare(track, each.point, best, rules, time_left)) members.push_back(*member);
  }
  std::vector<FrontMember> front;
  for (const FrontMember& each : members) {
    if (std::none_of(members.begin(), members.end(),
                     [&](const FrontMember& other) { return dominates(other, each); }))
      front.push_back(each);
  }
  std::stable_sort(front.begin(), front.end(), [](const FrontMember& left, const FrontMember& right) {
    return left.by_time.ratio > right.by_time.ratio;
  });
  return front;
}

}  // namespace dwarfsweep
