#include "suite/search/carve.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {
namespace {

std::uint64_t divide_up(std::uint64_t number, std::uint64_t divisor) {
  return (number + divisor - 1) / divisor;
}

std::uint64_t warps_of(const ProcessorLimits& limits, const GroupNeeds& group) {
  return divide_up(group.items, limits.warp);
}

struct Candidate {
  PointNumber point;
  CarveMetrics metrics;
};

std::vector<Candidate> candidates_of(const SearchSpace& space, const std::vector<PointNumber>& pool) {
  std::vector<Candidate> candidates;
  for (const PointNumber point : pool) {
    if (const auto metrics = space.carve_metrics(point)) candidates.push_back({point, *metrics});
  }
  const auto has_none = [](const Candidate& each) { return !each.metrics.utilisation; };
  if (!std::ranges::all_of(candidates, has_none)) {
    candidates.erase(std::remove_if(candidates.begin(), candidates.end(), has_none), candidates.end());
  }
  return candidates;
}

// The more efficient first; of equals the better utilised, then the smaller number.
bool comes_first(const Candidate& left, const Candidate& right) {
  if (left.metrics.efficiency != right.metrics.efficiency)
    return left.metrics.efficiency > right.metrics.efficiency;
  if (left.metrics.utilisation != right.metrics.utilisation)
    return left.metrics.utilisation > right.metrics.utilisation;
  return left.point < right.point;
}

// Takes the Pareto front out of sorted candidates: those whose utilisation is above that of all more
// efficient ones, and those that are equal to one of these in both metrics.
std::vector<Candidate> take_front(std::vector<Candidate>& sorted) {
  std::vector<Candidate> front;
  std::vector<Candidate> rest;
  for (const Candidate& each : sorted) {
    const bool in_front = front.empty() || each.metrics.utilisation > front.back().metrics.utilisation ||
                          (each.metrics.utilisation == front.back().metrics.utilisation &&
                           each.metrics.efficiency == front.back().metrics.efficiency);
    (in_front ? front : rest).push_back(each);
  }
  sorted = std::move(rest);
  return front;
}

std::size_t kept_by_efficiency(const std::vector<Candidate>& sorted) {
  const auto share = search_parameters.carved_share * static_cast<double>(sorted.size());
  auto kept = static_cast<std::size_t>(std::ceil(share));
  while (kept > 0 && kept < sorted.size() &&
         sorted[kept].metrics.efficiency == sorted[kept - 1].metrics.efficiency)
    ++kept;
  return kept;
}

}  // namespace

std::optional<ProcessorLimits> limits_of(std::uint32_t capability) {
  constexpr std::uint64_t kib = 1024;
  struct Known {
    std::uint32_t capability;
    std::uint64_t local_kib, items, groups, kib_of_group;
  };
  // Table "Technical specifications per compute capability": since 5.0 all have 65536 registers.
  constexpr Known table[] = {{60, 64, 2048, 32, 0},  {61, 96, 2048, 32, 0},  {70, 96, 2048, 32, 0},
                             {75, 64, 1024, 16, 0},  {80, 164, 2048, 32, 1}, {86, 100, 1536, 16, 1},
                             {89, 100, 1536, 24, 1}, {90, 228, 2048, 32, 1}};
  for (const Known& each : table) {
    if (each.capability == capability)
      return ProcessorLimits{65536, each.local_kib * kib,   each.items, each.groups, 32,
                             256,   each.kib_of_group * kib};
  }
  return std::nullopt;
}

std::uint64_t resident_groups(const ProcessorLimits& limits, const GroupNeeds& group) {
  if (group.items == 0) return 0;
  const std::uint64_t warps = warps_of(limits, group);
  std::uint64_t groups = std::min(limits.groups, limits.items / (warps * limits.warp));
  if (group.registers > 0) {
    const std::uint64_t of_warp =
        divide_up(group.registers * limits.warp, limits.register_step) * limits.register_step;
    groups = std::min(groups, limits.registers / (warps * of_warp));
  }
  const std::uint64_t local = group.local_bytes + limits.local_bytes_of_group;
  return local > 0 ? std::min(groups, limits.local_bytes / local) : groups;
}

double carve_efficiency(const InstructionCounts& counts) {
  return 1 / counts.instructions;
}

double carve_utilisation(const InstructionCounts& counts, const ProcessorLimits& limits,
                         const GroupNeeds& group) {
  const auto groups = static_cast<double>(resident_groups(limits, group));
  if (groups == 0) return 0;
  const auto warps = static_cast<double>(warps_of(limits, group));
  const double of_work_item = counts.instructions / counts.threads;
  return of_work_item / counts.regions * ((warps - 1) / 2 + (groups - 1) * warps);
}

Carving carve(const SearchSpace& space, const std::vector<PointNumber>& pool) {
  std::vector<Candidate> candidates = candidates_of(space, pool);
  std::ranges::sort(candidates, comes_first);
  Carving carving;
  carving.by_efficiency_alone = !candidates.empty() && !candidates.front().metrics.utilisation;
  if (carving.by_efficiency_alone) {
    carving.kept = kept_by_efficiency(candidates);
    for (const Candidate& each : candidates) carving.order.push_back(each.point);
    return carving;
  }
  while (!candidates.empty()) {
    const std::vector<Candidate> front = take_front(candidates);
    if (carving.kept == 0) carving.kept = front.size();
    for (const Candidate& each : front) carving.order.push_back(each.point);
  }
  return carving;
}

std::vector<PointNumber> carve_pool(const SearchSpace& space, std::uint64_t seed) {
  std::vector<PointNumber> pool;
  PointNumber from = 0;
  while (pool.size() <= search_parameters.carved_pool) {
    const auto point = space.next_legal(from, search_parameters.max_scan);
    if (!point) break;
    pool.push_back(*point);
    from = *point + 1;
  }
  const bool all = space.numbers() - std::min(from, space.numbers()) <= search_parameters.max_scan;
  if (all && pool.size() <= search_parameters.carved_pool) return pool;
  Random random(seed);
  std::unordered_set<PointNumber> drawn;
  while (drawn.size() < search_parameters.carved_pool) {
    const auto point = draw_new(
        space, [&](PointNumber each) { return drawn.count(each) == 0; }, random);
    if (!point) break;
    drawn.insert(*point);
  }
  pool.assign(drawn.begin(), drawn.end());
  std::ranges::sort(pool);
  return pool;
}

}  // namespace dwarfsweep
