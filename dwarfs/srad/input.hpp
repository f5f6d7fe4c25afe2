// What a problem of srad asks for: the image's size, the steps, the region of interest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"

namespace dwarfsweep::srad {

/// The region of interest, ends excluded: its statistics define what counts as speckle.
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

/// Lower bound of q0^2: with it a constant region has a defined result, and no step moves a pixel by more
/// than 2e-6 of its value there. The kernels have the same bound.
inline constexpr double min_speckle = 0x1p-40;

/// The mean over the region of an image of rows x cols pixels.
double region_mean(const std::vector<float>& image, const Parameters& p);
double region_mean(const std::vector<double>& image, const Parameters& p);
/// The mean over the region of the squares of the differences from `mean`.
double region_variance(const std::vector<double>& image, const Parameters& p, double mean);

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

// The image that srad diffuses: generated, or read from a file.

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
