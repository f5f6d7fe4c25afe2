#include "dwarfs/sad/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>

namespace dwarfsweep::sad {
namespace {

// Line `row` of a frame from column `begin` on, both continued beyond the border.
void copy_line(const Frames& frames, const std::vector<std::uint8_t>& frame, std::int64_t row,
               std::int64_t begin, std::vector<std::int16_t>& line) {
  const std::uint8_t* from = frame.data() + std::clamp<std::int64_t>(row, 0, frames.rows - 1) * frames.cols;
  for (std::size_t i = 0; i < line.size(); ++i) {
    line[i] = from[std::clamp<std::int64_t>(begin + static_cast<std::int64_t>(i), 0, frames.cols - 1)];
  }
}

class BlockRow {
 public:
  BlockRow(const Frames& frames, std::int64_t number)
      : frames_(frames),
        number_(number),
        width_(static_cast<std::size_t>(4 * frames.block_cols())),
        columns_(width_) {
    for (auto& line : current_) line.resize(width_);
    for (std::size_t r = 0; r < 4; ++r)
      copy_line(frames, frames.current, 4 * number + static_cast<std::int64_t>(r), 0, current_[r]);
  }

  // The index of a wrong sum of this row of blocks with this dy (both from 0 on), or what is beyond all.
  std::size_t first_wrong(std::int64_t dy, std::span<const std::uint16_t> sums) {
    const std::int64_t search = frames_.search;
    for (auto& line : reference_) line.resize(width_ + static_cast<std::size_t>(search));
    for (std::size_t r = 0; r < 4; ++r) {
      copy_line(frames_, frames_.reference, 4 * number_ + static_cast<std::int64_t>(r) + dy - search / 2,
                -(search / 2), reference_[r]);
    }
    for (std::int64_t dx = 0; dx < search; ++dx) {
      std::fill(columns_.begin(), columns_.end(), std::int16_t{0});
      for (std::size_t r = 0; r < 4; ++r) add_line(current_[r].data(), reference_[r].data() + dx);
      for (std::int64_t block = 0; block < frames_.block_cols(); ++block) {
        const std::int16_t* four = columns_.data() + 4 * block;
        const auto at =
            static_cast<std::size_t>(((number_ * frames_.block_cols() + block) * search + dy) * search + dx);
        if (sums[at] != four[0] + four[1] + four[2] + four[3]) return at;
      }
    }
    return std::numeric_limits<std::size_t>::max();
  }

 private:
  void add_line(const std::int16_t* current, const std::int16_t* reference) {
    for (std::size_t i = 0; i < width_; ++i) {
      columns_[i] = static_cast<std::int16_t>(columns_[i] + std::abs(current[i] - reference[i]));
    }
  }

  const Frames& frames_;
  std::int64_t number_;
  std::size_t width_;
  std::vector<std::int16_t> current_[4], reference_[4];
  std::vector<std::int16_t> columns_;  // sums of four differences
};

}  // namespace

Check check_sums(const Frames& frames, std::span<const std::uint16_t> sums) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t wrong = none;
#pragma omp parallel for schedule(dynamic) reduction(min : wrong)
  for (std::int64_t number = 0; number < frames.block_rows(); ++number) {
    BlockRow row(frames, number);
    for (std::int64_t dy = 0; dy < frames.search; ++dy) wrong = std::min(wrong, row.first_wrong(dy, sums));
  }
  Check check;
  check.ok = wrong == none;
  if (check.ok) return check;
  const auto search = static_cast<std::size_t>(frames.search);
  const std::size_t block = wrong / (search * search);
  const auto blocks = static_cast<std::size_t>(frames.block_cols());
  check.max_error = 1;
  check.message =
      fmt::format("sad[{}][{}][{}][{}] is {}, which is not the sum of differences there", block / blocks,
                  block % blocks, wrong / search % search, wrong % search, sums[wrong]);
  return check;
}

}  // namespace dwarfsweep::sad
