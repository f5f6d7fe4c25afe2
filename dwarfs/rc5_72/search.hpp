// A key search of rc5_72: which keys it tries for which pair, and the check of what it reports.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::rc5_72 {

/// The two words of a block, A and B of Rivest's paper.
struct Block {
  std::uint32_t a = 0, b = 0;

  friend bool operator==(const Block&, const Block&) = default;
};

/// A key of 72 bits, K0 K1 ... K8 as a number: K8 counts fastest.
struct Key {
  std::uint64_t prefix = 0;  ///< K0 to K7, K7 lowest
  std::uint8_t last = 0;     ///< K8

  [[nodiscard]] Key plus(std::uint64_t number) const {
    const std::uint64_t sum = last + number;
    return {prefix + (sum >> 8U), static_cast<std::uint8_t>(sum)};
  }
};

/// The keys from `first` on are tried. The plaintext is XORed with the initialisation vector before it is
/// encrypted.
struct Search {
  Block plain, iv, cipher;
  Key first;
  std::uint64_t keys = 0;
  std::optional<std::uint64_t> planted;  ///< the number of the key that made the ciphertext, if it is known

  [[nodiscard]] Block whitened() const { return {plain.a ^ iv.a, plain.b ^ iv.b}; }
};

/// What a search reports, in any order.
struct Found {
  std::vector<std::uint64_t> matches;  ///< numbers of keys that encrypt the plaintext to the ciphertext
  std::vector<std::uint64_t> halves;   ///< of keys for which A is right, B right or wrong
};

/// RC5-32 with any number of rounds and bytes of a key, as the paper defines it. Verification alone uses it.
Block reference_encrypted(std::span<const std::uint8_t> key, unsigned rounds, Block plain);

/// The bytes K0 to K8.
std::vector<std::uint8_t> bytes_of(const Key& key);

class SearchInput final : public Input {
 public:
  explicit SearchInput(const Search& search) : search_(search) {}

  [[nodiscard]] const Search& search() const { return search_; }
  /// Up to `exhaustive_keys` keys all are tried again. Of more keys only those reported are, and the planted
  /// one must be among them.
  [[nodiscard]] Check check(Found found) const;

  static constexpr std::uint64_t exhaustive_keys = 1 << 20;

 private:
  [[nodiscard]] const Found& wanted() const;

  Search search_;
  mutable std::once_flag once_;
  mutable Found wanted_;
};

/// The search of a problem: what it leaves to chance is drawn from the seed. Throws UsageError.
std::shared_ptr<const SearchInput> generate_search(const Problem& problem, std::uint64_t seed);

/// As the problem's keys are written: 0x and digits.
std::string text_of(const Block& block);
std::string text_of(const Key& key);

}  // namespace dwarfsweep::rc5_72
