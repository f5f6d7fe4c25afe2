// What `sweep --plan ci` takes where nothing else is asked for: the baseline and the best known point of each
// dwarf, of size small, in a minute, always the same points and seed, for compare.
#pragma once

namespace dwarfsweep {

/// Measurement blocks of each point. Found by simulation with the noise of the reference runs
/// (tests/compare_calibration_test.cpp).
inline constexpr int ci_blocks = 112;
/// Over which worker processes they are spread, since where a buffer lies may make a point faster or slower
/// for as long as its process lives.
inline constexpr int ci_processes = 4;
inline constexpr int ci_budget_seconds = 60;

}  // namespace dwarfsweep
