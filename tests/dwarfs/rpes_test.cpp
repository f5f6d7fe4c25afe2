// rpes: the standard tests; integrals in closed form; files; planted errors.
#include <cmath>
#include <numbers>

#include "dwarfs/rpes/rpes.hpp"
#include "harness/formats/molecule.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("rpes", "[heavy][long]")
OTHER_STANDARD_TESTS("rpes")

namespace {

const Dwarf& rpes_of_tests() {
  return find_dwarf("rpes");
}

ValueMap pairs_with(const ValueMap& more) {
  ValueMap settings = {{"variant", "pairs"},    {"work_group", 32},   {"granularity", 1},
                       {"vector_width", 1},     {"f0", "polynomial"}, {"memory", "global"},
                       {"functions", "precise"}};
  for (const auto& [name, value] : more.entries()) settings = settings.with(name, value);
  return settings;
}

const std::vector<ValueMap> each_variant = {{},
                                            {{"variant", "contracted"}},
                                            pairs_with({}),
                                            pairs_with({{"vector_width", 4}, {"functions", "newton"}})};

/// The integrals of these atoms (x, y, z each, in Bohr radii) and primitives.
std::vector<float> integrals(std::vector<float> centres, const std::vector<float>& exponents,
                             const std::vector<float>& coefficients, const ValueMap& settings) {
  const Problem problem =
      generated(rpes_of_tests(), {{"atoms", static_cast<std::int64_t>(centres.size() / 3)},
                                  {"primitives", static_cast<std::int64_t>(exponents.size())}})
          .problem;
  const Loaded loaded{problem,
                      std::make_shared<rpes::RpesInput>(std::move(centres), exponents, coefficients, false)};
  return dumped(rpes_of_tests(), loaded,
                rpes_of_tests().space().set(rpes_of_tests().space().baseline(), settings))
      .floats.at("integrals");
}

}  // namespace

TEST_CASE("rpes: each axis, several at a time", "[device][rpes][variants]") {
  check_settings(
      rpes_of_tests(),
      {{{"work_group", 32}, {"f0", "table"}, {"memory", "local"}, {"reduction", "item"}},
       {{"work_group", 128}, {"f0", "erf"}, {"screening", "none"}},
       {{"work_group", 1}, {"f0", "polynomial"}, {"functions", "native"}},
       {{"variant", "contracted"}, {"f0", "intervals"}, {"granularity", 4}, {"work_group", 32}},
       {{"variant", "contracted"}, {"f0", "table"}, {"screening", "none"}},
       pairs_with({{"f0", "intervals"}, {"granularity", 4}}),
       pairs_with({{"f0", "table"}, {"memory", "local"}, {"unroll", 3}}),
       pairs_with({{"f0", "erf"}, {"vector_width", 2}, {"granularity", 8}}),
       pairs_with({{"memory", "local"}, {"unroll", 9}, {"granularity", 2}, {"functions", "native"}}),
       pairs_with({{"work_group", 1}, {"vector_width", 16}, {"functions", "newton"}})},
      small_on_oclgrind(rpes_of_tests().info().checks.odd_problems, {{"atoms", 5}}));
}

TEST_CASE("rpes: one centre and one primitive in closed form", "[device][rpes]") {
  const double p = 2 * 0.7;
  for (const ValueMap& settings : each_variant) {
    const std::vector<float> values = integrals({1, 2, 3}, {0.7F}, {1}, settings);
    REQUIRE(values.size() == 1);
    CHECK(values[0] ==
          Approx(2 * std::pow(std::numbers::pi, 2.5) / (p * p * std::sqrt(2 * p))).epsilon(2e-6));
  }
}

