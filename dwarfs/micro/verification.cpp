#include "dwarfs/micro/verification.hpp"

#include <fmt/format.h>

#include <array>

namespace dwarfsweep::micro {
namespace {

// The words of the line follow v -> 5 v + 1, so that after any number of rounds each is the same linear
// function of its first value.
std::uint32_t traversed(std::uint32_t seed, std::uint32_t rounds) {
  std::uint32_t factor = 1;
  std::uint32_t addend = 0;
  std::uint32_t sum = seed;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t k = 0; k < edge; ++k) {
      sum = (sum ^ (factor * (seed + k * 0x9E3779B9U) + addend)) * 0x01000193U;
    }
    factor *= 5;
    addend = 5 * addend + 1;
  }
  return sum;
}

std::uint32_t diverged(std::uint32_t x, std::uint32_t path, std::uint32_t rounds) {
  for (std::uint32_t step = 0; step < rounds * edge; ++step) {
    x = x * (1664525 + 8 * path) + (1013904223 + 2 * path);
    x ^= x >> 9U;
  }
  return x;
}

// The initial permutation of DES as FIPS 46-3 prints it: where each bit comes from, counted from 1.
constexpr std::array<std::uint8_t, block_words> initial_permutation = {
    58, 50, 42, 34, 26, 18, 10, 2,  60, 52, 44, 36, 28, 20, 12, 4,  62, 54, 46, 38, 30, 22,
    14, 6,  64, 56, 48, 40, 32, 24, 16, 8,  57, 49, 41, 33, 25, 17, 9,  1,  59, 51, 43, 35,
    27, 19, 11, 3,  61, 53, 45, 37, 29, 21, 13, 5,  63, 55, 47, 39, 31, 23, 15, 7};

// Where each word of a block comes from after all rounds.
std::array<std::size_t, block_words> permutation(const Parameters& parameters) {
  std::array<std::size_t, block_words> source{};
  for (std::size_t i = 0; i < block_words; ++i) source[i] = i;
  for (std::uint32_t round = 0; round < parameters.rounds; ++round) {
    auto next = source;
    for (std::size_t i = 0; i < parameters.bits; ++i) next[i] = source[initial_permutation[i] - 1U];
    source = next;
  }
  return source;
}

template <typename Expected>
void compare_array(Check& check, const char* name, std::span<const std::uint32_t> got, Expected expected) {
  for (std::size_t i = 0; check.ok && i < got.size(); ++i) {
    if (got[i] == expected(i)) continue;
    check = {false, 1, 0, fmt::format("{}[{}] is {:#010x}, wanted {:#010x}", name, i, got[i], expected(i))};
  }
}

}  // namespace

Check Reference::compare(const Results& got, const Assignment& assignment) const {
  std::call_once(once_, [this] {
    for (std::size_t i = 0; i < parameters_.items; ++i) {
      traversed_.push_back(traversed(seeds_[i], parameters_.rounds));
      one_path_.push_back(diverged(seeds_[i], 0, parameters_.rounds));
    }
  });
  const auto results = [&](const std::vector<std::uint32_t>& array) {
    return std::span(array).first(parameters_.items);
  };
  const std::size_t width = assignment.width;
  Check check{true, 0, 0, ""};
  compare_array(check, "traversed", results(got.traversed), [&](std::size_t i) { return traversed_[i]; });
  compare_array(check, "diverged", results(got.diverged), [&](std::size_t i) {
    const auto lane = static_cast<std::uint32_t>(i / width % edge);
    return lane < assignment.divergent ? diverged(seeds_[i], lane + 1, parameters_.rounds) : one_path_[i];
  });
  const auto source = permutation(parameters_);
  compare_array(check, "permuted", results(got.permuted), [&](std::size_t i) {
    const std::size_t position = i / width % block_words;
    return seeds_[i - position * width + source[position] * width];
  });
  return check;
}

}  // namespace dwarfsweep::micro
