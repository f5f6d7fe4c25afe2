// fdtd: every axis over odd grids, on devices and on the host; fields known in closed form; files; planted
// errors.
#include <cmath>
#include <limits>
#include <numbers>

#include "dwarfs/fdtd/fdtd.hpp"
#include "dwarfs/fdtd/input.hpp"
#include "harness/formats/pgm.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("fdtd", "[heavy][long]")
OTHER_STANDARD_TESTS("fdtd")

using namespace dwarfsweep::fdtd;

namespace {

const Dwarf& fdtd_of_tests() {
  return find_dwarf("fdtd");
}

ValueMap grid(int nx, int ny, int steps) {
  return {{"nx", nx}, {"ny", ny}, {"steps", steps}};
}

const FdtdInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const FdtdInput&>(*loaded.input);
}

ValueMap of(const char* variant, ValueMap settings) {
  return settings.with("variant", variant);
}

// Points of every kernel, on both paths of its loads and stores.
const std::vector<ValueMap> points = {
    {},
    {{"granularity", 4}, {"unroll", 2}, {"padding", 1}},
    of("two_kernels", {{"layout", "soa"}, {"vector_width", 4}, {"padding", 1}}),
    of("two_kernels", {{"layout", "soa"}, {"vector_width", 8}, {"medium", "index"}}),
    of("tiled", {}),
    of("tiled", {{"layout", "soa"}, {"granularity", 2}, {"medium", "index"}}),
    of("fused", {{"work_group", 8}, {"granularity", 4}, {"vector_width", 2}}),
    of("fused", {{"work_group", 1}, {"vector_width", 8}, {"padding", 0}, {"medium", "index"}}),
    of("streaming",
       {{"work_group", 1}, {"vector_width", 4}, {"granularity", 16}, {"depth", 3}, {"strip", 128}}),
    of("streaming",
       {{"work_group", 1}, {"vector_width", 16}, {"padding", 0}, {"depth", 2}, {"medium", "index"}}),
    of("streaming", {{"work_group", 16},
                     {"vector_width", 2},
                     {"granularity", 16},
                     {"padding", 0},
                     {"depth", 4},
                     {"exchange", "local"}}),
    of("streaming", {{"work_group", 8},
                     {"vector_width", 4},
                     {"granularity", 16},
                     {"padding", 1},
                     {"depth", 2},
                     {"prefetch", 2},
                     {"medium", "index"},
                     {"exchange", "local"}})};

// Those that the device allows: a GPU, as Oclgrind says it is, keeps no rows in private memory.
std::vector<ValueMap> legal_points() {
  const Space& space = fdtd_of_tests().space();
  const Problem problem = make_problem("fdtd", fdtd_of_tests().info().keys, {"custom", grid(33, 45, 2)});
  std::vector<ValueMap> legal;
  for (const ValueMap& settings : points) {
    const Config config = space.set(space.baseline(), settings);
    if (!space.why_rejected({config, problem, test_session().device().capabilities}))
      legal.push_back(settings);
  }
  return legal;
}

// Fields of a generated problem's medium, replaced by these.
Loaded with_fields(const ValueMap& problem, Fields fields) {
  const Loaded made = generated(fdtd_of_tests(), problem);
  return {made.problem,
          std::make_shared<FdtdInput>(input_of(made).grid(), input_of(made).medium(), std::move(fields))};
}

}  // namespace

TEST_CASE("fdtd: each axis, several at a time", "[device][fdtd][variants]") {
  check_settings(fdtd_of_tests(), legal_points(),
                 small_on_oclgrind(fdtd_of_tests().info().checks.odd_problems, {{"nx", 21}, {"ny", 21}}));
}

TEST_CASE("fdtd: long and thin grids, and many steps", "[device][fdtd][heavy]") {
  check_settings(fdtd_of_tests(), legal_points(),
                 {grid(3, 400, 7), grid(400, 3, 7), grid(4, 5, 40), grid(35, 700, 3),
                  grid(33, 31, 61).with("source", "point")});
}

