// Built programs on disk: what a compiler said of each, how long it took, and its binary where a driver gains
// from that. Processes may use one folder at the same time.
//
// An entry is a file, written under another name and then renamed, so that nobody sees half of one. It holds
// its whole key, which is compared byte by byte, and a checksum: an entry of another program, a truncated or
// a damaged one counts as none. A cache that cannot be written to keeps nothing, without an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/device/device.hpp"
#include "harness/program/kernel_source.hpp"

namespace dwarfsweep {

/// All that a build depends on.
struct ProgramKey {
  ProgramText text;
  std::string device;    ///< name and id
  std::string driver;    ///< CL_DRIVER_VERSION
  std::string platform;  ///< name and version
  std::string steering;  ///< variables of the environment by which a user steers the compiler

  ProgramKey(ProgramText program, const DeviceInfo& info);
  /// All fields, each behind its length.
  [[nodiscard]] std::string bytes() const;
};

/// Whether entries of this device hold the binary.
bool keeps_binaries(const DeviceInfo& device);

/// What is kept of a build.
struct CachedBuild {
  std::int64_t build_ns = 0;
  std::string log;
  std::string binary;  ///< empty: not kept

  friend bool operator==(const CachedBuild&, const CachedBuild&) = default;
};

class ProgramCache {
 public:
  /// An empty `folder` keeps nothing.
  explicit ProgramCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::optional<CachedBuild> find(const ProgramKey& key) const;
  void store(const ProgramKey& key, const CachedBuild& build) const;
  /// Removes what was not used for longest until the entries take at most `max_bytes`, and what processes
  /// that died while writing left behind.
  void trim(std::uintmax_t max_bytes) const;
  /// Where the entry of `key` is; empty without a folder.
  [[nodiscard]] std::filesystem::path file_of(const ProgramKey& key) const;

 private:
  std::filesystem::path folder_;
};

/// Where a user's cache lies: the value of DWARFSWEEP_CACHE, else `dwarfsweep` in $XDG_CACHE_HOME or in
/// ~/.cache. Empty, for no cache, where DWARFSWEEP_CACHE is empty or "off", or there is no home.
std::filesystem::path program_cache_folder();

/// What a cache may take on disk.
inline constexpr std::uintmax_t max_program_cache_bytes = std::uintmax_t{1} << 30U;

}  // namespace dwarfsweep
