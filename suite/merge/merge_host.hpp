// What one host has measured in several runs, as parts of one run.
#pragma once

#include <vector>

#include "suite/merge/merge_inputs.hpp"

namespace dwarfsweep {

/// Mostly one part; what was measured with another driver, another processor or another timer is a part of
/// its own, as after `sweep --resume --new-part`. Each part has its baselines once, with the measurement
/// blocks of all its runs. `several_hosts`: devices get the host's name behind their own, since nodes of one
/// kind often have the same.
std::vector<RunLog> merge_host(const HostInputs& host, bool several_hosts);

}  // namespace dwarfsweep
