// The CRC of 8 bits that the thesis computes: x^8 + x^2 + x + 1, the highest bit first, nothing inverted
// (CRC-8/SMBUS). The thesis does not print its polynomial; this is the usual one of 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dwarfsweep::crc {

/// The CRC of the bytes, on so many threads.
std::uint8_t crc8(std::span<const std::uint8_t> bytes, std::size_t threads);

/// For each i below 32, a table of 256: every byte shifted by 2^i bytes, that is, times x^(8 * 2^i).
std::vector<std::uint8_t> crc8_power_tables();

}  // namespace dwarfsweep::crc
