// Lanes: neighbouring work-items that pass values to each other in registers, by shuffles. Whether a device
// lets them, how, and how many at a time is decided here alone; kernels_cl/lanes.cl has the kernels' side.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/opencl.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep {

/// How lanes shuffle: SHUFFLE of kernels_cl/lanes.cl.
enum class Shuffle {
  none = 0,        ///< they do not: the kernel passes values through local memory
  sub_groups = 1,  ///< cl_khr_subgroup_shuffle
  ptx = 2,         ///< shfl.sync, by inline PTX
};

struct Lanes {
  Shuffle way = Shuffle::none;
  std::int64_t count = 1;         ///< SUB_GROUP: how many shuffle with each other
  bool compiler_is_told = false;  ///< REQUIRE_SUB_GROUP: kernels require sub-groups of that size

  [[nodiscard]] bool shuffle() const { return way != Shuffle::none; }
};

/// How many lanes may shuffle with each other there, from 8 to 64, ascending; empty: none. Where the driver
/// does not tell, all powers of two, of which a built kernel has one.
std::vector<std::int64_t> lane_counts(const Capabilities& device);

/// Those of lane_counts() that a kernel certainly gets: by inline PTX, where the compiler can be told the
/// size of sub-groups, and where the device has only one.
std::vector<std::int64_t> certain_lane_counts(const Capabilities& device);

/// `count` lanes that shuffle there, it being one of lane_counts(); else those that do not.
Lanes shuffling_lanes(const Capabilities& device, std::int64_t count);

/// Throws PointFailure(unsupported) where the built kernel has sub-groups of another size than its lanes
/// need, or the driver does not tell.
void check_lanes(const cl::Device& device, const cl::Kernel& kernel, const Lanes& lanes);

/// For Space::constrain.
inline constexpr const char* lacks_shuffles =
    "the device has no shuffles, neither cl_khr_subgroup_shuffle nor inline PTX";

}  // namespace dwarfsweep
