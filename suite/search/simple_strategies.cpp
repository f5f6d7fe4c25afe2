#include "suite/search/simple_strategies.hpp"

#include "suite/search/new_points.hpp"
#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {

RandomStrategy::RandomStrategy(SearchTask task)
    : Strategy(std::move(task), Planning::ahead), random_(this->task().seed) {}

void RandomStrategy::plan() {
  for (std::size_t i = 0; i < search_parameters.batch; ++i) {
    const auto point = draw_new(
        space(), [&](PointNumber each) { return is_new(each); }, random_);
    if (!point) return;
    enqueue(*point, "random");
  }
}

void ExhaustiveStrategy::plan() {
  for (std::size_t i = 0; i < search_parameters.batch;) {
    const auto point = space().next_legal(from_, search_parameters.max_scan);
    if (!point) {
      // Nothing among so many numbers; there may be further on.
      if (space().numbers() - from_ <= search_parameters.max_scan) return;
      from_ += search_parameters.max_scan;
      continue;
    }
    from_ = *point + 1;
    if (enqueue(*point, "exhaustive")) ++i;
  }
}

}  // namespace dwarfsweep
