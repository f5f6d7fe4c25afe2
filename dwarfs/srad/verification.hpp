// The check of a result of srad against the formulas as published, in double precision. Shares no code with
// the kernels or with the host version; kernels_cl/srad/srad.cl has the formulas.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/srad/parameters.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::srad {

/// The expected image and its tolerance, computed at the first check.
class Verifier {
 public:
  /// `image` holds rows x cols pixels, and must outlive the verifier.
  Verifier(const Parameters& parameters, const std::vector<float>& image);
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `output` holds rows x cols pixels. Errors are relative to the expected pixel.
  [[nodiscard]] Check check(std::span<const float> output) const;

 private:
  void compute_expected() const;

  Parameters parameters_;
  const std::vector<float>& image_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
  mutable double tolerance_ = 0;
};

}  // namespace dwarfsweep::srad
