// How much of a sweep's time budget is left.
#pragma once

#include <algorithm>
#include <chrono>

namespace dwarfsweep {

/// A group's share of a budget without limit.
inline constexpr std::chrono::milliseconds unlimited_share = std::chrono::hours(24 * 365);

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
  /// What is kept back: too little to begin anything but the re-measurement of a best candidate.
  [[nodiscard]] milliseconds reserve() const { return total_ / 20; }
  [[nodiscard]] bool is_nearly_spent() const { return !unlimited() && left() <= reserve(); }
  /// Only of a limited budget.
  [[nodiscard]] milliseconds left_to_share() const { return std::max(milliseconds(0), left() - reserve()); }

 private:
  milliseconds total_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace dwarfsweep
