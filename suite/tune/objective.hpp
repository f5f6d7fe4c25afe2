// The quantity that a search minimises.
#pragma once

#include <string>

namespace dwarfsweep {

enum class Objective {
  time,
  energy,  ///< of a run; of the whole device, including its idle share
  both,    ///< the search minimises the product; its answer is the Pareto front
};

/// Of the names "time", "energy" and "both".
inline Objective objective_of(const std::string& name) {
  if (name == "energy") return Objective::energy;
  return name == "both" ? Objective::both : Objective::time;
}

}  // namespace dwarfsweep
