#include "dwarfs/crc/crc8.hpp"

#include <algorithm>
#include <array>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::crc {
namespace {

constexpr std::uint8_t times_x(std::uint8_t a) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(a) << 1U ^ ((a & 0x80U) != 0 ? 0x07U : 0U));
}

std::uint8_t product_8(std::uint8_t a, std::uint8_t b) {
  std::uint8_t sum = 0;
  for (unsigned bit = 0; bit < 8; ++bit) {
    if ((a >> bit & 1U) != 0) sum ^= b;
    b = times_x(b);
  }
  return sum;
}

// x^(8 * bytes) by squaring.
std::uint8_t shifted_by(std::uint64_t bytes) {
  std::uint8_t result = 1;
  for (std::uint8_t square = 0x07; bytes != 0; bytes >>= 1U) {  // x^8 = x^2 + x + 1
    if ((bytes & 1U) != 0) result = product_8(result, square);
    square = product_8(square, square);
  }
  return result;
}

std::array<std::uint8_t, 256> table_of(std::uint8_t factor) {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    table[byte] = product_8(static_cast<std::uint8_t>(byte), factor);
  return table;
}

}  // namespace

std::uint8_t crc8(std::span<const std::uint8_t> bytes, std::size_t threads) {
  const auto table = table_of(shifted_by(1));
  const std::size_t part_bytes = ceil_div(bytes.size(), threads) + 1;
  std::vector<std::uint8_t> parts(threads);
#pragma omp parallel for num_threads(static_cast <int>(threads)) schedule(static)
  for (std::size_t i = 0; i < threads; ++i) {
    const std::size_t end = std::min((i + 1) * part_bytes, bytes.size());
    std::uint8_t rest = 0;
    for (std::size_t at = i * part_bytes; at < end; ++at) rest = table[rest ^ bytes[at]];
    if (end < bytes.size()) rest = product_8(rest, shifted_by(bytes.size() - end));
    parts[i] = rest;
  }
  std::uint8_t sum = 0;
  for (const std::uint8_t part : parts) sum ^= part;
  return sum;
}

std::vector<std::uint8_t> crc8_power_tables() {
  std::vector<std::uint8_t> tables;
  for (std::size_t i = 0; i < 32; ++i) {
    const auto table = table_of(shifted_by(std::uint64_t{1} << i));
    tables.insert(tables.end(), table.begin(), table.end());
  }
  return tables;
}

}  // namespace dwarfsweep::crc
