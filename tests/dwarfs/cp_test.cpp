// cp: every axis over odd grids, on devices and on the host; atoms in several launches; files; planted
// errors.
#include <cmath>

#include "dwarfs/cp/atoms.hpp"
#include "harness/formats/npy.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("cp", "[heavy][long]")
OTHER_STANDARD_TESTS("cp")

namespace {

const Dwarf& cp_of_tests() {
  return find_dwarf("cp");
}

ValueMap grid(int atoms, int nx, int ny) {
  return {{"atoms", atoms}, {"nx", nx}, {"ny", ny}};
}

}  // namespace

TEST_CASE("cp: each axis, several at a time", "[device][cp][variants]") {
  const auto tiled = [](ValueMap settings) { return settings.with("variant", "tiled"); };
  check_settings(
      cp_of_tests(),
      {{{"work_group", 32}, {"granularity", 4}, {"unroll", 2}, {"output", "neighbours"}},
       {{"work_group", 1}, {"granularity", 8}, {"padding", 1}, {"functions", "native"}},
       tiled({{"unroll", 4}}),
       tiled({{"work_group", 64}, {"vector_width", 4}, {"functions", "mixed"}, {"rows", 2}}),
       tiled({{"work_group", 16}, {"vector_width", 1}, {"functions", "precise"}, {"memory", "global"}}),
       tiled({{"vector_width", 2}, {"padding", 1}, {"output", "neighbours"}, {"functions", "native"}})},
      cp_of_tests().info().checks.odd_problems);
}

TEST_CASE("cp: an atom above a corner by hand", "[device][cp]") {
  const ScratchDirectory folder;
  const std::string file = folder.path() / "atoms.npy";
  write_npy(file, std::vector<float>{0, 0, 4, 10, 6, 0, 4, -5}, {2, 4});
  const Loaded loaded = cp_of_tests().load({{"nx", 2}, {"ny", 1}, {"spacing", 3.0}}, {file});
  CHECK(loaded.problem.values.to_string() == "atoms=2;nx=2;ny=1;spacing=3");
  const Dump dump = dumped(cp_of_tests(), loaded, cp_of_tests().space().baseline());
  CHECK(dump.shapes.at("atoms") == DumpSink::Shape{2, 4});
  CHECK(dump.shapes.at("potential") == DumpSink::Shape{1, 2});
  CHECK(dump.floats.at("potential")[0] == Approx(10 / 4.0 - 5 / std::sqrt(36 + 16)));
  CHECK(dump.floats.at("potential")[1] == Approx(10 / 5.0 - 5 / 5.0));
}

TEST_CASE("cp: atoms of several launches", "[device][cp][heavy]") {
  for (const ValueMap& settings : {ValueMap{}, ValueMap{{"variant", "tiled"}}}) {
    const Outcome outcome = run_point(cp_of_tests(), grid(9001, 17, 3), settings);
    INFO(outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

TEST_CASE("cp: files that are no atoms say so", "[cp]") {
  const ScratchDirectory folder;
  const std::string file = folder.path() / "atoms.npy";
  const auto said = [&] { return usage_error([&] { (void)cp_of_tests().load({}, {file}); }); };
  write_npy(file, std::vector<float>{1, 2, 3}, {3});
  CHECK(said() == file + ": cp needs an array of floats, of atoms x 4: x, y, z and charge");
  write_npy(file, std::vector<float>{0.7F, 0.7F, 1, 1, 1.5F, 2, 0, 1}, {2, 4});
  CHECK(said() ==
        file + ", atom 1: it is nearer to a grid point than 0.01 spacings, where the potential has no bound");
  write_npy(file, std::vector<float>{0.7F, 0.7F, 1, 1e13F}, {1, 4});
  CHECK(said() == file + ", atom 0: coordinates and charges are numbers up to 1e12");
  CHECK(usage_error([&] { (void)cp_of_tests().load({}, {}); }).find("cp takes") == 0);
}

TEST_CASE("cp: the bound is kept, and one lost atom is seen", "[cp]") {
  const Loaded loaded = generated(cp_of_tests(), grid(5000, 200, 100));
  const auto& input = static_cast<const cp::CpInput&>(*loaded.input);
  std::vector<float> right(input.grid().points());
  std::vector<float> without_last(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    double sum = 0;
    for (std::size_t atom = 0; atom < input.count(); ++atom) {
      const float* a = input.atoms().data() + 4 * atom;
      const double dx = static_cast<double>(i % 200) * 0.5 - a[0];
      const double dy = static_cast<double>(i / 200) * 0.5 - a[1];
      without_last[i] = static_cast<float>(sum);
      sum += a[3] / std::sqrt(dx * dx + dy * dy + static_cast<double>(a[2]) * a[2]);
    }
    right[i] = static_cast<float>(sum);
  }
  constexpr double precise = 4 * 0x1p-24;
  CHECK(input.check(right, precise).ok);
  CHECK_FALSE(input.check(without_last, precise).ok);
  right[12345] = std::nanf("");  // where no sum is compared
  CHECK_FALSE(input.check(right, precise).ok);
}

TEST_CASE("cp: planted errors are caught", "[device][cp]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, cp_of_tests(), grid(37, 35, 19), settings);
  };
  CHECK(status("i < count", "i < count", {}) == Status::ok);  // nothing changed
  CHECK(status("i < count", "i < count - 1", {}) == Status::wrong_result);
  CHECK(status("dx * dx", "dx * 2", {{"variant", "tiled"}}) == Status::wrong_result);
}
