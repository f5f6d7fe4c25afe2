// How the variant split_k of sgemv lays its work-items over the matrix.
#pragma once

#include <cstdint>

#include "dwarfs/sgemv/operands.hpp"
#include "harness/device.hpp"
#include "harness/value.hpp"

namespace dwarfsweep::sgemv {

struct SplitGeometry {
  std::int64_t lanes = 1;   ///< items side by side on a row
  std::int64_t groups = 1;  ///< over the outputs
  std::int64_t chunk = 1;   ///< terms per group
  std::int64_t chunks = 1;  ///< over the terms

  /// Transposed and one lane: a group is one item that keeps its sums in memory.
  [[nodiscard]] bool alone(const Shape& shape) const { return shape.transposed && lanes == 1; }
  /// Groups leave sums of chunks, which a second kernel adds.
  [[nodiscard]] bool partial(const Shape& shape) const { return chunks > 1 || alone(shape); }
};

/// From the axes; where `lanes` or `splits` is 0, chosen for device and matrix.
SplitGeometry split_geometry(const Shape& shape, const Config& config, const DeviceInfo& device);

}  // namespace dwarfsweep::sgemv
