#include "suite/search/carve_strategy.hpp"

#include "harness/space/error.hpp"
#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {

CarveStrategy::CarveStrategy(SearchTask task)
    : Strategy(std::move(task), Planning::ahead),
      carving_(carve(space(), carve_pool(space(), this->task().seed))),
      control_(space(), this->task().seed) {
  if (carving_.order.empty()) {
    throw UsageError(
        "'carve' goes by instruction counts, and no point here has any: a recorded space needs the columns "
        "ir_instructions, threads and regions behind time_ms, and for GPUs registers, local_bytes and "
        "group_size");
  }
}

void CarveStrategy::plan() {
  for (std::size_t queued = 0; queued < search_parameters.batch; ++queued) {
    const bool carved = plan_carved();
    const bool random = task().with_control && plan_random();
    if (!carved && !random) return;
  }
}

bool CarveStrategy::plan_carved() {
  while (planned_ < carving_.order.size()) {
    const char* const proposer = planned_ < carving_.kept ? "carve" : "carve-next";
    if (enqueue(carving_.order[planned_++], proposer)) return true;
  }
  return false;
}

// What is known already is part of the sample as it is.
bool CarveStrategy::plan_random() {
  while (const std::optional<PointNumber> point = control_.next()) {
    if (enqueue(*point, "random")) return true;
  }
  return false;
}

}  // namespace dwarfsweep
