// The check of a result of hotspot against the formulas as published, in double precision. Shares no code
// with the kernels or with the host version; kernels_cl/hotspot/hotspot.cl has the formulas.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/hotspot/chip.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::hotspot {

/// The expected temperatures and their tolerance, computed at the first check.
class Verifier {
 public:
  /// `temperature` and `power` hold rows x cols values, and must outlive the verifier.
  Verifier(const Parameters& parameters, const std::vector<float>& temperature,
           const std::vector<float>& power);
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `output` holds rows x cols temperatures. Errors are absolute.
  [[nodiscard]] Check check(std::span<const float> output) const;

 private:
  void compute_expected() const;

  Parameters parameters_;
  const std::vector<float>& temperature_;
  const std::vector<float>& power_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
  mutable double tolerance_ = 0;
};

}  // namespace dwarfsweep::hotspot
