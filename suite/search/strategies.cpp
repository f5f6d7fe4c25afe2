// All strategies, and the list of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/search/carve.hpp"
#include "suite/search/random_search.hpp"
#include "suite/search/search_parameters.hpp"
#include "suite/search/strategy.hpp"
#include "suite/search/time_model.hpp"

namespace dwarfsweep {
namespace {

// Of some uniform points, the one whose variant has been taken least often. `taken`: of each part, updated.
// A variant with few points is rare among uniform points, although it may be the fastest.
std::optional<PointNumber> draw_balanced(const SearchSpace& space, std::vector<std::size_t>& taken,
                                         const IsNew& is_new, Random& random) {
  std::optional<PointNumber> rarest;
  std::size_t rarest_part = 0;
  for (std::size_t i = 0; i < search_parameters.balancing_draws; ++i) {
    const std::optional<PointNumber> point = draw_new(space, is_new, random);
    if (!point) break;
    const std::size_t part = space.coordinates(*point).part;
    if (rarest && taken[part] >= taken[rarest_part]) continue;
    rarest = point;
    rarest_part = part;
  }
  if (rarest) ++taken[rarest_part];
  return rarest;
}

// Where a search begins: what is known already, points of all variants about equally often, then the
// variants' defaults. Those are often plain baselines, slower than half of all points, so they can wait.
std::vector<PointNumber> initial_points(const SearchTask& task, Random& random, const Archive& archive) {
  std::vector<PointNumber> points;
  const auto is_new = [&](PointNumber point) {
    return !archive.has(point) && std::ranges::find(points, point) == points.end();
  };
  std::vector<std::size_t> taken(task.space.parts().size());
  for (const Evaluation& evaluation : archive.evaluations())
    ++taken[task.space.coordinates(evaluation.point).part];
  for (const PointNumber point : task.known) {
    if (!is_new(point)) continue;
    points.push_back(point);
    ++taken[task.space.coordinates(point).part];
  }
  for (std::size_t i = 0; i < search_parameters.initial_points; ++i) {
    const std::optional<PointNumber> point = draw_balanced(task.space, taken, is_new, random);
    if (!point) break;
    points.push_back(*point);
  }
  for (const SpacePart& part : task.space.parts()) {
    const std::optional<PointNumber> point = part.default_point;
    if (point && task.space.is_legal(*point) && is_new(*point)) points.push_back(*point);
  }
  return points;
}

// --- strategies that learn nothing ----------------------------------------------------------------------

// Legal points, uniformly drawn.
class RandomStrategy : public Strategy {
 public:
  explicit RandomStrategy(SearchTask task)
      : Strategy(std::move(task), Planning::ahead), random_(this->task().seed) {}

 private:
  void plan() override {
    for (std::size_t i = 0; i < search_parameters.batch; ++i) {
      if (!enqueue_drawn(random_)) return;
    }
  }

  Random random_;
};

// All legal points, one number after the other.
class ExhaustiveStrategy : public Strategy {
 public:
  explicit ExhaustiveStrategy(SearchTask task) : Strategy(std::move(task), Planning::ahead) {}

 private:
  void plan() override {
    for (std::size_t i = 0; i < search_parameters.batch;) {
      const auto point = space().next_legal(from_, search_parameters.max_scan);
      if (!point) {
        // No such point in this range of numbers; later ones may have one.
        if (space().numbers() - from_ <= search_parameters.max_scan) return;
        from_ += search_parameters.max_scan;
        continue;
      }
      from_ = *point + 1;
      if (enqueue(*point, "exhaustive")) ++i;
    }
  }

  PointNumber from_ = 0;
};

// Measures what optimisation carving keeps, then what it would have kept next; with a control, a random point
// after each of these.
class CarveStrategy : public Strategy {
 public:
  explicit CarveStrategy(SearchTask task)
      : Strategy(std::move(task), Planning::ahead),
        carving_(carve(space(), carve_pool(space(), this->task().seed))),
        control_(space(), this->task().seed) {
    if (carving_.order.empty()) {
      throw UsageError(
          "'carve' needs instruction counts, and no point here has any: a recorded space needs the columns "
          "ir_instructions, threads and regions after time_ms, and for GPUs registers, local_bytes and "
          "group_size");
    }
  }

 private:
  void plan() override {
    for (std::size_t queued = 0; queued < search_parameters.batch; ++queued) {
      const bool carved = plan_carved();
      const bool random = task().with_control && plan_random();
      if (!carved && !random) return;
    }
  }

  [[nodiscard]] bool plan_carved() {
    while (planned_ < carving_.order.size()) {
      const char* const proposer = planned_ < carving_.kept ? "carve" : "carve-next";
      if (enqueue(carving_.order[planned_++], proposer)) return true;
    }
    return false;
  }

