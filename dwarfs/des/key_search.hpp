// The key search of des: which keys it goes through.
#pragma once

#include <array>
#include <cstdint>

namespace dwarfsweep::des {

/// The search for the key of a known pair of blocks. Key number n of `keys` is `base` with the bits of n
/// XORed to it, in the order of kernels_cl/des/keys.cl.
struct Search {
  std::uint64_t plaintext = 0;
  std::uint64_t ciphertext = 0;
  std::uint64_t base = 0;  ///< 56 bits, in the order of permuted choice 1
  std::uint64_t keys = 0;
  std::uint64_t planted = 0;  ///< the number of the key that the ciphertext was made with
};

/// The key bit (0 to 55, 0 being the first of permuted choice 1) that each bit of a key's number changes,
/// lowest first. kernels_cl/des/bitslice_search.cl gives the reason for this order.
extern const std::array<std::uint8_t, 56> search_order;

/// The 56 bits of key number `index`.
std::uint64_t searched_bits(std::uint64_t base, std::uint64_t index);

/// The planted key, with odd parity.
std::uint64_t planted_key(const Search& search);

}  // namespace dwarfsweep::des
