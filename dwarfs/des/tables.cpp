#include "dwarfs/des/tables.hpp"

#include <array>

#include "dwarfs/des/standard.hpp"

namespace dwarfsweep::des {
namespace {

// Rows of the S-boxes, sixteen nibbles each, column 0 highest.
constexpr std::uint64_t box_rows[8][4] = {
    {0xE4D12FB83A6C5907, 0x0F74E2D1A6CB9538, 0x41E8D62BFC973A50, 0xFC8249175B3EA06D},
    {0xF18E6B34972DC05A, 0x3D47F28EC01A69B5, 0x0E7BA4D158C6932F, 0xD8A13F42B67C05E9},
    {0xA09E63F51DC7B428, 0xD709346A285ECBF1, 0xD6498F30B12C5AE7, 0x1AD069874FE3B52C},
    {0x7DE3069A1285BC4F, 0xD8B56F03472C1AE9, 0xA690CB7DF13E5284, 0x3F06A1D8945BC72E},
    {0x2C417AB6853FD0E9, 0xEB2C47D150FA3986, 0x421BAD78F9C5630E, 0xB8C71E2D6F09A453},
    {0xC1AF92680D34E75B, 0xAF427C9561DE0B38, 0x9EF528C3704A1DB6, 0x432C95FABE17608D},
    {0x4B2EF08D3C975A61, 0xD0B7491AE35C2F86, 0x14BDC37EAF680592, 0x6BD814A7950FE23C},
    {0xD2846FB1A93E50C7, 0x1FD8A374C56B0E92, 0x7B419CE206ADF358, 0x21E74A8DFC90356B}};

// Where each bit of an S-box goes through P, counted from 1.
constexpr unsigned box_targets[8][4] = {{9, 17, 23, 31}, {13, 28, 2, 18}, {24, 16, 30, 6}, {26, 20, 10, 1},
                                        {8, 14, 25, 3},  {4, 29, 11, 19}, {32, 12, 22, 7}, {5, 27, 15, 21}};

// Permuted choice 2: where bits come from.
constexpr unsigned choice[48] = {14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
                                 26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
                                 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};

// Where output bit `bit` (from 0) of the initial permutation comes from: rows start at 58, 60, 62, 64, 57,
// 59, 61, 63 and continue in steps of eight.
unsigned source_of_initial(unsigned bit) {
  const unsigned row = bit / 8;
  return (row < 4 ? 58 + 2 * row : 49 + 2 * row) - 8 * (bit % 8);
}

std::uint64_t unpermuted_block(std::uint64_t halves) {
  std::uint64_t block = 0;
  for (unsigned bit = 0; bit < 64; ++bit)
    block |= (halves >> (63 - bit) & 1U) << (64 - source_of_initial(bit));
  return block;
}

std::uint32_t box_and_permutation(unsigned box, unsigned six) {
  const unsigned row = (six >> 4U & 2U) | (six & 1U);
  const unsigned column = six >> 1U & 15U;
  const std::uint64_t nibble = box_rows[box][row] >> (60 - 4 * column) & 15U;
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < 4; ++bit) {
    result |= static_cast<std::uint32_t>(nibble >> (3 - bit) & 1U) << (32 - box_targets[box][bit]);
  }
  return result;
}

std::uint64_t chosen_for_round(std::uint64_t key_bits) {
  std::uint64_t result = 0;
  for (const unsigned from : choice) result = result << 1U | (key_bits >> (56 - from) & 1U);
  return result;
}

// Bit `place` (0 to 5) that a round key adds for an S-box (taken modulo 8).
bool key_bit(std::uint64_t round_key, unsigned box, unsigned place) {
  return (round_key >> (47 - 6 * (box % 8) - place) & 1U) != 0;
}

// The bit that meets bit `index` (from 0) of a half in the S-box to which it belongs alone, or first.
bool own_bit(std::uint64_t round_key, unsigned index) {
  return key_bit(round_key, index / 4, index % 4 + 1);
}

std::uint32_t spread(bool bit) {
  return bit ? 0xFFFFFFFFU : 0U;
}

}  // namespace

