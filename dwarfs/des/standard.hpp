// The Data Encryption Standard as FIPS 46-3 specifies it, bit by bit: slow, and the same as the text.
//
// A block or a key is a word of 64 bits, bit 1 of the standard being the highest. In memory the standard's
// first byte comes first.
#pragma once

#include <array>
#include <cstdint>

namespace dwarfsweep::des {

/// Encrypts or decrypts one block.
std::uint64_t crypt_block(std::uint64_t block, std::uint64_t key, bool decrypt);

/// The four output bits of an S-box (1 to 8) for six input bits, the first being the highest.
unsigned substituted(int box, unsigned six_bits);

/// Round keys of 48 bits.
using RoundKeys = std::array<std::uint64_t, 16>;

/// The round keys in the order of encryption.
RoundKeys round_keys(std::uint64_t key);
/// The round keys in the order in which they are used.
RoundKeys round_keys_in_use(std::uint64_t key, bool decrypt);

/// The 56 bits of a key that are used, in the order of permuted choice 1, the first being bit 55; and the key
/// of odd parity that has them.
std::uint64_t chosen_bits(std::uint64_t key);
std::uint64_t key_of_chosen_bits(std::uint64_t bits);

/// Converts between a word as it lies in memory and the standard's block, on a machine of any byte order.
std::uint64_t to_block(std::uint64_t memory);
inline std::uint64_t to_memory(std::uint64_t block) {
  return to_block(block);
}

}  // namespace dwarfsweep::des
