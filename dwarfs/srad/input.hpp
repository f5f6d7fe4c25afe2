// Speckle reducing anisotropic diffusion on the host: images, the check of a result, and the diffusion that
// is the yardstick. Shares no code with the kernels; what is computed is said in kernels_cl/srad/srad.cl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::srad {

/// The region of interest, ends excluded: its statistics tell what is speckle.
struct Region {
  std::size_t top = 0, bottom = 0, left = 0, right = 0;
  [[nodiscard]] std::size_t pixels() const { return (bottom - top) * (right - left); }
};

struct Parameters {
  std::size_t rows = 0, cols = 0;
  int iterations = 1;
  double lambda = 0.5;
  Region region;
  [[nodiscard]] std::size_t pixels() const { return rows * cols; }
};

/// Reads them from the problem's keys. Throws UsageError where the region does not lie in the image.
Parameters parameters_of(const Problem& problem);

/// q0^2 is at least this: a constant region has a defined result, and no step moves a pixel by more than 2e-6
/// of its value there. The kernels have the same bound.
inline constexpr double smallest_speckle = 0x1p-40;

/// A positive image, row-major, and its diffused version, computed when first asked for.
class SradInput final : public Input {
 public:
  SradInput(const Parameters& parameters, std::vector<float> image);

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<float>& image() const { return image_; }
  /// The mean of the image's region. Sums of deviations from it lose few digits: the diffusion hardly moves
  /// the mean.
  [[nodiscard]] float shift() const { return shift_; }
  /// `output` holds rows x cols pixels.
  [[nodiscard]] Check check(std::span<const float> output) const;

 private:
  void compute_reference() const;

  Parameters parameters_;
  std::vector<float> image_;
  float shift_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
  mutable double tolerance_ = 0;
};

/// Patches of different brightness under multiplicative noise; every pixel is in [0.5, 3].
std::vector<float> speckled_image(const Parameters& parameters, std::uint64_t seed);

/// The image after its iterations, in single precision on one thread.
std::vector<float> diffused_on_host(const SradInput& input);

/// The same as a yardstick, on `threads` threads.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SradInput> input, int threads);

}  // namespace dwarfsweep::srad
