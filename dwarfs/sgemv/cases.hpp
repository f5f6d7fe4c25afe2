// The cases of sgemv on a device, and what its space and its launches both reckon with.
#pragma once

#include <memory>
#include <string>

#include "dwarfs/sgemv/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::sgemv {

constexpr std::int64_t reduce_group = 128;  // REDUCE_GROUP of sgemv.cl

/// Whether the variant stages tiles of the matrix in local memory.
bool stages_matrix(const std::string& variant);

bool is_transposed(const Point& point);

/// Work-items of a group: those that compute, and the sets of loading lanes.
std::int64_t group_items(const Config& config);

/// Of local memory, as the kernels declare it.
std::uint64_t local_bytes(const Point& point);

std::unique_ptr<Case> make_case(Workspace& workspace, std::shared_ptr<const MatrixInput> input,
                                const Space& space, const Config& config);

}  // namespace dwarfsweep::sgemv
