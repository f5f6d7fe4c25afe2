#include "suite/plan/auto_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "suite/record/duration.hpp"

namespace dwarfsweep {
namespace {

constexpr double little = 0.1;        // the share of launches in a run of a good variant
constexpr double good_variant = 0.3;  // the share of the peak that it reaches
constexpr double usable_share = 0.7;  // of the group's time; the rest is for what varies
constexpr double surely = 0.5;        // of that: an estimate is enough

std::string mib(double bytes) {
  return fmt::format("{:.{}f} MiB", bytes / 1048576, bytes < 10 * 1048576 ? 1 : 0);
}

std::string duration(double seconds) {
  return human_duration(std::chrono::milliseconds(static_cast<long long>(seconds * 1000)));
}

double launch_share(const Demand& demand, const DeviceRates& rates) {
  const auto ns = [](double amount, double rate) { return rate > 0 ? amount / rate : 0; };
  const double run_ns =
      std::max(ns(demand.bytes, rates.bytes_per_ns), ns(demand.operations, rates.operations_per_ns)) /
      good_variant;
  const double launches_ns = demand.launches * rates.launch_ns;
  return run_ns > 0 ? launches_ns / run_ns : 0;
}

bool fits(const SizeCost& cost, const SizeLimits& limits, double share) {
  const double point = cost.prepared_point() + 2 * limits.blocks * cost.sample;
  return point <= share * limits.point_seconds / 2 &&
         (limits.group_seconds == 0 ||
          needed_seconds(cost, limits) <= share * usable_share * limits.group_seconds);
}

std::string beyond_limits(const LadderSize& size, const SizeCost& cost, const SizeLimits& limits) {
  return fmt::format(
      "{} would take about {}: {:.0f} point{}, and {:.2g} s for each execution of the baseline", size.name,
      duration(needed_seconds(cost, limits)), limits.points, limits.points == 1 ? "" : "s", cost.sample);
}

// What the baseline alone makes necessary, however fast all others are.
SizeCost baseline_alone(SizeCost cost) {
  cost.anchor = cost.typical = 1e-9;
  return cost;
}

// The costs that were measured on the way up the ladder.
class Ascent {
 public:
  explicit Ascent(const std::vector<LadderSize>& ladder) : ladder_(ladder) {}

  void add(std::size_t index, const SizeCost& cost) { tried_.push_back({index, cost}); }

  [[nodiscard]] std::size_t last() const { return tried_.back().index; }

  [[nodiscard]] SizeCost at_most(std::size_t index) const {
    return tried_.empty()
               ? SizeCost{}
               : scaled_cost(tried_.back().cost, ladder_[tried_.back().index].demand, ladder_[index].demand);
  }

  // If launches dominate a sample, it hardly grows with its operations. It is expected to continue as it did
  // between the last two sizes, and to rise somewhat more steeply.
  [[nodiscard]] SizeCost expected(std::size_t index) const {
    SizeCost cost = at_most(index);
    if (tried_.size() < 2) return cost;
    const Tried& last = tried_.back();
    const Tried& before = tried_[tried_.size() - 2];
    const double grown = std::log(last.cost.sample / before.cost.sample) /
                         std::log(operations(last.index) / operations(before.index));
    const double exponent = std::clamp(grown + 0.35, 0.35, 1.0);
    cost.sample = std::min(cost.sample,
                           last.cost.sample * std::pow(operations(index) / operations(last.index), exponent));
    return cost;
  }

 private:
  struct Tried {
    std::size_t index;
    SizeCost cost;
  };

  [[nodiscard]] double operations(std::size_t index) const { return ladder_[index].demand.operations; }

