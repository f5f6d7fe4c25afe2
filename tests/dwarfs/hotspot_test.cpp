// hotspot: every point of its space over odd grids, results known by hand, and a check that finds planted
// errors.
#include <cmath>
#include <limits>

#include "dwarfs/hotspot/hotspot.hpp"
#include "dwarfs/hotspot/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/program/macros.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;
using hotspot::HotspotInput;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("hotspot");
}

const HotspotInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const HotspotInput&>(*loaded.input);
}

Loaded loaded_grid(const ValueMap& problem, std::vector<float> temperature, std::vector<float> power) {
  Problem made = make_problem("hotspot", dwarf().info().keys, {"file", problem});
  auto input =
      std::make_shared<HotspotInput>(hotspot::parameters_of(made), std::move(temperature), std::move(power));
  return {std::move(made), std::move(input)};
}

// llvmpipe takes seconds to compile a point of streaming: only a few of them are tested there.
bool compiles_slowly() {
  return test_session().device().name.find("llvmpipe") != std::string::npos;
}

void check_config(const Loaded& loaded, const Config& config) {
  const Outcome outcome = run_point(dwarf(), loaded, config);
  INFO(config.to_string() << " [" << loaded.problem.values.to_string() << "]: " << outcome.reason);
  CHECK(outcome.status == Status::ok);
}

Config streaming_in_groups() {
  return dwarf().space().set(dwarf().space().baseline(), {{"variant", "streaming"},
                                                          {"work_group", 16},
                                                          {"granularity", 16},
                                                          {"vector_width", 4},
                                                          {"padding", 1},
                                                          {"depth", 4}});
}

// Each variant in its default configuration, and streaming with both of its kernels where the device allows
// them.
void check_variants(const Loaded& loaded) {
  const Space& space = dwarf().space();
  for (const char* variant : {"single_step", "pyramid"}) check_config(loaded, space.default_config(variant));
  check_config(loaded, streaming_in_groups());
  const Capabilities& capabilities = test_session().device().capabilities;
  for (const Config& config :
       {space.default_config("streaming"), space.default_config("streaming", capabilities)}) {
    if (!space.why_rejected({config, loaded.problem, capabilities})) check_config(loaded, config);
  }
}

}  // namespace

TEST_CASE("hotspot: every axis varied from each variant's default, on odd grids",
          "[device][hotspot][heavy]") {
  if (compiles_slowly()) return check_variants(generated(dwarf(), {{"rows", 9}, {"cols", 11}, {"steps", 2}}));
  check_one_at_a_time(dwarf(), {{"rows", 37}, {"cols", 45}, {"steps", 6}});
}

TEST_CASE("hotspot: every axis of streaming in groups", "[device][hotspot][heavy]") {
  if (compiles_slowly()) return check_variants(generated(dwarf(), {{"rows", 9}, {"cols", 11}, {"steps", 2}}));
  const Loaded loaded = generated(dwarf(), {{"rows", 41}, {"cols", 93}, {"steps", 8}});
  const Config start = streaming_in_groups();
  for (const Axis& axis : dwarf().space().axes()) {
    if (axis.name == "variant" || axis.name == "granularity")
      continue;  // tested with groups of one work-item
    for (const Value& value : axis.values) {
      const Outcome outcome = run_point(dwarf(), loaded, start.with(axis.name, value));
      INFO(axis.name << "=" << value.to_string() << ": " << outcome.reason);
      const bool declined = outcome.status == Status::rejected || outcome.status == Status::unsupported;
      CHECK((declined || outcome.status == Status::ok));
    }
  }
}

TEST_CASE("hotspot: lanes shuffle in sub-groups of each size that the device has",
          "[device][hotspot][heavy]") {
  const auto counts = lane_counts(test_session().device().capabilities);
  if (counts.empty()) {
    SUCCEED("the device has no shuffles");
    return;
  }
  const Loaded loaded = generated(dwarf(), {{"rows", 41}, {"cols", 193}, {"steps", 7}});
  for (const std::int64_t count : counts) {
    for (const int width : {2, 8}) {
      const Config config = streaming_in_groups()
                                .with("work_group", count)
                                .with("vector_width", width)
                                .with("exchange", "shuffle");
      const Outcome outcome = run_point(dwarf(), loaded, config);
      INFO(config.to_string() << ": " << outcome.reason);
      CHECK((outcome.status == Status::ok || outcome.status == Status::unsupported));
    }
  }
}

