#include "tests/property/shrink.hpp"

#include <rapidcheck/seq/Create.h>
#include <rapidcheck/shrink/Shrink.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace dwarfsweep::property {
namespace {

std::int64_t position_in(const Axis& axis, const Value& value) {
  return std::find(axis.values.begin(), axis.values.end(), value) - axis.values.begin();
}

// How far a trial is from the smallest one: the steps between its settings and the default's, then its keys.
std::pair<double, double> extent_of(const Trial& trial, const Config& initial) {
  double steps = 0;
  for (const Axis& axis : trial.dwarf->space().axes()) {
    const auto away =
        position_in(axis, trial.config.at(axis.name)) - position_in(axis, initial.at(axis.name));
    steps += static_cast<double>(std::abs(away));
  }
  double size = trial.seed == 1 ? 0 : 1;
  for (const ProblemKey& key : trial.dwarf->info().keys) {
    const Value& value = trial.problem.at(key.name);
    size += value.is_integer() ? static_cast<double>(value.integer()) : value == key.preset ? 0 : 1;
  }
  return {steps, size};
}

class Candidates {
 public:
  Candidates(const Trial& trial, const Capabilities& capabilities)
      : trial_(trial),
        capabilities_(capabilities),
        initial_(trial.dwarf->space().default_config(trial.config.string("variant"), capabilities)) {
    add(initial_);
    for (const Axis& axis : trial.dwarf->space().axes()) add_settings(axis);
    for (const ProblemKey& key : trial.dwarf->info().keys) add_values(key);
    add(trial.problem, 1);
  }

  std::vector<Trial> take() { return std::move(list_); }

 private:
  void add_settings(const Axis& axis) {
    const auto now = position_in(axis, trial_.config.at(axis.name));
    const auto target = position_in(axis, initial_.at(axis.name));
    if (now == target) return;
    add(trial_.config.with(axis.name, axis.values[static_cast<std::size_t>(target)]));
    const auto nearer = now < target ? now + 1 : now - 1;
    add(trial_.config.with(axis.name, axis.values[static_cast<std::size_t>(nearer)]));
  }

  void add_values(const ProblemKey& key) {
    const Value& value = trial_.problem.at(key.name);
    if (!value.is_integer()) return add(trial_.problem.with(key.name, key.preset), trial_.seed);
    auto numbers = rc::shrink::towards(value.integer(), static_cast<std::int64_t>(key.minimum));
    while (const auto number = numbers.next()) add(trial_.problem.with(key.name, *number), trial_.seed);
  }

  void add(const Config& config) { add({trial_.dwarf, trial_.problem, config, trial_.seed}); }
  void add(const ValueMap& problem, std::uint64_t seed) {
    const auto& fit = trial_.dwarf->info().checks.random_problems.fit;
    add({trial_.dwarf, fit ? fit(problem) : problem, trial_.config, seed});
  }
  void add(Trial candidate) {
    if (extent_of(candidate, initial_) < extent_of(trial_, initial_) && is_legal(candidate, capabilities_))
      list_.push_back(std::move(candidate));
  }

  const Trial& trial_;
  const Capabilities& capabilities_;
  Config initial_;
  std::vector<Trial> list_;
};

}  // namespace

bool Outcome::is_failure() const {
  return status == Status::build_failed || status == Status::launch_failed ||
         status == Status::wrong_result || status == Status::crashed;
}

rc::Seq<Trial> smaller(const Trial& trial, const Capabilities& capabilities) {
  return rc::seq::fromContainer(Candidates(trial, capabilities).take());
}

Shrunk shrink(const Trial& failing, const Outcome& outcome, const Capabilities& capabilities,
              const std::function<Outcome(const Trial&)>& run, const std::function<bool()>& goes_on) {
  Shrunk smallest{failing, outcome};
  auto tree =
      rc::shrinkable::shrinkRecur(failing, [&](const Trial& trial) { return smaller(trial, capabilities); });
  for (bool found = true; found;) {
    found = false;
    auto candidates = tree.shrinks();
    for (auto candidate = candidates.next(); candidate && !found;) {
      if (!goes_on()) return smallest;
      const Outcome result = run(candidate->value());
      found = result.is_failure();
      if (found) {
        smallest = {candidate->value(), result};
        tree = *candidate;
      } else {
        candidate = candidates.next();
      }
    }
  }
  return smallest;
}

}  // namespace dwarfsweep::property