TEST_CASE("fdtd: lanes shuffle in sub-groups of each size that the device has", "[device][fdtd][heavy]") {
  const auto counts = lane_counts(test_session().device().capabilities);
  if (counts.empty()) {
    SUCCEED("the device has no shuffles");
    return;
  }
  const Loaded loaded = generated(fdtd_of_tests(), grid(41, 193, 7).with("source", "point"));
  for (const std::int64_t count : counts) {
    for (const int width : {2, 8}) {
      const Config config =
          fdtd_of_tests().space().set(fdtd_of_tests().space().baseline(), {{"variant", "streaming"},
                                                                           {"work_group", count},
                                                                           {"granularity", 16},
                                                                           {"vector_width", width},
                                                                           {"padding", 1},
                                                                           {"depth", 4},
                                                                           {"exchange", "shuffle"}});
      const Outcome outcome = run_point(fdtd_of_tests(), loaded, config);
      INFO(config.to_string() << ": " << outcome.reason);
      CHECK((outcome.status == Status::ok || outcome.status == Status::unsupported));
    }
  }
}

TEST_CASE("fdtd: one step of one inner cell by hand", "[device][fdtd]") {
  Fields fields;
  fields.ez = {0, 0, 0, 0, 0.5F, 0, 0, 0, 0};
  fields.hx = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  fields.hy = {9, 8, 7, 6, 5, 4, 3, 2, 1};
  const Loaded loaded = with_fields(grid(3, 3, 1), fields);
  const Dump dump = dumped(fdtd_of_tests(), loaded, fdtd_of_tests().space().baseline());
  const double d = time_step;
  // The cell's Ez is seen by its own Hx and Hy, by Hx of the column before and by Hy of the row before.
  std::vector<double> hx(fields.hx.begin(), fields.hx.end());
  std::vector<double> hy(fields.hy.begin(), fields.hy.end());
  hx[4] += 0.5 * d;
  hx[3] -= 0.5 * d;
  hy[4] -= 0.5 * d;
  hy[1] += 0.5 * d;
  const double ca = dump.floats.at("ca")[4];
  const double cb = dump.floats.at("cb")[4];
  const double ez = ca * 0.5 + cb * ((hy[4] - hy[1]) - (hx[4] - hx[3]));
  for (std::size_t i = 0; i < 9; ++i) {
    CHECK(std::abs(dump.floats.at("hx")[i] - hx[i]) < 4e-6);
    CHECK(std::abs(dump.floats.at("hy")[i] - hy[i]) < 4e-6);
    CHECK(std::abs(dump.floats.at("ez")[i] - (i == 4 ? ez : 0)) < 4e-6);
  }
}

// A standing wave in a conducting box solves the discrete scheme exactly: Ez = sin(pi m i / (nx - 1))
// sin(pi n j / (ny - 1)) cos(w t), with sin^2(w D / 2) = D^2 (sin^2(pi m / 2(nx-1)) + sin^2(pi n / 2(ny-1))),
// and H half a step before. The check allows single precision what it may err by from these fields, which are
// themselves rounded: by at most u, which the scheme does not amplify in the norm of the energy
// (verification.cpp): at most 2^-24 sqrt(3 cells / 0.18) in a value.
TEST_CASE("fdtd: standing waves in a box", "[device][fdtd]") {
  const auto sine = [](double m, double i, double n) { return std::sin(std::numbers::pi * m * i / n); };
  const double d = time_step;
  for (const auto& mode : {std::pair(1, 1), std::pair(3, 2), std::pair(9, 14)}) {
    const int m = mode.first;  // clang 14 has no lambda that captures structured bindings
    const int n = mode.second;
    const ValueMap problem = grid(33, 45, 24).with("conductivity", 0.0);
    const double sx = std::sin(std::numbers::pi * m / 64);
    const double sy = std::sin(std::numbers::pi * n / 88);
    const double half = std::asin(d * std::sqrt(sx * sx + sy * sy));  // w D / 2
    // H at time -1/2: the difference of two Ez around the time 0 is what the E update takes from it.
    const auto fields_at = [&](double time) {
      Fields fields;
      const double phase = 2 * half * time;
      const double of_h = d * std::sin(phase - half) / std::sin(half) / 2;
      for (int i = 0; i < 33; ++i) {
        for (int j = 0; j < 45; ++j) {
          const bool inner = i > 0 && j > 0 && i < 32 && j < 44;
          const double dx = i < 32 ? (sine(m, i + 1, 32) - sine(m, i, 32)) * sine(n, j, 44) : 0;
          const double dy = j < 44 ? sine(m, i, 32) * (sine(n, j + 1, 44) - sine(n, j, 44)) : 0;
          fields.ez.push_back(inner ? static_cast<float>(sine(m, i, 32) * sine(n, j, 44) * std::cos(phase))
                                    : 0);
          fields.hx.push_back(static_cast<float>(-of_h * dy));
          fields.hy.push_back(static_cast<float>(of_h * dx));
        }
      }
      return fields;
    };
    Loaded loaded = generated(fdtd_of_tests(), problem);
    Medium vacuum = input_of(loaded).medium();
    for (std::uint8_t& index : vacuum.index)
      if (index != Medium::conductor) index = 0;
    loaded.input = std::make_shared<FdtdInput>(input_of(loaded).grid(), vacuum, fields_at(0));
    const Fields wanted = fields_at(24);
    for (const ValueMap& settings : legal_points()) {
      const Config config = fdtd_of_tests().space().set(fdtd_of_tests().space().baseline(), settings);
      const Outcome outcome = run_point(fdtd_of_tests(), loaded, config);
      INFO(settings.to_string() << ": " << outcome.reason);
      REQUIRE(outcome.status == Status::ok);
      const Dump dump = dumped(fdtd_of_tests(), loaded, config);
      const double allowed = outcome.check.tolerance + 0x1p-24 * std::sqrt(3 * 33 * 45 / 0.18);
      double worst = 0;
      for (std::size_t at = 0; at < wanted.ez.size(); ++at) {
        worst = std::max({worst, std::abs(double{dump.floats.at("ez")[at]} - double{wanted.ez[at]}),
                          std::abs(double{dump.floats.at("hx")[at]} - double{wanted.hx[at]}),
                          std::abs(double{dump.floats.at("hy")[at]} - double{wanted.hy[at]})});
      }
      CHECK(worst <= allowed);
      CHECK(allowed < 0.02);
    }
  }
}

