// One pass over memory per step; c is kept of two rows at a time.
#include "dwarfs/srad/srad.hpp"

#include <omp.h>

#include <algorithm>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::srad {
namespace {

struct Speckle {
  float scale;    // q0^2 (1 + q0^2)
  float squared;  // q0^4
};

// Three rows of pixels; `west` and `east` are the columns next to the row's ends.
struct Rows {
  const float* above;
  const float* here;
  const float* below;
};

// c = q0^2 (1 + q0^2) m^2 / (q0^4 m^2 + sum of differences squared / 2 - (m - J)^2), m the mean of the
// neighbours.
inline float coefficient(float centre, float north, float south, float west, float east, Speckle speckle) {
  const float to_north = north - centre;
  const float to_south = south - centre;
  const float to_west = west - centre;
  const float to_east = east - centre;
  const float squares = to_north * to_north + to_south * to_south + to_west * to_west + to_east * to_east;
  // Not as a difference of the mean, which is rounded: `variation` must not be negative.
  const float off = 0.25F * (to_north + to_south + to_west + to_east);
  const float mean = centre + off;
  const float variation = 0.5F * squares - off * off;
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

// `own` and `south` are c of the row and of the one below; beyond the last column the flux is zero.
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

  void reset() {
    image_ = input_.image();
    shift_ = input_.shift();
  }
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
  [[nodiscard]] Speckle measure_speckle() {
    const Region& region = p_.region;
    double deviations = 0;
    double squares = 0;
#pragma omp parallel for num_threads(threads_) reduction(+ : deviations, squares)
    for (std::size_t row = region.top; row < region.bottom; ++row) {
      const Sums sums =
          row_sums(image_.data() + row * p_.cols + region.left, region.right - region.left, shift_);
      deviations += sums.deviations;
      squares += sums.squares;
    }
    const auto pixels = static_cast<double>(region.pixels());
    const double mean = static_cast<double>(shift_) + deviations / pixels;
    const double variance = squares / pixels - (deviations / pixels) * (deviations / pixels);
    const double speckle = std::max(variance / (mean * mean), min_speckle);
    shift_ = static_cast<float>(mean);
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
  float shift_ = 0;  // the region's last mean, from which deviations are summed
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
