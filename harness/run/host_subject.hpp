// A dwarf as plain C++ on the host's cores. There is one kernel, "total".
#pragma once

#include "harness/run/subject.hpp"

namespace dwarfsweep {

class HostSubject final : public Subject {
 public:
  /// `host_case` must outlive the subject. `max_effect`: CacheOptions::max_effect.
  explicit HostSubject(HostCase& host_case, double max_effect = 0.015)
      : case_(host_case), max_effect_(max_effect) {}

  Check verify() override;
  Check check_output() override { return case_.check(); }
  Sample sample(std::int64_t launches) override;
  void run_back_to_back(std::int64_t launches) override;
  /// No cache is so large that memory would need more than 2 ms to fill it.
  [[nodiscard]] bool gains_from_caches(double run_ns) const override { return 2e6 > max_effect_ * run_ns; }
  [[nodiscard]] std::uint64_t device_bytes() const override { return 0; }

 private:
  HostCase& case_;
  double max_effect_;
};

}  // namespace dwarfsweep
