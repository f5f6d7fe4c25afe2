#include "dwarfs/bfs/cases.hpp"

#include "dwarfs/bfs/frontier_plan.hpp"

namespace dwarfsweep::bfs {

std::unique_ptr<Case> make_case(const CaseRequest& request) {
  if (request.config.string("variant") == "topology") return topology_case(request);
  const SearchMode mode = search_mode(request.config, request.workspace.device());
  if (!mode.pulls) return queue_case(request);
  if (!mode.one_launch) return direction_by_launches(request);
  return mode.merges_claims ? direction_by_phases(request) : direction_by_barrier(request);
}

}  // namespace dwarfsweep::bfs