std::vector<std::uint8_t> bit_tables() {
  std::vector<std::uint8_t> tables;
  tables.reserve(bit_table_bytes);
  const auto add = [&](unsigned entry) { tables.push_back(static_cast<std::uint8_t>(entry)); };
  for (unsigned bit = 0; bit < 64; ++bit) add(source_of_initial(bit) - 1);
  // S-box k has the bits from 4 k on, with one more on either side.
  for (unsigned bit = 0; bit < 48; ++bit) add((4 * (bit / 6) + bit % 6 + 31) % 32);
  std::array<unsigned, 32> sources{};
  for (unsigned i = 0; i < 32; ++i) sources[box_targets[i / 4][i % 4] - 1] = i;
  for (const unsigned source : sources) add(source);
  std::array<unsigned, 64> places{};
  for (unsigned bit = 0; bit < 64; ++bit) places[source_of_initial(bit) - 1] = bit;
  for (const unsigned place : places) add(place);
  for (const auto& rows : box_rows) {
    for (unsigned six = 0; six < 64; ++six) {
      const unsigned row = (six >> 4U & 2U) | (six & 1U);
      add(static_cast<unsigned>(rows[row] >> (60 - 4 * (six >> 1U & 15U)) & 15U));
    }
  }
  return tables;
}

std::uint64_t permuted_block(std::uint64_t block) {
  std::uint64_t halves = 0;
  for (unsigned bit = 0; bit < 64; ++bit)
    halves = halves << 1U | (block >> (64 - source_of_initial(bit)) & 1U);
  return halves;
}

std::vector<std::uint64_t> device_tables() {
  std::vector<std::uint64_t> tables;
  for (unsigned i = 0; i < 16; ++i) {
    for (std::uint64_t nibble = 0; nibble < 16; ++nibble) {
      // On the device, which is little-endian, nibble i of a word is half of byte i / 2.
      const unsigned byte = i / 2;
      tables.push_back(permuted_block(nibble << (56 - 8 * byte + 4 * (i % 2))));
    }
  }
  for (unsigned i = 0; i < 16; ++i) {
    for (std::uint64_t nibble = 0; nibble < 16; ++nibble) {
      tables.push_back(to_memory(unpermuted_block(nibble << (60 - 4 * i))));
    }
  }
  for (unsigned box = 0; box < 8; ++box) {
    for (unsigned six = 0; six < 64; six += 2) {
      tables.push_back(box_and_permutation(box, six) | std::uint64_t{box_and_permutation(box, six + 1)}
                                                           << 32U);
    }
  }
  for (unsigned i = 0; i < 14; ++i) {
    for (std::uint64_t nibble = 0; nibble < 16; ++nibble) {
      tables.push_back(chosen_for_round(nibble << (52 - 4 * i)));
    }
  }
  return tables;
}

std::vector<std::uint32_t> bitslice_keys(const RoundKeys& keys) {
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i < 32; ++i) words.push_back(spread(own_bit(keys.front(), i)));
  for (std::size_t r = 0; r < 16; ++r) {
    const std::uint64_t before = r == 0 ? 0 : keys[r - 1];
    const std::uint64_t after = r == 15 ? 0 : keys[r + 1];
    for (unsigned i = 0; i < 32; ++i) words.push_back(spread(own_bit(before, i) != own_bit(after, i)));
    for (unsigned box = 0; box < 8; ++box) {
      words.push_back(spread(key_bit(keys[r], box, 0) != key_bit(keys[r], box + 7, 4)));
      words.push_back(spread(key_bit(keys[r], box, 5) != key_bit(keys[r], box + 1, 1)));
    }
  }
  for (unsigned i = 0; i < 32; ++i) words.push_back(spread(own_bit(keys.back(), i)));
  return words;
}

}  // namespace dwarfsweep::des
