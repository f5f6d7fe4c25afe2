#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/search/auto_strategy.hpp"
#include "suite/search/carve_strategy.hpp"
#include "suite/search/genetic_strategy.hpp"
#include "suite/search/local_strategy.hpp"
#include "suite/search/simple_strategies.hpp"

namespace dwarfsweep {
namespace {

using Make = std::unique_ptr<Strategy> (*)(SearchTask);

template <typename Type>
std::unique_ptr<Strategy> make(SearchTask task) {
  return std::make_unique<Type>(std::move(task));
}

// Another strategy is one more line, here.
const std::vector<std::pair<std::string, Make>>& strategies() {
  static const std::vector<std::pair<std::string, Make>> list = {{"auto", make<AutoStrategy>},
                                                                 {"random", make<RandomStrategy>},
                                                                 {"exhaustive", make<ExhaustiveStrategy>},
                                                                 {"local", make<LocalStrategy>},
                                                                 {"genetic", make<GeneticStrategy>},
                                                                 {"carve", make<CarveStrategy>}};
  return list;
}

Make find_strategy(const std::string& name) {
  for (const auto& [each, make_it] : strategies()) {
    if (each == name) return make_it;
  }
  throw UsageError(
      fmt::format("there is no strategy '{}'; there are {}", name, fmt::join(strategy_names(), ", ")));
}

}  // namespace

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, make_it] : strategies()) all.push_back(name);
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
