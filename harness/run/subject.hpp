// What can be sampled: a case on a device, or a dwarf on the host's cores.
#pragma once

#include <cstdint>

#include "harness/run/case.hpp"
#include "harness/run/sample.hpp"

namespace dwarfsweep {

class Subject {
 public:
  virtual ~Subject() = default;
  /// One launch and a check of its output.
  virtual Check verify() = 0;
  /// Checks the output of the last launch.
  virtual Check check_output() = 0;
  /// Resets, launches `launches` times, waits; reads the clocks.
  virtual Sample sample(std::int64_t launches) = 0;
  /// Resets and launches `launches` times in succession, then waits; reads no clock and sweeps no caches.
  virtual void run_back_to_back(std::int64_t launches) = 0;
  /// Whether a run that takes `run_ns` could be noticeably faster if an earlier run has filled the caches.
  [[nodiscard]] virtual bool gains_from_caches(double run_ns) const = 0;
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

}  // namespace dwarfsweep
