// The strategies that learn nothing.
#pragma once

#include "suite/search/strategy.hpp"

namespace dwarfsweep {

/// Legal points, uniformly drawn.
class RandomStrategy : public Strategy {
 public:
  explicit RandomStrategy(SearchTask task);

 private:
  void plan() override;
  Random random_;
};

/// All legal points, one number after the other.
class ExhaustiveStrategy : public Strategy {
 public:
  explicit ExhaustiveStrategy(SearchTask task) : Strategy(std::move(task), Planning::ahead) {}

 private:
  void plan() override;
  PointNumber from_ = 0;
};

}  // namespace dwarfsweep
