// How much of a sweep's time budget is left, and how it is shared.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace dwarfsweep {

/// Begins to run out when it is made.
class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;
  using milliseconds = std::chrono::milliseconds;

  /// Zero: no budget; measuring then ends by convergence or by the number of rounds.
  explicit TimeBudget(milliseconds total) : total_(total) {}

  [[nodiscard]] bool unlimited() const { return total_.count() == 0; }
  [[nodiscard]] milliseconds total() const { return total_; }
  /// Negative: no budget.
  [[nodiscard]] milliseconds left() const {
    if (unlimited()) return milliseconds(-1);
    const auto spent = std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
    return std::max(milliseconds(0), total_ - spent);
  }
  /// The part of what is left that `points` of `all_points` get; a year where there is no budget.
  [[nodiscard]] milliseconds share(std::size_t points, std::size_t all_points) const {
    if (unlimited()) return std::chrono::hours(24 * 365);
    return milliseconds(left().count() * static_cast<long long>(points) /
                        static_cast<long long>(std::max<std::size_t>(1, all_points)));
  }

 private:
  milliseconds total_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace dwarfsweep
