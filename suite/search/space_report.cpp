#include "suite/search/space_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "suite/search/carve.hpp"
#include "suite/search/random_search.hpp"

namespace dwarfsweep {
namespace {

// The best point that differs in one axis, where it is faster.
std::optional<PointNumber> step_from(const RecordedSpace& space, PointNumber point) {
  std::vector<PointNumber> others = axis_neighbours(space, point);
  for (const PointNumber other : variant_neighbours(space, point)) others.push_back(other);
  std::optional<PointNumber> best;
  double best_time = *space.time(point);
  for (const PointNumber other : others) {
    const std::optional<double> time = space.time(other);
    if (!time || *time >= best_time) continue;
    best = other;
    best_time = *time;
  }
  return best;
}

class Climber {
 public:
  explicit Climber(const RecordedSpace& space) : space_(space) {}

  Climb climb(PointNumber start) {
    Climb climb{start};
    for (;;) {
      const auto [place, is_new] = steps_.try_emplace(climb.end);
      if (is_new) place->second = step_from(space_, climb.end);
      if (!place->second) break;
      climb.end = *place->second;
      ++climb.steps;
    }
    climb.over_best = *space_.time(climb.end) / space_.sorted_times().front();
    return climb;
  }

 private:
  const RecordedSpace& space_;
  std::unordered_map<PointNumber, std::optional<PointNumber>> steps_;
};

std::optional<double> cost_of(const RecordedSpace& space) {
  double ms = 0;
  for (const PointNumber point : space.points()) {
    const RecordedFacts& facts = space.facts(point);
    ms += facts.compile_ms.value_or(0) + facts.benchmark_ms.value_or(0) + facts.verify_ms.value_or(0);
  }
  return ms > 0 ? std::optional(ms / 1000) : std::nullopt;
}

// "unroll=1 (8)" for each axis in which a point differs from the best one, whose value is in brackets.
std::string differences(const RecordedSpace& space, PointNumber point, PointNumber best) {
  std::vector<std::string> texts;
  const ValueMap best_values = space.values(best);
  const ValueMap values = space.values(point);
  for (const auto& [axis, value] : best_values.entries()) {
    if (const Value* const other = values.find(axis); other && *other != value)
      texts.push_back(fmt::format("{}={} ({})", axis, other->to_string(), value.to_string()));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

PointNumber best_point(const RecordedSpace& space) {
  return *std::ranges::find_if(
      space.points(), [&](PointNumber point) { return space.time(point) == space.sorted_times().front(); });
}

// --- carving -----------------------------------------------------------------------------------------

double build_ms(const RecordedFacts& facts) {
  return facts.compile_ms.value_or(0) + facts.count_ms.value_or(0);
}

double measuring_ms(const RecordedFacts& facts) {
  return facts.benchmark_ms.value_or(0) + facts.verify_ms.value_or(0);
}

// Where only some points were counted, these were all that carving looked at.
std::vector<PointNumber> counted_pool(const RecordedSpace& space, std::uint64_t seed) {
  std::vector<PointNumber> pool = carve_pool(space, seed);
  const auto is_not = [&](PointNumber point) { return !space.carve_metrics(point); };
  pool.erase(std::remove_if(pool.begin(), pool.end(), is_not), pool.end());
  return pool;
}

double seconds_of_carving(const RecordedSpace& space, const std::vector<PointNumber>& pool,
                          const Carving& carving) {
  double ms = 0;
  for (const PointNumber point : pool) ms += build_ms(space.facts(point));
  for (std::size_t i = 0; i < carving.kept; ++i) ms += measuring_ms(space.facts(carving.order[i]));
  return ms / 1000;
}

// Compiling included; counting is carving's alone.
double mean_seconds_of_point(const RecordedSpace& space) {
  double ms = 0;
  for (const PointNumber point : space.points())
    ms += space.facts(point).compile_ms.value_or(0) + measuring_ms(space.facts(point));
  return ms / 1000 / static_cast<double>(space.points().size());
}

std::optional<double> best_kept(const RecordedSpace& space, const Carving& carving) {
  std::optional<double> best;
  for (std::size_t i = 0; i < carving.kept; ++i) {
    const auto time = space.time(carving.order[i]);
    if (time && (!best || *time < *best)) best = time;
  }
  return best;
}

// The expected best falls with every draw, and all points together have the best.
std::size_t draws_until(const RecordedSpace& space, double share_of_best) {
  const RandomSearch random(space.sorted_times(), space.points().size());
  const double wanted = space.sorted_times().front() / share_of_best;
  std::size_t too_few = 0;
  std::size_t enough = space.points().size();
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (random.expected_best(middle) <= wanted ? enough : too_few) = middle;
  }
  return enough;
}

std::vector<std::pair<double, double>> random_curve(const RecordedSpace& space) {
  const RandomSearch random(space.sorted_times(), space.points().size());
  const auto points = static_cast<double>(space.points().size());
  std::vector<std::pair<double, double>> curve;
  for (const double share : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5}) {
    const auto draws = static_cast<std::size_t>(std::ceil(share * points));
    curve.emplace_back(share, random.expected_best(draws) / space.sorted_times().front());
  }
  return curve;
}

std::optional<double> equal_within(const RecordedSpace& space, const std::vector<PointNumber>& pool) {
  struct Range {
    double least, most;
    std::size_t points;
  };
  std::map<std::pair<double, std::optional<double>>, Range> ranges;
  for (const PointNumber point : pool) {
    const auto time = space.time(point);
    const auto metrics = space.carve_metrics(point);
    if (!time || !metrics) continue;
    const auto [at, is_new] =
        ranges.try_emplace({metrics->efficiency, metrics->utilisation}, Range{*time, *time, 0});
    Range& range = at->second;
    range.least = std::min(range.least, *time);
    range.most = std::max(range.most, *time);
    ++range.points;
  }
  std::optional<double> widest;
  for (const auto& [metrics, range] : ranges) {
    if (range.points > 1) widest = std::max(widest.value_or(1), range.most / range.least);
  }
  return widest;
}

}  // namespace

SpaceReport report_space(const RecordedSpace& space) {
  const std::vector<double>& times = space.sorted_times();
  SpaceReport report;
  report.space = space.name();
  report.points = space.points().size();
  report.failed = report.points - times.size();
  report.within_2_percent =
      static_cast<std::size_t>(std::ranges::upper_bound(times, near_best * times.front()) - times.begin());
  report.draws_for_90_percent = draws_until(space, 0.9);
  report.draws_for_95_percent = draws_until(space, 0.95);
  report.random_curve = random_curve(space);
  report.worst_over_best = times.back() / times.front();
  report.seconds = cost_of(space);
  Climber climber(space);
  std::vector<double> ends;
  for (const PointNumber point : space.points()) {
    if (!space.time(point)) continue;
    const Climb climb = climber.climb(point);
    ends.push_back(climb.over_best);
    report.ends += climb.steps == 0;
  }
  std::ranges::sort(ends);
  report.median_over_best = ends[ends.size() / 2];
  report.stuck = static_cast<double>(ends.end() - std::ranges::upper_bound(ends, near_best)) /
                 static_cast<double>(ends.size());
  if (space.time(space.first_point())) {
    report.from_first = climber.climb(space.first_point());
    report.stuck_at = differences(space, report.from_first->end, best_point(space));
  }
  return report;
}

std::string to_text(const std::vector<SpaceReport>& reports) {
  std::string text = "spaces, and hill climbing along one axis at a time\n";
  for (const SpaceReport& each : reports) {
    text += fmt::format("{}: {} points, {} failed, {} ({:.2f} %) within 2 % of the best{}\n", each.space,
                        each.points, each.failed, each.within_2_percent,
                        100 * static_cast<double>(each.within_2_percent) / static_cast<double>(each.points),
                        each.seconds ? fmt::format("; {:.0f} s to build and measure", *each.seconds) : "");
    text +=
        fmt::format("  random search: {} points until the best is expected at 90 % of the best, {} at 95 %\n",
                    each.draws_for_90_percent, each.draws_for_95_percent);
    text += "  expected best over the best, by the share of points drawn:";
    for (const auto& [share, over_best] : each.random_curve)
      text += fmt::format(" {:.0f} % {:.3f}", 100 * share, over_best);
    text += fmt::format("; the worst point {:.3g}\n", each.worst_over_best);
    text += fmt::format(
        "  from anywhere: ends at {} points; {:.0f} % of the starts end over 2 % above the best; "
        "median {:.3f} x the best\n",
        each.ends, 100 * each.stuck, each.median_over_best);
    if (!each.from_first) {
      text += "  from the first row: that point failed\n";
      continue;
    }
    text += fmt::format("  from the first row: {:.3f} x the best after {} steps{}{}\n",
                        each.from_first->over_best, each.from_first->steps,
                        each.stuck_at.empty() ? "" : "; of the best point differ ", each.stuck_at);
  }
  return text;
}

CarveReport report_carving(const RecordedSpace& space, std::uint64_t seed) {
  const std::vector<PointNumber> pool = counted_pool(space, seed);
  const Carving carving = carve(space, pool);
  CarveReport report;
  report.space = space.name();
  report.legal = space.points().size();
  report.pool = pool.size();
  report.kept = carving.kept;
  report.equal_within = equal_within(space, pool);
  report.by_efficiency_alone = carving.by_efficiency_alone;
  const std::optional<double> best = best_kept(space, carving);
  if (best) report.best_kept_over_best = *best / space.sorted_times().front();
  const RandomSearch random(space.sorted_times(), space.points().size());
  report.random_over_best = random.expected_best(report.kept) / space.sorted_times().front();
  const auto compare = [&](const char* with, std::size_t points) {
    const std::size_t drawn = std::min(points, report.legal);
    const double probability = best ? random.probability_within(*best, drawn) : 1;
    report.comparisons.push_back(
        {with, static_cast<std::int64_t>(points), static_cast<std::int64_t>(drawn), probability});
  };
  compare("as many measured", report.kept);
  compare("as many compiled", report.pool);
  if (const double each = mean_seconds_of_point(space); each > 0) {
    report.seconds = seconds_of_carving(space, pool, carving);
    compare("the same seconds", static_cast<std::size_t>(*report.seconds / each));
  }
  return report;
}

std::string to_text(const std::vector<CarveReport>& reports) {
  std::string text =
      "carving (by efficiency and utilisation, keeping their Pareto front) against random search\n";
  for (const CarveReport& each : reports) {
    const double share = static_cast<double>(each.kept) / static_cast<double>(each.pool);
    text += fmt::format(
        "{}: {} of {} legal points were counted; {} of them kept ({:.1f} % less); best kept / best {}, "
        "expected "
        "best of as many random ones / best {:.3f}\n",
        each.space, each.pool, each.legal, each.kept, 100 - 100 * share,
        each.best_kept_over_best ? fmt::format("{:.3f}", *each.best_kept_over_best) : "none: all failed",
        each.random_over_best);
    text +=
        each.by_efficiency_alone
            ? "  no registers are known, as on CPUs, where utilisation means nothing: by efficiency alone\n"
            : "  groups resident on a processor: by the limits of NVIDIA's compute capability 9.0\n";
    if (each.equal_within)
      text += fmt::format("  points with equal metrics are within {:.1f} % of each other\n",
                          100 * (*each.equal_within - 1));
    for (const CarvingRow& row : each.comparisons) {
      text +=
          fmt::format("  random search with {:<20} {:>6} points, at least as good with probability {:.4f}\n",
                      row.with, row.drawn, row.probability);
    }
    text += each.seconds ? fmt::format("  carving takes {:.1f} s\n", *each.seconds)
                         : "  in the same seconds: the space has no costs (compile_ms, benchmark_ms)\n";
  }
  return text;
}

}  // namespace dwarfsweep
