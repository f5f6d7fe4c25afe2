// Block by block; a line of offsets is in vectors, over a reference that is continued beyond its border.
#include "dwarfs/sad/sad.hpp"

#include <algorithm>
#include <limits>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::sad {
namespace {

// sums[i] += |pixel - reference[i]|
FOR_EACH_X86_LEVEL void add_pixels(const std::uint8_t* pixels, const std::uint8_t* reference,
                                   std::int64_t pitch, std::int64_t search, std::uint16_t* sums) {
  for (std::int64_t dx = 0; dx < search; ++dx) sums[dx] = 0;
  for (std::int64_t i = 0; i < 16; ++i) {
    const std::uint8_t pixel = pixels[i];
    const std::uint8_t* from = reference + i / 4 * pitch + i % 4;
    for (std::int64_t dx = 0; dx < search; ++dx) {
      const std::uint8_t larger = std::max(pixel, from[dx]);
      const std::uint8_t smaller = std::min(pixel, from[dx]);
      sums[dx] = static_cast<std::uint16_t>(sums[dx] + static_cast<std::uint8_t>(larger - smaller));
    }
  }
}

class SadHostCase final : public HostCase {
 public:
  SadHostCase(std::shared_ptr<const SadInput> input, int threads)
      : input_(std::move(input)), threads_(threads), sums_(frames().sums()) {}

  void reset() override { std::fill(sums_.begin(), sums_.end(), std::numeric_limits<std::uint16_t>::max()); }
  void run() override {
    continue_reference();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t block = 0; block < frames().block_rows() * frames().block_cols(); ++block)
      do_block(block);
  }
  [[nodiscard]] Check check() const override {
    return input_->check(sums_);
  }

 private:
  [[nodiscard]] const Frames& frames() const {
    return input_->frames();
  }

  void continue_reference() {
    const Frames& f = frames();
    pitch_ = 4 * f.block_cols() + f.search;
    const std::int64_t height = 4 * f.block_rows() + f.search;
    reference_.resize(static_cast<std::size_t>(pitch_ * height));
    for (std::int64_t y = 0; y < height; ++y) {
      const std::int64_t row = std::clamp<std::int64_t>(y - f.search / 2, 0, f.rows - 1);
      for (std::int64_t x = 0; x < pitch_; ++x) {
        const std::int64_t column = std::clamp<std::int64_t>(x - f.search / 2, 0, f.cols - 1);
        reference_[y * pitch_ + x] = f.reference[row * f.cols + column];
      }
    }
  }
  void do_block(std::int64_t block) {
    const Frames& f = frames();
    const std::int64_t top = block / f.block_cols() * 4;
    const std::int64_t left = block % f.block_cols() * 4;
    std::uint8_t pixels[16];
    for (std::int64_t i = 0; i < 16; ++i) {
      pixels[i] = f.current[std::min(top + i / 4, f.rows - 1) * f.cols + std::min(left + i % 4, f.cols - 1)];
    }
    for (std::int64_t dy = 0; dy < f.search; ++dy) {
      add_pixels(pixels, reference_.data() + (top + dy) * pitch_ + left, pitch_, f.search,
                 sums_.data() + (block * f.search + dy) * f.search);
    }
  }

  std::shared_ptr<const SadInput> input_;
  int threads_;
  std::int64_t pitch_ = 0;
  std::vector<std::uint8_t> reference_;
  std::vector<std::uint16_t> sums_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SadInput> input, int threads) {
  return std::make_unique<SadHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::sad
