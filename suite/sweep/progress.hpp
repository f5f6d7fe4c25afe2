// One line on the terminal that says how far a sweep is. Silent where standard error is no terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace dwarfsweep {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void start(std::size_t points) {
    total_ = points;
    done_ = 0;
  }
  void add_done(std::size_t points) { done_ += points; }
  /// `left`: the estimate of what is left; negative: unknown.
  void show(const std::string& current, std::chrono::milliseconds left);
  /// Takes the line away, before something else is printed.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

/// "2m05s", "48s".
std::string human_duration(std::chrono::milliseconds time);

}  // namespace dwarfsweep