TEST_CASE("rpes: hydrogen in STO-3G", "[device][rpes]") {
  // (11|11) = 0.774606 is printed in A. Szabo, N. S. Ostlund, "Modern Quantum Chemistry", 3.5.2, to four
  // digits.
  for (const ValueMap& settings : each_variant) {
    const Loaded loaded = generated(rpes_of_tests(), {{"atoms", 1}});
    const Dump dump = dumped(rpes_of_tests(), loaded,
                             rpes_of_tests().space().set(rpes_of_tests().space().baseline(), settings));
    CHECK(dump.floats.at("integrals")[0] == Approx(0.774606).epsilon(2e-6));
  }
}

TEST_CASE("rpes: charges far apart repel each other by one over their distance", "[device][rpes]") {
  // A primitive with the coefficient (2 a / pi)^(3/4) is a charge of 1; all integrals but (11|11), (22|11),
  // (22|22) vanish.
  const float a = 0.8F;
  const auto c = static_cast<float>(std::pow(2 * a / std::numbers::pi, 0.75));
  for (const ValueMap& settings : each_variant) {
    const std::vector<float> values = integrals({0, 0, 0, 30, 40, 0}, {a}, {c}, settings);
    REQUIRE(values.size() == 6);  // (11|11) (21|11) (21|21) (22|11) (22|21) (22|22)
    CHECK(values[3] == Approx(1 / 50.0).epsilon(2e-5));
    CHECK(values[0] == Approx(values[5]).epsilon(2e-5));
    for (const std::size_t vanishing : {1, 2, 4}) CHECK(std::abs(values[vanishing]) < 1e-10F);
  }
}

TEST_CASE("rpes: lists of integrals", "[rpes]") {
  for (const std::int64_t atoms : {1, 2, 5}) {
    const rpes::Quartets unique(atoms, false);
    const rpes::Quartets ordered(atoms, true);
    const auto m = static_cast<std::size_t>(atoms * (atoms + 1) / 2);
    CHECK(unique.count() == m * (m + 1) / 2);
    CHECK(ordered.count() == static_cast<std::size_t>(atoms * (atoms + 1) * (atoms + 2) * (atoms + 3) / 24));
    for (const rpes::Quartets& all : {unique, ordered}) {
      const std::vector<std::int32_t> list = all.list();
      for (std::size_t index = 0; index < all.count(); ++index) {
        const auto [i, j, k, l] = all[index];
        CHECK(std::vector<std::int32_t>(list.begin() + 4 * index, list.begin() + 4 * index + 4) ==
              std::vector<std::int32_t>{i, j, k, l});
        CHECK((i >= j && k >= l && i >= k));
      }
    }
    for (std::size_t index = 0; index < ordered.count(); ++index)
      CHECK(ordered[index][1] >= ordered[index][2]);
  }
}

TEST_CASE("rpes: a molecule from files", "[device][rpes]") {
  const ScratchDirectory folder;
  const std::string xyz =
      folder.file("h2.xyz", "2\nH2, 1.4 bohr apart 5 6 7\nH 0 0 0\nH 0.0 0.0 0.740848095288 0.1 # more\n\n");
  const std::string basis = folder.file(
      "sto-3g.txt", "# STO-3G\n3.42525091 0.15432897\n0.62391373 0.53532814 # s\n0.16885540 0.44463454\n");
  const Loaded loaded = rpes_of_tests().load({}, {xyz, basis});
  CHECK(loaded.problem.values.to_string() == "atoms=2;primitives=3;quartets=unique;geometry=lattice");
  for (const ValueMap& settings : each_variant) {
    const std::vector<float> values =
        dumped(rpes_of_tests(), loaded,
               rpes_of_tests().space().set(rpes_of_tests().space().baseline(), settings))
            .floats.at("integrals");
    // Szabo and Ostlund, 3.5.2: (11|11) 0.7746, (21|11) 0.4441, (21|21) 0.2970, (22|11) 0.5697.
    REQUIRE(values.size() == 6);
    CHECK(std::abs(values[0] - 0.7746) < 5.1e-5);
    CHECK(std::abs(values[1] - 0.4441) < 5.1e-5);
    CHECK(std::abs(values[2] - 0.2970) < 5.1e-5);
    CHECK(std::abs(values[3] - 0.5697) < 5.1e-5);
    CHECK(values[4] == Approx(values[1]).epsilon(1e-5));
    CHECK(values[5] == Approx(values[0]).epsilon(1e-5));
  }
}

