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
// The limit applies to each transform of a batch separately. A single wrong element is an error of about 1 /
// sqrt(n) of the norm, 1.2e-4 at n = 2^26, where 1.6e-5 is allowed.
#include "dwarfs/fft_1d/signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "dwarfs/fft_1d/reference.hpp"

namespace dwarfsweep::fft_1d {
namespace {

constexpr double unit_roundoff = 0x1p-24;

// The inverse transform is the forward one of the conjugate numbers, conjugated and divided by n.
void transform_one(const Shape& shape, const ReferenceTransform& transform, const float* from, float* to) {
  const double sign = shape.inverse ? -1 : 1;
  const double factor = shape.inverse ? 1 / static_cast<double>(shape.n()) : 1;
  std::vector<Number> numbers(static_cast<std::size_t>(shape.n()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = {from[2 * i], sign * from[2 * i + 1]};
  transform.run(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    to[2 * i] = static_cast<float>(factor * numbers[i].real());
    to[2 * i + 1] = static_cast<float>(factor * sign * numbers[i].imag());
  }
}

struct Difference {
  double error = 0, norm = 0;  // of a transform
  std::size_t worst = 0;       // the part that is furthest off
};

Difference difference_of(std::span<const float> got, std::span<const float> wanted) {
  Difference difference;
  double largest = -1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - static_cast<double>(wanted[i]));
    difference.error += error * error;
    difference.norm += static_cast<double>(wanted[i]) * wanted[i];
    if (std::isnan(largest) || error <= largest) continue;
    largest = error;
    difference.worst = i;
  }
  difference.error = std::sqrt(difference.error);
  difference.norm = std::sqrt(difference.norm);
  return difference;
}

}  // namespace

double relative_tolerance(int log_n) {
  const double steps = 10 * unit_roundoff * log_n;
  return steps / (1 - steps) + unit_roundoff;  // what is compared with is rounded itself
}

void Verifier::compute_expected() const {
  expected_.resize(signal_.size());
  const ReferenceTransform transform(shape_.log_n);
  const std::int64_t floats = 2 * shape_.n();
  // Where there are few, each is done by all threads.
  const bool together = shape_.batch > 16;
#pragma omp parallel for schedule(static) if (together)
  for (std::int64_t b = 0; b < shape_.batch; ++b)
    transform_one(shape_, transform, signal_.data() + b * floats, expected_.data() + b * floats);
}

Check Verifier::check(std::span<const float> spectrum) const {
  std::call_once(once_, [this] { compute_expected(); });
  const auto floats = static_cast<std::size_t>(2 * shape_.n());
  const double flushed = shape_.log_n * std::sqrt(static_cast<double>(floats)) * FLT_MIN;
  Check check;
  check.ok = true;
  check.tolerance = relative_tolerance(shape_.log_n);
  for (std::size_t begin = 0; begin < spectrum.size(); begin += floats) {
    const Difference d =
        difference_of(spectrum.subspan(begin, floats), std::span(expected_).subspan(begin, floats));
    if (d.norm > FLT_MAX) continue;  // beyond the range of float nothing is promised
    const double relative = d.error <= flushed ? 0 : d.error / d.norm;
    if (relative <= check.max_error) continue;
    check.max_error = relative;
    if (relative <= check.tolerance) continue;  // false for a NaN
    check.ok = false;
    const std::size_t at = begin + d.worst;
    check.message = fmt::format(
        "transform {}: the error is {:.3g} of the spectrum's norm where {:.3g} is allowed; number {} has {} "
        "part {}, "
        "wanted {}",
        begin / floats, relative, check.tolerance, d.worst / 2, d.worst % 2 == 0 ? "real" : "imaginary",
        spectrum[at], expected_[at]);
    break;
  }
  return check;
}

}  // namespace dwarfsweep::fft_1d
