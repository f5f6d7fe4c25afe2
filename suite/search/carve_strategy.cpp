#include "suite/search/carve_strategy.hpp"

#include "harness/error.hpp"
#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {

CarveStrategy::CarveStrategy(SearchTask task)
    : Strategy(std::move(task), Planning::ahead),
      carving_(carve(space(), carve_pool(space(), this->task().seed))) {
  if (carving_.order.empty()) {
    throw UsageError(
        "'carve' goes by instruction counts, and no point here has any: a recorded space needs the columns "
        "ir_instructions, threads and regions behind time_ms, and for GPUs registers, local_bytes and "
        "group_size");
  }
}

void CarveStrategy::plan() {
  for (std::size_t queued = 0; queued < search_parameters.batch && planned_ < carving_.order.size();
       ++planned_) {
    const char* const proposer = planned_ < carving_.kept ? "carve" : "carve-next";
    if (enqueue(carving_.order[planned_], proposer)) ++queued;
  }
}

}  // namespace dwarfsweep
