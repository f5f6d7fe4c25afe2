// The check of a result of sgemv against sums in double precision. Shares no code with the kernels or with
// the host version.
//
// Correctness. u = 2^-24, gamma_k = k u / (1 - k u). Each sum of `terms` products, in whatever order and with
// or without fused multiply-add, has an error of at most gamma_terms * sum |a||x|; scaling by alpha and
// adding beta * y rounds three times more (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
// ed., 3.1, 3.5):
//   |y - y_exact| <= gamma_(terms+3) * (|alpha| sum |a||x| + |beta y_in|) + flushed subnormals.
// Generated data are sharper: they are multiples of a `grain` g so coarse that as long as sum |a||x| < 2^24 g
// every partial sum, in whatever order, is a float. Then the sum s has no error at all, and
//   |y - y_exact| <= gamma_3 * (|alpha s| + |beta y_in|): one lost term shows in a matrix of any size.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/sgemv/operands.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::sgemv {

/// The sums of all outputs, computed at the first check.
class Verifier {
 public:
  /// The operands must outlive the verifier.
  explicit Verifier(const Operands& operands) : operands_(operands) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `y` holds all outputs. The error and tolerance told are those of the output with the largest ratio.
  [[nodiscard]] Check check(std::span<const float> y) const;

 private:
  /// Of one output: the sum of its products, and of their absolute values, in double precision.
  struct Sum {
    double value = 0;
    double magnitude = 0;
  };

  void compute_sums() const;
  /// How far `y` may be from alpha * sum + beta * y_in.
  [[nodiscard]] double tolerance_of(const Sum& sum, double y_in) const;

  const Operands& operands_;
  mutable std::once_flag summed_;
  mutable std::vector<Sum> sums_;
};

}  // namespace dwarfsweep::sgemv
