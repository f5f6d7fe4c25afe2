// What all measurements of peaks share: the device, the time that is left, and the time of a launch.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "harness/program/macros.hpp"
#include "harness/run/launcher.hpp"

namespace dwarfsweep {

/// By the names of harness/peaks/peaks.hpp. A rate is in units per ns: 1e9 per second.
using Peaks = std::map<std::string, double>;

/// The macros of peaks.cl.
struct PeakMacros {
  int vector_width = 1;
  std::size_t group = 1;
  int stride = 1;

  [[nodiscard]] Macros macros() const;
};

class PeakBench {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr int samples = 7;
  /// A launch that takes this long measures more than the overhead of launching.
  static constexpr double long_enough_ns = 1e6;

  PeakBench(Session& session, Clock::time_point deadline)
      : session_(session), launcher_(session), deadline_(deadline) {}

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] Launcher& launcher() { return launcher_; }
  [[nodiscard]] const DeviceInfo& device() const { return session_.device(); }
  [[nodiscard]] const Capabilities& capabilities() const { return device().capabilities; }
  /// A work-group of `target` work-items, or of as many as the device allows.
  [[nodiscard]] std::size_t group(std::size_t target) const;
  [[nodiscard]] bool in_time() const { return Clock::now() < deadline_; }

  /// The time in ns of what `launch` enqueues, at least 1.
  double once_ns(const std::function<void()>& launch);
  /// The median time of several samples; `launch` has run before.
  double time_ns(const std::function<void()>& launch);

 private:
  Session& session_;
  Launcher launcher_;
  Clock::time_point deadline_;
};

/// Sets {read,write,copy,triad}_gb_per_s, read_..._kib_gb_per_s, last_level_cache_bytes and
/// cached_..._gb_per_s, as far as time allows. Throws PointFailure.
void measure_bandwidths(PeakBench& bench, Peaks& peaks);

}  // namespace dwarfsweep
