// The axis `sync` of the variants whose groups can wait for each other.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "harness/device/device.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {

/// Words before the claims of a team's chunks: PHASE_CLAIMS in kernels_cl/phases.cl.
inline constexpr std::size_t phase_claims = 32;

/// Do they within one launch? "launches": no; "auto": on CPUs, which these variants are for, where it costs
/// little; any other value: yes. Throws PointFailure where they cannot.
inline bool groups_wait(const DeviceInfo& device, const std::string& sync) {
  if (sync == "launches") return false;
  if (sync == "auto") return device.spin_waiting_is_cheap();
  if (device.groups_may_wait()) return true;
  throw PointFailure(
      Status::unsupported,
      fmt::format("groups must not wait for each other on {}, since {}; sync=launches does without",
                  device.name, device.why_groups_must_not_wait()));
}

}  // namespace dwarfsweep
