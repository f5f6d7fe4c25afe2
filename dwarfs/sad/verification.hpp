// The check of sums of absolute differences: all of them, and they must be equal. Shares no code with the
// kernels or with the host version: for an offset it takes the differences of whole lines, adds four lines,
// and then the columns of each block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/run/case.hpp"

namespace dwarfsweep::sad {

struct Frames {
  std::int64_t rows = 0, cols = 0;
  std::int64_t search = 0;  // offsets in each direction, from -(search / 2) on
  std::vector<std::uint8_t> current, reference;

  [[nodiscard]] std::int64_t block_rows() const { return (rows + 3) / 4; }
  [[nodiscard]] std::int64_t block_cols() const { return (cols + 3) / 4; }
  [[nodiscard]] std::size_t sums() const {
    return static_cast<std::size_t>(block_rows() * block_cols() * search * search);
  }
};

/// `sums` are block rows x block columns x search x search.
Check check_sums(const Frames& frames, std::span<const std::uint16_t> sums);

}  // namespace dwarfsweep::sad
