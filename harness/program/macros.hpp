// The macros that a kernel file is built with: every axis of the space, and those that the host adds. Some of
// these say how lanes (neighbouring work-items) shuffle, that is, pass values to each other in registers.
// Only this file decides whether a device allows it, how, and for how many lanes; kernels_cl/lanes.cl has the
// kernels' side.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

/// The numbers of lanes that may shuffle with each other there, from 8 to 64, ascending; empty: none. If the
/// driver does not report them, all powers of two; a built kernel has one of these.
std::vector<std::int64_t> lane_counts(const Capabilities& device);

/// Those of lane_counts() that a kernel certainly gets: with inline PTX, if the kernel can require a
/// sub-group size, or if the device has only one size.
std::vector<std::int64_t> certain_lane_counts(const Capabilities& device);

/// `count` lanes that shuffle if `count` is one of lane_counts(), else lanes that do not.
Lanes shuffling_lanes(const Capabilities& device, std::int64_t count);

/// For Space::constrain.
inline constexpr const char* lacks_shuffles =
    "the device has no shuffles, neither cl_khr_subgroup_shuffle nor inline PTX";

class Macros {
 public:
  /// Only the capabilities, which every program gets.
  Macros() = default;
  /// Every axis: `UNROLL=4`, and for strings `MEMORY_LOCAL=2 ... MEMORY=MEMORY_LOCAL`, so that a kernel
  /// compares names and a misspelt one can be caught.
  Macros(const Space& space, const Config& config);

  /// A macro that the host derives: the name in capitals, and its value.
  Macros& define(const std::string& name, std::int64_t value);

  /// Whether groups of the program wait for each other in one launch: GROUPS_WAIT. If so, the program is
  /// built for a version of OpenCL C with ordered atomics if the device offers one.
  Macros& allow_inter_group_sync(bool wait = true) {
    groups_wait_ = wait;
    return *this;
  }
  [[nodiscard]] bool groups_wait() const { return groups_wait_; }

  /// How lanes of the program's kernels shuffle: the macros of kernels_cl/lanes.cl.
  Macros& let_lanes_shuffle(const Lanes& lanes);
  [[nodiscard]] const Lanes& lanes() const { return lanes_; }

  /// The compiler's options with all macros: " -D UNROLL=4 ...".
  [[nodiscard]] std::string options() const;

  /// What a program is built with. Points that differ only in axes that it does not use share it.
  struct Used {
    std::string options;
    std::string guards;  ///< text before the kernel file: `#error` for each that is not a value of its axis
  };
  /// The shared axes, and of the others those that `text` mentions outside its comments.
  [[nodiscard]] Used used_in(std::string_view text) const;

 private:
  struct Definition {
    std::string name;
    std::string option;
    std::string guard;
    std::string values;  // of an axis of strings: the options that number its values
    bool is_shared = false;
  };

  std::vector<Definition> definitions_;
  bool groups_wait_ = false;
  Lanes lanes_;
};

}  // namespace dwarfsweep
