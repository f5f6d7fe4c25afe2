// What des's cases, on a device and on the host, have in common: the input with its reference result, and the
// cipher by the letter of FIPS 46-3 (Data Encryption Standard, October 1999).
//
// A block or a key is a word of 64 bits, bit 1 of the standard being the highest. In memory the standard's
// first byte comes first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::des {

/// Encrypts or decrypts one block, slowly, bit by bit from the standard's tables.
std::uint64_t crypt_by_the_letter(std::uint64_t block, std::uint64_t key, bool decrypt);

/// What the S-box of that number (1 to 8) makes of six bits, the first being the highest.
unsigned substituted(int box, unsigned six_bits);

/// The sixteen round keys of 48 bits each, for encryption.
std::array<std::uint64_t, 16> round_keys(std::uint64_t key);

/// The 56 bits of a key that matter, in the order of permuted choice 1, the first being bit 55; and a key of
/// odd parity that has them.
std::uint64_t chosen_bits(std::uint64_t key);
std::uint64_t key_of_chosen_bits(std::uint64_t bits);

/// Of a word as it lies in memory, the standard's block, and the other way round, on any machine.
std::uint64_t to_block(std::uint64_t memory);
inline std::uint64_t to_memory(std::uint64_t block) {
  return to_block(block);
}

enum class Mode { encrypt, decrypt, search };

/// Key search: the keys `base` with the bits of an index XORed to it, as kernels_cl/des/keys.cl deals them
/// out.
struct Search {
  std::uint64_t plaintext = 0;
  std::uint64_t ciphertext = 0;
  std::uint64_t base = 0;  ///< 56 bits, in the order of permuted choice 1
  std::uint64_t keys = 0;
  std::uint64_t planted = 0;  ///< an index
};

/// Key bit (0 to 55, 0 being the first of permuted choice 1) that each bit of a search's index changes,
/// lowest first. kernels_cl/des/bitslice_search.cl says why these.
extern const std::array<std::uint8_t, 56> search_order;

/// The 56 key bits of one key of a search.
std::uint64_t searched_bits(std::uint64_t base, std::uint64_t index);

class DesInput final : public Input {
 public:
  /// ECB over `data`, words as they lie in memory.
  DesInput(Mode mode, std::uint64_t key, std::vector<std::uint64_t> data);
  /// Key search.
  explicit DesInput(const Search& search);

  [[nodiscard]] Mode mode() const { return mode_; }
  [[nodiscard]] std::uint64_t key() const { return key_; }
  [[nodiscard]] const std::vector<std::uint64_t>& data() const { return data_; }
  [[nodiscard]] const Search& search() const { return search_; }

  /// Compares words as they lie in memory with the reference, which is computed at the first call.
  [[nodiscard]] Check compare(std::span<const std::uint64_t> got) const;
  /// A search has to report the planted key, and keys alone that do encrypt the plaintext so.
  [[nodiscard]] Check compare_found(std::span<const std::uint64_t> indices) const;

 private:
  Mode mode_;
  std::uint64_t key_;
  std::vector<std::uint64_t> data_;
  Search search_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint64_t> wanted_;
};

/// Table look-ups, a part of the blocks (or keys) per thread.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const DesInput> input, int threads);

}  // namespace dwarfsweep::des
