// What crc's cases, on a device and on the host, have in common: the input with its reference result, and
// arithmetic modulo the polynomial P of CRC-32.
//
// Words are reflected: bit 31 is x^0. P is primitive, so x has the order 2^32 - 1, and so has x^8, 8 having
// an inverse modulo that: a shift by any number of bytes is one by less than 2^32 - 1, and can be undone by
// another.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::crc {

/// a * b mod P.
std::uint32_t product(std::uint32_t a, std::uint32_t b);
/// x^(8 * bytes) mod P: what a stream is multiplied by when so many bytes follow it.
std::uint32_t shift_by(std::uint64_t bytes);
/// A shift by that many bytes undoes a shift by `bytes`.
std::uint64_t inverse_shift(std::uint64_t bytes);
/// What the ones before and after add to the CRC of any stream of that length; the rest is linear in the
/// stream.
std::uint32_t constant_part(std::uint64_t bytes);

/// Table k of 256 words: every byte, followed by k more, as slicing looks it up.
std::vector<std::uint32_t> slicing_tables(std::size_t slices);
/// For each i below 32 four tables of 256 words: the four bytes of a word, shifted by 2^i bytes.
std::vector<std::uint32_t> power_tables();

/// CRC-32 by its definition, a byte at a time: shares no code with anything above or with the kernels.
std::uint32_t reference_crc(std::span<const std::uint8_t> bytes);

/// The stream, followed by zeros up to a whole block, at least one.
class CrcInput final : public Input {
 public:
  static constexpr std::size_t block_bytes = 64;  ///< the widest vector: what kernels may read as a whole

  explicit CrcInput(std::vector<std::uint8_t> stream);
  [[nodiscard]] std::span<const std::uint8_t> stream() const { return {data_.data(), bytes_}; }
  [[nodiscard]] const std::vector<std::uint8_t>& blocks() const { return data_; }
  /// The reference result; computed at the first call.
  [[nodiscard]] std::uint32_t wanted() const;
  /// Exact: a CRC is right or wrong.
  [[nodiscard]] Check compare(std::uint32_t got) const;

 private:
  std::vector<std::uint8_t> data_;
  std::size_t bytes_;
  mutable std::once_flag once_;
  mutable std::uint32_t wanted_ = 0;
};

/// Slicing by 16, a part of the stream per thread.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CrcInput> input, int threads);

}  // namespace dwarfsweep::crc
