// The strategy `carve`: measures what optimisation carving keeps, then what it would have kept next; with a
// control, a random point after each of these.
#pragma once

#include "suite/search/carve.hpp"
#include "suite/search/control_sample.hpp"
#include "suite/search/strategy.hpp"

namespace dwarfsweep {

/// Needs a space with metrics (SearchSpace::carve_metrics); learns nothing from what is measured. Throws
/// UsageError where no point has metrics.
class CarveStrategy : public Strategy {
 public:
  explicit CarveStrategy(SearchTask task);
  [[nodiscard]] const Carving& carving() const { return carving_; }

 private:
  void plan() override;
  [[nodiscard]] bool plan_carved();
  [[nodiscard]] bool plan_random();

  Carving carving_;
  ControlSample control_;
  std::size_t planned_ = 0;
};

}  // namespace dwarfsweep
