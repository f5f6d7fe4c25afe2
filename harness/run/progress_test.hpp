// Do work-groups that have started go on running while others wait for them? OpenCL promises it nowhere, so
// it is tested on the device, once per session, beside the timer.
#pragma once

#include <cstddef>

#include "harness/run/session.hpp"

namespace dwarfsweep {

/// Where kernels_cl/progress.cl keeps what in its `flags`, in words.
namespace progress_words {
inline constexpr std::size_t line = 32;
inline constexpr std::size_t gave_up = 1 * line;
inline constexpr std::size_t pairs_met = 2 * line;
inline constexpr std::size_t wrong = 3 * line;
inline constexpr std::size_t groups_begin = 4 * line;
inline constexpr std::size_t lines_per_group = 3;
constexpr std::size_t count(std::size_t groups) {
  return groups_begin + groups * lines_per_group * line;
}
}  // namespace progress_words

/// Runs the test (kernels_cl/progress.cl); takes milliseconds where they do, and about a second where they do
/// not. Nothing is run where the device cannot order groups.
ProgressReport test_progress(Session& session);

}  // namespace dwarfsweep
