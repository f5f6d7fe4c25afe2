// The blocks and keys of des, which keys a search tries, and the check of a result.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::des {

// The key search of des: which keys it goes through.

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

/// The result of ECB over words as they lie in memory, computed when first needed. The data must outlive it.
class Reference {
 public:
  Reference(std::uint64_t key, bool decrypt, std::span<const std::uint64_t> data)
      : key_(key), decrypt_(decrypt), data_(data) {}
  /// Exact; `got` are words as they lie in memory.
  [[nodiscard]] Check compare(std::span<const std::uint64_t> got) const;

 private:
  std::uint64_t key_;
  bool decrypt_;
  std::span<const std::uint64_t> data_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint64_t> wanted_;
};

/// The numbers of the keys that a search reported: the planted key must be among them once, and every other
/// must encrypt the plaintext to the ciphertext as well.
Check compare_found(const Search& search, std::span<const std::uint64_t> indices);

// des's input: blocks to encrypt or to decrypt, random or from a file, or a key search.

enum class Mode { encrypt, decrypt, search };

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
  /// The reference of the blocks; a search has none (see compare_found).
  [[nodiscard]] const Reference& reference() const { return reference_; }

 private:
  Mode mode_;
  std::uint64_t key_;
  std::vector<std::uint64_t> data_;
  Search search_;
  Reference reference_;
};

/// Random blocks and a random key; for mode=search a random pair with a key planted among those searched.
/// Throws UsageError, PointFailure(out_of_memory).
std::shared_ptr<const Input> generate(const Problem& problem, std::uint64_t seed);

/// The bytes of one file as blocks, with a fixed key; the problem's `blocks` is their number. Throws
/// UsageError, InputError.
Loaded load(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::des
