// LU decomposition: every point of its space over odd orders, known answers, and a check that finds planted
// errors.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "dwarfs/lud/input.hpp"
#include "dwarfs/lud/lud.hpp"
#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

const Dwarf& lud_under_test() {
  return find_dwarf("lud");
}

Loaded loaded_matrix(int order, std::vector<float> values) {
  Problem problem = make_problem("lud", lud_under_test().info().keys, {"file", {{"n", order}}});
  return {std::move(problem), std::make_shared<LudInput>(static_cast<std::size_t>(order), std::move(values))};
}

// Factors of a random matrix of that order by the host's own code, which must pass the check.
struct Factored {
  explicit Factored(std::size_t order) : input(random_matrix(order, 7)), factors(input->values()) {
    factor_on_host(factors.data(), order, 1);
  }
  [[nodiscard]] Check check() const { return input->verification().check(factors.data(), input->order()); }
  float& at(std::size_t row, std::size_t column) { return factors[row * input->order() + column]; }

  std::shared_ptr<LudInput> input;
  std::vector<float> factors;
};

struct TemporaryFile {
  TemporaryFile(const std::string& name, const std::string& text)
      : path((std::filesystem::temp_directory_path() / name).string()) {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

// Both ends of the blocked variant's space, with panels small enough for an interpreter, and for llvmpipe's
// limit of 65535 iterations per work-item: as a CPU wants it, and as a GPU does.
const ValueMap vectors_alone = {{"variant", "blocked"}, {"panel", 32}, {"granularity", 2}};
const ValueMap staged_groups = {{"variant", "blocked"}, {"panel", 32},       {"work_group", 8},
                                {"granularity", 1},     {"vector_width", 4}, {"tile_x", 4},
                                {"tile_y", 4},          {"memory", "local"}};

const ValueMap tiles_in_registers = {{"variant", "dataflow"}, {"panel", 32}};

// How many of an axis's values: compiling takes most of the time.
enum class Values { every_other, all };

// Every axis but the variant varied from a setting; what the space rejects is left out, the rest must be
// right.
void check_around(const ValueMap& settings, const ValueMap& problem, Values values = Values::every_other) {
  const Loaded loaded = test::generated(lud_under_test(), problem);
  const Space& space = lud_under_test().space();
  const Config start = space.set(space.baseline(), settings);
  const bool has_command_buffers = test::test_session().device().has_extension("cl_khr_command_buffer");
  int ran = 0;
  for (const Axis& axis : space.axes()) {
    if (axis.name == "variant" || !Space::applies(axis, start.string("variant"))) continue;
    const std::size_t step = values == Values::all || axis.values.size() < 4 ? 1 : 2;
    for (std::size_t i = 0; i < axis.values.size(); i += step) {
      const Value& value = axis.values[i];
      if (axis.name == "panel" && value.integer() > 64) continue;
      const Config config = start.with(axis.name, value);
      const test::Outcome outcome = test::run_point(lud_under_test(), loaded, config);
      INFO(loaded.problem.values.to_string() << " " << config.to_string() << ": " << outcome.reason);
      const bool declined = config.string("submission") == "command_buffer" && !has_command_buffers;
      CHECK((outcome.status == (declined ? Status::unsupported : Status::ok) ||
             outcome.status == Status::rejected));
      ran += outcome.status == Status::ok ? 1 : 0;
    }
  }
  CHECK(ran > 5);
}

// llvmpipe takes half a minute to compile one point of the blocked variant: there a few points must do.
bool too_slow_to_compile() {
  const char* device = std::getenv("DWARFSWEEP_TEST_DEVICE");
  if (device == nullptr || std::string(device) != "rusticl") return false;
  SUCCEED("left out on llvmpipe");
  return true;
}

}  // namespace

TEST_CASE("lud: every axis of the tiled variant, on odd orders", "[device][lud][variants][axes]") {
  check_around({{"variant", "tiled"}}, {{"n", 37}});
}

TEST_CASE("lud: every axis of the blocked variant, vectors alone, on an odd order",
          "[device][lud][variants][axes]") {
  if (too_slow_to_compile()) return;
  check_around(vectors_alone, {{"n", 37}});
}

TEST_CASE("lud: every axis of the blocked variant, staged by groups, on an odd order",
          "[device][lud][axes]") {
  if (too_slow_to_compile()) return;
  check_around(staged_groups, {{"n", 37}});
}

TEST_CASE("lud: every axis of the dataflow variant, on an odd order", "[device][lud][variants][axes]") {
  if (too_slow_to_compile()) return;
  check_around(tiles_in_registers, {{"n", 37}});
}

TEST_CASE("lud: every axis from both ends, on several steps", "[device][lud][heavy]") {
  check_around({{"variant", "tiled"}}, {{"n", 150}});
  if (too_slow_to_compile()) return;
  check_around(vectors_alone, {{"n", 150}});
  check_around(staged_groups, {{"n", 150}});
  check_around(tiles_in_registers, {{"n", 150}});
}

TEST_CASE("lud: every value of every axis", "[device][lud][heavy][long]") {
  check_around({{"variant", "tiled"}}, {{"n", 75}}, Values::all);
  if (too_slow_to_compile()) return;
  check_around(vectors_alone, {{"n", 75}}, Values::all);
  check_around(staged_groups, {{"n", 75}}, Values::all);
  check_around(tiles_in_registers, {{"n", 75}}, Values::all);
}

TEST_CASE("lud: orders around the multiples of a tile", "[device][lud]") {
  for (const int n : {1, 2, 31, 32, 33}) {
    CHECK(test::run_point(lud_under_test(), {{"n", n}}, {}).status == Status::ok);
    CHECK(test::run_point(lud_under_test(), {{"n", n}}, staged_groups).status == Status::ok);
    if (too_slow_to_compile()) continue;
    CHECK(test::run_point(lud_under_test(), {{"n", n}}, vectors_alone).status == Status::ok);
    CHECK(test::run_point(lud_under_test(), {{"n", n}}, tiles_in_registers).status == Status::ok);
  }
}

TEST_CASE("lud: the settings a CPU and a GPU are fastest with", "[device][lud][heavy]") {
  if (too_slow_to_compile()) return;
  for (const int panel : {128, 256}) {
    CHECK(
        test::run_point(lud_under_test(), {{"n", 260}}, {{"variant", "blocked"}, {"panel", panel}}).status ==
        Status::ok);
  }
  for (const auto& [panel, tile] : {std::pair(64, 4), std::pair(128, 8)}) {
    const ValueMap settings = {{"variant", "blocked"}, {"work_group", 16},  {"granularity", 1},
                               {"vector_width", 4},    {"memory", "local"}, {"panel", panel},
                               {"tile_x", tile},       {"tile_y", tile}};
    const test::Outcome outcome = test::run_point(lud_under_test(), {{"n", 260}}, settings);
    INFO(outcome.reason);
    CHECK((outcome.status == Status::ok || outcome.status == Status::rejected));
  }
}

TEST_CASE("lud: random points", "[device][lud][heavy]") {
  if (too_slow_to_compile()) return;
  test::check_random_points(lud_under_test(), {{"n", 75}}, 6);
}

TEST_CASE("lud: a few points of the full space, at tiny and at an odd size", "[device][lud][heavy]") {
  test::check_full_space(lud_under_test(), {{"n", 75}}, 4);
}

TEST_CASE("lud: the full space, at tiny and at an odd size", "[device][lud][heavy][long]") {
  test::check_full_space(lud_under_test(), {{"n", 75}}, 100);
}

TEST_CASE("lud: the combinations that the thesis publishes", "[device][lud][heavy]") {
  const Loaded loaded = test::generated(lud_under_test(), {{"n", 100}});
  for (const PaperSetting& setting : lud_under_test().paper_settings()) {
    const bool varied_alone = setting.settings.entries().size() < 2;  // as in the tests above
    if (setting.problem.integer("n") != 4096 || varied_alone) continue;
    const Config config = lud_under_test().space().set(lud_under_test().space().baseline(), setting.settings);
    const test::Outcome outcome = test::run_point(lud_under_test(), loaded, config);
    INFO(setting.figure << " " << config.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

TEST_CASE("lud: a matrix with factors known by hand", "[device][lud]") {
  const Loaded loaded = loaded_matrix(3, {2, 1, 1, 4, 5, 5, -2, 8, 11});  // L: 2; -1 3; U: 2 1 1; 3 3; 3
  const Check check = test::run_point(lud_under_test(), loaded, lud_under_test().space().baseline()).check;
  CHECK(check.ok);
  const std::vector<float> known = {2, 1, 1, 2, 3, 3, -1, 3, 3};
  const auto& input = dynamic_cast<const LudInput&>(*loaded.input);
  CHECK(input.verification().check(known.data(), 3).ok);
  CHECK(std::equal(known.begin(), known.end(), input.verification().exact().factors.begin()));
}

TEST_CASE("lud: a zero pivot is a wrong result, not a number", "[device][lud]") {
  const test::Outcome outcome =
      test::run_point(lud_under_test(), loaded_matrix(2, {0, 1, 1, 0}), lud_under_test().space().baseline());
  CHECK(outcome.status == Status::wrong_result);
}

TEST_CASE("lud: on the host's cores", "[lud]") {
  for (const int order : {1, 7, 64, 65, 203, 600}) test::check_host(lud_under_test(), {{"n", order}});
}

TEST_CASE("lud: the kernel's parameter table", "[lud]") {
  test::check_parameter_table(lud_under_test());
}

TEST_CASE("lud: the elementwise check finds one wrong element", "[lud]") {
  Factored small(100);
  REQUIRE(small.check().ok);
  for (const auto& [row, column] : {std::pair(50, 3), std::pair(3, 50), std::pair(99, 99)}) {
    const float right = small.at(row, column);
    small.at(row, column) = right * 1.001F;
    const Check check = small.check();
    CHECK_FALSE(check.ok);
    CHECK(check.message.find("element (" + std::to_string(row) + ", " + std::to_string(column) + ")") !=
          std::string::npos);
    small.at(row, column) = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(small.check().ok);
    small.at(row, column) = right;
  }
}

TEST_CASE("lud: the residual check finds one wrong element where nothing else looks", "[lud]") {
  Factored large(FactorVerification::exact_order + 200);
  REQUIRE(large.check().ok);
  for (const auto& [row, column] : {std::pair(600, 3), std::pair(3, 600), std::pair(711, 711)}) {
    const float right = large.at(row, column);
    for (const float wrong :
         {right + 0.5F * large.at(column, column) / 700, std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
      large.at(row, column) = wrong;
      const Check check = large.check();
      CHECK_FALSE(check.ok);
      CHECK(check.message.find("row " + std::to_string(row)) == 0);
    }
    large.at(row, column) = right;
  }
}

TEST_CASE("lud: the tolerance holds for matrices that need no mercy, and for hard ones", "[lud]") {
  // Positive definite and far from dominant: the classic generator's Toeplitz matrix of exponentials.
  constexpr std::size_t order = 300;
  std::vector<float> values(order * order);
  for (std::size_t i = 0; i < order; ++i) {
    for (std::size_t j = 0; j < order; ++j) {
      values[i * order + j] = 10 * std::exp(-0.01F * static_cast<float>(i > j ? i - j : j - i));
    }
  }
  const LudInput input(order, values);
  factor_on_host(values.data(), order, 1);
  const Check check = input.verification().check(values.data(), order);
  INFO(check.message);
  CHECK(check.ok);
}

TEST_CASE("lud: reads matrices of both formats", "[lud]") {
  const TemporaryFile dat("dwarfsweep_lud_test.dat", "2\n4 1\n2 3\n");
  const TemporaryFile market("dwarfsweep_lud_test.mtx",
                             "%%MatrixMarket matrix array real general\n2 2\n4\n2\n1\n3\n");
  for (const std::string& file : {dat.path, market.path}) {
    const Loaded loaded = lud_under_test().load({}, {file});
    CHECK(loaded.problem.size == "file");
    CHECK(loaded.problem.integer("n") == 2);
    CHECK(dynamic_cast<const LudInput&>(*loaded.input).values() == std::vector<float>{4, 1, 2, 3});
  }
}

TEST_CASE("lud: says what is wrong with an input", "[lud]") {
  const TemporaryFile market("dwarfsweep_lud_wide.mtx",
                             "%%MatrixMarket matrix array real general\n1 2\n4\n2\n");
  const TemporaryFile dat("dwarfsweep_lud_order.dat", "1\n4\n");
  CHECK_THROWS_AS(lud_under_test().load({}, {market.path}), InputError);
  CHECK_THROWS_AS(lud_under_test().load({{"n", 3}}, {dat.path}), UsageError);
  CHECK_THROWS_AS(lud_under_test().load({}, {}), UsageError);
}
