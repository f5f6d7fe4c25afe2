// What mri reconstructs an image from, and the check of the result.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::mri {

struct Scan {
  bool fhd = false;
  std::vector<float> voxels;   // x, y, z of one after the other
  std::vector<float> samples;  // kx, ky, kz
  std::vector<float> phi;      // real and imaginary part
  std::vector<float> data;     // as phi; only with fhd

  [[nodiscard]] std::size_t voxel_count() const { return voxels.size() / 3; }
  [[nodiscard]] std::size_t sample_count() const { return samples.size() / 3; }
};

class Verifier {
 public:
  /// The scan must outlive the verifier.
  explicit Verifier(const Scan& scan) : scan_(scan) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `function_error` bounds the absolute error of sine and cosine. The reported error and tolerance are
  /// those of the number that is furthest off, measured by its tolerance.
  [[nodiscard]] Check check(std::span<const float> result, double function_error) const;

 private:
  /// The sums of a voxel, in double precision.
  struct Sum {
    std::size_t voxel = 0;
    double parts[2] = {0, 0};  // real, imaginary
    double weight = 0;         // sum of W
    double most_weight = 0;    // largest W
    double moved = 0;          // sum of W M
    double partial = 0;        // P
  };

  void prepare() const;
  void add_samples(Sum& sum) const;
  [[nodiscard]] double tolerance_of(const Sum& sum, double function_error) const;

  const Scan& scan_;
  mutable std::once_flag prepared_;
  mutable std::vector<Sum> sums_;
};

class MriInput final : public Input {
 public:
  explicit MriInput(Scan scan) : scan_(std::move(scan)), verifier_(scan_) {}

  [[nodiscard]] const Scan& scan() const { return scan_; }
  /// The floats of a sample in the kernels: kx, ky, kz and its weight, |phi|^2 or the two parts of conj(phi)
  /// d.
  [[nodiscard]] std::size_t sample_floats() const { return scan_.fhd ? 5 : 4; }
  [[nodiscard]] const char* result_name() const { return scan_.fhd ? "fhd" : "q"; }
  /// `result` holds the two parts of each voxel one after the other.
  [[nodiscard]] Check check(std::span<const float> result, double function_error) const {
    return verifier_.check(result, function_error);
  }

 private:
  Scan scan_;
  Verifier verifier_;
};

/// Voxels in a cube of edge 1 about 0 and samples in one of edge 64. Throws PointFailure.
std::shared_ptr<const MriInput> generate_scan(const Problem& problem, std::uint64_t seed);

/// Reads what info.input_formats says. Throws UsageError, InputError.
Loaded load_scan(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::mri
