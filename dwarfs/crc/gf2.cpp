#include "dwarfs/crc/gf2.hpp"

#include <span>

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

}  // namespace dwarfsweep::crc
