#include "dwarfs/srad/input.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "dwarfs/x86_levels.hpp"
#include "harness/error.hpp"
#include "harness/random.hpp"

namespace dwarfsweep::srad {

Parameters parameters_of(const Problem& problem) {
  const auto key = [&](const char* name) { return static_cast<std::size_t>(problem.integer(name)); };
  Parameters p;
  p.rows = key("rows");
  p.cols = key("cols");
  p.iterations = static_cast<int>(problem.integer("iterations"));
  p.lambda = problem.real("lambda");
  p.region = {key("roi_top"), key("roi_top") + key("roi_rows"), key("roi_left"),
              key("roi_left") + key("roi_cols")};
  if (p.region.top >= p.rows || p.region.left >= p.cols || p.region.bottom > p.rows ||
      p.region.right > p.cols) {
    throw UsageError(fmt::format(
        "srad: the region of interest, {} x {} pixels (0: all that follow) from row {}, column {} on, is "
        "not inside the image of {} x {}",
        key("roi_rows"), key("roi_cols"), p.region.top, p.region.left, p.rows, p.cols));
  }
  if (p.region.bottom == p.region.top) p.region.bottom = p.rows;
  if (p.region.right == p.region.left) p.region.right = p.cols;
  return p;
}

std::vector<float> speckled_image(const Parameters& parameters, std::uint64_t seed) {
  constexpr std::size_t patch = 48;
  constexpr std::size_t levels_across = 64;
  std::vector<float> levels(levels_across * levels_across);
  Random(seed_of_part(seed, 1)).fill_uniform(levels, 1, 2);
  std::vector<float> image(parameters.pixels());
  Random(seed).fill_uniform(image, 0.5F, 1.5F);
  for (std::size_t row = 0; row < parameters.rows; ++row) {
    const float* level = levels.data() + row / patch % levels_across * levels_across;
    float* pixels = image.data() + row * parameters.cols;
    for (std::size_t column = 0; column < parameters.cols; ++column)
      pixels[column] *= level[column / patch % levels_across];
  }
  return image;
}

namespace {

template <typename T>
double region_mean(const std::vector<T>& image, const Parameters& p) {
  double sum = 0;
  for (std::size_t row = p.region.top; row < p.region.bottom; ++row) {
    for (std::size_t column = p.region.left; column < p.region.right; ++column)
      sum += static_cast<double>(image[row * p.cols + column]);
  }
  return sum / static_cast<double>(p.region.pixels());
}

// --- the reference: the formulas as published, in double precision, one pass after the other ---

double speckle_of(const std::vector<double>& image, const Parameters& p) {
  const double mean = region_mean(image, p);
  double squares = 0;
  for (std::size_t row = p.region.top; row < p.region.bottom; ++row) {
    for (std::size_t column = p.region.left; column < p.region.right; ++column) {
      const double deviation = image[row * p.cols + column] - mean;
      squares += deviation * deviation;
    }
  }
  return std::max(squares / static_cast<double>(p.region.pixels()) / (mean * mean), smallest_speckle);
}

// A pixel's four neighbours; outside the image stands the nearest pixel inside.
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
  // Where the speckle is as good as nothing, the sum in the denominator may round to zero or below for c
  // beyond 1.
  return variation <= speckle ? 1 : std::clamp(coefficient, 0.0, 1.0);
}

void reference_step(const Parameters& p, double speckle, std::vector<double>& image,
                    std::vector<double>& coefficients) {
  for (std::size_t row = 0; row < p.rows; ++row) {
    for (std::size_t column = 0; column < p.cols; ++column) {
      const std::size_t here = row * p.cols + column;
      coefficients[here] = published_coefficient(image, Neighbours(p, row, column), image[here], speckle);
    }
  }
  std::vector<double> above(image.begin(),
                            image.begin() + static_cast<std::ptrdiff_t>(p.cols));  // before the step
  for (std::size_t row = 0; row < p.rows; ++row) {
    double west = image[row * p.cols];
    for (std::size_t column = 0; column < p.cols; ++column) {
      const std::size_t here = row * p.cols + column;
      const Neighbours at(p, row, column);
      const double centre = image[here];
      const double flux = coefficients[here] * (above[column] - centre + west - centre) +
                          coefficients[at.south] * (image[at.south] - centre) +
                          coefficients[at.east] * (image[at.east] - centre);
      above[column] = west = centre;
      image[here] = centre + p.lambda / 4 * flux;
    }
  }
}

// --- the tolerance ---
//
// With u = 2^-24, one step in single precision commits two kinds of error of its own.
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
// analysis", SIAM J. Sci. Comput. 41(5), 2019): speckle_error = 256 u, relative.
//
// How the steps after it pass an error on depends on the image: linear diffusion never amplifies, but the
// flux c (n - J) falls where differences are large, and edges sharpen there. So the growth is taken from the
// image itself: a second reference commits, in every step, errors of exactly these sizes and of random signs.
// The largest relative difference between the two, times worst_case for signs that are less lucky, is the
// tolerance.
constexpr double unit_roundoff = 0x1p-24;
constexpr double speckle_error = 256 * unit_roundoff;
constexpr double worst_case = 2;

double pixel_error(double lambda, double speckle) {
  return (2 + 120 * lambda * std::sqrt(speckle)) * unit_roundoff;
}

void disturb(std::vector<double>& image, double error, Random& random) {
  std::uint64_t signs = 0;
  for (std::size_t i = 0; i < image.size(); ++i, signs >>= 1U) {
    if (i % 64 == 0) signs = random.next();
    image[i] *= (signs & 1U) != 0 ? 1 + error : 1 - error;
  }
}

std::vector<double> diffused(const SradInput& input, bool disturbed) {
  const Parameters& p = input.parameters();
  std::vector<double> image(input.image().begin(), input.image().end());
  std::vector<double> coefficients(image.size());
  Random random(1);
  for (int i = 0; i < p.iterations; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    const double speckle = speckle_of(image, p) * (disturbed ? 1 + sign * speckle_error : 1);
    reference_step(p, speckle, image, coefficients);
    if (disturbed) disturb(image, pixel_error(p.lambda, speckle), random);
  }
  return image;
}

}  // namespace

