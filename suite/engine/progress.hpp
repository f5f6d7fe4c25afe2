// One line on the terminal that says how far a sweep is. Silent where standard error is not a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "suite/engine/time_budget.hpp"

namespace dwarfsweep {

class Progress {
 public:
  /// Says with each line how much of `budget` is left.
  explicit Progress(const TimeBudget& budget);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

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

}  // namespace dwarfsweep
