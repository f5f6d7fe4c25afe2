// What every result of des is compared with. Made from the standard's tables alone, it shares no code with
// the host version and the kernels.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/des/key_search.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::des {

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

}  // namespace dwarfsweep::des
