// A device's memory that ends: buffers are counted from some moment on, and refused beyond a limit.
#pragma once

#include <CL/cl_icd.h>

#include <cstddef>
#include <mutex>

class DeviceMemory {
 public:
  /// Counts from now on; only the first call counts.
  void begin(size_t limit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (limit_ == unlimited) limit_ = limit;
  }
  /// Whether so much is left, and takes it.
  bool take(size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (limit_ == unlimited) return true;
    if (used_ + bytes > limit_) return false;
    used_ += bytes;
    return true;
  }
  void give_back_when_released(cl_mem buffer, size_t bytes, const cl_icd_dispatch& driver) {
    if (limit_ == unlimited || !buffer) return;
    auto* const taken = new Taken{this, bytes};
    const auto give_back = [](cl_mem, void* data) {
      const auto* const given = static_cast<Taken*>(data);
      const std::lock_guard<std::mutex> lock(given->memory->mutex_);
      given->memory->used_ -= given->bytes;
      delete given;
    };
    driver.clSetMemObjectDestructorCallback(buffer, give_back, taken);
  }

 private:
  struct Taken {
    DeviceMemory* memory;
    size_t bytes;
  };
  static constexpr size_t unlimited = ~size_t{0};
  std::mutex mutex_;
  size_t limit_ = unlimited;
  size_t used_ = 0;
};
