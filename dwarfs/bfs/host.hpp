// Breadth-first search on the host: the CPU references on one and on several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/bfs/input.hpp"

namespace dwarfsweep::bfs {

/// The level of each node. One thread, a queue: a node gets its level when it is first seen.
std::vector<std::int32_t> serial_levels(const Adjacency& graph, std::int32_t source);

/// Level by level on `threads` threads; levels is resized to the nodes. A frontier with many edges is
/// expanded in the other direction: each node not yet reached looks for a reached one among its in-neighbours
/// (Beamer, Asanovic and Patterson, "Direction-optimizing breadth-first search", SC12).
void parallel_levels(const GraphInput& input, int threads, std::vector<std::int32_t>& levels);

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const GraphInput> input, int threads);

}  // namespace dwarfsweep::bfs