  const std::vector<LadderSize>& ladder_;
  std::vector<Tried> tried_;
};

}  // namespace

std::vector<LadderSize> ladder_of(const Dwarf& dwarf) {
  std::vector<LadderSize> ladder;
  if (!dwarf.info().demand) return ladder;
  for (const char* name : {"tiny", "small", "medium", "large"}) {
    for (const Size& size : dwarf.info().sizes) {
      if (size.name != name) continue;
      const Problem problem = make_problem(dwarf.info().name, dwarf.info().keys, size);
      ladder.push_back({name, problem.values.to_string(), dwarf.info().demand(problem)});
      break;
    }
  }
  return ladder;
}

SizeTarget target_size(const std::vector<LadderSize>& ladder, const DeviceRates& rates) {
  SizeTarget target;
  for (target.index = 0; target.index < ladder.size(); ++target.index) {
    const Demand& demand = ladder[target.index].demand;
    const bool beyond = demand.working_set_bytes > rates.last_level_bytes;
    const double share = launch_share(demand, rates);
    const bool is_last = target.index + 1 == ladder.size();
    if (!is_last && (!beyond || share > little)) continue;
    target.reason = fmt::format("{}{}, {} the last-level cache of {}; launches are about {:.0f} % of a run",
                                is_last && (!beyond || share > little) ? "the largest: " : "",
                                mib(demand.working_set_bytes), beyond ? "beyond" : "not beyond",
                                mib(rates.last_level_bytes), 100 * share / (1 + share));
    break;
  }
  return target;
}

double needed_seconds(const SizeCost& cost, const SizeLimits& limits) {
  const double own = cost.typical > 0 ? cost.typical : cost.sample;
  const bool is_slow = cost.anchor > 0 && cost.sample > slow_baseline * cost.anchor;
  const double partner = is_slow ? cost.anchor : cost.sample;
  // Its preparation; and a pair in each block with itself, with the anchor, and with the best candidate.
  const double of_baseline = is_slow ? (4 + 4 * limits.blocks) * cost.sample : 0;
  return cost.once + of_baseline + limits.points * (cost.prepared(own) + limits.blocks * (own + partner));
}

bool is_affordable(const SizeCost& cost, const SizeLimits& limits) {
  return fits(cost, limits, 1);
}

SizeCost scaled_cost(const SizeCost& cost, const Demand& from, const Demand& to) {
  const auto ratio = [](double large, double small) {
    return small > 0 ? std::max(1.0, large / small) : 1.0;
  };
  const double data = ratio(to.working_set_bytes, from.working_set_bytes);
  const double work = std::max(data, ratio(to.operations, from.operations));
  return {cost.once * data, cost.point * data, cost.sample * work, cost.anchor * work, cost.typical * work};
}

namespace {

// The cost at a smaller size; too low rather than too high, by as much as launches cost.
SizeCost scaled_down(const SizeCost& cost, const Demand& from, const Demand& to) {
  const SizeCost unit = scaled_cost({1, 1, 1, 1, 1}, to, from);
  return {cost.once / unit.once, cost.point / unit.point, cost.sample / unit.sample,
          cost.anchor / unit.anchor, cost.typical / unit.typical};
}

}  // namespace

SizeChoice choose_size(const std::vector<LadderSize>& ladder, const DeviceRates& rates,
                       const SizeLimits& limits, const SizeTrial& trial, const VariantsTrial& variants) {
  const SizeTarget target = target_size(ladder, rates);
  SizeChoice choice{0, target.index, "", {}};
  Ascent ascent(ladder);
  // Empty where the size was tried; else why not.
  const auto try_size = [&](std::size_t i) -> std::string {
    const SizeCost expected = ascent.expected(i);
    const double seconds = expected.once + expected.prepared_point();
    if (seconds > limits.trial_seconds)
      return fmt::format("to try {} alone would take about {}", ladder[i].name, duration(seconds));
    const std::optional<SizeCost> measured = trial(i, expected);
    if (!measured) return fmt::format("the baseline does not run at {}, or not in time", ladder[i].name);
    ascent.add(i, *measured);
    return "";
  };
  // Of the baseline: what it makes necessary is the less the faster the variants are.
  const auto least = [&](const SizeCost& cost) { return variants ? baseline_alone(cost) : cost; };
  for (std::size_t i = 0; i <= target.index; ++i) {
    if (i == 0 || !fits(least(ascent.at_most(i)), limits, surely)) {
      choice.reason = try_size(i);
      // The sizes tried so far may be too small to show it.
      if (!choice.reason.empty() && i > 0 && ascent.last() + 1 < i && try_size(i - 1).empty())
        choice.reason = try_size(i);
      if (!choice.reason.empty()) break;
    }
    const SizeCost cost = ascent.at_most(i);
    if (i > 0 && !is_affordable(least(cost), limits)) {
      choice.reason = beyond_limits(ladder[i], least(cost), limits);
      break;
    }
    choice.index = i;
    choice.cost = cost;
  }
  if (choice.reason.empty()) choice.reason = target.reason;
  if (!variants || choice.cost.sample == 0) return choice;
  variants(choice.index, choice.cost);
  while (choice.index > 0 && !is_affordable(choice.cost, limits)) {
    choice.reason = beyond_limits(ladder[choice.index], choice.cost, limits);
    choice.cost = scaled_down(choice.cost, ladder[choice.index].demand, ladder[choice.index - 1].demand);
    --choice.index;
  }
  return choice;
}

bool still_holds(const SizeChoice& before, const SizeLimits& limits_before, const SizeLimits& limits) {
  SizeLimits relaxed = limits;
  relaxed.group_seconds *= 2;
  relaxed.point_seconds *= 2;
  if (!is_affordable(before.cost, relaxed)) return false;
  if (before.index == before.target) return true;
  const auto more_than_doubled = [](double now, double then) {
    return now == 0 ? then > 0 : now > 2 * then && then > 0;
  };
  return !more_than_doubled(limits.group_seconds, limits_before.group_seconds);
}

}  // namespace dwarfsweep
