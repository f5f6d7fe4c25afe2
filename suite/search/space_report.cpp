#include "suite/search/space_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "suite/search/neighbours.hpp"

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
  return *std::find_if(space.points().begin(), space.points().end(),
                       [&](PointNumber point) { return space.time(point) == space.sorted_times().front(); });
}

}  // namespace

SpaceReport report_space(const RecordedSpace& space) {
  const std::vector<double>& times = space.sorted_times();
  SpaceReport report;
  report.space = space.name();
  report.points = space.points().size();
  report.failed = report.points - times.size();
  report.within_2_percent = static_cast<std::size_t>(
      std::upper_bound(times.begin(), times.end(), near_best * times.front()) - times.begin());
  report.seconds = cost_of(space);
  Climber climber(space);
  std::vector<double> ends;
  for (const PointNumber point : space.points()) {
    if (!space.time(point)) continue;
    const Climb climb = climber.climb(point);
    ends.push_back(climb.over_best);
    report.ends += climb.steps == 0;
  }
  std::sort(ends.begin(), ends.end());
  report.median_over_best = ends[ends.size() / 2];
  report.stuck = static_cast<double>(ends.end() - std::upper_bound(ends.begin(), ends.end(), near_best)) /
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

}  // namespace dwarfsweep