// Without losses a step keeps Q = sum w Ez^2 + H . H', where H' is the H of half a step later and w = D / Cb.
// The head of verification.cpp derives that the roundings of n steps change the root of Q by at most exp(60 u
// n) - 1 of itself.
TEST_CASE("fdtd: energy is kept over 1,000 steps", "[device][fdtd][heavy]") {
  constexpr std::size_t nx = 33;
  constexpr std::size_t ny = 41;
  constexpr int steps = 1000;
  const Loaded loaded = generated(fdtd_of_tests(), grid(nx, ny, steps).with("conductivity", 0.0));
  const auto energy = [&](const Dump& dump, const std::string& when) {
    const std::vector<float>& ez = dump.floats.at("ez" + when);
    const std::vector<float>& hx = dump.floats.at("hx" + when);
    const std::vector<float>& hy = dump.floats.at("hy" + when);
    double sum = 0;
    for (std::size_t at = 0; at < nx * ny; ++at) {
      const double d = time_step;
      const double to_right = at % ny + 1 < ny ? double{ez[at + 1]} - double{ez[at]} : 0;
      const double down = at / ny + 1 < nx ? double{ez[at + ny]} - double{ez[at]} : 0;
      sum += hx[at] * (hx[at] - d * to_right) + hy[at] * (hy[at] + d * down);
      if (ez[at] != 0) sum += d / dump.floats.at("cb")[at] * ez[at] * ez[at];
    }
    return std::sqrt(sum);
  };
  for (const ValueMap& settings : legal_points()) {
    const Dump dump = dumped(fdtd_of_tests(), loaded,
                             fdtd_of_tests().space().set(fdtd_of_tests().space().baseline(), settings));
    const double before = energy(dump, "_in");
    INFO(settings.to_string());
    CHECK(std::abs(energy(dump, "") - before) <= before * std::expm1(60 * 0x1p-24 * steps));
  }
}

