// The check of a result of srad against the formulas as published, in double precision. Shares no code with
// the kernels or with the host version; kernels_cl/srad/srad.cl has the formulas.
#include "dwarfs/srad/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/space/rounding.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::srad {
namespace {

// The region's mean, its q0^2, and the mean square of its deviations from `shift`, relative to the mean.
struct RegionSpeckle {
  double mean;
  double squared;
  double around_shift;
};

RegionSpeckle speckle_of(const std::vector<double>& image, const Parameters& p, double shift) {
  const double mean = region_mean(image, p);
  const double variance = region_variance(image, p, mean);
  const double drift = mean - shift;
  return {mean, variance / (mean * mean), (variance + drift * drift) / (mean * mean)};
}

// A pixel's four neighbours; outside the image it is the nearest pixel inside.
struct Neighbours {
  Neighbours(const Parameters& p, std::size_t row, std::size_t column)
      : north((row == 0 ? 0 : row - 1) * p.cols + column),
        south(std::min(row + 1, p.rows - 1) * p.cols + column),
        west(row * p.cols + (column == 0 ? 0 : column - 1)),
        east(row * p.cols + std::min(column + 1, p.cols - 1)) {}
  std::size_t north, south, west, east;
};

double published_coefficient(const std::vector<double>& image, const Neighbours& at, double centre,
                             double speckle) {
  const double north = image[at.north] - centre;
  const double south = image[at.south] - centre;
  const double west = image[at.west] - centre;
  const double east = image[at.east] - centre;
  const double gradient = (north * north + south * south + west * west + east * east) / (centre * centre);
  const double laplacian = (north + south + west + east) / centre;
  const double denominator = 1 + laplacian / 4;
  const double variation = (gradient / 2 - laplacian * laplacian / 16) / (denominator * denominator);
  const double coefficient = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
  // Where the speckle is almost zero, the sum in the denominator may round to zero or below for c
  // beyond 1.
  return variation <= speckle ? 1 : std::clamp(coefficient, 0.0, 1.0);
}

// Makes `after` of `image`.
void reference_step(const Parameters& p, double speckle, const std::vector<double>& image,
                    std::vector<double>& after, std::vector<double>& coefficients) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < p.rows; ++row) {
    for (std::size_t column = 0; column < p.cols; ++column) {
      const std::size_t here = row * p.cols + column;
      coefficients[here] = published_coefficient(image, Neighbours(p, row, column), image[here], speckle);
    }
  }
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < p.rows; ++row) {
    for (std::size_t column = 0; column < p.cols; ++column) {
      const std::size_t here = row * p.cols + column;
      const Neighbours at(p, row, column);
      const double centre = image[here];
      const double flux = coefficients[here] * (image[at.north] - centre + image[at.west] - centre) +
                          coefficients[at.south] * (image[at.south] - centre) +
                          coefficients[at.east] * (image[at.east] - centre);
      after[here] = centre + p.lambda / 4 * flux;
    }
  }
}

// The tolerance.
//
// With u = 2^-24, one step in single precision commits two kinds of error.
//
// In a pixel. Write S for the sum of the squared differences, m for the mean of the neighbours,
// v = S/2 - (m - J)^2 >= S/4, and q^2 = v / m^2. A difference has 1 rounding, S and G up to 10 (a division
// may err by 2.5 u), which the subtraction in v at most doubles twice; with (1 + L/4)^2 and what follows, c
// carries at most 60 u. Where c < 1, that is q > q0, a difference is at most sqrt(S) <= 2 m q, so that c
// times it is at most 2 m q0 (it falls with q); where c = 1 it carries no error. lambda / 4 times four such
// terms: 2 lambda q0 * 60 u, relative to the neighbours; and 2 u for the update itself.
//
// In q0^2. Sums of deviations run over chains of at most 4096 additions, and n roundings of random sign add
// up to less than 4 sqrt(n) u (N. J. Higham and T. Mary, "A new approach to probabilistic rounding error
// analysis", SIAM J. Sci. Comput. 41(5), 2019): speckle_error = 256 u, relative to the mean square of the
// deviations from the region's mean before the last step. Where a step moves the mean of a small region, this
// is more than the variance, in which it is an error.
//
// How later steps propagate an error depends on the image: linear diffusion never amplifies it, but the
// flux c (n - J) falls where differences are large, and edges sharpen there. So the growth is taken from the
// image itself: a second reference commits, in every step, errors of exactly these sizes and of random signs.
// Where diffusion has slowed down, signs are not random: an update of some units in the last place is rounded
// the same way in every step, and so are the sums. A third reference cuts updates to whole units, which is
// twice what rounding can take from them, and its error in q0^2 keeps its sign. The larger of the two
// relative differences from the exact one, times worst_case for less favourable signs, is the tolerance.
//
// But the mean of the image, which diffusion conserves, never loses an error. In a step whose N pixels have
// errors e of random signs it moves by e / sqrt(N), in all steps by the root of the sum of e^2 / N, and such
// a reference is a single draw of that, which may be close to zero. So four times this is added, as for the
// sums: little, unless there are more steps than pixels.
constexpr double unit_roundoff = 0x1p-24;
constexpr double speckle_error = 256 * unit_roundoff;
constexpr double worst_case = 2;

