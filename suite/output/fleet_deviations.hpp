// Nodes that are not as the others of their kind: what an operator wants to see first.
#pragma once

#include <string>
#include <vector>

#include "suite/output/fleet.hpp"

namespace dwarfsweep {

/// A sentence for each node, the largest deviations first: slower or faster than its kind in some dwarfs, or
/// points that fail where most of its kind run them.
///
/// Of each node and dwarf: the median over its points of ln(time / median time of the kind). A node deviates
/// where that lies further from the median over the nodes than sqrt(2 ln(m / 5 %)) robust standard deviations
/// (1.4826 x the median absolute deviation) and by more than 3 %, the width to which a sweep measures. m is
/// the number of judgements of the kind: P(|Z| > z) <= exp(-z^2 / 2), so that by chance one node in all would
/// be named in a run of twenty.
std::vector<std::string> find_deviations(const Fleet& fleet);

}  // namespace dwarfsweep
