#include "suite/search/carve_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/search/carve.hpp"
#include "suite/search/random_expectation.hpp"

namespace dwarfsweep {
namespace {

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

}  // namespace

CarveReport report_carving(const RecordedSpace& space, std::uint64_t seed) {
  const std::vector<PointNumber> pool = counted_pool(space, seed);
  const Carving carving = carve(space, pool);
  CarveReport report;
  report.space = space.name();
  report.legal = space.points().size();
  report.pool = pool.size();
  report.kept = carving.kept;
  report.by_efficiency_alone = carving.by_efficiency_alone;
  const std::optional<double> best = best_kept(space, carving);
  if (best) report.best_kept_over_best = *best / space.sorted_times().front();
  const RandomSearch random(space.sorted_times(), space.points().size());
  const auto compare = [&](const char* with, std::size_t points) {
    points = std::min(points, report.legal);
    report.comparisons.push_back({with, points, best ? random.probability_within(*best, points) : 1});
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
        "{}: {} of {} legal points were counted; {} of them kept ({:.1f} % less); best kept / best {}\n",
        each.space, each.pool, each.legal, each.kept, 100 - 100 * share,
        each.best_kept_over_best ? fmt::format("{:.3f}", *each.best_kept_over_best) : "none: all failed");
    text +=
        each.by_efficiency_alone
            ? "  no registers are known, as on CPUs, where utilisation means nothing: by efficiency alone\n"
            : "  groups resident on a processor: by the limits of NVIDIA's compute capability 9.0\n";
    for (const CarveComparison& row : each.comparisons) {
      text +=
          fmt::format("  random search with {:<20} {:>6} points, at least as good with probability {:.4f}\n",
                      row.with, row.points, row.probability);
    }
    text += each.seconds ? fmt::format("  carving takes {:.1f} s\n", *each.seconds)
                         : "  in the same seconds: the space has no costs (compile_ms, benchmark_ms)\n";
  }
  return text;
}

}  // namespace dwarfsweep
