// The cases of bfs on a device, one .cpp file per way of searching.
#pragma once

#include <memory>
#include <string>

#include "harness/dwarf.hpp"

namespace dwarfsweep::bfs {

/// What a case is made from.
struct CaseRequest {
  Workspace& workspace;
  std::shared_ptr<const Input> input;  ///< a GraphInput
  const Config& config;
  std::string options;  ///< build options of that config
};

/// Chooses among those below by the axes and the device.
std::unique_ptr<Case> make_case(const CaseRequest& request);

/// topology.cpp: flags for all nodes.
std::unique_ptr<Case> topology_case(const CaseRequest& request);
/// queue.cpp: lists of edge chunks, one launch per level.
std::unique_ptr<Case> queue_case(const CaseRequest& request);
/// direction_launches.cpp: pushes and pulls, a few launches per level.
std::unique_ptr<Case> direction_by_launches(const CaseRequest& request);
/// direction_one_launch.cpp: pushes and pulls in one launch, whose groups meet at an inter-group barrier, or
/// go through phases as a work-group team.
std::unique_ptr<Case> direction_by_barrier(const CaseRequest& request);
std::unique_ptr<Case> direction_by_phases(const CaseRequest& request);

}  // namespace dwarfsweep::bfs
