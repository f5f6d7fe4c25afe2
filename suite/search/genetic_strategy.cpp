#include "suite/search/genetic_strategy.hpp"

#include <algorithm>

#include "suite/search/new_points.hpp"
#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {

GeneticStrategy::GeneticStrategy(SearchTask task) : Strategy(std::move(task)), random_(this->task().seed) {}

void GeneticStrategy::plan() {
  if (!begun_) {
    begun_ = true;
    for (const PointNumber point : initial_points(task(), true, random_, archive()))
      enqueue(point, "initial");
    return;
  }
  const std::vector<PointNumber> parents = fastest(archive(), search_parameters.population);
  const std::size_t tries = parents.empty() ? 0 : search_parameters.max_children;
  for (std::size_t i = 0; i < tries; ++i) {
    const PointNumber child = offspring_of_fastest(space(), parents, random_);
    if (space().is_legal(child) && enqueue(child, "genetic")) return;
  }
  const auto point = draw_new(
      space(), [&](PointNumber each) { return is_new(each); }, random_);
  if (point) enqueue(*point, "random");
}

}  // namespace dwarfsweep
