// A clock that stands still while it is paused, as the processes do whose time it limits.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

namespace dwarfsweep {

/// Its functions may be called by any thread.
class PausableClock {
 public:
  using Time = std::chrono::steady_clock::duration;

  [[nodiscard]] Time now() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return (paused_ ? pause_begin_ : steady()) - time_paused_;
  }
  /// How much of the steady clock's time from `begin` to `end` it was paused.
  [[nodiscard]] Time time_paused(Time begin, Time end) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    Time paused{0};
    for (const auto& [from, to] : pauses_)
      paused += std::max(Time{0}, std::min(end, to) - std::max(begin, from));
    if (paused_) paused += std::max(Time{0}, end - std::max(begin, pause_begin_));
    return paused;
  }
  void pause() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (paused_) return;
    paused_ = true;
    pause_begin_ = steady();
  }
  void resume() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!paused_) return;
    paused_ = false;
    pauses_.emplace_back(pause_begin_, steady());
    time_paused_ += pauses_.back().second - pauses_.back().first;
  }

 private:
  static Time steady() { return std::chrono::steady_clock::now().time_since_epoch(); }

  mutable std::mutex mutex_;
  bool paused_ = false;
  Time pause_begin_{0};
  Time time_paused_{0};
  std::vector<std::pair<Time, Time>> pauses_;  // that are over
};

}  // namespace dwarfsweep
