// Fair shares of time among the groups of a sweep. Pure functions: the clock is the caller's.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

namespace dwarfsweep {

/// What the sharing knows of a group.
struct GroupLoad {
  std::size_t device = 0;              ///< groups of one device are visited one after the other
  std::chrono::milliseconds spent{0};  ///< on its points, so far
  std::size_t points_done = 0;         ///< those that were at least prepared
  std::size_t points_to_do = 0;

  /// Expected time for what is to do: as long for each point as for those done.
  [[nodiscard]] std::chrono::milliseconds need() const;
};

/// How much of the time `left` the first of `groups` gets, all of which still have something to do: so much
/// that in the end all have had the same, as far as what they have already spent allows. What it does not use
/// is shared among the others when their turn comes.
std::chrono::milliseconds fair_share(std::span<const GroupLoad> groups, std::chrono::milliseconds left);

/// The indices of those groups that have something to do: device by device, `first_device` before the others,
/// and on each device the one that needs least first, so that its rest goes to those that need more.
std::vector<std::size_t> turns_by_need(std::span<const GroupLoad> groups, std::size_t first_device);

}  // namespace dwarfsweep
