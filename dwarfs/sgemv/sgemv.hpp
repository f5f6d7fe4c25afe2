// What the files of sgemv declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/sgemv/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::sgemv {

// How the variants of sgemv lay work-groups over outputs and terms: what the space, the launches and the
// kernels all depend on.

/// Work-items of a group in the kernel `reduce`.
constexpr std::int64_t reduce_group = 128;

/// Whether the variant stages tiles of the matrix in local memory.
bool stages_matrix(const std::string& variant);

bool is_transposed(const Point& point);

/// Whether groups of split_k add their chunks themselves.
bool finishes(const Config& config);

/// Work-items of a group: those that compute, and the sets of loading lanes.
std::int64_t group_items(const Config& config);

/// From one row of the matrix to the next on the device, in elements.
std::int64_t device_stride(const Shape& shape, const Config& config);

/// The longest rows for which split_k has a kernel of its own.
constexpr std::int64_t max_short_rows = 8;

/// Elements of a row if the variant split_k processes whole rows as vectors, else 0. A GPU does so for
/// transposed matrices only: neighbouring work-items read neighbouring rows of a plain matrix, which its
/// caches join.
std::int64_t short_rows(const Shape& shape, const Config& config, bool is_gpu);

/// Work-groups over the outputs, in all variants but split_k.
std::int64_t groups_over_outputs(const Shape& shape, const Config& config);

/// The part of the matrix that both_* stage in local memory: rows of the matrix.
struct MatrixTile {
  std::int64_t lines = 0;
  std::int64_t line = 0;  ///< elements from one to the next
};
MatrixTile matrix_tile(const Config& config, bool transposed);

/// The local memory that the kernels declare.
std::uint64_t local_bytes(const Point& point);

// The axes of sgemv, its default configurations, and which points are legal.

/// The variants that stage x, or x and the matrix, in local memory.
const std::vector<std::string>& staged_variants();

Space make_space();

// The cases of sgemv on a device.

/// The case of a point. Of all variants but split_k: one kernel, whose groups have all terms of their
/// outputs.
std::unique_ptr<Case> make_case(const Setup& setup);

/// The case of the variant split_k: the terms are divided among groups as well, and a second kernel adds the
/// groups' sums.
std::unique_ptr<Case> make_split_case(const Setup& setup);

// The product on the host's cores: the CPU reference of sgemv.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SgemvInput> input, int threads);

}  // namespace dwarfsweep::sgemv
