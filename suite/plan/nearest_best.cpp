#include "suite/plan/nearest_best.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

double logarithm(const Value& value) {
  return value.is_string() ? 0 : std::log(std::max(1.0, value.real()));
}

bool same_type(const BestPoint& point, const DeviceInfo& device) {
  return (point.device_type == "cpu") == (device.type == "cpu");
}

bool same_device(const BestPoint& point, const DeviceInfo& device) {
  const double units = device.capabilities.compute_units;
  return point.device == device.name && (!point.compute_units || units == 0 || *point.compute_units == units);
}

double log_ratio(const Number& known, double wanted) {
  return known && *known > 0 && wanted > 0 ? std::abs(std::log(*known / wanted)) : 0;
}

// Of devices of one type: how far their kinds are apart. CPUs differ in their vectors, by halves; those of
// which nothing is known are one step off.
double kind_distance(const BestPoint& point, const DeviceInfo& device) {
  if (device.type != "cpu") return point.platform == device.platform ? 0 : 1;
  const std::uint32_t lanes = device.capabilities.float_lanes;
  if (!point.float_lanes || lanes == 0) return 1;
  return log_ratio(point.float_lanes, lanes) / std::log(2.0);
}

using Nearness = std::tuple<bool, int, bool, double, double, bool, bool>;

// Less is nearer.
Nearness nearness(const BestPoint& point, const DeviceInfo& device, const DwarfInfo& dwarf,
                  const Problem& problem) {
  const ProblemDistance distance = problem_distance(dwarf, ValueMap::parse(point.problem), problem.values);
  const bool same = same_device(point, device);
  return {!same_type(point, device),
          distance.algorithm,
          !same,
          same ? 0 : kind_distance(point, device),
          distance.sizes + (same ? 0 : log_ratio(point.compute_units, device.capabilities.compute_units)),
          point.platform != device.platform,
          point.driver != device.driver};
}

class Chooser {
 public:
  /// The points before `built_in` are the user's own.
  Chooser(const BestPoint* built_in, const DeviceInfo& device, const Dwarf& dwarf, const Problem& problem,
          const ValueMap& fixed)
      : built_in_(built_in), device_(device), dwarf_(dwarf), problem_(problem), fixed_(fixed) {}

  std::optional<KnownPoint> take_if_legal(const BestPoint& point) {
    const std::string own = point.file.empty() ? own_best_path().string() : point.file;
    const std::string where = &point < built_in_ ? own : "built in";
    const std::string origin = fmt::format("measured on {} with {} ({})", point.device, point.problem, where);
    try {
      return take_if_legal({Config::parse(point.config), origin});
    } catch (const UsageError& error) {  // of another version of the program
      pass_over(error.what());
      return std::nullopt;
    }
  }

  std::optional<KnownPoint> take_first_choice() {
    const auto& choose = dwarf_.info().first_choice;
    if (!choose) return std::nullopt;
    return take_if_legal(
        {choose(problem_, device_.capabilities), "the dwarf's first choice for such a problem and device"});
  }

  // If nothing was taken.
  [[nodiscard]] KnownPoint nearest() const {
    return nearest_.value_or(KnownPoint{{}, "none is known; the baseline"});
  }

  [[nodiscard]] Config config_of(const ValueMap& settings) const {
    const Space& space = dwarf_.space();
    const Capabilities& capabilities = device_.capabilities;
    return space.set(space.set(space.baseline(), settings, capabilities), fixed_, capabilities);
  }

 private:
  // Throws UsageError if the settings are not of this space.
  std::optional<KnownPoint> take_if_legal(KnownPoint point) {
    const Config config = config_of(point.settings);
    const auto rejected = dwarf_.space().why_rejected({config, problem_, device_.capabilities});
    if (!rejected) {
      if (passed_over_ > 0)
        point.origin += fmt::format("; {} nearer cannot run here: {}", passed_over_, first_reason_);
      return point;
    }
    if (!nearest_) nearest_ = std::move(point);
    pass_over(*rejected);
    return std::nullopt;
  }

  void pass_over(const std::string& reason) {
    if (passed_over_++ == 0) first_reason_ = reason;
  }

  const BestPoint* built_in_;
  const DeviceInfo& device_;
  const Dwarf& dwarf_;
  const Problem& problem_;
  const ValueMap& fixed_;
  int passed_over_ = 0;
  std::optional<KnownPoint> nearest_;
  std::string first_reason_;
};

ProblemDistance distance_of(const BestPoint& point, const DwarfInfo& dwarf, const Problem& problem) {
  return problem_distance(dwarf, ValueMap::parse(point.problem), problem.values);
}

bool is_of_problem(const ProblemDistance& distance) {
  return distance.algorithm == 0 && distance.sizes < 1e-9;
}

bool travels(const BestPoint& point) {
  return !point.compared || *point.compared > 0;
}

bool fits(const BestPoint& point, const DeviceInfo& device, const DwarfInfo& dwarf, const Problem& problem) {
  const ProblemDistance distance = distance_of(point, dwarf, problem);
  return same_type(point, device) && distance.algorithm == 0 && (travels(point) || is_of_problem(distance)) &&
         distance.factor <= std::log(max_size_factor) + 1e-9;
}

}  // namespace

