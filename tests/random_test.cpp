// Known answers: the splitmix64 and xoshiro256** sequences are those that rand_xoshiro (rust-random/rngs)
// tests against, made by the authors' reference code. The statistical bounds are stated where they are used.
#include "harness/statistics/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"

using dwarfsweep::Random;

TEST_CASE("splitmix64 gives the published sequence", "[random]") {
  std::uint64_t state = 1477776061723855037U;
  const std::array<std::uint64_t, 5> expected = {1985237415132408290U, 2979275885539914483U,
                                                 13511426838097143398U, 8488337342461049707U,
                                                 15141737807933549159U};
  for (const std::uint64_t value : expected) CHECK(dwarfsweep::splitmix64(state) == value);
}

TEST_CASE("xoshiro256** gives the published sequence", "[random]") {
  Random random(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  const std::array<std::uint64_t, 10> expected = {11520U,
                                                  0U,
                                                  1509978240U,
                                                  1215971899390074240U,
                                                  1216172134540287360U,
                                                  607988272756665600U,
                                                  16172922978634559625U,
                                                  8476171486693032832U,
                                                  10595114339597558777U,
                                                  2904607092377533576U};
  for (const std::uint64_t value : expected) CHECK(random.next() == value);
}

TEST_CASE("What is derived from the 64-bit outputs is fixed to the last bit", "[random]") {
  Random random(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  // 11520 and 0 have no bit above 2^13: both halves of the first word are small.
  std::array<float, 5> floats{};
  random.fill_uniform(floats, -1.0f, 3.0f);
  CHECK(floats[0] == -1.0f);
  CHECK(floats[1] == -1.0f + 4.0f * 45.0f * 0x1p-24f);  // 11520 >> 8 = 45
  CHECK(floats[2] == -1.0f);
  CHECK(floats[3] == -1.0f);
  CHECK(floats[4] == -1.0f);  // 1509978240 >> 40 = 0

  CHECK(random.uniform01() == static_cast<double>(1215971899390074240U >> 11) * 0x1p-53);

  Random bytes_from(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  std::array<std::uint8_t, 19> bytes{};
  bytes_from.fill_bytes(bytes);
  CHECK(bytes[0] == 0x00);  // 11520 = 0x2d00
  CHECK(bytes[1] == 0x2d);
  CHECK(std::all_of(bytes.begin() + 2, bytes.begin() + 16, [](std::uint8_t byte) { return byte == 0; }));
  CHECK(bytes[16] == 0x80);  // 1509978240 = 0x5a007080
  CHECK(bytes[17] == 0x70);
  CHECK(bytes[18] == 0x00);

  Random counts_ones(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  // Ones: 11520 has 4, 0 none, 1509978240 has 8, 1215971899390074240 has 10; 1216172134540287360 makes the
  // triangle.
  const std::uint64_t word = 1216172134540287360U;
  const double triangle = static_cast<double>(word >> 32) - static_cast<double>(word & 0xffffffffU);
  const double expected = (4 + 0 + 8 + 10 - 128 + triangle * 0x1p-32) / std::sqrt(64.0 + 1.0 / 6.0);
  CHECK(counts_ones.normal() == Approx(expected).epsilon(1e-15));
}

TEST_CASE("Filling in pieces of even length equals filling at once", "[random]") {
  std::vector<float> at_once(1000), in_pieces(1000);
  Random first(7), second(7);
  first.fill_uniform(at_once, 0.0f, 1.0f);
  second.fill_uniform(std::span(in_pieces).first(400), 0.0f, 1.0f);
  second.fill_uniform(std::span(in_pieces).subspan(400), 0.0f, 1.0f);
  CHECK(at_once == in_pieces);
}

TEST_CASE("Another seed or another part gives other numbers", "[random]") {
  CHECK(Random(1).next() != Random(2).next());
  CHECK(Random(0).next() != 0);
  CHECK(dwarfsweep::seed_of_part(1, 0) != dwarfsweep::seed_of_part(1, 1));
  CHECK(dwarfsweep::seed_of_part(1, 0) != dwarfsweep::seed_of_part(2, 0));
  CHECK(dwarfsweep::seed_of_part(1, 2) != dwarfsweep::seed_of_part(2, 1));
}

TEST_CASE("below() reaches every value equally often", "[random]") {
  // Chi-squared of m cells has mean m - 1 and variance 2 (m - 1); five standard deviations above is the
  // bound.
  constexpr int draws = 700000;
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{100}}) {
    Random random(11);
    std::vector<int> counts(bound, 0);
    for (int i = 0; i < draws; ++i) ++counts.at(random.below(bound));
    const double expected = static_cast<double>(draws) / static_cast<double>(bound);
    double chi_squared = 0.0;
    for (const int count : counts) chi_squared += (count - expected) * (count - expected) / expected;
    const double degrees = static_cast<double>(bound - 1);
    CHECK(chi_squared <= degrees + 5.0 * std::sqrt(2.0 * degrees));
  }
}

TEST_CASE("below() is unbiased where a plain product or remainder is not", "[random]") {
  // Three quarters of a power of two. The upper part of a plain product would be divisible by three half of
  // the time, a plain remainder would lie in the lowest third half of the time; a third of the time is right,
  // with a standard deviation of 0.0015.
  for (const int zeros : {30, 32, 62}) {
    const std::uint64_t bound = std::uint64_t{3} << zeros;
    Random random(13);
    constexpr int draws = 100000;
    int in_lowest_third = 0;
    int divisible = 0;
    for (int i = 0; i < draws; ++i) {
      const std::uint64_t value = random.below(bound);
      REQUIRE(value < bound);
      in_lowest_third += value < bound / 3;
      divisible += value % 3 == 0;
    }
    CHECK(std::abs(in_lowest_third / double{draws} - 1.0 / 3.0) < 5 * 0.0015);
    CHECK(std::abs(divisible / double{draws} - 1.0 / 3.0) < 5 * 0.0015);
  }
  CHECK_THROWS_AS(Random(1).below(0), std::invalid_argument);
}

TEST_CASE("shuffle() keeps the items and makes every order equally likely", "[random]") {
  // 24 orders of four items, 48,000 shuffles: chi-squared below 23 + 5 sqrt(46).
  Random random(17);
  std::array<int, 256> counts{};
  for (int trial = 0; trial < 48000; ++trial) {
    std::array<int, 4> items = {0, 1, 2, 3};
    random.shuffle(items);
    ++counts[static_cast<std::size_t>(items[0] + 4 * items[1] + 16 * items[2] + 64 * items[3])];
    std::sort(items.begin(), items.end());
    REQUIRE(items == std::array<int, 4>{0, 1, 2, 3});
  }
  double chi_squared = 0.0;
  int orders = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    ++orders;
    chi_squared += (count - 2000.0) * (count - 2000.0) / 2000.0;
  }
  CHECK(orders == 24);
  CHECK(chi_squared < 23.0 + 5.0 * std::sqrt(46.0));
}

TEST_CASE("uniform and normal numbers have the moments they should", "[random]") {
  constexpr int draws = 400000;
  Random random(19);
  double uniform_sum = 0.0, sum = 0.0, squares = 0.0, fourth = 0.0;
  int beyond = 0;
  for (int i = 0; i < draws; ++i) {
    uniform_sum += random.uniform01();
    const double value = random.normal();
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
    beyond += std::abs(value) > 1.959964;
  }
  // Five standard errors: uniform 1/sqrt(12 n), mean 1/sqrt(n), variance sqrt(2/n), fourth moment sqrt(96/n).
  const double root = std::sqrt(double{draws});
  CHECK(std::abs(uniform_sum / draws - 0.5) < 5.0 * 0.2887 / root);
  CHECK(std::abs(sum / draws) < 5.0 / root);
  CHECK(std::abs(squares / draws - 1.0) < 5.0 * 1.4143 / root);
  CHECK(std::abs(fourth / draws - 3.0 + 0.0078) < 5.0 * 9.8 / root);
  CHECK(std::abs(beyond / double{draws} - 0.05) < 5.0 * 0.218 / root + 0.0004);
}
