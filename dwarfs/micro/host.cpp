// micro on the host's cores: a loop over all results.
#include <algorithm>

#include "dwarfs/micro/micro.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::micro {
namespace {

std::uint32_t traversed(std::uint32_t seed, std::uint32_t rounds) {
  std::array<std::uint32_t, edge> line{};
  for (std::uint32_t k = 0; k < edge; ++k) line[k] = seed + k * 0x9E3779B9U;
  std::uint32_t sum = seed;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t& word : line) {
      sum = (sum ^ word) * 0x01000193U;
      word = 5 * word + 1;
    }
  }
  return sum;
}

// Path 0, which all work-items take unless some diverge.
std::uint32_t iterated(std::uint32_t x, std::uint32_t rounds) {
  for (std::uint32_t step = 0; step < rounds * edge; ++step) {
    x = x * 1664525 + 1013904223;
    x ^= x >> 9U;
  }
  return x;
}

// Where position i of a permuted block comes from: FIPS 46-3 counts from 1, rows of eight from 58, 60, 62,
// 64, 57, 59, 61 and 63 downwards.
std::size_t source_of(std::size_t position, std::size_t bits) {
  if (position >= bits) return position;
  const std::size_t row = position / 8;
  const std::size_t first = row < 4 ? 58 + 2 * row : 57 + 2 * (row - 4);
  return first - 8 * (position % 8) - 1;
}

void permute(std::span<std::uint32_t> block, const Parameters& parameters) {
  std::array<std::uint32_t, block_words> before{};
  for (std::uint32_t round = 0; round < parameters.rounds; ++round) {
    std::copy(block.begin(), block.end(), before.begin());
    for (std::size_t i = 0; i < block_words; ++i) block[i] = before[source_of(i, parameters.bits)];
  }
}

}  // namespace

void MicroInput::compute(int threads, std::vector<std::uint32_t>& traversed_results,
                         std::vector<std::uint32_t>& diverged, std::vector<std::uint32_t>& permuted) const {
  const Parameters& p = parameters_;
  permuted.assign(seeds_.begin(), seeds_.end());
  permuted.resize(round_up(p.items, block_words));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t begin = 0; begin < permuted.size(); begin += block_words) {
    for (std::size_t i = begin; i < std::min(begin + block_words, p.items); ++i) {
      traversed_results[i] = traversed(seeds_[i], p.rounds);
      diverged[i] = iterated(seeds_[i], p.rounds);
    }
    permute(std::span(permuted).subspan(begin, block_words), p);
  }
  permuted.resize(p.items);
}

}  // namespace dwarfsweep::micro
