// Judging kernels that somebody else wrote: trials that the candidate cannot foresee, what a failed one
// means, and a score for kernels that pass them all.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "suite/judge/judgement.hpp"

namespace dwarfsweep {

struct JudgeRequest {
  const Dwarf* dwarf = nullptr;
  DeviceInfo device;
  std::vector<DeviceInfo> others;  ///< further devices of this machine, which should agree
  Problem problem;                 ///< what is timed
  Config config;
  std::filesystem::path kernels;  ///< the candidate's files
  std::uint64_t seed = 1;         ///< the same seed makes the same trials, as far as the time allows
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::chrono::milliseconds time{60'000};
  std::optional<std::int64_t> most_verified = {};  ///< ends after so many outputs, without a score
};

/// Ends within the time whatever the kernels do. Throws UsageError for a folder without kernels,
/// NoDeviceError if the device is gone, and Interrupted.
Judgement judge(const JudgeRequest& request);

}  // namespace dwarfsweep
