#include "suite/search/auto_strategy.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "suite/search/neighbours.hpp"
#include "suite/search/new_points.hpp"
#include "suite/search/regression_forest.hpp"
#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {
namespace {

// The logarithms of the times. What is slower than a share of all, and what failed, is as slow as that: how
// bad a bad point is tells nothing of the good ones, and would take most of the trees' cuts.
Samples samples_of(const Archive& archive, const FeatureMap& features) {
  Samples samples{features.count()};
  std::vector<double> logarithms;
  for (const Evaluation& evaluation : archive.evaluations()) {
    features.append(evaluation.point, samples.values);
    if (evaluation.time) logarithms.push_back(std::log(*evaluation.time));
  }
  double slowest = 0;
  if (!logarithms.empty()) {
    const auto place = static_cast<std::ptrdiff_t>(search_parameters.resolved_share *
                                                   static_cast<double>(logarithms.size() - 1));
    std::nth_element(logarithms.begin(), logarithms.begin() + place, logarithms.end());
    slowest = logarithms[static_cast<std::size_t>(place)];
  }
  for (const Evaluation& evaluation : archive.evaluations())
    samples.targets.push_back(evaluation.time ? std::min(slowest, std::log(*evaluation.time)) : slowest);
  return samples;
}

}  // namespace

AutoStrategy::AutoStrategy(SearchTask task)
    : Strategy(std::move(task)), random_(this->task().seed), local_(this->task()), features_(space()) {}

// The local search makes the beginning, too: its restarts draw the uniform points that the model begins with.
void AutoStrategy::plan() {
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

void AutoStrategy::learn(const Evaluation& evaluation) {
  local_.tell(evaluation);
}

std::vector<PointNumber> AutoStrategy::upcoming(std::size_t count) const {
  std::vector<PointNumber> points = Strategy::upcoming(count);
  for (const PointNumber point : local_.upcoming(count - points.size())) points.push_back(point);
  return points;
}

bool AutoStrategy::plan_local() {
  const std::optional<Proposal> proposal = local_.next();
  return proposal && enqueue(proposal->point, proposal->proposer);
}

// Every step to a better point makes new neighbours.
bool AutoStrategy::plan_polish() {
  if (archive().best() == nullptr || task().evaluations == 0) return false;
  std::vector<Candidate> steps;
  for (const PointNumber point : step_neighbours(space(), archive().best()->point)) {
    if (is_new(point)) steps.push_back({point, "polish", 0});
  }
  if (steps.empty() || steps.size() < evaluations_left()) return false;
  put_in_order(steps);
  return enqueue(steps.front().point, "polish");
}

bool AutoStrategy::plan_by_model() {
  if (archive().best() == nullptr) return false;
  std::vector<Candidate> children = offspring();
  put_in_order(children);
  bool any = false;
  for (std::size_t i = 0; i < search_parameters.batch && !children.empty(); ++i) {
    // The best of some: of children in order, the first.
    std::size_t chosen = children.size();
    for (std::size_t drawn = 0; drawn < search_parameters.rivals; ++drawn)
      chosen = std::min<std::size_t>(chosen, random_.below(children.size()));
    any = enqueue(children[chosen].point, children[chosen].proposer) || any;
    children.erase(children.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return any;
}

std::vector<AutoStrategy::Candidate> AutoStrategy::offspring() {
  std::vector<Candidate> children;
  std::unordered_set<PointNumber> seen;
  const std::vector<PointNumber> parents = fastest(archive(), search_parameters.population);
  for (std::size_t i = 0; i < search_parameters.offspring; ++i) {
    const PointNumber child = offspring_of_fastest(space(), parents, random_);
    if (space().is_legal(child) && !archive().has(child) && seen.insert(child).second)
      children.push_back({child, "genetic", 0});
  }
  return children;
}

void AutoStrategy::put_in_order(std::vector<Candidate>& candidates) {
  const RegressionForest forest(samples_of(archive(), features_), search_parameters.trees,
                                search_parameters.min_split, random_);
  std::vector<std::uint32_t> features;
  for (Candidate& candidate : candidates) {
    features.clear();
    features_.append(candidate.point, features);
    const Prediction prediction = forest.predict(features);
    candidate.rank = prediction.mean - search_parameters.optimism * prediction.deviation;
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& left, const Candidate& right) { return left.rank < right.rank; });
}

}  // namespace dwarfsweep
