// How a carved search compares with random search, from the random points that it has measured in turn with
// its own.
#pragma once

#include <unordered_map>
#include <vector>

#include "suite/record/search_record.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// What became of the points of a search, by their numbers.
using Evaluated = std::unordered_map<PointNumber, const EvaluationRecord*>;

/// `search`: by the strategy carve, with its metrics set in `space`. The probabilities are exact for draws
/// from the random points that were measured, which tell of the whole space what so many points can. Where
/// random search would have more than were measured, it has these, and does at least as well.
CarvingRecord compare_carving(const SearchSpace& space, const SearchRecord& search,
                              const Evaluated& evaluated);

}  // namespace dwarfsweep
