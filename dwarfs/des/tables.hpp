// What kernels_cl/des/des.cl is given beside the data: tables, and round keys in the forms it wants. Made
// from numbers of its own, typed apart from those of the reference, so that a slip in either is seen.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dwarfsweep::des {

/// Round keys of 48 bits in order of use.
using RoundKeys = std::array<std::uint64_t, 16>;

/// As VARIANT_LUT describes them.
std::vector<std::uint64_t> device_tables();

/// The initial permutation: the two halves, left one high.
std::uint64_t permuted_block(std::uint64_t block);

/// 32 words to add to R0, then per round 32 differences for the new words and 16 for the bits that a second
/// S-box takes, then 32 words to take from R15; each all ones or all zeros.
std::vector<std::uint32_t> bitslice_keys(const RoundKeys& keys);

}  // namespace dwarfsweep::des
