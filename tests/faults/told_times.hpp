// Times that events report instead of those that their launches took, for tests that compare two searches
// exactly.
#pragma once

#include <CL/cl.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>

/// Launches follow each other on a clock of their own. Each takes one of three times, 20 % apart and far
/// below those of any driver, by its program's options alone; so several points of a space are equally fast.
class ToldTimes {
 public:
  /// Without `tells`, events report the driver's times.
  explicit ToldTimes(bool tells) : tells_(tells) {}

  /// The event may be one that an earlier launch had and gave back.
  void enqueued(cl_event event, const std::string& options) {
    if (!tells_) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    const cl_ulong duration = duration_ns(options);
    spans_[event] = {clock_ns_, clock_ns_ + duration};
    clock_ns_ += duration;
  }

  /// None: no launch's.
  std::optional<cl_ulong> timestamp(cl_event event, cl_profiling_info name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = spans_.find(event);
    if (found == spans_.end()) return std::nullopt;
    return name == CL_PROFILING_COMMAND_END ? found->second.end_ns : found->second.start_ns;
  }

 private:
  struct Span {
    cl_ulong start_ns = 0, end_ns = 0;
  };

  // 64-bit FNV-1a: std::hash need not be the same in every process.
  static cl_ulong duration_ns(const std::string& options) {
    cl_ulong hash = 0xcbf29ce484222325U;
    for (const char each : options) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
    return 2000 + 400 * ((hash >> 32U) % 3);
  }

  bool tells_;
  std::mutex mutex_;
  std::map<cl_event, Span> spans_;
  cl_ulong clock_ns_ = 1'000'000'000;
};
