// The cases of bfs on a device, one .cpp file per way of searching.
#pragma once

#include <memory>

#include "harness/run/dwarf.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

/// Chooses among those below by the axes and the device.
std::unique_ptr<Case> make_case(const Setup& setup);

/// topology.cpp: flags for all nodes.
std::unique_ptr<Case> topology_case(const Setup& setup);
/// queue.cpp: lists of edge chunks, one launch per level.
std::unique_ptr<Case> queue_case(const Setup& setup);
/// direction_launches.cpp: pushes and pulls, a few launches per level.
std::unique_ptr<Case> direction_by_launches(const Setup& setup);
/// direction_one_launch.cpp: pushes and pulls in one launch, whose groups meet at an inter-group barrier, or
/// go through phases as a work-group team.
std::unique_ptr<Case> direction_by_barrier(const Setup& setup);
std::unique_ptr<Case> direction_by_phases(const Setup& setup);

}  // namespace dwarfsweep::bfs
