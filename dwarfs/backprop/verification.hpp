// The check of a step of backprop, in double precision. Shares no code with the kernels or the host's
// versions.
//
// u = 2^-24 is the unit roundoff of float, gamma_n = n u / (1 - n u). Bounds are of first order; what is of
// second order is covered by the constants, which are rounded up.
//
// - Sums of inputs times weights. Generated ones are exact; else a sum of n products in any order has an
// error of at most
//   gamma_n times the sum of absolute values (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
//   ed., 3.1).
// - The sigmoid 1 / (1 + exp(-t)) has a slope of at most 1/4. OpenCL's exp is right to 3 ulp, 6 u, of which
// at most all
//   reaches 1 + exp; the addition adds u, the division 2.5 ulp, 5 u: 12 u in all, relative to the result.
// - An error o (1 - o) (t - o): with f = |1 - 2 o| |t - o| + o (1 - o), the absolute value of its slope is at
// most f, and
//   the rounding of two differences and two products is 4 u of the result; (1 - 2 o) and f change by at most
//   3 times the error of o.
// - h (1 - h) S: the same with the slope |1 - 2 h| |S|, and h (1 - h) times the error of S.
// - A change rate e x + momentum c: rate |x| times the error of e, 3 u of the first product, 2 u of the
// second, u of the sum;
//   the new weight rounds once more.
// - What is flushed to zero is below 2^-126 for each operation.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/backprop/network.hpp"
#include "harness/run/case.hpp"

namespace dwarfsweep::backprop {

/// A number, and by how much a right result may be off.
struct Bounded {
  double value = 0;
  double error = 0;
};

/// What a step computes, but for the new weights.
struct Step {
  std::vector<Bounded> hidden, output;
  std::vector<Bounded> hidden_errors, output_errors;
};

Step reference_step(const Network& network);

/// A weight after the step: before it, its last change, the error of the unit it leads to, the value of the
/// one it comes from.
Bounded new_weight(const Network& network, float weight, float change, const Bounded& error,
                   const Bounded& value);

struct Results {
  std::span<const float> hidden, output, weights_1, weights_2;
};

class Verifier {
 public:
  /// `network` must outlive the verifier.
  explicit Verifier(const Network& network) : network_(network) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// Error and tolerance are those of the weight of the first layer that is furthest off, by its tolerance.
  [[nodiscard]] Check check(const Results& results) const;

 private:
  const Network& network_;
  mutable std::once_flag prepared_;
  mutable Step step_;
};

}  // namespace dwarfsweep::backprop
