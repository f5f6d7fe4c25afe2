// The whole encoder on the host. A line of offsets is in vectors, over a reference that continues beyond its
// border; macroblocks are shared out among threads, and what follows the search is serial.
#include <algorithm>
#include <array>
#include <limits>

#include "dwarfs/h264/h264.hpp"
#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::h264 {
namespace {

constexpr std::int64_t most_offsets = 64;

struct Line {
  std::array<std::array<std::uint16_t, most_offsets>, partitions> sums;
};

// For a line of offsets: the sums of the sixteen blocks and of the partitions that these make up.
FOR_EACH_X86_LEVEL void sum_line(const std::uint8_t* pixels, const std::uint8_t* reference,
                                 std::int64_t pitch, std::int64_t search, Line& line) {
  for (int block = 0; block < 16; ++block) {
    std::uint16_t* sums = line.sums[static_cast<std::size_t>(block)].data();
    for (std::int64_t dx = 0; dx < search; ++dx) sums[dx] = 0;
    for (std::int64_t i = 0; i < 16; ++i) {
      const std::int64_t at = (block / 4 * 4 + i / 4) * pitch + block % 4 * 4 + i % 4;
      const std::uint8_t pixel = pixels[at];
      const std::uint8_t* from = reference + at;
      for (std::int64_t dx = 0; dx < search; ++dx) {
        const std::uint8_t larger = std::max(pixel, from[dx]);
        const std::uint8_t smaller = std::min(pixel, from[dx]);
        sums[dx] = static_cast<std::uint16_t>(sums[dx] + static_cast<std::uint8_t>(larger - smaller));
      }
    }
  }
  const auto add = [&](int to, int one, int other) {
    const auto& a = line.sums[static_cast<std::size_t>(one)];
    const auto& b = line.sums[static_cast<std::size_t>(other)];
    auto& sums = line.sums[static_cast<std::size_t>(to)];
    for (std::int64_t dx = 0; dx < search; ++dx) sums[dx] = static_cast<std::uint16_t>(a[dx] + b[dx]);
  };
  for (int i = 0; i < 8; ++i) add(first_8x4 + i, 2 * i, 2 * i + 1);
  for (int i = 0; i < 8; ++i) add(first_4x8 + i, i / 4 * 8 + i % 4, i / 4 * 8 + 4 + i % 4);
  for (int i = 0; i < 4; ++i)
    add(first_8x8 + i, first_8x4 + i / 2 * 4 + i % 2, first_8x4 + i / 2 * 4 + 2 + i % 2);
  for (int i = 0; i < 2; ++i) add(first_16x8 + i, first_8x8 + 2 * i, first_8x8 + 2 * i + 1);
  for (int i = 0; i < 2; ++i) add(first_8x16 + i, first_8x8 + i, first_8x8 + 2 + i);
  add(whole, first_16x8, first_16x8 + 1);
}

class H264HostCase final : public HostCase {
 public:
  H264HostCase(std::shared_ptr<const VideoInput> input, int threads)
      : input_(std::move(input)), threads_(threads) {}

  void reset() override {
    motion_.vectors.assign(2 * frames().results(), 0);
    motion_.costs.assign(frames().results(), std::numeric_limits<std::int32_t>::max());
    encoded_ = {};
  }
  void run() override {
    motion_.vectors.resize(2 * frames().results());
    motion_.costs.resize(frames().results());
    for (std::int64_t f = 1; f < frames().count(); ++f) {
      const std::vector<std::uint8_t> reference = bordered(frames().pictures[f - 1]);
      const std::vector<std::uint8_t> current = bordered(frames().pictures[f]);
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
      for (std::int64_t macroblock = 0; macroblock < frames().macroblocks(); ++macroblock)
        search(f, macroblock, current, reference);
    }
    encoded_ = encode(frames(), motion_);
  }
  [[nodiscard]] Check check() const override {
    return input_->check(motion_, encoded_);
  }

 private:
  [[nodiscard]] const Frames& frames() const {
    return input_->frames();
  }

  [[nodiscard]] std::vector<std::uint8_t> bordered(const Picture& picture) const {
    std::vector<std::uint8_t> result(
        static_cast<std::size_t>(frames().device_rows() * frames().device_pitch()));
    for (std::int64_t y = 0; y < frames().device_rows(); ++y) {
      const std::uint8_t* row =
          picture.planes[0].data() + std::clamp<std::int64_t>(y - margin, 0, picture.rows - 1) * picture.cols;
      for (std::int64_t x = 0; x < frames().device_pitch(); ++x)
        result[y * frames().device_pitch() + x] =
            row[std::clamp<std::int64_t>(x - margin, 0, picture.cols - 1)];
    }
    return result;
  }

  void search(std::int64_t f, std::int64_t macroblock, const std::vector<std::uint8_t>& current,
              const std::vector<std::uint8_t>& reference) {
    const std::int64_t pitch = frames().device_pitch();
    const std::int64_t search = frames().search;
    const std::int64_t at =
        (macroblock / frames().across() * 16 + margin) * pitch + macroblock % frames().across() * 16 + margin;
    const std::int64_t first = ((f - 1) * frames().macroblocks() + macroblock) * partitions;
    std::int64_t from_y = 0;
    std::int64_t from_x = 0;
    if (frames().predicts && f > 1) {
      const std::int64_t before = first - frames().macroblocks() * partitions + whole;
      from_y = motion_.vectors[2 * before];
      from_x = motion_.vectors[2 * before + 1];
    }
    std::array<std::int32_t, partitions> best;
    std::array<std::int64_t, partitions> place{};
    best.fill(std::numeric_limits<std::int32_t>::max());
    Line line;
    for (std::int64_t i = 0; i < search; ++i) {
      const std::int64_t dy = i - search / 2;
      sum_line(current.data() + at, reference.data() + at + dy * pitch - search / 2, pitch, search, line);
      std::array<std::int32_t, most_offsets> bits{};
      for (std::int64_t j = 0; j < search; ++j)
        bits[static_cast<std::size_t>(j)] =
            frames().lambda * (bits_of(dy - from_y) + bits_of(j - search / 2 - from_x));
      for (std::size_t p = 0; p < best.size(); ++p) {
        for (std::int64_t j = 0; j < search; ++j) {
          const std::int32_t cost =
              line.sums[p][static_cast<std::size_t>(j)] + bits[static_cast<std::size_t>(j)];
          if (cost >= best[p]) continue;
          best[p] = cost;
          place[p] = i * search + j;
        }
      }
    }
    for (std::size_t p = 0; p < best.size(); ++p) {
      const auto to = static_cast<std::size_t>(first) + p;
      motion_.costs[to] = best[p];
      motion_.vectors[2 * to] = static_cast<std::int16_t>(place[p] / search - search / 2);
      motion_.vectors[2 * to + 1] = static_cast<std::int16_t>(place[p] % search - search / 2);
    }
  }

  std::shared_ptr<const VideoInput> input_;
  int threads_;
  Motion motion_;
  Encoded encoded_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const VideoInput> input, int threads) {
  return std::make_unique<H264HostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::h264
