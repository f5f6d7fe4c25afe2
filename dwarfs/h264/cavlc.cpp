#include "dwarfs/h264/cavlc.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace dwarfsweep::h264 {
namespace {

// The tables of ITU-T H.264: in each string, codes in the order of an index; "-" where there is none.

// Table 9-5, columns 0 <= nC < 2, 2 <= nC < 4, 4 <= nC < 8, and nC = -1: by coefficients, then by trailing
// ones.
constexpr const char* coeff_token_codes[] = {
    "1 - - - 000101 01 - - 00000111 000100 001 - 000000111 00000110 0000101 00011 0000000111 000000110 "
    "00000101 000011 00000000111 0000000110 000000101 0000100 0000000001111 00000000110 0000000101 "
    "00000100 0000000001011 0000000001110 00000000101 000000100 0000000001000 0000000001010 "
    "0000000001101 0000000100 00000000001111 00000000001110 0000000001001 00000000100 00000000001011 "
    "00000000001010 00000000001101 0000000001100 000000000001111 000000000001110 00000000001001 "
    "00000000001100 000000000001011 000000000001010 000000000001101 00000000001000 0000000000001111 "
    "000000000000001 000000000001001 000000000001100 0000000000001011 0000000000001110 "
    "0000000000001101 000000000001000 0000000000000111 0000000000001010 0000000000001001 "
    "0000000000001100 0000000000000100 0000000000000110 0000000000000101 0000000000001000",
    "11 - - - 001011 10 - - 000111 00111 011 - 0000111 001010 001001 0101 00000111 000110 000101 0100 "
    "00000100 0000110 0000101 00110 000000111 00000110 00000101 001000 00000001111 000000110 000000101 "
    "000100 00000001011 00000001110 00000001101 0000100 000000001111 00000001010 00000001001 000000100 "
    "000000001011 000000001110 000000001101 00000001100 000000001000 000000001010 000000001001 "
    "00000001000 0000000001111 0000000001110 0000000001101 000000001100 0000000001011 0000000001010 "
    "0000000001001 0000000001100 0000000000111 00000000001011 0000000000110 0000000001000 "
    "00000000001001 00000000001000 00000000001010 0000000000001 00000000000111 00000000000110 "
    "00000000000101 00000000000100",
    "1111 - - - 001111 1110 - - 001011 01111 1101 - 001000 01100 01110 1100 0001111 01010 01011 1011 "
    "0001011 01000 01001 1010 0001001 001110 001101 1001 0001000 001010 001001 1000 00001111 0001110 "
    "0001101 01101 00001011 00001110 0001010 001100 000001111 00001010 00001101 0001100 000001011 "
    "000001110 00001001 00001100 000001000 000001010 000001101 00001000 0000001101 000000111 000001001 "
    "000001100 0000001001 0000001100 0000001011 0000001010 0000000101 0000001000 0000000111 0000000110 "
    "0000000001 0000000100 0000000011 0000000010",
    // Brackets say that no comma is missing.
    ("01 - - - 000111 1 - - 000100 000110 001 - 000011 0000011 0000010 000101 000010 00000011 00000010 "
     "0000000"),
};
// Tables 9-7 and 9-8, by coefficients from 1 on, then by zeros.
constexpr const char* total_zeros_codes[] = {
    ("1 011 010 0011 0010 00011 00010 000011 000010 0000011 0000010 00000011 00000010 000000011 "
     "000000010 000000001"),
    "111 110 101 100 011 0101 0100 0011 0010 00011 00010 000011 000010 000001 000000",
    "0101 111 110 101 0100 0011 100 011 0010 00011 00010 000001 00001 000000",
    "00011 111 0101 0100 110 101 100 0011 011 0010 00010 00001 00000",
    "0101 0100 0011 111 110 101 100 011 0010 00001 0001 00000",
    "000001 00001 111 110 101 100 011 010 0001 001 000000",
    "000001 00001 101 100 011 11 010 0001 001 000000",
    "000001 0001 00001 011 11 10 010 001 000000",
    "000001 000000 0001 11 10 001 01 00001",
    "00001 00000 001 11 10 01 0001",
    "0000 0001 001 010 1 011",
    "0000 0001 01 1 001",
    "000 001 1 01",
    "00 01 1",
    "0 1",
};
// Table 9-9 (a), of the four chroma DC coefficients.
constexpr const char* chroma_total_zeros_codes[] = {
    "1 01 001 000",
    "1 01 00",
    "1 0",
};
// Table 9-10, by zeros that are left, from 1 on (7: more than 6), then by the run.
constexpr const char* run_before_codes[] = {
    "1 0",
    "1 01 00",
    "11 10 01 00",
    "11 10 01 001 000",
    "11 10 011 010 001 000",
    "11 000 001 011 010 101 100",
    "111 110 101 100 011 010 001 0001 00001 000001 0000001 00000001 000000001 0000000001 00000000001",
};

using Codes = std::vector<std::string_view>;

template <std::size_t count>
std::vector<Codes> split(const char* const (&tables)[count]) {
  std::vector<Codes> result;
  for (const std::string_view table : tables) {
    Codes codes;
    for (std::size_t begin = 0; begin < table.size();) {
      const std::size_t end = std::min(table.find(' ', begin), table.size());
      codes.push_back(table.substr(begin, end - begin));
      begin = end + 1;
    }
    result.push_back(codes);
  }
  return result;
}

void write_token(BitWriter& stream, int coefficients, int trailing_ones, int context) {
  static const std::vector<Codes> tables = split(coeff_token_codes);
  if (context >= 8) {
    // The column nC >= 8 is of six bits each.
    stream.bits(static_cast<std::uint32_t>(coefficients == 0 ? 3 : 4 * (coefficients - 1) + trailing_ones),
                6);
    return;
  }
  const std::size_t table = context == chroma_dc_context ? 3 : context < 2 ? 0 : context < 4 ? 1 : 2;
  stream.code(tables[table][static_cast<std::size_t>(4 * coefficients + trailing_ones)]);
}

// level_prefix and level_suffix, 9.2.2.1.
void write_level(BitWriter& stream, std::uint32_t code, int suffix_bits) {
  constexpr int escape = 15;
  const auto prefix = [&](std::uint32_t zeros) { stream.bits(1, static_cast<int>(zeros) + 1); };
  if (suffix_bits == 0 && code >= 14 && code < 30) {
    prefix(14);
    stream.bits(code - 14, 4);
  } else if (suffix_bits == 0 ? code < 14 : code < (std::uint32_t{escape} << suffix_bits)) {
    prefix(code >> suffix_bits);
    stream.bits(code & ((1U << suffix_bits) - 1), suffix_bits);
  } else {
    prefix(escape);
    stream.bits(code - (suffix_bits == 0 ? 30 : std::uint32_t{escape} << suffix_bits), 12);
  }
}

}  // namespace

