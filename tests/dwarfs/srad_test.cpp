// srad: every point of its space over odd images, results known by hand, and a check that finds planted
// errors.
#include <cmath>
#include <limits>

#include "dwarfs/registry.hpp"
#include "dwarfs/srad/input.hpp"
#include "dwarfs/srad/srad.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;
using srad::SradInput;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("srad");
}

const SradInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const SradInput&>(*loaded.input);
}

Loaded loaded_image(const ValueMap& problem, std::vector<float> image) {
  Problem made = make_problem("srad", dwarf().info().keys, {"file", problem});
  auto input = std::make_shared<SradInput>(srad::parameters_of(made), std::move(image));
  return {std::move(made), std::move(input)};
}

void check_variants(const Loaded& loaded) {
  for (const Value& variant : dwarf().space().find("variant").values) {
    const Outcome outcome = run_point(dwarf(), loaded, dwarf().space().default_config(variant.string()));
    INFO(variant.string() << " [" << loaded.problem.values.to_string() << "]: " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

}  // namespace

TEST_CASE("srad: every axis varied from each variant's default, on odd images", "[device][srad][heavy]") {
  check_one_at_a_time(dwarf(), {{"rows", 37}, {"cols", 21}, {"iterations", 2}});
}

TEST_CASE("srad: random points", "[device][srad][heavy]") {
  check_random_points(dwarf(), {{"rows", 70}, {"cols", 131}, {"iterations", 3}, {"lambda", 1.0}}, 16);
}

TEST_CASE("srad: a few points of the full space, at tiny and at an odd size", "[device][srad][heavy]") {
  check_full_space(dwarf(), {{"rows", 37}, {"cols", 71}, {"iterations", 3}}, 4);
}

TEST_CASE("srad: the full space, at tiny and at an odd size", "[device][srad][heavy][long]") {
  check_full_space(dwarf(), {{"rows", 37}, {"cols", 71}, {"iterations", 3}}, 1000);
}

TEST_CASE("srad: every variant on one odd image", "[device][srad][variants]") {
  check_variants(generated(dwarf(), {{"rows", 18}, {"cols", 37}, {"iterations", 2}}));
}

TEST_CASE("srad: images of every shape", "[device][srad][heavy]") {
  for (const auto& [rows, cols] : {std::pair(1, 1), std::pair(1, 40), std::pair(40, 1), std::pair(2, 2),
                                   std::pair(16, 16), std::pair(17, 64), std::pair(32, 31)}) {
    check_variants(generated(dwarf(), {{"rows", rows}, {"cols", cols}, {"iterations", 3}}));
  }
}

TEST_CASE("srad: more columns than a strip of fused_rows has", "[device][srad][heavy]") {
  check_variants(generated(dwarf(), {{"rows", 35}, {"cols", 2100}, {"iterations", 2}}));
}

// The mean of so few pixels is off by what the roundings of all steps add up to.
TEST_CASE("srad: far more steps than pixels", "[srad]") {
  check_host(dwarf(), {{"rows", 13}, {"cols", 5}, {"iterations", 32287}, {"lambda", 1.0}});
  check_host(dwarf(), {{"rows", 1}, {"cols", 7}, {"iterations", 20000}, {"lambda", 0.75}});
}

TEST_CASE("srad: many steps of very few pixels, with a region of interest", "[device][srad][heavy]") {
  check_variants(generated(dwarf(), {{"rows", 4}, {"cols", 1}, {"iterations", 143}, {"roi_rows", 3}}));
  // Updates of few units in the last place are rounded the same way in every step.
  check_variants(generated(dwarf(), {{"rows", 1}, {"cols", 18}, {"iterations", 1422}}, 319));
  check_variants(generated(
      dwarf(),
      {{"rows", 3}, {"cols", 2}, {"iterations", 2081}, {"lambda", 0.046875}, {"roi_top", 1}, {"roi_left", 1}},
      285));
  // Neighbours that differ by few units in the last place, where the speckle is almost nothing.
  check_variants(generated(dwarf(),
                           {{"rows", 12},
                            {"cols", 46},
                            {"iterations", 291},
                            {"lambda", 1.0},
                            {"roi_left", 29},
                            {"roi_rows", 1},
                            {"roi_cols", 5}},
                           577));
  check_variants(generated(
      dwarf(), {{"rows", 2}, {"cols", 6}, {"iterations", 177}, {"lambda", 1.0}, {"roi_cols", 2}}, 844));
  // The region's mean moves far from what it was, so that its variance is known to fewer digits.
  for (const std::uint64_t seed : {1U, 976U}) {
    check_variants(generated(
        dwarf(), {{"rows", 2}, {"cols", 9}, {"iterations", 133}, {"roi_top", 1}, {"roi_left", 6}}, seed));
  }
}

TEST_CASE("srad: many steps", "[device][srad][heavy]") {
  check_variants(generated(dwarf(), {{"rows", 40}, {"cols", 50}, {"iterations", 60}}));
}

TEST_CASE("srad: a region of interest of its own", "[device][srad][heavy]") {
  for (const auto& [top, left, rows, cols] :
       {std::tuple(3, 5, 20, 9), std::tuple(0, 0, 1, 1), std::tuple(29, 0, 0, 0), std::tuple(0, 39, 0, 1)}) {
    check_variants(generated(dwarf(), {{"rows", 30},
                                       {"cols", 40},
                                       {"iterations", 2},
                                       {"roi_top", top},
                                       {"roi_left", left},
                                       {"roi_rows", rows},
                                       {"roi_cols", cols}}));
  }
}

TEST_CASE("srad: an image without speckle stays as it is, and so does any at step length 0",
          "[device][srad]") {
  const Loaded flat =
      loaded_image({{"rows", 9}, {"cols", 20}, {"iterations", 3}}, std::vector<float>(180, 1.7F));
  check_variants(flat);
  CHECK(input_of(flat).check(std::vector<float>(180, 1.7F)).ok);
  const Loaded still = generated(dwarf(), {{"rows", 9}, {"cols", 20}, {"lambda", 0.0}});
  check_variants(still);
  CHECK(input_of(still).check(input_of(still).image()).ok);
}

TEST_CASE("srad: one step of two pixels by hand", "[device][srad]") {
  // 1 and 3: mean 2, q0^2 = 1/4. Of the first pixel the one difference is 2, so G = 4, L = 2, q^2 = (2 - 1/4)
  // / (9/4) = 7/9 and c = 1 / (1 + (19/36) / (5/16)) = 45/121. Of the second it is -2: G = 4/9, L = -2/3, q^2
  // = (2/9 - 1/36) / (25/36) = 7/25, c = 1 / (1 + (3/100) / (5/16)) = 125/137. The flux from right to left is
  // c of the second times 2.
  const Loaded two = loaded_image({{"rows", 1}, {"cols", 2}, {"iterations", 1}, {"lambda", 1.0}}, {1, 3});
  const auto flux = static_cast<float>(0.25 * 2 * 125 / 137);
  CHECK(input_of(two).check(std::vector<float>{1 + flux, 3 - flux}).ok);
  CHECK_FALSE(input_of(two).check(std::vector<float>{1 + 1.001F * flux, 3 - flux}).ok);
  check_variants(two);
}

TEST_CASE("srad: on the host's cores", "[srad]") {
  for (const auto& [rows, cols] :
       {std::pair(1, 1), std::pair(1, 9), std::pair(9, 1), std::pair(2, 3), std::pair(90, 131)})
    check_host(dwarf(), {{"rows", rows}, {"cols", cols}, {"iterations", 4}});
  check_host(dwarf(), {{"rows", 50}, {"cols", 60}, {"roi_top", 7}, {"roi_cols", 33}});
}

TEST_CASE("srad: the kernel's parameter table", "[srad]") {
  check_parameter_table(dwarf());
}

TEST_CASE("srad: the check finds one wrong pixel", "[srad]") {
  const Loaded loaded = generated(dwarf(), {{"rows", 30}, {"cols", 41}, {"iterations", 2}, {"lambda", 0.0}});
  std::vector<float> output = input_of(loaded).image();
  const Check right = input_of(loaded).check(output);
  REQUIRE(right.ok);
  CHECK(right.tolerance < 1e-4);
  for (const std::size_t at : {std::size_t{0}, std::size_t{41 * 17 + 3}, output.size() - 1}) {
    const float pixel = output[at];
    for (const float wrong : {pixel * 1.001F, -pixel, std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity()}) {
      output[at] = wrong;
      const Check check = input_of(loaded).check(output);
      CHECK_FALSE(check.ok);
      CHECK(check.message.find("pixel (" + std::to_string(at / 41) + ", " + std::to_string(at % 41) + ")") ==
            0);
    }
    output[at] = pixel;
  }
}

TEST_CASE("srad: a step left out, or one too many, is found", "[srad]") {
  const ValueMap problem{{"rows", 64}, {"cols", 64}, {"iterations", 5}};
  const Loaded loaded = generated(dwarf(), problem);
  for (const int steps : {4, 6}) {
    const Loaded other = generated(dwarf(), problem.with("iterations", steps));
    const std::vector<float> output = srad::diffused_on_host(input_of(other));
    CHECK(input_of(other).check(output).ok);
    CHECK_FALSE(input_of(loaded).check(output).ok);
  }
}

TEST_CASE("srad: reads pictures, whose grey becomes an exponential", "[srad]") {
  const ScratchDirectory folder;
  const std::string eight = folder.file("eight.pgm", "P2\n3 2\n255\n0 51 255\n1 2 3\n").string();
  const Loaded loaded = dwarf().load({{"iterations", 7}}, {eight});
  CHECK(loaded.problem.size == "file");
  CHECK(loaded.problem.integer("rows") == 2);
  CHECK(loaded.problem.integer("cols") == 3);
  CHECK(loaded.problem.integer("iterations") == 7);
  const auto& image = input_of(loaded).image();
  CHECK(image[0] == 1.0F);
  CHECK(image[1] == Approx(std::exp(0.2)));
  CHECK(image[2] == Approx(std::exp(1.0)));
  const std::string sixteen = folder.file("sixteen.pgm", "P2\n1 1\n65535\n65535\n").string();
  CHECK(input_of(dwarf().load({}, {sixteen})).image()[0] == Approx(std::exp(1.0)));
}

TEST_CASE("srad: says what is wrong with a request", "[srad]") {
  const ScratchDirectory folder;
  const std::string picture = folder.file("picture.pgm", "P2\n3 2\n255\n0 51 255\n1 2 3\n").string();
  CHECK_THROWS_AS(dwarf().load({{"rows", 3}}, {picture}), UsageError);
  CHECK_THROWS_AS(dwarf().load({{"roi_left", 3}}, {picture}), UsageError);
  CHECK_THROWS_AS(dwarf().load({}, {}), UsageError);
  CHECK_THROWS_AS(dwarf().load({}, {folder.file("no.pgm", "P2\n3\n").string()}), InputError);
  for (const ValueMap& region : {ValueMap{{"roi_top", 9}}, ValueMap{{"roi_rows", 9}},
                                 ValueMap{{"roi_left", 5}, {"roi_cols", 4}}, ValueMap{{"roi_left", 8}}}) {
    ValueMap problem{{"rows", 8}, {"cols", 8}};
    for (const auto& [key, value] : region.entries()) problem = problem.with(key, value);
    CHECK_THROWS_AS(generated(dwarf(), problem), UsageError);
  }
}