TEST_CASE("hotspot: random points", "[device][hotspot][heavy]") {
  check_random_points(dwarf(), {{"rows", 70}, {"cols", 131}, {"steps", 5}}, compiles_slowly() ? 2 : 4);
}

TEST_CASE("hotspot: a few points of the full space, at tiny and at an odd size", "[device][hotspot][heavy]") {
  check_full_space(dwarf(), {{"rows", 41}, {"cols", 93}, {"steps", 13}}, 4);
}

TEST_CASE("hotspot: the full space, at tiny and at an odd size", "[device][hotspot][heavy][long]") {
  check_full_space(dwarf(), {{"rows", 41}, {"cols", 93}, {"steps", 13}}, 100);
}

TEST_CASE("hotspot: every variant on one odd grid", "[device][hotspot][variants]") {
  check_variants(generated(dwarf(), {{"rows", 18}, {"cols", 21}, {"steps", 3}}));
}

TEST_CASE("hotspot: grids of every shape", "[device][hotspot][heavy]") {
  for (const auto& [rows, cols] :
       {std::pair(1, 1), std::pair(1, 40), std::pair(40, 1), std::pair(2, 2), std::pair(3, 5),
        std::pair(16, 16), std::pair(17, 64), std::pair(32, 31)}) {
    check_variants(generated(dwarf(), {{"rows", rows}, {"cols", cols}, {"steps", 9}}));
  }
}

// Seven steps' halo and odd offsets in private arrays, which Intel's compiler (2025.3) takes for aligned.
TEST_CASE("hotspot: streaming scalars in grids narrower than a strip", "[device][hotspot][heavy]") {
  const Config scalars = dwarf().space().default_config("streaming").with("vector_width", 1);
  for (const int cols : {1, 17}) {
    check_config(generated(dwarf(), {{"rows", 1}, {"cols", cols}, {"steps", 7}}), scalars);
  }
}

TEST_CASE("hotspot: more columns and rows than a strip has", "[device][hotspot][heavy]") {
  check_variants(generated(dwarf(), {{"rows", 35}, {"cols", 1100}, {"steps", 3}}));
  check_variants(generated(dwarf(), {{"rows", 530}, {"cols", 20}, {"steps", 9}}));
}

TEST_CASE("hotspot: many steps, not a multiple of those per launch", "[device][hotspot][heavy]") {
  check_variants(generated(dwarf(), {{"rows", 20}, {"cols", 30}, {"steps", 61}}));
}

TEST_CASE("hotspot: widths that no vector divides, for more steps than a margin lasts",
          "[device][hotspot][heavy]") {
  // A wrong cell beyond the grid shows only after some launches: rounding hides what crosses the margin in
  // one.
  for (const int cols : {97, 100, 111}) {
    const Loaded loaded = generated(dwarf(), {{"rows", 5}, {"cols", cols}, {"steps", 61}});
    if (compiles_slowly()) return check_variants(loaded);
    for (const int width : {2, 4, 8, 16}) {
      Config config = dwarf().space().default_config("streaming").with("vector_width", width);
      check_config(loaded, config);
      config = streaming_in_groups().with("vector_width", width).with("work_group", 32);
      check_config(loaded, config);
    }
  }
}

TEST_CASE("hotspot: one step of two cells by hand", "[device][hotspot]") {
  // Cells of 8 mm x 16 mm: C = 0.5 * 1.75e6 * 0.0005 * 1.28e-4 = 0.056, Rx = 0.008 / (2 * 100 * 0.0005 *
  // 0.016) = 5, Rz = 0.0005 / (100 * 1.28e-4) = 5/128; the step is 0.001 / (3e6 / (0.5 * 0.0005 * 1.75e6)) =
  // 0.4375 / 3e6 s, so that dt / C = 7.8125 / 3e6. The values are so large that the heat moved within a
  // step is well above the tolerance.
  const double scale = 7.8125 / 3e6;
  const auto after = [&](double own, double other, double power) {
    return static_cast<float>(own + scale * (power + (other - own) / 5 + (80 - own) * 128 / 5));
  };
  const Loaded two = loaded_grid({{"rows", 1}, {"cols", 2}, {"steps", 1}}, {1080, 80}, {1e5F, -3e5F});
  const std::vector<float> expected{after(1080, 80, 1e5), after(80, 1080, -3e5)};
  CHECK(input_of(two).check(expected).ok);
  CHECK_FALSE(input_of(two).check(std::vector<float>{expected[0] * 1.001F, expected[1]}).ok);
  check_variants(two);
}

