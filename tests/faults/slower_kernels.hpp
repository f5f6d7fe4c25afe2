// Kernels that take longer, as with a driver that became slower: their events end later, and the program
// waits as long.
#pragma once

#include <CL/cl_icd.h>

#include <chrono>
#include <map>
#include <mutex>

class SlowerKernels {
 public:
  /// `factor` 1.1: a tenth longer. Below 1: their events end too early, and the program waits no less. 0:
  /// nothing changes; 1 waits for each launch, as the other factors do, and so is what to compare them with.
  explicit SlowerKernels(double factor) : factor_(factor) {}

  /// After a launch: what follows on the queue begins after its later end.
  void enqueued(const cl_icd_dispatch& driver, cl_event event) {
    if (factor_ == 0) return;
    driver.clWaitForEvents(1, &event);
    cl_ulong start = 0;
    cl_ulong end = 0;
    driver.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
    driver.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    const auto more = static_cast<cl_long>((factor_ - 1) * static_cast<double>(end - start));
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ends_[event] = {end, end + static_cast<cl_ulong>(more)};
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(more);
    while (std::chrono::steady_clock::now() < until) {
    }
  }

  /// The event may be another's by now, whose end differs.
  cl_ulong timestamp(cl_event event, cl_profiling_info name, cl_ulong true_ns) {
    if (factor_ == 0 || name != CL_PROFILING_COMMAND_END) return true_ns;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = ends_.find(event);
    return found != ends_.end() && found->second.true_ns == true_ns ? found->second.later_ns : true_ns;
  }

 private:
  struct End {
    cl_ulong true_ns = 0, later_ns = 0;
  };

  double factor_;
  std::mutex mutex_;
  std::map<cl_event, End> ends_;
};
