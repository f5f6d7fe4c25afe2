// The points of a search on one scale of time or energy, and which of them can still be the best.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dwarfsweep {

/// How a point's race ended.
enum class RaceOutcome {
  faster,    ///< than the incumbent, or of less energy: it follows the incumbent
  tied,      ///< nothing separates it from the incumbent
  dropped,   ///< the interval excludes an improvement
  screened,  ///< its first sample took more than twice the incumbent's time
  failed,
};
const char* to_string(RaceOutcome outcome);  ///< the name
/// None if there is none of that name.
std::optional<RaceOutcome> outcome_from_string(const std::string& name);

/// A point that ran. Its time is the incumbent's divided by the paired ratio to it, so that drift from one
/// race to the next cancels; so is its energy, and what the objective compares: its cost.
struct Standing {
  std::size_t point = 0;  ///< its index in the group
  /// Natural logarithm of ns, of J, or where the objective is both, the mean of the two.
  double log_cost = 0;
  double error = 0;  ///< half-width of the interval of the ratio to its opponent
  /// The incumbent that it was raced against; none: the scale begins with this point.
  std::optional<std::size_t> opponent = {};
  bool contends = true;  ///< neither screened nor dropped, and no later incumbent was faster than it
  double log_time = 0;   ///< natural logarithm of ns
  std::optional<double> log_joules = {};  ///< where the objective has energy, but for screened points
};

class Standings {
 public:
  void add(const Standing& standing, RaceOutcome outcome);
  /// The point that all others are raced against; null while none has run.
  [[nodiscard]] const Standing* incumbent() const;
  /// Null if it is not known, or was removed.
  [[nodiscard]] const Standing* find(std::size_t point) const;
  /// It failed after all. If it was the incumbent, the fastest contender of the others follows it.
  void remove(std::size_t point);
  /// Half-width of the interval of the ratio of two points, over the incumbents between them.
  [[nodiscard]] double error_between(std::size_t left, std::size_t right) const;
  /// Those that nothing separates from the fastest contender, the fastest first.
  [[nodiscard]] std::vector<Standing> contenders() const;
  /// All that have not been removed.
  [[nodiscard]] const std::vector<Standing>& all() const { return all_; }
  /// The fastest of all, by its estimate.
  [[nodiscard]] const Standing* fastest() const;

 private:
  /// The point and those that it was raced against, one after the other, each with the square of the
  /// half-width.
  [[nodiscard]] std::vector<std::pair<std::size_t, double>> line_of(std::size_t point) const;

  std::vector<Standing> all_;
  std::optional<std::size_t> incumbent_;  // a point
};

}  // namespace dwarfsweep
