// Everything that a search has asked for, with the results: shared by all strategies of a search.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// What became of a point.
struct Evaluation {
  PointNumber point = 0;
  std::optional<double> time;  ///< or another objective, the less the better; none: the point failed
  const char* proposer = "";   ///< the strategy, or part of one, that asked for it
};

class Archive {
 public:
  void add(const Evaluation& evaluation) {
    if (!places_.emplace(evaluation.point, evaluations_.size()).second) return;
    evaluations_.push_back(evaluation);
    if (evaluation.time && *evaluation.time < best_time()) best_ = evaluations_.size() - 1;
  }

  [[nodiscard]] bool has(PointNumber point) const { return places_.count(point) > 0; }
  /// Of a point that the archive has. A failed point is slower than all others.
  [[nodiscard]] double time(PointNumber point) const {
    return evaluations_[places_.at(point)].time.value_or(std::numeric_limits<double>::infinity());
  }
  /// In the order in which they were asked for.
  [[nodiscard]] const std::vector<Evaluation>& evaluations() const { return evaluations_; }
  /// The fastest; none while nothing but failures is known.
  [[nodiscard]] const Evaluation* best() const { return best_ ? &evaluations_[*best_] : nullptr; }
  [[nodiscard]] double best_time() const {
    return best_ ? *evaluations_[*best_].time : std::numeric_limits<double>::infinity();
  }

 private:
  std::vector<Evaluation> evaluations_;
  std::unordered_map<PointNumber, std::size_t> places_;
  std::optional<std::size_t> best_;
};

}  // namespace dwarfsweep
