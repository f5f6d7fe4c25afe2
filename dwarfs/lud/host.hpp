// LU decomposition on the host's own cores: the CPU reference.
#pragma once

#include <cstddef>
#include <memory>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// Factors order x order floats in place on `threads` threads (1: serial): below the diagonal L, on and above
/// it U. Blocked, without pivoting.
void factor_on_host(float* matrix, std::size_t order, int threads);

/// `loaded` holds a LudInput.
std::unique_ptr<HostCase> lud_host_case(const Loaded& loaded, int threads);

}  // namespace dwarfsweep