TEST_CASE("hotspot: heat is conserved except for what flows to the ambience", "[hotspot]") {
  // Without power, and at the ambient temperature except for one cell, only that cell's loss leaves the grid
  // in a step.
  std::vector<float> temperature(25 * 33, 80);
  temperature[12 * 33 + 15] = 1080;
  const Loaded loaded = loaded_grid({{"rows", 25}, {"cols", 33}, {"steps", 1}}, temperature,
                                    std::vector<float>(temperature.size(), 0));
  const std::vector<float> output = hotspot::simulated_on_host(input_of(loaded));
  CHECK(input_of(loaded).check(output).ok);
  double surplus = 0;
  for (const float value : output) surplus += static_cast<double>(value) - 80;
  // Of dt / (C Rz) = 2 * 100 / (1.75e6 * 0.0005^2) * dt, dt = 0.4375 / 3e6 s.
  const double lost = 1000 * (2 * 100 / (1.75e6 * 2.5e-7)) * (0.4375 / 3e6);
  CHECK(surplus == Approx(1000 - lost).epsilon(1e-5));
  CHECK(output[12 * 33 + 16] > 80);
  CHECK(output[13 * 33 + 15] > 80);
  CHECK(output[13 * 33 + 16] == 80);
}

TEST_CASE("hotspot: the time step is the classic one where that is stable", "[hotspot]") {
  CHECK(hotspot::constants_of({64, 64, 1}).precision == 0.001);
  CHECK(hotspot::constants_of({1385, 1385, 1}).precision == 0.001);
  CHECK(hotspot::constants_of({1387, 1387, 1}).precision == 0.0005);
  for (const std::size_t n : {1024, 2048, 8192, 1 << 20}) {
    const hotspot::Weights weights = hotspot::weights_of({n, n, 1});
    CHECK(weights.own >= -1);
    CHECK(weights.horizontal > 0);
  }
}

TEST_CASE("hotspot: on the host's cores", "[hotspot]") {
  for (const auto& [rows, cols] :
       {std::pair(1, 1), std::pair(1, 9), std::pair(9, 1), std::pair(2, 3), std::pair(90, 131)}) {
    for (const int steps : {1, 4}) check_host(dwarf(), {{"rows", rows}, {"cols", cols}, {"steps", steps}});
  }
  check_host(dwarf(), {{"rows", 1500}, {"cols", 1500}, {"steps", 3}});
}

TEST_CASE("hotspot: the kernel's parameter table", "[hotspot]") {
  check_parameter_table(dwarf());
}

TEST_CASE("hotspot: the check finds one wrong cell", "[hotspot]") {
  const Loaded loaded = generated(dwarf(), {{"rows", 30}, {"cols", 41}, {"steps", 5}});
  std::vector<float> output = hotspot::simulated_on_host(input_of(loaded));
  REQUIRE(input_of(loaded).check(output).ok);
  CHECK(input_of(loaded).check(output).tolerance < 4e-4);
  for (const std::size_t at : {std::size_t{0}, std::size_t{41 * 17 + 3}, output.size() - 1}) {
    const float cell = output[at];
    for (const float wrong : {cell * 1.00001F, -cell, std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity()}) {
      output[at] = wrong;
      const Check check = input_of(loaded).check(output);
      CHECK_FALSE(check.ok);
      CHECK(check.message.find("cell (" + std::to_string(at / 41) + ", " + std::to_string(at % 41) + ")") ==
            0);
    }
    output[at] = cell;
  }
}

TEST_CASE("hotspot: a step left out or one too many, and power ignored, is found", "[hotspot]") {
  const ValueMap problem{{"rows", 64}, {"cols", 64}, {"steps", 5}};
  const Loaded loaded = generated(dwarf(), problem);
  for (const int steps : {4, 6}) {
    const Loaded other = generated(dwarf(), problem.with("steps", steps));
    CHECK_FALSE(input_of(loaded).check(hotspot::simulated_on_host(input_of(other))).ok);
  }
  const Loaded cold = loaded_grid(problem, input_of(loaded).temperature(), std::vector<float>(64 * 64, 0));
  const std::vector<float> output = hotspot::simulated_on_host(input_of(cold));
  CHECK(input_of(cold).check(output).ok);
  CHECK_FALSE(input_of(loaded).check(output).ok);
}

