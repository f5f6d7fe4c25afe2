// The macros that a kernel file is built with: every axis of the space, and what the host adds. Among these
// is how lanes shuffle: neighbouring work-items that pass values to each other in registers. Whether a device
// lets them, how, and how many at a time is decided here alone; kernels_cl/lanes.cl has the kernels' side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/space/space.hpp"

namespace dwarfsweep {

/// How lanes shuffle: SHUFFLE of kernels_cl/lanes.cl.
enum class Shuffle {
  none = 0,        ///< they do not: the kernel passes values through local memory
  sub_groups = 1,  ///< cl_khr_subgroup_shuffle
  ptx = 2,         ///< shfl.sync, by inline PTX
};

struct Lanes {
  Shuffle method = Shuffle::none;
  std::int64_t count = 1;               ///< SUB_GROUP: how many shuffle with each other
  bool requires_subgroup_size = false;  ///< REQUIRE_SUB_GROUP: kernels require sub-groups of that size

  [[nodiscard]] bool shuffle() const { return method != Shuffle::none; }
};

/// How many lanes may shuffle with each other there, from 8 to 64, ascending; empty: none. Where the driver
/// does not tell, all powers of two, of which a built kernel has one.
std::vector<std::int64_t> lane_counts(const Capabilities& device);

/// Those of lane_counts() that a kernel certainly gets: by inline PTX, where the compiler can be told the
/// size of sub-groups, and where the device has only one.
std::vector<std::int64_t> certain_lane_counts(const Capabilities& device);

/// `count` lanes that shuffle there, it being one of lane_counts(); else those that do not.
Lanes shuffling_lanes(const Capabilities& device, std::int64_t count);

/// For Space::constrain.
inline constexpr const char* lacks_shuffles =
    "the device has no shuffles, neither cl_khr_subgroup_shuffle nor inline PTX";

class Macros {
 public:
  /// None but the capabilities that every program gets.
  Macros() = default;
  /// Every axis: `UNROLL=4`, and for strings `MEMORY_LOCAL=2 ... MEMORY=MEMORY_LOCAL`, so that a kernel
  /// compares names and a misspelt one can be caught.
  Macros(const Space& space, const Config& config);

  /// A macro that the host derives: the name in capitals, and its value.
  Macros& define(const std::string& name, std::int64_t value);

  /// Whether groups of the program wait for each other in one launch: GROUPS_WAIT. Then it is built in a
  /// version of OpenCL C that has ordered atomics, where the device offers them.
  Macros& allow_inter_group_sync(bool wait = true) {
    groups_wait_ = wait;
    return *this;
  }
  [[nodiscard]] bool groups_wait() const { return groups_wait_; }

  /// How lanes of the program's kernels shuffle: the macros of kernels_cl/lanes.cl.
  Macros& let_lanes_shuffle(const Lanes& lanes);
  [[nodiscard]] const Lanes& lanes() const { return lanes_; }

  /// The compiler's options: " -D UNROLL=4 ...".
  [[nodiscard]] const std::string& options() const { return options_; }
  /// What stands before the kernel file: `#error` for each macro that is missing, or is no value of its axis.
  [[nodiscard]] const std::string& guards() const { return guards_; }

 private:
  std::string options_;
  std::string guards_;
  bool groups_wait_ = false;
  Lanes lanes_;
};

}  // namespace dwarfsweep
