// The axes of cp, its default configurations, and which points are legal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/space/space.hpp"

namespace dwarfsweep::cp {

/// How a group lies on the grid; the same derivations as in kernels_cl/cp/cp.cl.
struct ItemShape {
  explicit ItemShape(const Config& config)
      : group_x(std::min<std::int64_t>(config.integer("work_group"), 16)),
        group_y(config.integer("work_group") / group_x),
        item_columns(config.integer("granularity") * config.integer("vector_width")),
        item_rows(config.integer("rows")) {}

  /// Of a group.
  [[nodiscard]] std::int64_t columns() const { return group_x * item_columns; }
  [[nodiscard]] std::int64_t rows() const { return group_y * item_rows; }

  std::int64_t group_x, group_y;
  std::int64_t item_columns, item_rows;
};

Space make_space();

}  // namespace dwarfsweep::cp
