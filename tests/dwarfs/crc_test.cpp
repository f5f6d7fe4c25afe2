// crc: known answers, the arithmetic, and every variant over lengths that nothing divides.
#include <string>

#include "dwarfs/crc/gf2.hpp"
#include "dwarfs/crc/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"

namespace dwarfsweep {
const Dwarf& crc_dwarf();

namespace {

using crc::CrcInput;

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

Loaded of_text(const std::string& text) {
  Problem problem{"custom", {{"bytes", static_cast<std::int64_t>(text.size())}, {"code", "crc32"}}};
  return {problem, std::make_shared<CrcInput>(bytes_of(text))};
}

// The default configuration of each variant, and what it leaves out: guarded loads, and segments of several
// work-items.
std::vector<ValueMap> variants() {
  return {{{"variant", "per_byte"}},
          {{"variant", "per_byte"}, {"padding", 1}, {"granularity", 4}},
          {{"variant", "per_byte"}, {"granularity", 16}, {"answers", "each"}},
          {{"variant", "slicing"}},
          {{"variant", "slicing"}, {"padding", 0}, {"memory", "local"}},
          {{"variant", "interleaved"}},
          {{"variant", "interleaved"}, {"padding", 0}, {"streams", "item"}, {"work_group", 8}},
          {{"variant", "interleaved"},
           {"padding", 0},
           {"streams", "shared"},
           {"work_group", 8},
           {"vector_width", 2}},
          {{"variant", "interleaved"}, {"divisor", "plain"}, {"vector_width", 4}, {"prefetch", 16}},
          {{"variant", "interleaved"},
           {"padding", 1},
           {"streams", "shared"},
           {"work_group", 64},
           {"vector_width", 1}}};
}

// Oclgrind's check for uninitialised values takes a second for a thousand bytes.
std::vector<int> lengths(std::vector<int> all) {
  return test::checks_uninitialised() ? std::vector{1, 65} : all;
}

}  // namespace

TEST_CASE("crc: the reference gives the published check values", "[crc]") {
  // The check value of the CRC catalogue, and zlib's crc32() of these strings.
  CHECK(crc::reference_crc(bytes_of("123456789")) == 0xCBF43926);
  CHECK(crc::reference_crc({}) == 0);
  CHECK(crc::reference_crc(bytes_of("a")) == 0xE8B7BE43);
  CHECK(crc::reference_crc(bytes_of("The quick brown fox jumps over the lazy dog")) == 0x414FA339);
  CHECK(crc::reference_crc(std::vector<std::uint8_t>(32, 0)) == 0x190A55AD);
}

TEST_CASE("crc: the CRC of 8 bits gives the published check values", "[crc]") {
  CHECK(crc::reference_crc8(bytes_of("123456789")) == 0xF4);  // CRC catalogue, CRC-8/SMBUS
  CHECK(crc::reference_crc8({}) == 0);
  for (const std::size_t threads : {1, 2, 7}) {
    CHECK(crc::crc8(bytes_of("123456789"), threads) == 0xF4);
    CHECK(crc::crc8({}, threads) == 0);
  }
  for (const int bytes : {0, 1, 64, 1000}) {
    test::check_host(crc_dwarf(), {{"bytes", bytes}, {"code", "crc8"}});
  }
}

TEST_CASE("crc: x has order 2^32 - 1, so shifts wrap and can be undone", "[crc]") {
  constexpr std::uint32_t one = 0x80000000;
  constexpr std::uint64_t order = 0xFFFFFFFF;
  // x^8 to the order over each prime factor of the order: none may be 1 for the order to be the full one.
  for (const std::uint64_t prime : {3, 5, 17, 257, 65537}) CHECK(crc::shift_by(order / prime) != one);
  CHECK(crc::product(crc::shift_by(order - 1), crc::shift_by(1)) == one);
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7'000'000'001}, order}) {
    CHECK(crc::product(crc::shift_by(bytes), crc::shift_by(crc::inverse_shift(bytes))) == one);
  }
  CHECK(crc::shift_by(order + 12345) == crc::shift_by(12345));
}

