// The image that srad diffuses: generated, or read from a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/srad/parameters.hpp"
#include "dwarfs/srad/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::srad {

/// A positive image, row-major.
class SradInput final : public Input {
 public:
  SradInput(const Parameters& parameters, std::vector<float> image);

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<float>& image() const { return image_; }
  /// The mean of the image's region, from which the first sums take deviations; later ones from the last
  /// mean.
  [[nodiscard]] float shift() const { return shift_; }
  /// `output` holds rows x cols pixels.
  [[nodiscard]] Check check(std::span<const float> output) const { return verifier_.check(output); }

 private:
  Parameters parameters_;
  std::vector<float> image_;
  float shift_;
  Verifier verifier_;
};

/// Patches of different brightness under multiplicative noise; every pixel is in [0.5, 3]. Throws
/// PointFailure where the host's memory does not suffice.
std::shared_ptr<const SradInput> generate_image(const Parameters& parameters, std::uint64_t seed);

/// One PGM image; a grey value becomes exp(value / maxval). The classic program makes exp(value / 255) of
/// eight bits: speckle multiplies, and the result is positive. Throws UsageError, InputError, PointFailure.
Loaded load_image(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::srad
