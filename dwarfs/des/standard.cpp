#include "dwarfs/des/standard.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "dwarfs/des/standard_tables.hpp"

namespace dwarfsweep::des {
namespace {

std::uint64_t rotated_halves(std::uint64_t bits, unsigned by) {
  constexpr std::uint64_t mask = (1U << 28U) - 1;
  const auto rotated = [=](std::uint64_t half) { return (half << by | half >> (28 - by)) & mask; };
  return rotated(bits >> 28U) << 28U | rotated(bits & mask);
}

std::uint64_t round_function(std::uint64_t right, std::uint64_t round_key) {
  const std::uint64_t mixed = permuted(expansion, right, 32) ^ round_key;
  std::uint64_t substitute = 0;
  for (int box = 1; box <= 8; ++box) {
    substitute = substitute << 4U | substituted(box, static_cast<unsigned>(mixed >> (48 - 6 * box) & 63U));
  }
  return permuted(permutation, substitute, 32);
}

}  // namespace

unsigned substituted(int box, unsigned six_bits) {
  const unsigned row = (six_bits >> 4U & 2U) | (six_bits & 1U);
  const unsigned column = six_bits >> 1U & 15U;
  return substitutions.at(static_cast<std::size_t>(box - 1)).at(row * 16 + column);
}

RoundKeys round_keys(std::uint64_t key) {
  std::uint64_t bits = chosen_bits(key);
  RoundKeys keys{};
  for (std::size_t r = 0; r < 16; ++r) {
    bits = rotated_halves(bits, left_shifts[r]);
    keys[r] = permuted(permuted_choice_2, bits, 56);
  }
  return keys;
}

RoundKeys round_keys_in_use(std::uint64_t key, bool decrypt) {
  RoundKeys keys = round_keys(key);
  if (decrypt) std::reverse(keys.begin(), keys.end());
  return keys;
}

std::uint64_t crypt_block(std::uint64_t block, std::uint64_t key, bool decrypt) {
  const RoundKeys keys = round_keys_in_use(key, decrypt);
  const std::uint64_t start = permuted(initial_permutation, block, 64);
  std::uint64_t left = start >> 32U;
  std::uint64_t right = start & 0xFFFFFFFFU;
  for (const std::uint64_t round_key : keys) {
    const std::uint64_t next = left ^ round_function(right, round_key);
    left = right;
    right = next;
  }
  return unpermuted(initial_permutation, right << 32U | left);
}

std::uint64_t chosen_bits(std::uint64_t key) {
  return permuted(permuted_choice_1, key, 64);
}

std::uint64_t key_of_chosen_bits(std::uint64_t bits) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 56; ++i) key |= (bits >> (55 - i) & 1U) << (64 - permuted_choice_1[i]);
  for (unsigned byte = 0; byte < 64; byte += 8) {
    if (std::popcount(key >> byte & 0xFEU) % 2 == 0) key |= std::uint64_t{1} << byte;
  }
  return key;
}

std::uint64_t to_block(std::uint64_t memory) {
  std::array<std::uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), &memory, 8);
  std::uint64_t block = 0;
  for (const std::uint8_t byte : bytes) block = block << 8U | byte;
  return block;
}

}  // namespace dwarfsweep::des