ProblemDistance problem_distance(const DwarfInfo& dwarf, const ValueMap& known, const ValueMap& wanted) {
  ProblemDistance distance;
  double larger = 0;
  double smaller = 0;
  for (const ProblemKey& key : dwarf.keys) {
    const Value* const there = known.find(key.name);
    const Value* const here = wanted.find(key.name);
    const Value& left = there ? *there : key.preset;
    const Value& right = here ? *here : key.preset;
    if (role_of(key) == KeyRole::algorithm) {
      distance.algorithm += left != right ? 1 : 0;
    } else if (role_of(key) == KeyRole::size) {
      const double apart = logarithm(left) - logarithm(right);
      distance.sizes += apart * apart;
      distance.growth += apart;
      (apart > 0 ? larger : smaller) += std::abs(apart);
    }
  }
  distance.factor = std::max(larger, smaller);
  distance.sizes = std::sqrt(distance.sizes);
  return distance;
}

bool was_compared(const std::vector<MeasurementRow>& rows, const BestPoint& point, const DeviceInfo& device) {
  const Dwarf& dwarf = find_dwarf(point.dwarf);
  const Space& space = dwarf.space();
  const auto whole = [&](const ValueMap& settings) {
    return space.set(space.baseline(), settings, device.capabilities).to_string();
  };
  const Problem problem{point.size, ValueMap::parse(point.problem)};
  const std::string known = whole(choose_known_point({}, best_points(), device, dwarf, problem, {}).settings);
  return std::ranges::any_of(rows, [&](const MeasurementRow& row) {
    return row.device_id == point.device_id && row.dwarf == point.dwarf && row.problem == point.problem &&
           row.kernel == "total" && row.status == "ok" && whole(Config::parse(config_text(row))) == known;
  });
}

std::vector<const BestPoint*> by_nearness(const std::vector<BestPoint>& points, const DeviceInfo& device,
                                          const DwarfInfo& dwarf, const Problem& problem) {
  std::vector<std::pair<Nearness, const BestPoint*>> near;
  for (const BestPoint& point : points) {
    if (point.dwarf != dwarf.name) continue;
    try {
      near.emplace_back(nearness(point, device, dwarf, problem), &point);
    } catch (const UsageError&) {  // its problem is none
    }
  }
  std::ranges::stable_sort(near, {}, &std::pair<Nearness, const BestPoint*>::first);
  std::vector<const BestPoint*> sorted;
  sorted.reserve(near.size());
  for (const auto& [nearness, point] : near) sorted.push_back(point);
  return sorted;
}

KnownPoint choose_known_point(const std::vector<BestPoint>& own, const std::vector<BestPoint>& built_in,
                              const DeviceInfo& device, const Dwarf& dwarf, const Problem& problem,
                              const ValueMap& fixed) {
  std::vector<BestPoint> all = own;
  all.insert(all.end(), built_in.begin(), built_in.end());
  const BestPoint* const first_built_in = all.data() + own.size();
  Chooser chooser(first_built_in, device, dwarf, problem, fixed);
  std::vector<const BestPoint*> others;
  for (const BestPoint* const point : by_nearness(all, device, dwarf.info(), problem)) {
    if (!fits(*point, device, dwarf.info(), problem)) {
      others.push_back(point);
    } else if (const auto taken = chooser.take_if_legal(*point)) {
      return *taken;
    }
  }
  if (const auto first = chooser.take_first_choice()) return *first;
  // Points of the program were compared with others and are of typical problems. The user's own ones that do
  // not fit may be far worse than no point at all: they are the last resort before a point that is rejected.
  std::stable_partition(others.begin(), others.end(),
                        [&](const BestPoint* point) { return point >= first_built_in; });
  for (const BestPoint* const point : others) {
    if (const auto taken = chooser.take_if_legal(*point)) return *taken;
  }
  return chooser.nearest();
}

std::vector<KnownPoint> choose_known_candidates(const std::vector<BestPoint>& own,
                                                const std::vector<BestPoint>& built_in,
                                                const DeviceInfo& device, const Dwarf& dwarf,
                                                const Problem& problem, const ValueMap& fixed) {
  std::vector<KnownPoint> candidates = {choose_known_point(own, built_in, device, dwarf, problem, fixed)};
  std::vector<BestPoint> all = own;
  all.insert(all.end(), built_in.begin(), built_in.end());
  const auto chooser = [&] { return Chooser(all.data() + own.size(), device, dwarf, problem, fixed); };
  const auto add = [&](const std::optional<KnownPoint>& point) {
    if (!point || candidates.size() == max_known_candidates) return;
    const auto config_of = [&](const KnownPoint& each) { return chooser().config_of(each.settings); };
    if (std::ranges::find(candidates, config_of(*point), config_of) == candidates.end())
      candidates.push_back(*point);
  };

  std::vector<const BestPoint*> near = by_nearness(all, device, dwarf.info(), problem);
  std::erase_if(near, [&](const BestPoint* point) {
    return !same_type(*point, device) ||
           (!travels(*point) && !is_of_problem(distance_of(*point, dwarf.info(), problem)));
  });
  // clang 14 does not compile the one of std::ranges.
  std::stable_partition(near.begin(), near.end(),
                        [&](const BestPoint* point) { return fits(*point, device, dwarf.info(), problem); });
  if (!near.empty() && same_device(*near.front(), device) && travels(*near.front()) &&
      is_of_problem(distance_of(*near.front(), dwarf.info(), problem)) &&
      chooser().take_if_legal(*near.front()))
    return candidates;
  for (const bool larger : {false, true}) {
    Chooser nearest = chooser();
    std::optional<KnownPoint> taken;
    for (const BestPoint* const point : near) {
      if (taken) break;
      if ((distance_of(*point, dwarf.info(), problem).growth > 0) == larger)
        taken = nearest.take_if_legal(*point);
    }
    add(taken);
  }
  add(chooser().take_first_choice());
  return candidates;
}

}  // namespace dwarfsweep