TEST_CASE("crc: the host's versions at odd lengths", "[crc]") {
  for (const int bytes : {0, 1, 3, 15, 16, 17, 63, 64, 65, 1000, 1'000'003}) {
    test::check_host(crc_dwarf(), {{"bytes", bytes}});
  }
}

TEST_CASE("crc: the kernel file names every axis", "[crc]") {
  test::check_parameter_table(crc_dwarf());
}

TEST_CASE("crc: any file is input", "[crc]") {
  const test::ScratchDirectory folder;
  const std::string file = folder.file("bytes", "123456789");
  const Loaded loaded = crc_dwarf().load({}, {file});
  CHECK(loaded.problem.size == "file");
  CHECK(loaded.problem.integer("bytes") == 9);
  CHECK(dynamic_cast<const CrcInput&>(*loaded.input).reference().crc() == 0xCBF43926);
  CHECK_THROWS_AS(crc_dwarf().load({{"bytes", 10}}, {file}), UsageError);
  CHECK_THROWS_AS(crc_dwarf().load({}, {}), UsageError);
  CHECK_THROWS_AS(crc_dwarf().load({}, {folder.path() / "none"}), InputError);
}

TEST_CASE("crc: every variant on short and odd streams", "[device][crc][variants]") {
  const Dwarf& dwarf = crc_dwarf();
  for (const ValueMap& settings : variants()) {
    for (const int bytes : lengths({0, 1, 3, 64, 65, 1000})) {
      const auto outcome = test::run_point(dwarf, {{"bytes", bytes}}, settings);
      INFO(settings.to_string() << ", bytes " << bytes << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
    CHECK(test::run_point(dwarf, of_text("123456789"), dwarf.space().set(dwarf.space().baseline(), settings))
              .status == Status::ok);
  }
}

TEST_CASE("crc: eight bits as in the thesis", "[device][crc][variants]") {
  for (const int bytes : lengths({0, 1, 65, 1000, 70'001})) {
    for (const ValueMap& settings : {ValueMap{},
                                     {{"granularity", 4}, {"unroll", 8}},
                                     {{"padding", 1}},
                                     {{"granularity", 4}, {"answers", "each"}}}) {
      const auto outcome = test::run_point(crc_dwarf(), {{"bytes", bytes}, {"code", "crc8"}}, settings);
      INFO(settings.to_string() << ", bytes " << bytes << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
  CHECK(test::run_point(crc_dwarf(), {{"bytes", 65}, {"code", "crc8"}}, {{"variant", "slicing"}}).status ==
        Status::rejected);
}

TEST_CASE("crc: a million and three bytes in every variant", "[device][crc][heavy]") {
  for (const ValueMap& settings : variants()) {
    const auto outcome = test::run_point(crc_dwarf(), {{"bytes", 1'000'003}}, settings);
    INFO(settings.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

// Beyond 4 GiB indices need 64 bits, and shifts wrap. Not per_byte, whose answers would take as many words.
TEST_CASE("crc: more than four gibibytes", "[device][crc][heavy][long]") {
  constexpr std::int64_t bytes = 4'400'000'003;
  if (test::test_session().device().capabilities.allocation_bytes < 4'500'000'000) {
    SUCCEED("no buffer of 4.5 GB on this device");
    return;
  }
  const Loaded loaded = test::generated(crc_dwarf(), {{"bytes", bytes}});
  for (const ValueMap& settings : {ValueMap{{"variant", "slicing"}, {"granularity", 256}, {"padding", 0}},
                                   ValueMap{{"variant", "interleaved"}, {"vector_width", 16}}}) {
    const Space& space = crc_dwarf().space();
    const auto outcome = test::run_point(crc_dwarf(), loaded, space.set(space.baseline(), settings));
    INFO(settings.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

// Compilers take seconds for a point of interleaved, so that each point here changes all axes: point i takes
// value i of every axis, beginning again at its end. Seven points reach all but the two largest groups.
TEST_CASE("crc: the values of all axes, changed together", "[device][crc][heavy]") {
  const Space& space = crc_dwarf().space();
  const Loaded loaded = test::generated(crc_dwarf(), {{"bytes", 70'001}});
  for (const Value& variant : space.find("variant").values) {
    int ran = 0;
    for (std::size_t i = 0; i < space.find("granularity").values.size(); ++i) {
      Config config = space.default_config(variant.string());
      for (const Axis& axis : space.axes()) {
        if (axis.name == "variant" || !Space::applies(axis, variant.string())) continue;
        config = config.with(axis.name, axis.values[i % axis.values.size()]);
      }
      const auto outcome = test::run_point(crc_dwarf(), loaded, config);
      INFO(config.to_string() << ": " << outcome.reason);
      const bool right = outcome.status == Status::ok;
      CHECK((right || outcome.status == Status::rejected));
      ran += right ? 1 : 0;
    }
    CHECK(ran >= 5);
  }
}

TEST_CASE("crc: every value of every axis, one at a time", "[device][crc][heavy][long]") {
  test::check_one_at_a_time(crc_dwarf(), {{"bytes", 70'001}});
  test::check_one_at_a_time(crc_dwarf(), {{"bytes", 3}});
}

TEST_CASE("crc: random points", "[device][crc][heavy]") {
  test::check_random_points(crc_dwarf(), {{"bytes", 5'003}}, 6);
}

TEST_CASE("crc: a few points of the full space, at tiny and at an odd size", "[device][crc][heavy]") {
  test::check_full_space(crc_dwarf(), {{"bytes", 5'003}}, 4);
}

TEST_CASE("crc: the full space, at tiny and at an odd size", "[device][crc][heavy][long]") {
  test::check_full_space(crc_dwarf(), {{"bytes", 5'003}}, 100);
}

TEST_CASE("crc: the widest groups that a CPU's stack holds", "[device][crc][heavy]") {
  const auto outcome = [](int work_group, int vector_width) {
    return test::run_point(crc_dwarf(), {{"bytes", 16'000}},
                           {{"variant", "interleaved"},
                            {"divisor", "sparse"},
                            {"granularity", 1},
                            {"unroll", 32},
                            {"work_group", work_group},
                            {"vector_width", vector_width}});
  };
  if (test::test_session().device().capabilities.is_gpu) {
    SUCCEED("private memory is not a thread's stack on this device");
    return;
  }
  CHECK(outcome(256, 8).status == Status::ok);
  const test::Outcome beyond = outcome(512, 16);
  CHECK(beyond.status == Status::rejected);
  CHECK_THAT(beyond.reason, test::contains("stack"));
}

TEST_CASE("crc: a wrong word in the stream is caught", "[device][crc]") {
  // The device gets a stream that differs in one bit from the one the reference knows.
  const Dwarf& dwarf = crc_dwarf();
  auto input = std::make_shared<CrcInput>(bytes_of(std::string(777, 'x')));
  CHECK(input->reference().crc() != 0);
  const_cast<std::uint8_t&>(input->stream()[400]) ^= 4;
  const Problem problem{"custom", {{"bytes", 777}, {"code", "crc32"}}};
  for (const char* variant : {"per_byte", "slicing", "interleaved"}) {
    const auto outcome = test::run_point(dwarf, {problem, input},
                                         dwarf.space().set(dwarf.space().baseline(), {{"variant", variant}}));
    CHECK(outcome.status == Status::wrong_result);
    CHECK(outcome.reason.find("crc[0]") != std::string::npos);
  }
}

}  // namespace dwarfsweep
