// How the variants of sgemv lay work-groups over outputs and terms: what the space, the launches and the
// kernels all depend on.
#pragma once

#include <cstdint>
#include <string>

#include "dwarfs/sgemv/operands.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::sgemv {

/// Work-items of a group in the kernel `reduce`.
constexpr std::int64_t reduce_group = 128;

/// Whether the variant stages tiles of the matrix in local memory.
bool stages_matrix(const std::string& variant);

bool is_transposed(const Point& point);

/// Whether groups of split_k add their chunks themselves.
bool finishes(const Config& config);

/// Work-items of a group: those that compute, and the sets of loading lanes.
std::int64_t group_items(const Config& config);

/// Work-groups over the outputs, in all variants but split_k.
std::int64_t groups_over_outputs(const Shape& shape, const Config& config);

/// The part of the matrix that both_* stage in local memory: rows of the matrix.
struct MatrixTile {
  std::int64_t lines = 0;
  std::int64_t line = 0;  ///< elements from one to the next
};
MatrixTile matrix_tile(const Config& config, bool transposed);

/// Of local memory, as the kernels declare it.
std::uint64_t local_bytes(const Point& point);

}  // namespace dwarfsweep::sgemv
