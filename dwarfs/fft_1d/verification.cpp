#include "dwarfs/fft_1d/verification.hpp"

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
