// des's input: blocks to encrypt or to decrypt, random or from a file, or a key search.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/des/key_search.hpp"
#include "dwarfs/des/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::des {

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
  /// Of the blocks; a search has none (see compare_found).
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