  // What is known already is part of the sample as it is.
  [[nodiscard]] bool plan_random() {
    while (const std::optional<PointNumber> point = control_.next()) {
      if (enqueue(*point, "random")) return true;
    }
    return false;
  }

  Carving carving_;
  ControlSample control_;
  std::size_t planned_ = 0;
};

// --- local search ---------------------------------------------------------------------------------------

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

// Greedy search from the best of the initial points; from the best of some uniform ones when it cannot
// improve. Only its own proposals move it: next to other strategies it stays where it is, so that they look
// at different points.
class LocalStrategy : public Strategy {
 public:
  explicit LocalStrategy(SearchTask task) : Strategy(std::move(task)), random_(this->task().seed) {}

 private:
  void plan() override {
    if (current_) plan_descent();
    if (upcoming(1).empty()) begin_anew();
  }

  void plan_descent() {
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

  void begin_anew() {
    descending_ = false;
    current_.reset();
    if (!begun_) {
      begun_ = true;
      for (const PointNumber point : initial_points(task(), random_, archive())) enqueue(point, "initial");
      if (!upcoming(1).empty()) return;
    }
    for (std::size_t i = 0; i < search_parameters.restart_points; ++i) {
      if (!enqueue_drawn(random_)) return;
    }
  }

  // First improvement: the remaining neighbours of a point that has been beaten are dropped.
  void learn(const Evaluation& evaluation) override {
    if (!was_proposed(evaluation.point) || !evaluation.time) return;
    if (current_ && *evaluation.time >= *current_->time) return;
    current_ = evaluation;
    if (descending_) drop_queue();
  }

  Random random_;
  bool begun_ = false;  // not set by results from before the first plan, such as the baseline
  bool descending_ = false;
  std::optional<Evaluation> current_;  // the fastest since the last restart
};

// --- genetic search -------------------------------------------------------------------------------------

// Crossover of two points, each axis of either with equal probability, and mutation of each axis with
// probability 1 / axes. Points of different parts have the first one's offspring. May be illegal or known.
PointNumber offspring_of(const SearchSpace& space, PointNumber first, PointNumber second, Random& random) {
  Coordinates child = space.coordinates(first);
  const Coordinates other = space.coordinates(second);
  const std::vector<SearchAxis>& axes = space.parts()[child.part].axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (other.part == child.part && random.below(2) == 0) child.digits[i] = other.digits[i];
    if (random.below(axes.size()) == 0)
      child.digits[i] = static_cast<std::uint32_t>(random.below(axes[i].values.size()));
  }
  return space.number(child);
}

// A child of two parents, each the faster one of two drawn: the better a point, the more children it has.
// `parents`: not empty, the fastest first.
PointNumber offspring_of_fastest(const SearchSpace& space, const std::vector<PointNumber>& parents,
                                 Random& random) {
  const auto draw_parent = [&] {
    return parents[std::min(random.below(parents.size()), random.below(parents.size()))];
  };
  const PointNumber first = draw_parent();
  return offspring_of(space, first, draw_parent(), random);
}

// The parents are drawn from the fastest points of the archive; one child at a time.
class GeneticStrategy : public Strategy {
 public:
  explicit GeneticStrategy(SearchTask task) : Strategy(std::move(task)), random_(this->task().seed) {}

 private:
  void plan() override {
    if (!begun_) {
      begun_ = true;
      for (const PointNumber point : initial_points(task(), random_, archive())) enqueue(point, "initial");
      return;
    }
    const std::vector<PointNumber> parents = archive().fastest(search_parameters.population);
    const std::size_t tries = parents.empty() ? 0 : search_parameters.max_children;
    for (std::size_t i = 0; i < tries; ++i) {
      const PointNumber child = offspring_of_fastest(space(), parents, random_);
      if (space().is_legal(child) && enqueue(child, "genetic")) return;
    }
    enqueue_drawn(random_);
  }

  Random random_;
  bool begun_ = false;  // not set by results from before the first plan, such as the baseline
};

// --- auto -----------------------------------------------------------------------------------------------

// The default. Three searches take turns on one archive:
//
// - local search with restarts, which no model can mislead;
// - genetic search. A model of the times so far (a forest of regression trees) selects the best of some of
// its
//   children. If it selected from all at once, it would measure only what it already knows, and never correct
//   its errors;
// - at the end, all points that are a step away from the best and not yet known.
//
// Neither of the first two suffices alone: which of them comes closer to the best differs from space to
// space, even between two devices with the same kernel.
class AutoStrategy : public Strategy {
 public:
  explicit AutoStrategy(SearchTask task)
      : Strategy(std::move(task)), random_(this->task().seed), local_(this->task()), features_(space()) {}

