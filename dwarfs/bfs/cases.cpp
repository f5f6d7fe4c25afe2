#include "dwarfs/bfs/cases.hpp"

#include "dwarfs/bfs/frontier_plan.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (setup.string("variant") == "topology") return topology_case(setup);
  const SearchMode mode = search_mode(setup.config, setup.device());
  if (!mode.pulls) return queue_case(setup);
  if (!mode.one_launch) return direction_by_launches(setup);
  return mode.merges_claims ? direction_by_phases(setup) : direction_by_barrier(setup);
}

}  // namespace dwarfsweep::bfs
