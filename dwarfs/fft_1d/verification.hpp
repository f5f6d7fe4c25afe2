// The check of a spectrum against transforms in double precision (reference.hpp). Shares no code with the
// kernels or with the host version.
//
// The tolerance. A fast transform of 2^t numbers by radix 2 has an error of at most t eta / (1 - t eta) times
// the spectrum's norm, with eta = mu + gamma_4 (sqrt 2 + mu), where mu bounds the roots' error (N. J. Higham,
// "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorem 24.2); larger radices are products of
// such steps with fewer roots. With u = 2^-24, gamma_4 is 4 u, and mu is 4 u: the kernels' roots are off by
// at most 2 u in sine and in cosine (kernels_cl/fft_1d/roots.cl), the host's by less. Those from tables are
// off by u/2 in each part (but for 2^-50), u / sqrt 2 together; of two, a product has the error of both and
// sqrt 5 u of its own (R. Brent, C. Percival and P. Zimmermann, "Error bounds on complex floating-point
// multiplication", Mathematics of Computation 76, 2007): (2 / sqrt 2 + sqrt 5) u = 3.65 u. A butterfly
// without roots costs less than one with, so that eta = 10 u for every factor of two. In groups a pass of p
// factors of two turns its numbers once by products of at most p + 1 roots from tables, which costs, with the
// turning itself, (p + 1) (1 / sqrt 2 + sqrt 5) u; its other roots are constants or single ones, with (1 /
// sqrt 2 + sqrt 5 + 1) u for a factor: together below 7 p u + 3 u, and so within 10 p u. The inverse's factor
// 1/n is a power of two. What is flushed to zero adds at most 2^-126 for each number and step.
//
// Each transform of a batch is held to that by itself. A single wrong element is an error of about 1 /
// sqrt(n) of the norm, 1.2e-4 at n = 2^26, where 1.6e-5 is allowed.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/fft_1d/plan.hpp"
#include "harness/run/case.hpp"

namespace dwarfsweep::fft_1d {

/// What an error may be, relative to the norm of the spectrum of 2^log_n numbers.
double relative_tolerance(int log_n);

class Verifier {
 public:
  /// `signal` must outlive the verifier.
  Verifier(const Shape& shape, const std::vector<float>& signal) : shape_(shape), signal_(signal) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// Errors told are norms relative to that of a transform's spectrum, of the transform that is furthest off.
  [[nodiscard]] Check check(std::span<const float> spectrum) const;

 private:
  void compute_expected() const;

  const Shape shape_;
  const std::vector<float>& signal_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
};

}  // namespace dwarfsweep::fft_1d
