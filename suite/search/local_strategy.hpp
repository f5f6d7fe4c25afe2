// Greedy local search from the best of some uniform points; from the best of others where it cannot improve.
// Only what it asked for itself moves it: beside other strategies it goes on where it is, which keeps what
// they look at different.
#pragma once

#include "suite/search/strategy.hpp"

namespace dwarfsweep {

class LocalStrategy : public Strategy {
 public:
  explicit LocalStrategy(SearchTask task);

 private:
  void plan() override;
  void learn(const Evaluation& evaluation) override;
  void plan_descent();
  void begin_anew();

  Random random_;
  bool begun_ = false;  ///< what was told before the first plan, such as the baseline, is no beginning
  bool descending_ = false;
  std::optional<Evaluation> current_;  ///< the fastest since the last restart
};

}  // namespace dwarfsweep
