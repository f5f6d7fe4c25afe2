#include "suite/search/local_strategy.hpp"

#include "suite/search/neighbours.hpp"
#include "suite/search/new_points.hpp"

namespace dwarfsweep {
namespace {

// The smallest changes first, each kind in random order, so that no axis is favoured.
std::vector<PointNumber> neighbours_in_order(const SearchSpace& space, PointNumber point, Random& random) {
  std::vector<PointNumber> all;
  for (const auto& neighbours : {step_neighbours, pair_neighbours, axis_neighbours, variant_neighbours}) {
    std::vector<PointNumber> some = neighbours(space, point);
    random.shuffle(some);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace

LocalStrategy::LocalStrategy(SearchTask task) : Strategy(std::move(task)), random_(this->task().seed) {}

void LocalStrategy::plan() {
  if (current_) plan_descent();
  if (upcoming(1).empty()) begin_anew();
}

void LocalStrategy::plan_descent() {
  descending_ = true;
  for (bool moved = true; moved;) {
    moved = false;
    for (const PointNumber point : neighbours_in_order(space(), current_->point, random_)) {
      if (enqueue(point, "local") || !archive().has(point)) continue;
      // Known from an earlier descent.
      if (archive().time(point) < *current_->time) {
        current_ = Evaluation{point, archive().time(point), "local"};
        drop_queue();
        moved = true;
        break;
      }
    }
  }
}

void LocalStrategy::begin_anew() {
  descending_ = false;
  current_.reset();
  for (const PointNumber point : initial_points(task(), !begun_, random_, archive()))
    enqueue(point, "initial");
  begun_ = true;
}

// First improvement: what was left of the neighbours of a point that has been beaten is dropped.
void LocalStrategy::learn(const Evaluation& evaluation) {
  if (!was_proposed(evaluation.point) || !evaluation.time) return;
  if (current_ && *evaluation.time >= *current_->time) return;
  current_ = evaluation;
  if (descending_) drop_queue();
}

}  // namespace dwarfsweep
