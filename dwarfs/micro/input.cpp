// The data of micro and its expected results.
#include <numeric>

#include "dwarfs/micro/micro.hpp"

namespace dwarfsweep::micro {
namespace {

std::vector<std::uint32_t> random_words(std::size_t count, Random& random) {
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random.next() >> 32U);
  return words;
}

// The words of the line follow v -> 5 v + 1, so that after any number of rounds each is the same linear
// function of its first value.
std::uint32_t traversed_sum(std::uint32_t seed, std::uint32_t rounds) {
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

std::uint32_t iterated(std::uint32_t x, std::uint32_t path, std::uint32_t rounds) {
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
std::array<std::size_t, block_words> final_sources(const Parameters& parameters) {
  std::array<std::size_t, block_words> source{};
  std::iota(source.begin(), source.end(), std::size_t{0});
  for (std::uint32_t round = 0; round < parameters.rounds; ++round) {
    auto next = source;
    for (std::size_t i = 0; i < parameters.bits; ++i) next[i] = source[initial_permutation[i] - 1U];
    source = next;
  }
  return source;
}

}  // namespace

const Reference::Common& Reference::common() const {
  std::call_once(once_, [this] {
    for (const std::uint32_t seed : seeds_) {
      common_.traversed.push_back(traversed_sum(seed, parameters_.rounds));
      common_.one_path.push_back(iterated(seed, 0, parameters_.rounds));
    }
    common_.sources = final_sources(parameters_);
  });
  return common_;
}

std::uint32_t Reference::traversed(std::size_t index) const {
  return common().traversed[index];
}

std::uint32_t Reference::diverged(std::size_t index, std::size_t divergent, std::size_t width) const {
  const std::size_t lane = index / width % edge;
  if (lane >= divergent) return common().one_path[index];
  return iterated(seeds_[index], static_cast<std::uint32_t>(lane) + 1, parameters_.rounds);
}

std::uint32_t Reference::permuted(std::size_t index, std::size_t width) const {
  const std::size_t position = index / width % block_words;
  const std::size_t source = index - position * width + common().sources[position] * width;
  return source < seeds_.size() ? seeds_[source] : 0;
}

// n steps are one affine function, by squaring: n need not be walked.
std::uint32_t Reference::chased(const Chain& chain) const {
  std::uint32_t slot = 0;
  std::uint32_t factor = Chain::factor;
  std::uint32_t addend = Chain::addend;
  for (std::uint64_t left = Chain::loads_of_round * parameters_.rounds; left > 0; left /= 2) {
    if (left % 2 == 1) slot = factor * slot + addend;
    addend += factor * addend;
    factor *= factor;
  }
  return slot % chain.slots * chain.spacing;
}

std::vector<std::uint32_t> Chain::words() const {
  std::vector<std::uint32_t> words(std::size_t{slots} * spacing);
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    words[std::size_t{slot} * spacing] = (factor * slot + addend) % slots * spacing;
  return words;
}

MicroInput::MicroInput(const Problem& problem, Random& random)
    : parameters_{static_cast<std::size_t>(problem.integer("items")),
                  static_cast<std::uint32_t>(problem.integer("rounds")),
                  static_cast<std::uint32_t>(problem.integer("bits"))},
      seeds_(random_words(parameters_.items, random)),
      reference_(parameters_, seeds_) {}

std::tuple<Result<std::uint32_t>, Result<std::uint32_t>, Result<std::uint32_t>> MicroInput::results() const {
  const std::vector<std::size_t> shape = {parameters_.items};
  return {{"traversed", shape, [this](std::size_t i) { return reference_.traversed(i); }},
          {"diverged", shape, [this](std::size_t i) { return reference_.diverged(i, 0, 1); }},
          {"permuted", shape, [this](std::size_t i) { return reference_.permuted(i, 1); }}};
}

}  // namespace dwarfsweep::micro
