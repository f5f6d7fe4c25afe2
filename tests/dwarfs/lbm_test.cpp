// lbm: the standard tests; obstacles from files; rest, waves, conservation; planted errors.
#include <cmath>
#include <numbers>

#include "dwarfs/lbm/input.hpp"
#include "harness/formats/obstacles.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("lbm", "[heavy][long]")
OTHER_STANDARD_TESTS("lbm")

namespace {

const Dwarf& lbm_of_tests() {
  return find_dwarf("lbm");
}

ValueMap box(int nx, int ny, int nz, int steps) {
  return {{"nx", nx}, {"ny", ny}, {"nz", nz}, {"steps", steps}};
}

ValueMap pulling(const ValueMap& more = {}) {
  ValueMap settings = {{"variant", "two_arrays"}, {"work_group", 32}, {"granularity", 1},
                       {"vector_width", 1},       {"layout", "soa"},  {"direction", "pull"},
                       {"stores", "cached"},      {"flags", "bytes"}};
  for (const auto& [name, value] : more.entries()) settings = settings.with(name, value);
  return settings;
}

ValueMap in_place(const ValueMap& more = {}) {
  ValueMap settings = {{"variant", "in_place"}, {"work_group", 32}, {"granularity", 1},
                       {"vector_width", 1},     {"layout", "soa"},  {"flags", "bytes"}};
  for (const auto& [name, value] : more.entries()) settings = settings.with(name, value);
  return settings;
}

/// What the dwarf makes of these populations, with and without obstacles.
Dump moved(const Problem& problem, std::vector<float> f, std::vector<std::uint8_t> flags,
           const ValueMap& settings) {
  const Loaded loaded{problem,
                      std::make_shared<lbm::LbmInput>(lbm::grid_of(problem), std::move(f), std::move(flags))};
  return dumped(lbm_of_tests(), loaded,
                lbm_of_tests().space().set(lbm_of_tests().space().baseline(), settings));
}

std::vector<float> at_rest(std::size_t cells) {
  std::vector<float> f;
  for (const lbm::Direction& c : lbm::lattice) f.insert(f.end(), cells, static_cast<float>(c.weight));
  return f;
}

double sum_of(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

const std::vector<ValueMap> all_kinds = {{},
                                         pulling(),
                                         pulling({{"storage", "shifted"}}),
                                         in_place(),
                                         in_place({{"vector_width", 8}, {"storage", "shifted"}})};

}  // namespace

TEST_CASE("lbm: each axis, several at a time", "[device][lbm][variants]") {
  check_settings(
      lbm_of_tests(),
      {{{"work_group", 32}, {"padding", 1}, {"flags", "bytes"}},
       {{"work_group", 64}, {"flags", "computed"}},
       pulling({{"vector_width", 4}, {"padding", 1}, {"stores", "streamed"}, {"granularity", 2}}),
       pulling({{"rows", 4}, {"storage", "half"}, {"vector_width", 2}}),
       pulling({{"layout", "tiled"}, {"direction", "push"}, {"flags", "in_cell"}, {"padding", 1}}),
       pulling({{"layout", "aos"}, {"flags", "computed"}, {"storage", "shifted"}}),
       pulling({{"direction", "push"}, {"vector_width", 8}, {"flags", "computed"}, {"work_group", 1}}),
       pulling({{"direction", "push"}, {"vector_width", 4}, {"flags", "in_cell"}}),
       in_place({{"vector_width", 4}, {"storage", "half"}}),
       in_place({{"layout", "tiled"}, {"flags", "in_cell"}, {"rows", 2}}),
       in_place({{"layout", "aos"}, {"granularity", 2}, {"flags", "in_cell"}})},
      small_on_oclgrind(lbm_of_tests().info().checks.odd_problems,
                        {{"nx", 11}, {"ny", 5}, {"nz", 3}, {"steps", 2}}));
}

TEST_CASE("lbm: one number moves where its direction points", "[device][lbm]") {
  // Full way bounce back in walls everywhere: a number comes out of its cell reversed, one cell back.
  const Problem problem = generated(lbm_of_tests(), box(5, 4, 3, 1).with("setup", "periodic")).problem;
  const lbm::Grid grid = lbm::grid_of(problem);
  const std::vector<std::uint8_t> walls(grid.cells(), 1);
  for (std::size_t i = 0; i < lbm::directions; ++i) {
    std::vector<float> f(lbm::directions * grid.cells());
    constexpr std::size_t start = (1 * 4 + 2) * 5 + 3;  // z = 1, y = 2, x = 3
    f[i * grid.cells() + start] = 1;
    const Dump dump = moved(problem, f, walls, {});
    const lbm::Direction& back = lbm::lattice[lbm::lattice[i].opposite];
    const auto end =
        static_cast<std::size_t>((1 + back.z + 3) % 3 * 20 + (2 + back.y) % 4 * 5 + (3 + back.x) % 5);
    INFO(i);
    CHECK(dump.floats.at("f")[lbm::lattice[i].opposite * grid.cells() + end] == 1);
    CHECK(sum_of(dump.floats.at("f")) == 1);
  }
}

TEST_CASE("lbm: two bounces of a resting wall give the fluid back", "[device][lbm]") {
  const Loaded loaded = generated(lbm_of_tests(), box(7, 5, 4, 2).with("setup", "periodic"));
  const auto& input = static_cast<const lbm::LbmInput&>(*loaded.input);
  const std::vector<std::uint8_t> walls(input.grid().cells(), 1);
  for (const ValueMap& settings : {ValueMap{}, pulling(), in_place(), in_place({{"vector_width", 4}})})
    CHECK(moved(loaded.problem, input.f(), walls, settings).floats.at("f") == input.f());
}

TEST_CASE("lbm: rest stays rest", "[device][lbm]") {
  // The float weights do not sum to 1: a step changes f by up to 4 u. Of f - W, all sums are 0.
  const int steps = 20;
  const Problem problem = generated(lbm_of_tests(), box(19, 6, 5, steps).with("setup", "periodic")).problem;
  const std::size_t cells = lbm::grid_of(problem).cells();
  const std::vector<float> rest = at_rest(cells);
  for (const ValueMap& settings : all_kinds) {
    const std::vector<float> f =
        moved(problem, rest, std::vector<std::uint8_t>(cells), settings).floats.at("f");
    INFO(settings.to_string());
    const Value* storage = settings.find("storage");
    if (storage != nullptr && storage->string() == "shifted") CHECK(f == rest);
    double largest = 0;
    for (std::size_t i = 0; i < f.size(); ++i)
      largest = std::max(largest, std::abs(double{f[i]} - rest[i]) / rest[i]);
    CHECK(largest <= 4 * 0x1p-24 * steps);
  }
}

// What mass a step may lose, in the notation of verification.cpp, with p < 1.1 and speeds m < 0.1 (B < 0.54).
// An error of the velocity changes no sum over the directions: only those of the density and of what each
// direction rounds for itself do. So the mean density changes by at most
//   omega u (7 p + p ((3 + 12.8 m) 1.5 m + 6 B) + 7 p (1 + B)) + (3 |1 - omega| + 2) u p < 52 u
// a step. We ask for 3 u, which is what was measured: a flow that comes to rest rounds alike in each step,
// but not all terms in the same direction. Of f - W roundings are smaller by as much as f - W is.
TEST_CASE("lbm: mass is kept over 1,000 steps", "[device][lbm][heavy]") {
  for (const char* setup : {"periodic", "cavity"}) {
    const Loaded loaded = generated(lbm_of_tests(), box(12, 10, 9, 1000).with("setup", setup));
    for (const bool shifted : {false, true}) {
      const ValueMap settings = shifted ? in_place({{"storage", "shifted"}, {"vector_width", 4}}) : pulling();
      const Dump dump = dumped(lbm_of_tests(), loaded,
                               lbm_of_tests().space().set(lbm_of_tests().space().baseline(), settings));
      const double before = sum_of(dump.floats.at("f_in"));
      CHECK(std::abs(sum_of(dump.floats.at("f")) - before) <= (shifted ? 1e-6 : 1000 * 3 * 0x1p-24) * before);
    }
  }
}

// u_x = U sin(2 pi y / ny) decays by exp(-nu k^2) a step, nu = (1 / omega - 1 / 2) / 3, up to terms in
// (k^2)^2 of the lattice: k = 2 pi / 64 leaves a relative error of the rate below k^2, 1 %.
TEST_CASE("lbm: a shear wave decays by the viscosity", "[device][lbm]") {
  const int ny = 64;
  const int steps = 200;
  const double omega = 1.2;
  const Problem problem =
      generated(lbm_of_tests(), box(3, ny, 2, steps).with("setup", "periodic").with("omega", omega)).problem;
  const lbm::Grid grid = lbm::grid_of(problem);
  const auto sine = [&](std::size_t cell) {
    return std::sin(2 * std::numbers::pi * static_cast<double>(cell / 3 % ny) / ny);
  };
  std::vector<float> f(lbm::directions * grid.cells());
  for (std::size_t i = 0; i < lbm::directions; ++i)
    for (std::size_t cell = 0; cell < grid.cells(); ++cell)
      f[i * grid.cells() + cell] =
          static_cast<float>(lbm::lattice[i].weight * (1 + 3 * lbm::lattice[i].x * 0.01 * sine(cell)));
  const auto amplitude = [&](const std::vector<float>& values) {
    double sum = 0;
    for (std::size_t i = 0; i < lbm::directions; ++i)
      for (std::size_t cell = 0; cell < grid.cells(); ++cell)
        sum += lbm::lattice[i].x * values[i * grid.cells() + cell] * sine(cell);
    return 2 * sum / static_cast<double>(grid.cells());
  };
  const double k = 2 * std::numbers::pi / ny;
  const double rate = (1 / omega - 0.5) / 3 * k * k * steps;
  for (const ValueMap& settings : {pulling(), in_place()}) {
    const Dump dump = moved(problem, f, std::vector<std::uint8_t>(grid.cells()), settings);
    CHECK(std::log(0.01 / amplitude(dump.floats.at("f"))) == Approx(rate).epsilon(k * k));
  }
}

TEST_CASE("lbm: obstacles from a file", "[device][lbm]") {
  const ScratchDirectory folder;
  const std::string file = folder.file("channel.of", "....\n.##.\n....\n\n....\r\n.#..\r\n....\r\n\n");
  const Loaded loaded = lbm_of_tests().load({{"setup", "periodic"}, {"steps", 3}}, {file});
  CHECK(loaded.problem.values.to_string() == "nx=4;ny=3;nz=2;steps=3;omega=1.95;setup=periodic");
  const auto& input = static_cast<const lbm::LbmInput&>(*loaded.input);
  CHECK(input.flags() ==
        std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  for (const ValueMap& settings : all_kinds) (void)moved(loaded.problem, input.f(), input.flags(), settings);
  const Outcome outcome = run_point(
      lbm_of_tests(), loaded,
      lbm_of_tests().space().set(lbm_of_tests().space().baseline(), pulling({{"flags", "computed"}})));
  CHECK(outcome.status == Status::rejected);
  const Loaded cavity = lbm_of_tests().load({}, {file});
  CHECK(static_cast<const lbm::LbmInput&>(*cavity.input).flags() == std::vector<std::uint8_t>(24, 1));
}

TEST_CASE("lbm: files that are no obstacles say so", "[lbm]") {
  const auto said = [](std::string_view bytes) {
    return refusal<Obstacles>(static_cast<Reader<Obstacles>>(&read_obstacles), bytes);
  };
  CHECK(said("...\n..#\n\n...\n.#.\n").empty());
  CHECK(said("...\n..\n") == "F, line 2: expected 3 cells, as in the first row, found 2");
  CHECK(said("...\n...\n\n...\n") ==
        "F, line 5: expected 2 rows in the plane before, as in the first plane, found 1");
  CHECK(said("") == "F, line 1: expected a row of cells, but the file ends here");
  CHECK(said("\n\n") == "F, line 3: expected a row of cells, but the file ends here");
  CHECK(said("..\n.\t\n") == "F, line 2: expected a cell, '.' or another printable character, found '\\x09'");
  CHECK(said(rubbish).find("F, line 1: expected a cell") == 0);
  CHECK(usage_error([&] { (void)lbm_of_tests().load({}, {}); }).find("lbm takes") == 0);
  const ScratchDirectory folder;
  const std::string file = folder.file("wide.of", "....\n");
  CHECK(usage_error([&] { (void)lbm_of_tests().load({{"nx", 5}}, {file}); }).find("nx") != std::string::npos);
}

TEST_CASE("lbm: the bounds are kept by a correct result, and errors of all cells are seen", "[lbm]") {
  const Loaded loaded = generated(lbm_of_tests(), box(40, 30, 20, 10));
  const auto& input = static_cast<const lbm::LbmInput&>(*loaded.input);
  const std::unique_ptr<HostCase> host = lbm_of_tests().prepare_host(loaded, 2);
  host->run();
  const Check check = host->check();
  INFO(check.message);
  CHECK(check.ok);
  CHECK_FALSE(input.check(input.f(), lbm::Storage::plain).ok);
  CHECK_FALSE(input.check(input.f(), lbm::Storage::half).ok);
}

TEST_CASE("lbm: planted errors are caught", "[device][lbm]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, lbm_of_tests(), box(21, 9, 7, 3), settings);
  };
  CHECK(status("4.5f", "4.5f", {}) == Status::ok);  // nothing changed
  CHECK(status("4.5f", "4.0f", {}) == Status::wrong_result);
  CHECK(status("-1.5f * density", "-1.4f * density", pulling()) == Status::wrong_result);
  CHECK(status("place(turns ? opposite : i, row", "place(i, row", in_place()) == Status::wrong_result);
  CHECK(status("0x1p15f", "0x1p14f", in_place({{"storage", "half"}})) == Status::wrong_result);
}