SradInput::SradInput(const Parameters& parameters, std::vector<float> image)
    : parameters_(parameters),
      image_(std::move(image)),
      shift_(static_cast<float>(region_mean(image_, parameters))) {}

void SradInput::compute_reference() const {
  const std::vector<double> disturbed = diffused(*this, true);
  const std::vector<double> exact = diffused(*this, false);
  double difference = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    difference = std::max(difference, std::abs(disturbed[i] - exact[i]) / std::abs(exact[i]));
  tolerance_ = worst_case * difference + unit_roundoff;  // expected_ is rounded itself
  expected_.assign(exact.begin(), exact.end());
}

Check SradInput::check(std::span<const float> output) const {
  std::call_once(once_, [this] { compute_reference(); });
  Check check;
  check.ok = true;
  check.tolerance = tolerance_;
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

// --- the host's own version: one pass per step, c of two rows at a time ---

namespace {

struct Speckle {
  float scale;    // q0^2 (1 + q0^2)
  float squared;  // q0^4
};

// Three rows of pixels; `west` and `east` are the columns beside the row's ends.
struct Rows {
  const float* above;
  const float* here;
  const float* below;
};

// c = q0^2 (1 + q0^2) m^2 / (q0^4 m^2 + sum of differences squared / 2 - (m - J)^2), m the mean of the
// neighbours.
inline float coefficient(float centre, float north, float south, float west, float east, Speckle speckle) {
  const float mean = 0.25F * (north + south + west + east);
  const float squares = (north - centre) * (north - centre) + (south - centre) * (south - centre) +
                        (west - centre) * (west - centre) + (east - centre) * (east - centre);
  const float variation = 0.5F * squares - (mean - centre) * (mean - centre);
  const float coefficient = speckle.scale * mean * mean / (speckle.squared * mean * mean + variation);
  return coefficient < 1 ? coefficient : 1;
}

FOR_EACH_X86_LEVEL void row_coefficients(const Rows& rows, std::size_t cols, Speckle speckle, float* result) {
  const float* above = rows.above;
  const float* here = rows.here;
  const float* below = rows.below;
  const std::size_t last = cols - 1;
  result[0] =
      coefficient(here[0], above[0], below[0], here[0], here[std::min<std::size_t>(1, last)], speckle);
#pragma omp simd
  for (std::size_t i = 1; i < last; ++i)
    result[i] = coefficient(here[i], above[i], below[i], here[i - 1], here[i + 1], speckle);
  if (last > 0)
    result[last] = coefficient(here[last], above[last], below[last], here[last - 1], here[last], speckle);
}

// `own` and `south` are c of the row and of the one below; beyond the last column the flux is nothing.
FOR_EACH_X86_LEVEL void update_row(const Rows& rows, const float* own, const float* south, std::size_t cols,
                                   float gain, float* result) {
  const float* above = rows.above;
  const float* here = rows.here;
  const float* below = rows.below;
  const std::size_t last = cols - 1;
  const auto updated = [=](std::size_t i, float west, float east, float own_east) {
    const float centre = here[i];
    return centre + gain * (own[i] * ((above[i] - centre) + (west - centre)) +
                            south[i] * (below[i] - centre) + own_east * (east - centre));
  };
  const std::size_t second = std::min<std::size_t>(1, last);
  result[0] = updated(0, here[0], here[second], own[second]);
#pragma omp simd
  for (std::size_t i = 1; i < last; ++i) result[i] = updated(i, here[i - 1], here[i + 1], own[i + 1]);
  if (last > 0) result[last] = updated(last, here[last - 1], here[last], 0);
}

struct Sums {
  double deviations = 0;
  double squares = 0;
};

FOR_EACH_X86_LEVEL Sums row_sums(const float* pixels, std::size_t count, float shift) {
  float deviations = 0;
  float squares = 0;
#pragma omp simd reduction(+ : deviations, squares)
  for (std::size_t i = 0; i < count; ++i) {
    const float deviation = pixels[i] - shift;
    deviations += deviation;
    squares += deviation * deviation;
  }
  return {static_cast<double>(deviations), static_cast<double>(squares)};
}

class Diffusion {
 public:
  Diffusion(const SradInput& input, int threads)
      : input_(input), p_(input.parameters()), threads_(threads), next_(p_.pixels()) {}

  void reset() { image_ = input_.image(); }
  [[nodiscard]] const std::vector<float>& image() const { return image_; }

  void run() {
    for (int i = 0; i < p_.iterations; ++i) {
      const Speckle speckle = measure_speckle();
#pragma omp parallel num_threads(threads_)
      {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num());
        const auto count = static_cast<std::size_t>(omp_get_num_threads());
        diffuse_band(p_.rows * thread / count, p_.rows * (thread + 1) / count, speckle);
      }
      image_.swap(next_);
    }
  }

 private:
  [[nodiscard]] Speckle measure_speckle() const {
    const Region& region = p_.region;
    double deviations = 0;
    double squares = 0;
#pragma omp parallel for num_threads(threads_) reduction(+ : deviations, squares)
    for (std::size_t row = region.top; row < region.bottom; ++row) {
      const Sums sums =
          row_sums(image_.data() + row * p_.cols + region.left, region.right - region.left, input_.shift());
      deviations += sums.deviations;
      squares += sums.squares;
    }
    const auto pixels = static_cast<double>(region.pixels());
    const double mean = static_cast<double>(input_.shift()) + deviations / pixels;
    const double variance = squares / pixels - (deviations / pixels) * (deviations / pixels);
    const double speckle = std::max(variance / (mean * mean), smallest_speckle);
    return {static_cast<float>(speckle * (1 + speckle)), static_cast<float>(speckle * speckle)};
  }

  [[nodiscard]] Rows rows_at(std::size_t row) const {
    const float* here = image_.data() + row * p_.cols;
    return {row == 0 ? here : here - p_.cols, here, row + 1 == p_.rows ? here : here + p_.cols};
  }

  void diffuse_band(std::size_t begin, std::size_t end, Speckle speckle) {
    if (begin == end) return;
    std::vector<float> own(p_.cols);
    std::vector<float> south(p_.cols);
    row_coefficients(rows_at(begin), p_.cols, speckle, own.data());
    for (std::size_t row = begin; row < end; ++row) {
      row_coefficients(rows_at(std::min(row + 1, p_.rows - 1)), p_.cols, speckle, south.data());
      update_row(rows_at(row), own.data(), south.data(), p_.cols, static_cast<float>(p_.lambda / 4),
                 next_.data() + row * p_.cols);
      own.swap(south);
    }
  }

  const SradInput& input_;
  const Parameters& p_;
  int threads_;
  std::vector<float> image_;
  std::vector<float> next_;
};

class SradHostCase final : public HostCase {
 public:
  SradHostCase(std::shared_ptr<const SradInput> input, int threads)
      : input_(std::move(input)), diffusion_(*input_, threads) {}

  void reset() override { diffusion_.reset(); }
  void run() override { diffusion_.run(); }
  [[nodiscard]] Check check() const override { return input_->check(diffusion_.image()); }

 private:
  std::shared_ptr<const SradInput> input_;
  Diffusion diffusion_;
};

}  // namespace

std::vector<float> diffused_on_host(const SradInput& input) {
  Diffusion diffusion(input, 1);
  diffusion.reset();
  diffusion.run();
  return diffusion.image();
}

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SradInput> input, int threads) {
  return std::make_unique<SradHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::srad
