// The check of a result of sgemv against sums in double precision. Shares no code with the kernels or with
// the host version.
//
// Correctness. gamma_k is the bound of k roundings (roundoff.hpp). Each sum of `terms` products, in whatever
// order and with or without fused multiply-add, has an error of at most gamma_terms * sum |a||x|; scaling by
// alpha and adding beta * y rounds three times more (Higham, "Accuracy and Stability of Numerical
// Algorithms", 2nd ed., 3.1, 3.5):
//   |y - y_exact| <= gamma_(terms+3) * (|alpha| sum |a||x| + |beta y_in|) + flushed subnormals.
// Generated data are sharper: they are multiples of a `grain` g so coarse that every partial sum is a float,
// by sum |a||x| < 2^24 g in whatever order, else by random_sums_are_exact(). Then the sum s has no error at
// all, and
//   |y - y_exact| <= gamma_3 * (|alpha s| + |beta y_in|): one lost term shows in a matrix of any size.
#include "dwarfs/sgemv/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "dwarfs/roundoff.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::sgemv {

void Verifier::compute_sums() const {
  const Shape& shape = operands_.shape;
  sums_.resize(static_cast<std::size_t>(shape.outputs()));
  // Blocks of outputs: one row of plain A, or a stretch of columns of transposed A that stays in cache.
  const std::int64_t block = shape.transposed ? 512 : 1;
  const std::int64_t blocks = ceil_div(shape.outputs(), block);
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t begin = b * block;
    const std::int64_t end = std::min(begin + block, shape.outputs());
    for (std::int64_t k = 0; k < shape.terms(); ++k) {
      for (std::int64_t output = begin; output < end; ++output) {
        const std::int64_t at =
            shape.transposed ? k * shape.row_stride + output : output * shape.row_stride + k;
        const double product = static_cast<double>(operands_.matrix[at]) * operands_.x[k];
        sums_[output].value += product;
        sums_[output].magnitude += std::abs(product);
      }
    }
  }
}

double Verifier::tolerance_of(const Sum& sum, double y_in) const {
  const Shape& shape = operands_.shape;
  const double alpha = std::abs(shape.alpha);
  const double added = shape.beta == 0 ? 0 : std::abs(shape.beta * y_in);
  const auto terms = static_cast<double>(shape.terms());
  const double subnormals = (terms + 3) * std::max(1.0, alpha) * FLT_MIN;
  if (operands_.grain > 0 &&
      (sum.magnitude < 0x1p24 * operands_.grain || random_sums_are_exact(terms, 1 / operands_.grain))) {
    return rounding_bound(3) * (alpha * std::abs(sum.value) + added) + 3 * static_cast<double>(FLT_MIN);
  }
  return rounding_bound(terms + 3) * (alpha * sum.magnitude + added) + subnormals;
}

Check Verifier::check(std::span<const float> y) const {
  std::call_once(summed_, [this] { compute_sums(); });
  const Shape& shape = operands_.shape;
  Check check;
  check.ok = true;
  double worst = 0;  // error in units of its tolerance
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const double added = shape.beta == 0 ? 0 : static_cast<double>(shape.beta) * operands_.y_in[i];
    const double wanted = (shape.alpha == 0 ? 0 : shape.alpha * sums_[i].value) + added;
    const double tolerance = tolerance_of(sums_[i], operands_.y_in[i]);
    // Where an intermediate value may leave the range of float, nothing is promised.
    if (std::max(1.0F, std::abs(shape.alpha)) * sums_[i].magnitude + std::abs(added) > FLT_MAX) continue;
    const double error = std::abs(y[i] - wanted);
    if (error / tolerance > worst || (i == 0 && error <= tolerance)) {
      worst = error / tolerance;
      check.max_error = error;
      check.tolerance = tolerance;
    }
    if (!(error <= tolerance) && check.ok) {  // NaN fails
      check.ok = false;
      check.message = fmt::format("y[{}] is {}, wanted {} within {}", i, y[i], wanted, tolerance);
    }
  }
  return check;
}

}  // namespace dwarfsweep::sgemv
