// Genetic search, one child at a time: the parents are drawn from the fastest points of the archive.
#pragma once

#include "suite/search/strategy.hpp"

namespace dwarfsweep {

class GeneticStrategy : public Strategy {
 public:
  explicit GeneticStrategy(SearchTask task);

 private:
  void plan() override;
  Random random_;
  bool begun_ = false;  ///< what was told before the first plan, such as the baseline, is no beginning
};

}  // namespace dwarfsweep
