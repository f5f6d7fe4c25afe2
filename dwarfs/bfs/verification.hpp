// Whether levels are those of a breadth-first search.
//
// A result must equal the reference, node by node. The reference comes from the serial search of host.hpp,
// and is used only after broken_rule, which shares no code with any search, has proven it: by the second rule
// no level is larger than the distance from the source, and by the third a chain of nodes leads back to the
// source, one level at a time, so that none is smaller.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dwarfs/bfs/input.hpp"

namespace dwarfsweep::bfs {

/// What levels must satisfy to be those of a breadth-first search, whatever computed them: the source and
/// nothing else has level 0; an edge from a reached node leads to a node at most one level further; a reached
/// node other than the source has an in-edge from the level before. Returns an empty string where all hold;
/// else the rule and the nodes that break it.
std::string broken_rule(const Adjacency& graph, std::int32_t source, std::span<const std::int32_t> levels);

/// Throws std::logic_error where the serial search breaks a rule.
Reference make_reference(const Adjacency& graph, std::int32_t source);

/// Equality with the input's reference.
Check compare(const GraphInput& input, std::span<const std::int32_t> levels);

}  // namespace dwarfsweep::bfs