TEST_CASE("rpes: files that are no molecules say so", "[rpes]") {
  const auto of_xyz = [](std::string_view bytes) {
    return refusal<std::vector<float>>(static_cast<Reader<std::vector<float>>>(&read_xyz), bytes);
  };
  CHECK(of_xyz("1\n\nH 1 2 3").empty());
  CHECK(of_xyz("1 2\n\nH 1 2 3") ==
        "F, line 1: expected the end of the line after the number of atoms, found '2'");
  CHECK(of_xyz("H\n").find("F, line 1: expected the number of atoms") == 0);
  CHECK(of_xyz("900000\n\nH 1 2 3").find("F, line 1: 900000 atoms announced") == 0);
  CHECK(of_xyz("2\ntwo atoms\nH 1 2 3\n") ==
        "F, line 4: expected atom 2 of 2: symbol, x, y, z, but the file ends here");
  CHECK(of_xyz("1\n\nH 1 2\n") == "F, line 3: expected z of atom 1, but the line ends here");
  CHECK(of_xyz("1\n\nH 1 nan 3\n").find("F, line 3: expected y of atom 1, a finite number") == 0);
  CHECK(of_xyz("1\n\nH 1 2 1e7\n") == "F, line 3: z of atom 1 is beyond 1e+06");
  CHECK(of_xyz("1\n\nH 1 2 3\nH 1 2 4\n") ==
        "F, line 4: expected the end of the file after the last atom, found 'H'");
  CHECK(of_xyz("").find("F, line 1: expected the number of atoms") == 0);
  CHECK(of_xyz(rubbish).find("F, line 1: expected the number of atoms") == 0);

  const auto of_basis = [](std::string_view bytes) {
    return refusal<Basis>(static_cast<Reader<Basis>>(&read_basis), bytes);
  };
  CHECK(of_basis("1 2\n").empty());
  CHECK(of_basis("# nothing\n").find("F, line 2: expected a primitive") == 0);
  CHECK(of_basis("1\n2 3\n") ==
        "F, line 1: expected a coefficient after the exponent, but the line ends here");
  CHECK(of_basis("1 2 3\n") == "F, line 1: expected the end of the line after the coefficient, found '3'");
  CHECK(of_basis("-1 2\n") == "F, line 1: expected an exponent from 1e-06 to 1e+06, found '-1'");
  CHECK(of_basis("1 x\n").find("F, line 1: expected a coefficient") == 0);
  CHECK(of_basis(rubbish).find("F, line 1: expected an exponent") == 0);

  const ScratchDirectory folder;
  const std::string xyz = folder.file("h.xyz", "1\n\nH 1 2 3\n");
  const std::string basis = folder.file("b", "1 1\n");
  CHECK(usage_error([&] { (void)rpes_of_tests().load({}, {xyz}); }).find("rpes takes") == 0);
  CHECK(usage_error([&] {
          (void)rpes_of_tests().load({{"atoms", 2}}, {xyz, basis});
        }).find("atoms") != std::string::npos);
}

TEST_CASE("rpes: planted errors are caught", "[device][rpes]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, rpes_of_tests(), {{"atoms", 7}}, settings);
  };
  CHECK(status("t < TERMS", "t < TERMS", {}) == Status::ok);  // nothing changed
  CHECK(status("t < TERMS", "t < TERMS - 1", {}) == Status::wrong_result);
  CHECK(status("s.x * t.x / p", "s.x * t.x", {}) == Status::wrong_result);
  CHECK(status("scales[b * PAIRS_OF_PRIMITIVES + c]", "scales[c]", pairs_with({})) == Status::wrong_result);
  CHECK(status("0.0530599393f", "0.0531599393f", pairs_with({})) == Status::wrong_result);
}
