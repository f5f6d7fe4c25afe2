// A graph's lists as the kernels read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/bfs/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

/// Each list is padded to a multiple with its own node, which changes no level.
struct PaddedLists {
  std::vector<std::uint64_t> offsets;  ///< nodes + 1, as in Adjacency
  std::vector<cl_int> neighbours;

  [[nodiscard]] std::uint64_t length(std::int64_t node) const { return offsets[node + 1] - offsets[node]; }
};

/// By the axes padding and offset_bits. Throws PointFailure where offsets of that width cannot count the
/// neighbours.
PaddedLists padded_lists(const Adjacency& graph, const Config& config);

/// Offsets in device memory, of 32 or 64 bits by the axis offset_bits; held as 32-bit words, so that one type
/// serves both widths.
using OffsetBuffer = Buffer<cl_uint>;

OffsetBuffer allocate_offsets(Workspace& workspace, const std::string& name, std::size_t count,
                              std::int64_t offset_bits, Role role);
void upload_offsets(Workspace& workspace, std::span<const std::uint64_t> offsets, std::int64_t offset_bits,
                    const OffsetBuffer& to);

}  // namespace dwarfsweep::bfs
