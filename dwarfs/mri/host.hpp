// The reconstruction on the host's cores: the CPU reference of mri.
#pragma once

#include <memory>

#include "dwarfs/mri/scan.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::mri {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MriInput> input, int threads);

}  // namespace dwarfsweep::mri
