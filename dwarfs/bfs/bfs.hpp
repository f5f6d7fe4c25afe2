// What the files of bfs declare to each other: its space, its cases, its host version.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/bfs/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::bfs {

// The axes of bfs, their defaults and constraints.

const Space& space();

// Breadth-first search on the host: the CPU references on one and on several threads.

/// The level of each node. One thread, a queue: a node gets its level when it is first seen.
std::vector<std::int32_t> serial_levels(const Adjacency& graph, std::int32_t source);

/// Level by level on `threads` threads; levels is resized to the nodes. A frontier with many edges is
/// expanded in the other direction: each node not yet reached looks for a reached one among its in-neighbours
/// (Beamer, Asanovic and Patterson, "Direction-optimizing breadth-first search", SC12).
void parallel_levels(const GraphInput& input, int threads, std::vector<std::int32_t>& levels);

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const GraphInput> input, int threads);

// The cases of bfs on a device, one .cpp file per way of searching.

/// Chooses among those below by the axes and the device.
std::unique_ptr<Case> make_case(const Setup& setup);

/// topology.cpp: flags for all nodes.
std::unique_ptr<Case> topology_case(const Setup& setup);
/// frontier_state.cpp: lists of edge chunks, one launch per level.
std::unique_ptr<Case> queue_case(const Setup& setup);
/// direction.cpp: pushes and pulls, a few launches per level.
std::unique_ptr<Case> direction_by_launches(const Setup& setup);
/// direction.cpp: pushes and pulls in one launch, whose groups meet at an inter-group barrier, or
/// go through phases as a work-group team.
std::unique_ptr<Case> direction_by_barrier(const Setup& setup);
std::unique_ptr<Case> direction_by_phases(const Setup& setup);

}  // namespace dwarfsweep::bfs
