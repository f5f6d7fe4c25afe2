// The inputs of the kernels of kernels_cl/des other than the data: tables, and round keys in their form. The
// constants here were typed independently of those in standard_tables.hpp, so that a typing error in either
// shows.
#pragma once

#include <cstdint>
#include <vector>

#include "dwarfs/des/standard.hpp"

namespace dwarfsweep::des {

constexpr std::uint64_t table_bytes = 7936;  ///< of device_tables()

/// The tables of kernels_cl/des/tables.cl, in its layout.
std::vector<std::uint64_t> device_tables();

constexpr std::uint64_t bit_table_bytes = 720;  ///< of bit_tables()

/// The tables of kernels_cl/des/per_bit.cl, in its layout.
std::vector<std::uint8_t> bit_tables();

/// The initial permutation: the two halves, left one high.
std::uint64_t permuted_block(std::uint64_t block);

/// 32 words to add to R0, then per round 32 differences for the new words and 16 for the bits that a second
/// S-box takes, then 32 words to take from R15; each all ones or all zeros.
std::vector<std::uint32_t> bitslice_keys(const RoundKeys& keys);

}  // namespace dwarfsweep::des