int expected_coefficients(int left, int above) {
  if (left >= 0 && above >= 0) return (left + above + 1) / 2;
  return left >= 0 ? left : above >= 0 ? above : 0;
}

int write_coefficients(BitWriter& stream, std::span<const std::int32_t> levels, int context) {
  // From the highest frequency on, as they are written: levels, and the zeros before each.
  std::int32_t found[16];
  int runs[16];
  int count = 0;
  int zeros = 0;
  int run = 0;
  for (const std::int32_t level : levels) {
    if (level == 0) {
      ++run;
      continue;
    }
    found[count] = level;
    runs[count++] = run;
    zeros += run;
    run = 0;
  }
  int ones = 0;
  while (ones < 3 && ones < count && std::abs(found[count - 1 - ones]) == 1) ++ones;
  write_token(stream, count, ones, context);
  if (count == 0) return 0;
  for (int i = 0; i < ones; ++i) stream.bits(found[count - 1 - i] < 0 ? 1 : 0, 1);
  int suffix_bits = count > 10 && ones < 3 ? 1 : 0;
  for (int i = count - 1 - ones; i >= 0; --i) {
    const std::int32_t level = found[i];
    auto code = static_cast<std::uint32_t>(level > 0 ? 2 * level - 2 : -2 * level - 1);
    // After fewer than three ones, the first level is not a one.
    if (i == count - 1 - ones && ones < 3) code -= 2;
    write_level(stream, code, suffix_bits);
    if (suffix_bits == 0) suffix_bits = 1;
    if (std::abs(level) > (3 << (suffix_bits - 1)) && suffix_bits < 6) ++suffix_bits;
  }
  static const std::vector<Codes> zeros_tables = split(total_zeros_codes);
  static const std::vector<Codes> chroma_tables = split(chroma_total_zeros_codes);
  static const std::vector<Codes> run_tables = split(run_before_codes);
  if (count < static_cast<int>(levels.size())) {
    const auto& tables = context == chroma_dc_context ? chroma_tables : zeros_tables;
    stream.code(tables[static_cast<std::size_t>(count - 1)][static_cast<std::size_t>(zeros)]);
  }
  for (int i = count - 1; i > 0 && zeros > 0; --i) {
    stream.code(
        run_tables[static_cast<std::size_t>(zeros > 6 ? 6 : zeros - 1)][static_cast<std::size_t>(runs[i])]);
    zeros -= runs[i];
  }
  return count;
}

}  // namespace dwarfsweep::h264
