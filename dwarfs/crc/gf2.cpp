#include "dwarfs/crc/gf2.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::crc {

namespace {

constexpr std::uint32_t polynomial = 0xEDB88320;  // IEEE 802.3, without x^32, bit-reversed
constexpr std::uint32_t one = 0x80000000;
constexpr std::uint64_t order_of_x = 0xFFFFFFFF;

constexpr std::uint32_t times_x(std::uint32_t a) {
  return (a >> 1U) ^ ((a & 1U) != 0 ? polynomial : 0U);
}

// The 256 products of a byte at bit `place` of a word with `factor`. The map is linear: single bits suffice.
void fill_products(std::span<std::uint32_t> table, unsigned place, std::uint32_t factor) {
  table[0] = 0;
  for (std::uint32_t byte = 1; byte < 256; ++byte) {
    const std::uint32_t lowest = byte & (~byte + 1U);
    table[byte] = byte == lowest ? product(byte << place, factor) : table[byte ^ lowest] ^ table[lowest];
  }
}

}  // namespace

std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (std::uint32_t mask = one; mask != 0; mask >>= 1U) {
    if ((a & mask) != 0) sum ^= b;
    b = times_x(b);
  }
  return sum;
}

std::uint32_t shift_by(std::uint64_t bytes) {
  std::uint32_t result = one;
  std::uint32_t square = one >> 8U;
  for (bytes %= order_of_x; bytes != 0; bytes >>= 1U) {
    if ((bytes & 1U) != 0) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

std::uint64_t inverse_shift(std::uint64_t bytes) {
  return order_of_x - bytes % order_of_x;
}

std::uint32_t constant_part(std::uint64_t bytes) {
  return product(all_ones, shift_by(bytes)) ^ all_ones;
}

std::vector<std::uint32_t> slicing_tables(std::size_t slices) {
  std::vector<std::uint32_t> tables(slices * 256);
  for (std::size_t k = 0; k < slices; ++k) fill_products({&tables[k * 256], 256}, 0, shift_by(k + 1));
  return tables;
}

std::vector<std::uint32_t> power_tables() {
  std::vector<std::uint32_t> tables(std::size_t{32} * 1024);
  for (std::size_t i = 0; i < 32; ++i) {
    const std::uint32_t factor = shift_by(std::uint64_t{1} << i);
    for (std::size_t k = 0; k < 4; ++k) {
      fill_products({&tables[i * 1024 + k * 256], 256}, static_cast<unsigned>(8 * k), factor);
    }
  }
  return tables;
}

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
