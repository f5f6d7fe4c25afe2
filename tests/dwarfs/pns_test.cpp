// pns: every axis over odd nets, on devices and on the host; known random words; what a simulation keeps, and
// that the batch does not change its statistics; planted errors.
#include <cmath>
#include <numeric>

#include "dwarfs/pns/net.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("pns", "[heavy][long]")
OTHER_STANDARD_TESTS("pns")

using pns::reference_marks;
using pns::reference_words;
using pns::Simulation;

namespace {

const Dwarf& pns_of_tests() {
  return find_dwarf("pns");
}

ValueMap net_of(int n, int steps, int trajectories, int batch) {
  return {{"n", n}, {"steps", steps}, {"trajectories", trajectories}, {"batch", batch}};
}

}  // namespace

TEST_CASE("pns: each axis, several at a time", "[device][pns][variants]") {
  const auto of = [](const char* variant, ValueMap settings) { return settings.with("variant", variant); };
  check_settings(
      pns_of_tests(),
      {{{"work_group", 64}, {"granularity", 4}},
       {{"work_group", 32}, {"granularity", 8}, {"flags", "bit"}, {"vector_width", 4}},
       {{"work_group", 256}, {"update", "atomic"}, {"vector_width", 2}},
       of("local", {}),
       of("local", {{"work_group", 128}, {"granularity", 2}, {"update", "phases"}}),
       of("local", {{"work_group", 64}, {"granularity", 4}, {"flags", "int"}}),
       of("item", {{"work_group", 1}, {"layout", "trajectory"}, {"flags", "int"}}),
       of("item", {{"work_group", 32}, {"layout", "interleaved"}, {"flags", "bit"}}),
       of("item", {{"work_group", 64}, {"layout", "interleaved"}, {"flags", "int"}})},
      small_on_oclgrind(pns_of_tests().info().checks.odd_problems, {{"steps", 700}, {"trajectories", 2}}));
}

TEST_CASE("pns: batches of one attempt, and of a whole refill", "[device][pns]") {
  check_settings(pns_of_tests(),
                 {{{"variant", "local"}, {"granularity", 4}, {"vector_width", 8}}, {{"variant", "item"}}},
                 {net_of(5, 400, 2, 1), net_of(9, 400, 2, 624)});
}

TEST_CASE("pns: the random words", "[pns]") {
  // The first word of MT19937 with the seed 5489, tempered.
  std::uint32_t word = reference_words({1, 1, 1, 1, true, 5489}, 0).front();
  word ^= word >> 11U;
  word ^= word << 7U & 0x9D2C5680U;
  word ^= word << 15U & 0xEFC60000U;
  word ^= word >> 18U;
  CHECK(word == 3499211612U);
  // Philox4x32-10, key and counter 0, of the authors' known answers.
  const auto words = reference_words({1, 1, 1, 1, false, 0}, 0);
  CHECK(std::vector(words.begin(), words.begin() + 4) ==
        std::vector<std::uint32_t>{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
}

TEST_CASE("pns: tokens are neither made nor lost", "[pns]") {
  for (const std::uint32_t n : {1U, 2U, 3U, 10U, 33U}) {
    for (const std::uint32_t batch : {1U, 7U, 256U, 624U}) {
      const auto marks = reference_marks({n, 20, batch, 1, true, 77}, 0);
      INFO(n << " " << batch);
      CHECK(std::accumulate(marks.begin(), marks.end(), 0U) == 2 * n * n);
    }
  }
}

TEST_CASE("pns: a device neither makes nor loses tokens in 1,000 steps", "[device][pns]") {
  const Loaded loaded = generated(pns_of_tests(), net_of(9, 1000, 3, 100));
  const auto of = [](const char* variant, ValueMap settings) { return settings.with("variant", variant); };
  for (const ValueMap& settings : {of("group", {{"work_group", 128}}), of("group", {{"update", "atomic"}}),
                                   of("local", {{"work_group", 128}}), of("item", {{"work_group", 32}})}) {
    const Dump dump = dumped(pns_of_tests(), loaded,
                             pns_of_tests().space().set(pns_of_tests().space().baseline(), settings));
    const std::string& marks = dump.bytes.at("marks");
    constexpr std::size_t places = 2 * 9 * 9;
    REQUIRE(marks.size() == 3 * places);
    INFO(settings.to_string());
    for (std::size_t t = 0; t < 3; ++t) {
      const auto sum = [](std::size_t total, char mark) { return total + static_cast<std::uint8_t>(mark); };
      const auto begin = marks.begin() + static_cast<std::ptrdiff_t>(t * places);
      CHECK(std::accumulate(begin, begin + places, std::size_t{0}, sum) == places);
    }
  }
}

// A batch of one attempt is the rule for one processor: a transition fires if it can.
TEST_CASE("pns: larger batches have the statistics of single attempts", "[pns]") {
  const auto mean_square = [](std::uint32_t batch, std::uint32_t seed) {
    std::vector<double> means;
    for (std::size_t t = 0; t < 200; ++t) {
      const auto marks = reference_marks({10, 20, batch, 200, true, seed}, t);
      means.push_back(std::inner_product(marks.begin(), marks.end(), marks.begin(), 0.0) / 200);
    }
    const double mean = std::accumulate(means.begin(), means.end(), 0.0) / 200;
    double variance = 0;
    for (const double each : means) variance += (each - mean) * (each - mean) / 199;
    return std::pair(mean, variance / 200);
  };
  const auto [single, single_variance] = mean_square(1, 1);
  const auto [batched, batched_variance] = mean_square(16, 5000);
  CHECK(std::abs(single - batched) < 5 * std::sqrt(single_variance + batched_variance));
  CHECK(single > 1.5);
}

TEST_CASE("pns: a dump has its seed", "[device][pns]") {
  const Dump dump = dumped(pns_of_tests(), generated(pns_of_tests(), net_of(5, 1, 2, 256)),
                           pns_of_tests().space().baseline());
  CHECK(dump.shapes.at("marks") == DumpSink::Shape{2, 10, 5});
  CHECK(dump.shapes.at("statistics") == DumpSink::Shape{2, 2});
  CHECK(dump.notes.count("seed") == 1);
}

TEST_CASE("pns: planted errors are caught", "[device][pns]") {
  const auto status = [](const std::string& from, const std::string& to) {
    return status_with(from, to, pns_of_tests(), net_of(7, 700, 3, 100), {});
  };
  CHECK(status("round < 10", "round < 10") == Status::ok);  // nothing changed
  CHECK(status("below + shifted", "below + column") == Status::wrong_result);
  CHECK(status("/ (float)places", "/ (float)(places + 1)") == Status::wrong_result);
}