TEST_CASE("fdtd: reads a medium from an image", "[fdtd]") {
  const ScratchDirectory folder;
  GreyImage image{5, 4, 100, std::vector<float>(20, 0)};
  image.pixels[5] = 50;
  image.pixels[6] = 100;
  const std::string file = folder.path() / "medium.pgm";
  write_pgm(file, image);
  const Loaded loaded = fdtd_of_tests().load({{"steps", 3}, {"conductivity", 0.2}}, {file});
  CHECK(loaded.problem.values.to_string() == "nx=5;ny=4;steps=3;source=none;conductivity=0.2");
  const Medium& medium = input_of(loaded).medium();
  const auto at = [&](std::size_t cell) { return medium.materials[medium.index[cell]]; };
  CHECK(at(0).cb == 0);  // an outermost cell
  CHECK(at(9).cb == time_step);
  const Coefficients grey = coefficients_of(6.5, 0.1);
  CHECK(at(5).ca == grey.ca);
  CHECK(at(5).cb == grey.cb);
  CHECK(at(6).cb == coefficients_of(12, 0.2).cb);
  check_host(fdtd_of_tests(), loaded.problem.values);
}

TEST_CASE("fdtd: images that are none say what was expected", "[fdtd]") {
  const ScratchDirectory folder;
  const auto message = [&](const std::string& content, const ValueMap& request = {}) {
    const std::string file = folder.file("medium.pgm", content).string();
    return usage_error([&] { (void)fdtd_of_tests().load(request, {file}); }).substr(file.size());
  };
  CHECK(message("P2 3 3\n255\n1 2 3 4\n5 x 7 8 9").find(", line 4: expected a pixel") == 0);
  CHECK(message("P5 3 3\n255\n1234").find(", byte 11: expected 9 pixels of 1 byte, found 4 bytes") == 0);
  CHECK(message("P3 3 3\n255\n1234").find("expected 'P2' or 'P5'") != std::string::npos);
  const std::string two = folder.file("two.pgm", "P2 2 3 255 1 2 3 4 5 6").string();
  CHECK(usage_error([&] { (void)fdtd_of_tests().load({}, {two}); }).find("ny") != std::string::npos);
  const std::string three = folder.file("three.pgm", "P2 3 3 255 1 2 3 4 5 6 7 8 9").string();
  CHECK(usage_error([&] {
          (void)fdtd_of_tests().load({{"nx", 4}}, {three});
        }) == "fdtd: problem key 'nx' is '4', but " + three + " has 3");
  CHECK(usage_error([&] { (void)fdtd_of_tests().load({}, {}); }).find("fdtd takes") == 0);
}

TEST_CASE("fdtd: one wrong value is seen, and so are small errors in all", "[device][fdtd]") {
  const Loaded loaded = generated(fdtd_of_tests(), grid(60, 50, 4));
  const Dump dump = dumped(fdtd_of_tests(), loaded, fdtd_of_tests().space().baseline());
  const Fields right = {dump.floats.at("ez"), dump.floats.at("hx"), dump.floats.at("hy")};
  REQUIRE(input_of(loaded).check(right).ok);
  for (const std::size_t at : {std::size_t{51}, std::size_t{1234}}) {
    for (const float wrong : {right.ez[at] + 0.002F, std::numeric_limits<float>::quiet_NaN()}) {
      for (auto field : {&Fields::ez, &Fields::hx, &Fields::hy}) {
        Fields fields = right;
        (fields.*field)[at] = wrong;
        CHECK_FALSE(input_of(loaded).check(fields).ok);
      }
    }
  }
  Fields edge = right;
  edge.ez[7] = 1e-9F;
  CHECK(input_of(loaded).check(edge).message.find("ez[0, 7]: got") == 0);
  const Loaded longer = generated(fdtd_of_tests(), grid(60, 50, 12));
  const Dump other = dumped(fdtd_of_tests(), longer, fdtd_of_tests().space().baseline());
  Fields scaled = {other.floats.at("ez"), other.floats.at("hx"), other.floats.at("hy")};
  for (float& value : scaled.hx) value *= 1.0002F;
  CHECK(input_of(longer).check(scaled).message.find("the errors of all values together") == 0);
}

TEST_CASE("fdtd: a step more or less, and another source, are found", "[fdtd]") {
  const ValueMap problem = grid(40, 41, 5).with("source", "point");
  const Loaded loaded = generated(fdtd_of_tests(), problem);
  for (const ValueMap& other :
       {problem.with("steps", 4), problem.with("steps", 6), problem.with("source", "none")}) {
    const Dump dump =
        dumped(fdtd_of_tests(), generated(fdtd_of_tests(), other), fdtd_of_tests().space().baseline());
    CHECK_FALSE(
        input_of(loaded).check({dump.floats.at("ez"), dump.floats.at("hx"), dump.floats.at("hy")}).ok);
  }
}
