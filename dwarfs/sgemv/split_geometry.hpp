// How the variant split_k of sgemv lays its work-items over the matrix.
#pragma once

#include <cstdint>

#include "dwarfs/sgemv/operands.hpp"
#include "harness/device/device.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep::sgemv {

/// Columns of a transposed group of one item: their sums stay in its first-level cache (16 KiB).
constexpr std::int64_t columns_per_item = 4096;

struct SplitGeometry {
  std::int64_t lanes = 1;   ///< items side by side on a row
  std::int64_t groups = 1;  ///< over the outputs
  std::int64_t chunk = 1;   ///< terms per group
  std::int64_t chunks = 1;  ///< over the terms

  /// Transposed and one lane: a group is one item that keeps its sums in memory.
  [[nodiscard]] bool has_single_item(const Shape& shape) const { return shape.transposed && lanes == 1; }
  /// Groups leave sums of chunks, which a second kernel adds.
  [[nodiscard]] bool has_partial_sums(const Shape& shape) const {
    return chunks > 1 || has_single_item(shape);
  }
  /// Outputs of a group in the kernel `reduce`: where lanes share a row, several of them share an output.
  [[nodiscard]] std::int64_t reduce_outputs() const;
};

/// From the axes; where `lanes` or `splits` is 0, chosen for device and matrix.
SplitGeometry split_geometry(const Shape& shape, const Config& config, const DeviceInfo& device);

}  // namespace dwarfsweep::sgemv
