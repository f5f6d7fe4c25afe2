// Random numbers that are the same on every compiler, library and machine, for inputs, orders and resampling.
//
// The standard library fixes its generators but not its distributions, so a seed would mean other data with
// another library. Here everything is integer arithmetic, and each conversion to floating point rounds once:
// no result can depend on fused multiply-add or on the last digit of somebody's `log`.
//
// Generator: xoshiro256**, seeded by splitmix64 (Blackman and Vigna, "Scrambled linear pseudorandom number
// generators", ACM TOMS 47, 2021). One word takes about a nanosecond and becomes two floats or eight bytes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>

namespace dwarfsweep {

/// One step of splitmix64: advances `state` and returns 64 well mixed bits.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
}

/// A seed for part number `part` (a round, a matrix, a graph) of something seeded with `seed`, so that parts
/// do not share their numbers and one can be made again without the others.
constexpr std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t part) {
  std::uint64_t state = seed;
  state = splitmix64(state) ^ part;
  return splitmix64(state);
}

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix64(seed);
  }
  /// The raw state, not all zero: for comparing with published sequences.
  explicit constexpr Random(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// In [0, 1), a multiple of 2^-53.
  constexpr double uniform01() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// An integer in [0, bound), every one equally likely. Throws std::invalid_argument for 0.
  ///
  /// Up to 32 bits: Lemire's multiplication ("Fast random integer generation in an interval", ACM TOMACS 29,
  /// 2019), which divides only in the rare case that a draw may have to be repeated. Above: draws of just
  /// enough bits, repeated until one fits, because standard C++ has no 128-bit product.
  constexpr std::uint64_t below(std::uint64_t bound) {
    if (bound == 0) throw std::invalid_argument("Random::below: the bound is 0, it must be at least 1");
    if (bound > UINT32_MAX) {
      const int unused_bits = std::countl_zero(bound - 1);
      std::uint64_t draw = next() >> unused_bits;
      while (draw >= bound) draw = next() >> unused_bits;
      return draw;
    }
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint64_t surplus = (std::uint64_t{1} << 32) % bound;
      while (static_cast<std::uint32_t>(product) < surplus) product = (next() >> 32) * bound;
    }
    return product >> 32;
  }

  /// Mean 0, standard deviation 1, and never beyond 16.2.
  ///
  /// The count of ones in 256 random bits is a binomial with variance 64; a triangle on (-1, 1), variance
  /// 1/6, fills the steps between. The distribution function differs from the Gaussian's by at most 0.0002,
  /// the 97.5 % quantile is 1.9594 instead of 1.9600, the excess kurtosis -0.008. In exchange every bit is
  /// reproducible.
  constexpr double normal() {
    std::int64_t ones = -128;
    for (int word = 0; word < 4; ++word) ones += std::popcount(next());
    const std::uint64_t fraction = next();
    const auto triangle =
        static_cast<std::int64_t>(fraction >> 32) - static_cast<std::int64_t>(fraction & UINT32_MAX);
    constexpr double standard_deviation = 8.010409893798619;  // sqrt(64 + 1/6)
    return static_cast<double>(ones * (std::int64_t{1} << 32) + triangle) * (0x1p-32 / standard_deviation);
  }

  /// Every order equally likely (Fisher and Yates). Takes a vector, an array or a span.
  template <typename Range>
  constexpr void shuffle(Range&& items) {
    for (std::size_t left = std::size(items); left > 1; --left) {
      using std::swap;
      swap(items[left - 1], items[static_cast<std::size_t>(below(left))]);
    }
  }

  /// 2^24 equally spaced values from `low` on; rounding to float may reach `high` itself.
  void fill_uniform(std::span<float> values, float low, float high) {
    // 24 bits times 24 bits is exact in double, so that a fused multiply-add changes nothing.
    const double origin = low;
    const double step = static_cast<double>(high - low) * 0x1p-24;
    const auto value_of = [=](std::uint64_t bits) {
      return static_cast<float>(origin + step * static_cast<double>(static_cast<std::int32_t>(bits)));
    };
    std::size_t index = 0;
    for (; index + 1 < values.size(); index += 2) {
      const std::uint64_t word = next();
      values[index] = value_of(word >> 40);
      values[index + 1] = value_of((word >> 8) & 0xffffffU);
    }
    if (index < values.size()) values[index] = value_of(next() >> 40);
  }

  /// Eight bytes per word, the lowest byte first on every machine.
  void fill_bytes(std::span<std::uint8_t> bytes) {
    // Bytes may alias anything: only a copy of the state can stay in registers.
    Random source = *this;
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
      const std::array<std::uint8_t, 8> word = lowest_first(source.next());
      std::memcpy(bytes.data(), word.data(), 8);  // of known length: one store instead of a call
    }
    if (!bytes.empty()) std::memcpy(bytes.data(), lowest_first(source.next()).data(), bytes.size());
    *this = source;
  }

 private:
  static std::array<std::uint8_t, 8> lowest_first(std::uint64_t word) {
    auto bytes = std::bit_cast<std::array<std::uint8_t, 8>>(word);
    if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace dwarfsweep
