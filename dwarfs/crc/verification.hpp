// The CRC-32 that every result is compared with. Shares no code with the host version, the kernels, or the
// arithmetic they use.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>

#include "harness/dwarf.hpp"

namespace dwarfsweep::crc {

/// CRC-32 by its definition (IEEE 802.3, as in zlib), a byte at a time.
std::uint32_t reference_crc(std::span<const std::uint8_t> bytes);

/// The reference result of one stream, computed when first needed. The stream must outlive it.
class Reference {
 public:
  explicit Reference(std::span<const std::uint8_t> stream) : stream_(stream) {}
  [[nodiscard]] std::uint32_t crc() const;
  /// Exact: no tolerance.
  [[nodiscard]] Check compare(std::uint32_t got) const;

 private:
  std::span<const std::uint8_t> stream_;
  mutable std::once_flag once_;
  mutable std::uint32_t crc_ = 0;
};

}  // namespace dwarfsweep::crc
