// The strategy that is used unless another is asked for. Three searches take turns on one archive:
//
// - local search with restarts, which no model can lead astray;
// - genetic search, of whose children a model of the times so far (a forest of regression trees) takes the
//   best of some: of all at once it would measure only what it knows already, and make its errors last;
// - at the end, whatever is a step away from the best and is not known yet.
//
// Neither of the first two is enough alone: which of them comes nearer to the best differs from space to
// space, even between two devices with the same kernel.
#pragma once

#include "suite/search/feature_map.hpp"
#include "suite/search/local_strategy.hpp"

namespace dwarfsweep {

class AutoStrategy : public Strategy {
 public:
  explicit AutoStrategy(SearchTask task);

  [[nodiscard]] std::vector<PointNumber> upcoming(std::size_t count) const override;

 private:
  struct Candidate {
    PointNumber point = 0;
    const char* proposer = "";
    double rank = 0;
  };

  void plan() override;
  void learn(const Evaluation& evaluation) override;
  [[nodiscard]] bool plan_polish();
  [[nodiscard]] bool plan_local();
  [[nodiscard]] bool plan_by_model();
  [[nodiscard]] std::vector<Candidate> offspring();
  void put_in_order(std::vector<Candidate>& candidates);

  Random random_;
  LocalStrategy local_;
  FeatureMap features_;
  std::size_t local_turns_ = 0;  ///< evaluations of the local search since the model's last turn
};

}  // namespace dwarfsweep
