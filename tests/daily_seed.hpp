// The seeds of random tests: a fixed one, since an unchanged tree must not fail tomorrow, and that of the
// day.
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

/// The same every day, unless DWARFSWEEP_TEST_SEED is set, as `./run test --nightly` does. tests/checks.py
/// has the same number.
inline std::uint64_t test_seed() {
  constexpr std::uint64_t fixed_seed = 20780;
  return std::getenv("DWARFSWEEP_TEST_SEED") ? daily_seed() : fixed_seed;
}

}  // namespace dwarfsweep::test
