// Random trials of a dwarf, by RapidCheck.
//
// A configuration is drawn uniformly: its variant, then each axis that has a meaning there; what the space
// rejects is drawn again. Problems are drawn around it: values at and next to multiples of the
// configuration's own tiles, powers of two, primes, the least values, and any others, small ones as often as
// large ones.
#pragma once

#include <rapidcheck/Gen.h>

#include <cstdint>
#include <vector>

#include "tests/property/trial.hpp"

namespace dwarfsweep::property {

struct DrawLimits {
  std::int64_t elements = 1 << 22;  ///< bound on a problem's size: the product of its integer keys
  int problems = 4;                 ///< of one configuration
};

struct Batch {
  std::vector<Trial> trials;  ///< of one configuration
  std::size_t rejected = 0;   ///< draws that the space rejected
};

/// Not to be used by two threads at once. No trials where thousands of draws are rejected.
rc::Gen<Batch> batches_of(const Dwarf& dwarf, const Capabilities& capabilities, const DrawLimits& limits);

}  // namespace dwarfsweep::property
