// The CRC that every result is compared with. Shares no code with the host version, the kernels, or the
// arithmetic they use.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::crc {

/// CRC-32 by its definition (IEEE 802.3, as in zlib), a byte at a time.
std::uint32_t reference_crc(std::span<const std::uint8_t> bytes);

/// CRC-8/SMBUS by its definition, a bit at a time.
std::uint8_t reference_crc8(std::span<const std::uint8_t> bytes);

/// What is computed: CRC-32 as zlib does, or the 8 bits of the thesis (gf2.hpp).
enum class Code { crc32, crc8 };

/// The reference result of one stream, computed when first needed. The stream must outlive it.
class Reference {
 public:
  explicit Reference(std::span<const std::uint8_t> stream, Code code) : stream_(stream), code_(code) {}
  [[nodiscard]] std::uint32_t crc() const;
  /// Exact: no tolerance.
  [[nodiscard]] Check compare(std::uint32_t got) const;

 private:
  std::span<const std::uint8_t> stream_;
  Code code_;
  mutable std::once_flag once_;
  mutable std::uint32_t crc_ = 0;
};

// crc's input: a stream of bytes, random or from a file.

class CrcInput final : public Input {
 public:
  explicit CrcInput(std::vector<std::uint8_t> stream, Code code = Code::crc32)
      : stream_(std::move(stream)), code_(code), reference_(stream_, code) {}
  [[nodiscard]] Code code() const { return code_; }
  [[nodiscard]] std::span<const std::uint8_t> stream() const { return stream_; }
  [[nodiscard]] const Reference& reference() const { return reference_; }

 private:
  std::vector<std::uint8_t> stream_;
  Code code_;
  Reference reference_;
};

/// `bytes` random bytes. Throws PointFailure(out_of_memory) where the host has not that much memory.
std::shared_ptr<const CrcInput> generate(const Problem& problem, std::uint64_t seed);

/// The bytes of one file; the problem's `bytes` is its length. Throws UsageError, InputError.
Loaded load(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::crc
