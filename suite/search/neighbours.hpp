// The legal points near a point.
#pragma once

#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// The smallest change of one axis: to the next value, up or down, of an ordered axis; to any other value of
/// an unordered one. Symmetric: a neighbour's neighbours contain the point.
std::vector<PointNumber> step_neighbours(const SearchSpace& space, PointNumber point);

/// Any other value of one axis. Symmetric.
std::vector<PointNumber> axis_neighbours(const SearchSpace& space, PointNumber point);

/// Two axes changed together, by a step each, where one of the changes alone is not legal: what a constraint
/// that reads both axes takes for a single move, such as a wider tile of a smaller group. Which axes a
/// constraint reads is found by trying, and so the same for a dwarf's space as for a recorded one, whose
/// constraints nobody knows. Symmetric up to which of the changes alone is legal.
std::vector<PointNumber> pair_neighbours(const SearchSpace& space, PointNumber point);

/// The default configuration of every other variant.
std::vector<PointNumber> variant_neighbours(const SearchSpace& space, PointNumber point);

}  // namespace dwarfsweep
