// What the parts of a run share while it is measured: its log, its time budget, its line on the terminal, and
// what becomes of its points.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "suite/engine/point_outcomes.hpp"
#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// A group's share of a budget without limit.
inline constexpr std::chrono::milliseconds unlimited_share = std::chrono::hours(24 * 365);

/// How much of a run's time is left. Begins to run out when it is made.
class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;
  using milliseconds = std::chrono::milliseconds;

  /// Zero: no budget; measuring then ends by convergence or by the number of rounds.
  explicit TimeBudget(milliseconds total) : total_(total) {}

  [[nodiscard]] bool unlimited() const { return total_.count() == 0; }
  /// Negative: no budget.
  [[nodiscard]] milliseconds left() const;
  /// What is kept back is too little to begin anything but re-measuring a best candidate.
  [[nodiscard]] bool is_nearly_spent() const { return !unlimited() && left() <= reserve(); }
  /// Only of a limited budget.
  [[nodiscard]] milliseconds left_to_share() const;
  [[nodiscard]] milliseconds total() const { return total_; }
  [[nodiscard]] milliseconds spent() const {
    return std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
  }

 private:
  [[nodiscard]] milliseconds reserve() const { return total_ / 20; }

  milliseconds total_;
  Clock::time_point begin_ = Clock::now();
};

/// "89 % of the time, 34 of 355 points, at most 19s left": points are finished in the last rounds, so their
/// number alone says little. Without a budget (0) the rest is estimated from the finished points.
std::string progress_text(TimeBudget::milliseconds spent, TimeBudget::milliseconds budget, std::size_t done,
                          std::size_t points);

/// One line on the terminal that says how far a run is. Silent if standard error is not a terminal.
class Progress {
 public:
  /// Says with each line which share of `budget` is gone.
  explicit Progress(const TimeBudget& budget);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void silence() { terminal_ = false; }
  void start(std::size_t points) {
    total_ = points;
    done_ = 0;
  }
  void add_done(std::size_t points) { done_ += points; }
  /// Stands before what is shown, from now on.
  void set_remark(const std::string& remark) { remark_ = remark; }
  void show(const std::string& current);
  /// Takes the line away, before something else is printed.
  void clear();

 private:
  const TimeBudget& budget_;
  bool terminal_;
  bool shown_ = false;
  std::string remark_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

/// Made once for a run, and shared by the devices that are measured at the same time.
struct SweepContext {
  /// Writes into `folder`, as SweepLog. The budget is that of the options if none is given.
  SweepContext(const Options& options, const std::filesystem::path& folder, RunLog&& log,
               std::optional<std::chrono::milliseconds> budget = {});
  /// For points whose figures are printed at once: nothing is written, and nothing shown meanwhile.
  explicit SweepContext(const Options& options);

  const Options options;
  SweepLog log;
  const TimeBudget budget;
  Progress progress;
  PointOutcomes outcomes;
};

}  // namespace dwarfsweep
