// A dwarf as plain C++ on the host's cores. There is one kernel, "total".
#pragma once

#include "harness/subject.hpp"

namespace dwarfsweep {

class HostSubject final : public Subject {
 public:
  /// `host_case` must outlive the subject.
  explicit HostSubject(HostCase& host_case) : case_(host_case) {}

  Check verify() override;
  Check check_output() override { return case_.check(); }
  Sample sample(std::int64_t launches) override;
  /// No cache is so large that memory would need more than 2 ms to fill it.
  [[nodiscard]] bool gains_from_caches(double run_ns) const override { return run_ns < 100e6; }
  [[nodiscard]] std::uint64_t device_bytes() const override { return 0; }

 private:
  HostCase& case_;
};

}  // namespace dwarfsweep