double pixel_error(double lambda, double speckle) {
  return (2 + 120 * lambda * std::sqrt(speckle)) * unit_roundoff;
}

void disturb(std::vector<double>& image, double error, Random& random) {
  std::vector<std::uint64_t> signs(ceil_div(image.size(), std::size_t{64}));
  for (std::uint64_t& each : signs) each = random.next();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < image.size(); ++i)
    image[i] *= (signs[i / 64] >> i % 64 & 1U) != 0 ? 1 + error : 1 - error;
}

// Cuts each update to whole units in the last place.
void cut_updates(std::vector<double>& image, const std::vector<double>& before) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < image.size(); ++i) {
    const double unit = std::ldexp(1.0, std::ilogb(before[i]) - 23);
    image[i] = before[i] + unit * std::trunc((image[i] - before[i]) / unit);
  }
}

struct Diffused {
  std::vector<double> image;
  double squared_errors = 0;  // sum over steps of the square of a pixel's error
};

enum class Errors { none, random, persisting };

// Arrays that every reference needs in addition to its image, allocated once.
struct Scratch {
  explicit Scratch(std::size_t pixels) : coefficients(pixels), before(pixels) {}
  std::vector<double> coefficients, before;
};

Diffused diffused(const Parameters& p, const std::vector<float>& original, Errors errors, Scratch& scratch) {
  Diffused result{{original.begin(), original.end()}};
  std::vector<double>& image = result.image;
  std::vector<double>& before = scratch.before;
  double shift = region_mean(original, p);
  Random random(1);
  for (int i = 0; i < p.iterations; ++i) {
    const double sign = errors == Errors::none ? 0 : errors == Errors::persisting || i % 2 == 0 ? 1 : -1;
    const auto [mean, squared, around_shift] = speckle_of(image, p, shift);
    shift = mean;
    const double speckle = std::max(squared + sign * speckle_error * around_shift, min_speckle);
    before.swap(image);
    reference_step(p, speckle, before, image, scratch.coefficients);
    if (errors == Errors::persisting) cut_updates(image, before);
    const double error = pixel_error(p.lambda, speckle);
    result.squared_errors += error * error;
    if (errors == Errors::random) disturb(image, error, random);
  }
  return result;
}

}  // namespace

Verifier::Verifier(const Parameters& parameters, const std::vector<float>& image)
    : parameters_(parameters), image_(image) {}

void Verifier::compute_expected() const {
  Scratch scratch(image_.size());
  const auto [exact, squared_errors] = diffused(parameters_, image_, Errors::none, scratch);
  double difference = 0;
  for (const Errors errors : {Errors::random, Errors::persisting}) {
    if (errors == Errors::persisting && parameters_.iterations <= 2) continue;  // nothing has slowed down
    const std::vector<double> disturbed = diffused(parameters_, image_, errors, scratch).image;
    const double* const right = exact.data();
#pragma omp parallel for reduction(max : difference) schedule(static)
    for (std::size_t i = 0; i < disturbed.size(); ++i)
      difference = std::max(difference, std::abs(disturbed[i] - right[i]) / std::abs(right[i]));
  }
  const double of_mean = 4 * std::sqrt(squared_errors / static_cast<double>(exact.size()));
  tolerance_ = worst_case * difference + of_mean + unit_roundoff;  // expected_ is rounded itself
  expected_.assign(exact.begin(), exact.end());
}

Check Verifier::check(std::span<const float> output) const {
  std::call_once(once_, [this] { compute_expected(); });
  const double tolerance = tolerance_;
  double largest = 0;
  bool is_right = true;
#pragma omp parallel for reduction(max : largest) reduction(&& : is_right) schedule(static)
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const double wanted = expected_[i];
    const double error = std::abs(static_cast<double>(output[i]) - wanted) / std::abs(wanted);
    is_right = is_right && error <= tolerance;  // false for a NaN
    largest = std::max(largest, error);
  }
  if (is_right) return {true, largest, tolerance, ""};
  Check check;
  check.ok = true;
  check.tolerance = tolerance;
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const double wanted = expected_[i];
    const double error = std::abs(static_cast<double>(output[i]) - wanted) / std::abs(wanted);
    if (error <= check.max_error) continue;
    check.max_error = error;
    if (error <= tolerance_) continue;  // false for a NaN
    check.ok = false;
    check.message =
        fmt::format("pixel ({}, {}): got {}, wanted {}, off by {:.3g} of it where {:.3g} is allowed",
                    i / parameters_.cols, i % parameters_.cols, output[i], wanted, error, tolerance_);
    if (std::isnan(error)) break;
  }
  return check;
}

}  // namespace dwarfsweep::srad
