// The work-items of a launch, or of a group.
#pragma once

#include <array>
#include <cstddef>

namespace dwarfsweep {

/// One to three dimensions, in work-items. A local range of no dimensions lets the driver choose.
struct Range {
  Range() = default;
  Range(std::size_t x) : sizes{x, 1, 1}, dimensions(1) {}  // NOLINT(google-explicit-constructor)
  Range(std::size_t x, std::size_t y) : sizes{x, y, 1}, dimensions(2) {}
  Range(std::size_t x, std::size_t y, std::size_t z) : sizes{x, y, z}, dimensions(3) {}

  [[nodiscard]] std::size_t items() const { return sizes[0] * sizes[1] * sizes[2]; }

  std::array<std::size_t, 3> sizes{1, 1, 1};
  unsigned dimensions = 0;
};

}  // namespace dwarfsweep
