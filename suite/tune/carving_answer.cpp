#include "suite/tune/carving_answer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "suite/search/carve.hpp"
#include "suite/search/random_search.hpp"

namespace dwarfsweep {
namespace {

std::optional<double> result_of(const EvaluationRecord& evaluation) {
  return evaluation.value ? evaluation.value : evaluation.time_ns;
}

double seconds_of(const EvaluationRecord& evaluation) {
  const EvaluationCost& cost = evaluation.cost;
  return cost.search_s + cost.build_s + cost.verify_s + cost.measure_s;
}

// Random search as far as it came: up to the first of its points that was not measured any more.
struct RandomPoints {
  std::vector<double> values;  // ascending, of those that did not fail
  std::size_t points = 0;
  double seconds = 0;
};

RandomPoints random_points(const SearchSpace& space, std::uint64_t seed, const Evaluated& evaluated) {
  RandomPoints random;
  ControlSample sample(space, seed);
  while (const std::optional<PointNumber> point = sample.next()) {
    const auto found = evaluated.find(*point);
    if (found == evaluated.end()) break;
    ++random.points;
    random.seconds += seconds_of(*found->second);
    if (const auto value = result_of(*found->second)) random.values.push_back(*value);
  }
  std::sort(random.values.begin(), random.values.end());
  return random;
}

void add_kept(CarvingRecord& record, const SearchSpace& space, const Carving& carving,
              const Evaluated& evaluated) {
  for (std::size_t i = 0; i < carving.kept; ++i) {
    const auto found = evaluated.find(carving.order[i]);
    if (found == evaluated.end()) continue;
    ++record.measured;
    record.seconds += seconds_of(*found->second);
    const auto value = result_of(*found->second);
    if (!value || (!record.best.empty() && *value >= record.best_value)) continue;
    const CarveMetrics metrics = *space.carve_metrics(carving.order[i]);
    record.best = found->second->key.config;
    record.best_value = *value;
    record.efficiency = metrics.efficiency;
    record.utilisation = metrics.utilisation.value_or(0);
  }
}

}  // namespace

CarvingRecord compare_carving(const SearchSpace& space, const SearchRecord& search,
                              const Evaluated& evaluated) {
  const Carving carving = carve(space, carve_pool(space, search.seed));
  CarvingRecord record;
  record.counted = static_cast<std::int64_t>(search.counted.size());
  record.compiled = std::count_if(search.counted.begin(), search.counted.end(),
                                  [](const CountedPoint& point) { return point.registers > 0; });
  record.kept = static_cast<std::int64_t>(carving.kept);
  record.by_efficiency_alone = carving.by_efficiency_alone;
  record.seconds = search.carving_s;
  add_kept(record, space, carving, evaluated);
  const RandomPoints random = random_points(space, search.seed, evaluated);
  record.random = static_cast<std::int64_t>(random.points);
  if (!random.values.empty()) record.random_value = random.values.front();
  if (random.points == 0) return record;
  const RandomSearch drawing(random.values, random.points);
  const auto compare = [&](const char* with, std::int64_t points) {
    const std::int64_t drawn = std::min(points, record.random);
    const double probability =
        record.best.empty() ? 1
                            : drawing.probability_within(record.best_value, static_cast<std::size_t>(drawn));
    record.rows.push_back({with, points, drawn, probability});
  };
  compare("as many measured", record.measured);
  compare("as many compiled", std::max(record.counted, record.measured));
  const double each = random.seconds / static_cast<double>(random.points);
  if (each > 0) compare("the same seconds", static_cast<std::int64_t>(std::floor(record.seconds / each)));
  return record;
}

}  // namespace dwarfsweep
