// Legal points that a search has not asked for yet.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "suite/search/strategy.hpp"

namespace dwarfsweep {

using IsNew = std::function<bool(PointNumber)>;

/// A new legal point, every one equally likely. Where they have become rare the next one after a random
/// number, which is not quite uniform; none where that finds nothing either.
std::optional<PointNumber> draw_new(const SearchSpace& space, const IsNew& is_new, Random& random);

/// Where a search begins: what is known already and the variants' defaults, if `first`, then uniform points.
std::vector<PointNumber> initial_points(const SearchTask& task, bool first, Random& random,
                                        const Archive& archive);

/// Crossover of two points, each axis of either with equal probability, and mutation of each axis with
/// probability 1 / axes. Points of different parts have the first one's offspring. May be illegal or known.
PointNumber offspring_of(const SearchSpace& space, PointNumber first, PointNumber second, Random& random);

/// Offspring of two parents, each the faster one of two drawn: the better a point, the more children it has.
/// `parents`: not empty, the fastest first.
PointNumber offspring_of_fastest(const SearchSpace& space, const std::vector<PointNumber>& parents,
                                 Random& random);

/// The best points told so far, the fastest first; of equal ones the earlier. Failed ones are left out.
std::vector<PointNumber> fastest(const Archive& archive, std::size_t count);

}  // namespace dwarfsweep
