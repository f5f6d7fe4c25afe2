// crc's input: a stream of bytes, random or from a file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/crc/verification.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::crc {

/// The stream, followed by zeros up to a multiple of block_bytes, with at least one block.
class CrcInput final : public Input {
 public:
  static constexpr std::size_t block_bytes = 64;  ///< the widest vector that kernels load

  explicit CrcInput(std::vector<std::uint8_t> stream);
  [[nodiscard]] std::span<const std::uint8_t> stream() const { return {data_.data(), bytes_}; }
  [[nodiscard]] const std::vector<std::uint8_t>& blocks() const { return data_; }
  [[nodiscard]] const Reference& reference() const { return reference_; }

 private:
  std::size_t bytes_;
  std::vector<std::uint8_t> data_;
  Reference reference_;
};

/// `bytes` random bytes. Throws PointFailure(out_of_memory) where the host has not that much memory.
std::shared_ptr<const CrcInput> generate(const Problem& problem, std::uint64_t seed);

/// The bytes of one file; the problem's `bytes` is its length. Throws UsageError, InputError.
Loaded load(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::crc
