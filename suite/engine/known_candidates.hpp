// Several known points may suit a problem that nobody has measured, and the wrong variant may be a hundred
// times slower. So each is run a few times, verified, and the fastest goes on.
#pragma once

#include <string>
#include <vector>

#include "suite/engine/measurer.hpp"

namespace dwarfsweep {

/// Candidates that are clearly slower than the fastest, by the blocks of the log. Only those for which blocks
/// are still due; each gets a remark that says by how much.
std::vector<SweepPoint*> slower_candidates(SweepGroup& group, SweepContext& context);

/// Measures each candidate of the group once, makes the fastest its known point, and says so in `known`. No
/// change if there is only one, or none works. Throws what the Measurer throws.
void choose_fastest_candidate(const Options& options, DeviceClient& client, SweepGroup& group);

}  // namespace dwarfsweep