  [[nodiscard]] std::vector<PointNumber> upcoming(std::size_t count) const override {
    std::vector<PointNumber> points = Strategy::upcoming(count);
    for (const PointNumber point : local_.upcoming(count - points.size())) points.push_back(point);
    return points;
  }

 private:
  struct Candidate {
    PointNumber point = 0;
    double rank = 0;
  };

  // The local search makes the beginning, too: its restarts draw the uniform points that the model begins
  // with.
  void plan() override {
    if (plan_polish()) return;
    const bool is_model_due = archive().evaluations().size() >= search_parameters.initial_points &&
                              local_turns_ >= search_parameters.local_turns;
    if (is_model_due && plan_by_model()) {
      local_turns_ = 0;
      return;
    }
    ++local_turns_;
    if (!plan_local()) (void)plan_by_model();
  }

  void learn(const Evaluation& evaluation) override { local_.tell(evaluation); }

  [[nodiscard]] bool plan_local() {
    const std::optional<Proposal> proposal = local_.next();
    return proposal && enqueue(proposal->point, proposal->proposer);
  }

  // Every step to a better point makes new neighbours.
  [[nodiscard]] bool plan_polish() {
    if (archive().best() == nullptr || task().evaluations == 0) return false;
    std::vector<Candidate> steps;
    for (const PointNumber point : step_neighbours(space(), archive().best()->point)) {
      if (is_new(point)) steps.push_back({point});
    }
    if (steps.empty() || steps.size() < evaluations_left()) return false;
    put_in_order(steps);
    return enqueue(steps.front().point, "polish");
  }

  [[nodiscard]] bool plan_by_model() {
    if (archive().best() == nullptr) return false;
    std::vector<Candidate> children = offspring();
    put_in_order(children);
    bool any = false;
    for (std::size_t i = 0; i < search_parameters.batch && !children.empty(); ++i) {
      // The best of some: of children in order, the first.
      std::size_t chosen = children.size();
      for (std::size_t drawn = 0; drawn < search_parameters.rivals; ++drawn)
        chosen = std::min<std::size_t>(chosen, random_.below(children.size()));
      any = enqueue(children[chosen].point, "genetic") || any;
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    return any;
  }

  [[nodiscard]] std::vector<Candidate> offspring() {
    std::vector<Candidate> children;
    std::unordered_set<PointNumber> seen;
    const std::vector<PointNumber> parents = archive().fastest(search_parameters.population);
    for (std::size_t i = 0; i < search_parameters.offspring; ++i) {
      const PointNumber child = offspring_of_fastest(space(), parents, random_);
      if (space().is_legal(child) && !archive().has(child) && seen.insert(child).second)
        children.push_back({child});
    }
    return children;
  }

  void put_in_order(std::vector<Candidate>& candidates) {
    const RegressionForest forest(samples_of(archive(), features_), search_parameters.trees,
                                  search_parameters.min_split, random_);
    std::vector<std::uint32_t> features;
    for (Candidate& candidate : candidates) {
      features.clear();
      features_.append(candidate.point, features);
      const Prediction prediction = forest.predict(features);
      candidate.rank = prediction.mean - search_parameters.optimism * prediction.deviation;
    }
    std::ranges::stable_sort(candidates, {}, &Candidate::rank);
  }

  Random random_;
  LocalStrategy local_;
  FeatureMap features_;
  std::size_t local_turns_ = 0;  // evaluations of the local search since the model's last turn
};

// --- the list -------------------------------------------------------------------------------------------

using Make = std::unique_ptr<Strategy> (*)(SearchTask);

template <typename Type>
std::unique_ptr<Strategy> make(SearchTask task) {
  return std::make_unique<Type>(std::move(task));
}

// Another strategy is one more line, here.
constexpr std::pair<const char*, Make> strategies[] = {{"auto", make<AutoStrategy>},
                                                       {"random", make<RandomStrategy>},
                                                       {"exhaustive", make<ExhaustiveStrategy>},
                                                       {"local", make<LocalStrategy>},
                                                       {"genetic", make<GeneticStrategy>},
                                                       {"carve", make<CarveStrategy>}};

Make find_strategy(const std::string& name) {
  for (const auto& [each, make_it] : strategies) {
    if (name == each) return make_it;
  }
  throw UsageError(
      fmt::format("there is no strategy '{}'; there are {}", name, fmt::join(strategy_names(), ", ")));
}

}  // namespace

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, make_it] : strategies) all.emplace_back(name);
    return all;
  }();
  return names;
}

void require_strategy(const std::string& name) {
  (void)find_strategy(name);
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, SearchTask task) {
  return find_strategy(name)(std::move(task));
}

}  // namespace dwarfsweep
