// How large a device's caches are taken to be, and what follows from that for samples with hot and cold
// caches.
#pragma once

#include <cstdint>

#include "harness/device/device.hpp"

namespace dwarfsweep {

/// Caches before each sample: as a run of the same point left them, or flushed by a fill of twice the
/// last-level cache.
enum class CacheState { hot, cold };

/// What the peaks say (harness/peaks/peaks.hpp); zeros where that was not measured.
struct MeasuredCaches {
  std::uint64_t last_level_bytes = 0;
  double memory_gb_per_s = 0;  ///< of reading beyond all caches
};

struct CacheOptions {
  CacheOptions(CacheState wanted = CacheState::hot)  // NOLINT(google-explicit-constructor)
      : state(wanted) {}
  CacheOptions(CacheState wanted, MeasuredCaches found, double share)
      : state(wanted), measured(found), max_effect(share) {}

  CacheState state;
  MeasuredCaches measured = {};
  double max_effect =
      0.015;  ///< by how much of its time other points' data in the caches may change a hot run
};

/// The measured size; else the one that the device states, but at least 32 MiB, because some devices state
/// their first level.
std::uint64_t last_level_cache_bytes(const DeviceInfo& device, const MeasuredCaches& measured);

/// The number of bytes whose fill evicts everything else from the device's caches.
std::uint64_t displacing_bytes(const DeviceInfo& device, const MeasuredCaches& measured);

/// Whether a run that takes `run_ns` and uses `bytes` of device memory may be faster by more than
/// `options.max_effect` where the caches hold its data.
bool caches_matter(const DeviceInfo& device, const CacheOptions& options, std::uint64_t bytes, double run_ns);

}  // namespace dwarfsweep
