// What the files of cp declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "dwarfs/cp/atoms.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::cp {

// The axes of cp, its default configurations, and which points are legal.

/// How a group lies on the grid; the same derivations as in kernels_cl/cp/cp.cl.
struct ItemShape {
  explicit ItemShape(const Config& config)
      : group_x(std::min<std::int64_t>(config.integer("work_group"), 16)),
        group_y(config.integer("work_group") / group_x),
        item_columns(config.integer("granularity") * config.integer("vector_width")),
        item_rows(config.integer("rows")) {}

  /// The columns of a group.
  [[nodiscard]] std::int64_t columns() const { return group_x * item_columns; }
  [[nodiscard]] std::int64_t rows() const { return group_y * item_rows; }

  std::int64_t group_x, group_y;
  std::int64_t item_columns, item_rows;
};

Space make_space();

// The case of cp on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

// The potential on the host's cores: the CPU reference of cp.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CpInput> input, int threads);

}  // namespace dwarfsweep::cp
