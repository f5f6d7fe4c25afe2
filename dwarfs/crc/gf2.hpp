// Arithmetic on polynomials over GF(2), modulo the polynomial P of CRC-32, and the tables made by it.
//
// Words are reflected: bit 31 is the coefficient of x^0. P is primitive, so x has the order 2^32 - 1, and so
// has x^8, since 8 has an inverse modulo that order. A shift by any number of bytes therefore equals one by
// fewer than 2^32 - 1 bytes, and can be undone by another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dwarfsweep::crc {

/// CRC-32 begins with these bits, and its result has them inverted.
inline constexpr std::uint32_t all_ones = 0xFFFFFFFF;

/// a * b mod P.
std::uint32_t product(std::uint32_t a, std::uint32_t b);
/// x^(8 * bytes) mod P: the factor for the remainder of a stream when `bytes` bytes follow it.
std::uint32_t shift_by(std::uint64_t bytes);
/// The number of bytes by which a shift undoes a shift by `bytes`.
std::uint64_t inverse_shift(std::uint64_t bytes);
/// What the inversions of the register before and after add to the CRC of any stream of that length; the rest
/// is linear in the stream.
std::uint32_t constant_part(std::uint64_t bytes);

/// `slices` tables of 256 words, as slicing looks them up. Table k: the remainder of every byte followed by k
/// zero bytes.
std::vector<std::uint32_t> slicing_tables(std::size_t slices);
/// For each i below 32, four tables of 256 words: the four bytes of a word, shifted by 2^i bytes.
std::vector<std::uint32_t> power_tables();

// The CRC of 8 bits that the thesis computes: x^8 + x^2 + x + 1, the highest bit first, nothing inverted
// (CRC-8/SMBUS). The thesis does not print its polynomial; this is the usual one of 8 bits.

/// The CRC of the bytes, computed by `threads` threads.
std::uint8_t crc8(std::span<const std::uint8_t> bytes, std::size_t threads);

/// For each i below 32, a table of 256: every byte shifted by 2^i bytes, that is, times x^(8 * 2^i).
std::vector<std::uint8_t> crc8_power_tables();

}  // namespace dwarfsweep::crc