TEST_CASE("hotspot: reads temperature and power", "[hotspot]") {
  const ScratchDirectory folder;
  const std::string temperature = folder.file("temperature", "320\n321.5\n322\n323\n").string();
  const std::string power = folder.file("power", "0.001\n0.002\n0\n1e-3\n").string();
  const Loaded square = dwarf().load({{"steps", 7}}, {temperature, power});
  CHECK(square.problem.size == "file");
  CHECK(square.problem.integer("rows") == 2);
  CHECK(square.problem.integer("cols") == 2);
  CHECK(square.problem.integer("steps") == 7);
  CHECK(input_of(square).temperature() == std::vector<float>{320, 321.5F, 322, 323});
  CHECK(input_of(square).power() == std::vector<float>{0.001F, 0.002F, 0, 0.001F});
  const Loaded wide = dwarf().load({{"rows", 1}, {"cols", 4}}, {temperature, power});
  CHECK(wide.problem.integer("rows") == 1);
  CHECK(wide.problem.integer("cols") == 4);
}

TEST_CASE("hotspot: says what is wrong with a request", "[hotspot]") {
  const ScratchDirectory folder;
  const std::string four = folder.file("four", "320\n321\n322\n323\n").string();
  const std::string three = folder.file("three", "1\n2\n3\n").string();
  const std::string words = folder.file("words", "1\ntwo\n3\n4\n").string();
  CHECK_THROWS_AS(dwarf().load({}, {four}), UsageError);
  CHECK_THROWS_AS(dwarf().load({}, {}), UsageError);
  CHECK_THROWS_AS(dwarf().load({{"rows", 3}}, {four, four}), UsageError);
  CHECK_THROWS_AS(dwarf().load({{"rows", 0}, {"cols", 4}}, {four, four}), UsageError);
  CHECK_THROWS_AS(dwarf().load({{"rows", 3}, {"cols", 2}}, {four, four}), InputError);
  CHECK_THROWS_AS(dwarf().load({}, {three, three}), InputError);
  CHECK_THROWS_AS(dwarf().load({}, {four, three}), InputError);
  CHECK_THROWS_AS(dwarf().load({}, {words, four}), InputError);
  CHECK_THROWS_AS(generated(dwarf(), {{"steps", 0}}), UsageError);
}

// S. Che et al., section 6.1.2, at 256 x 256: blocks of 16 x 16 leave 4 x 4 after six steps. Five times less
// traffic, 16 times the memory of the blocks, almost six times the computation.
TEST_CASE("hotspot: the factors that the paper states of its pyramid", "[hotspot]") {
  const Space& space = dwarf().space();
  const Loaded loaded = generated(dwarf(), {{"rows", 256}, {"cols", 256}, {"steps", 24}});
  const Config pyramid =
      space.set(space.baseline(), {{"variant", "pyramid"}, {"work_group", 16}, {"pyramid_height", 6}});
  const auto geometry = hotspot::geometry_of(pyramid, 6, {});
  CHECK(geometry.halo == 6);
  CHECK(geometry.stored == 4);
  const LaunchRange range = hotspot::range_of(geometry, pyramid, hotspot::parameters_of(loaded.problem));
  const auto items = static_cast<double>(range.global.items());
  CHECK(items / (256.0 * 256) == 16);
  double computed = 0;
  for (int step = 1; step <= 6; ++step) computed += (16 - 2 * step) * (16 - 2 * step);
  CHECK(computed / (6 * 4 * 4) == Approx(5.8).epsilon(0.01));
  // Work counts each array once for a launch: six steps in one launch save more than four fifths.
  const auto step_bytes = [&](const Config& config) {
    Workspace workspace(test_session());
    for (const Work& work : dwarf().prepare(workspace, loaded, config)->work()) {
      if (work.kernel == "step") return work.bytes;
    }
    return 0.0;
  };
  CHECK(step_bytes(space.baseline()) / step_bytes(pyramid) == 6);
}
