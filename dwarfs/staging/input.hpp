// The data that staging reads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::staging {

struct StagingInput final : Input {
  std::vector<float> data;
  std::vector<int> multiply_adds;  ///< those of all_multiply_adds that the problem asks for
};

/// Odd multiples of 2^-3 in (-1, 1).
std::shared_ptr<const StagingInput> generate(const Problem& problem, std::uint64_t seed);

}  // namespace dwarfsweep::staging
