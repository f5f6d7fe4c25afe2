// The seed of random tests that differ from day to day.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace dwarfsweep::test {

/// Days since 1970, or DWARFSWEEP_TEST_SEED, to repeat another day's tests.
inline std::uint64_t daily_seed() {
  if (const char* given = std::getenv("DWARFSWEEP_TEST_SEED")) return std::stoull(given);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::days>(now).count());
}

}  // namespace dwarfsweep::test
