// The check of a reconstruction. Shares no code with the kernels or with the host version.
//
// For the first voxel, the last one and random ones (all of a small problem) the sums are done again in
// double precision. Everywhere else the result must be finite.
//
// Bound. u = 2^-24 is the unit roundoff of float. The phase in turns is a sum of three products, in radians
// it takes a rounded constant and a product more: it is off by at most 2 pi 5 u M, M = |kx x| + |ky y| + |kz
// z|. Sine and cosine, whose slope is at most 1, add `function_error`, which depends on how they are
// computed; a weight (|phi|^2: three roundings) and its product add 4 u. A term of weight W (|phi|^2, or
// |phi_r| + |phi_i|) is off by
//   W (2 pi 5 u M + function_error + 4 u).
// Sums run over the samples in order, anew for each launch. The error of each addition is at most u times the
// partial sum behind it (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 4.2), which is
// the difference of two of the sums from the first sample on, and those are known here: with P the largest of
// them, and at most three additions per sample, launches included, that is 3 n u (2 P + W). It is much
// sharper than a bound by the sum of all |W|, since phases cancel: a lost sample shows. What is flushed to
// zero adds 2^-126 for each operation. All of it is of first order; 2^-8 of it covers the rest.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "harness/run/case.hpp"

namespace dwarfsweep::mri {

struct Scan {
  bool fhd = false;
  std::vector<float> voxels;   // x, y, z of one after the other
  std::vector<float> samples;  // kx, ky, kz
  std::vector<float> phi;      // real and imaginary part

  [[nodiscard]] std::size_t voxel_count() const { return voxels.size() / 3; }
  [[nodiscard]] std::size_t sample_count() const { return samples.size() / 3; }
};

class Verifier {
 public:
  /// The scan must outlive the verifier.
  explicit Verifier(const Scan& scan) : scan_(scan) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `function_error` bounds the absolute error of sine and cosine. The error and tolerance told are those of
  /// the number that is furthest off, measured by its tolerance.
  [[nodiscard]] Check check(std::span<const float> result, double function_error) const;

 private:
  /// Of a voxel, in double precision.
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

}  // namespace dwarfsweep::mri
