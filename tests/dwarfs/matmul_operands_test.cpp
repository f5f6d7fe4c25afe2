// matmul: its operands from files, and the check of its result.
#include <cmath>
#include <cstdint>

#include "dwarfs/matmul/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("matmul");
}

// Operands with all bits of their significands.
matmul::Operands uniform_operands(const matmul::Shape& its_shape) {
  matmul::Operands operands{its_shape, {}, {}, false};
  operands.a.resize(static_cast<std::size_t>(its_shape.rows * its_shape.terms));
  operands.b.resize(static_cast<std::size_t>(its_shape.terms * its_shape.cols));
  Random random(7);
  random.fill_uniform(operands.a, -1, 1);
  random.fill_uniform(operands.b, -1, 1);
  return operands;
}

Loaded loaded_of(matmul::Operands operands) {
  const matmul::Shape& its = operands.shape;
  Problem problem = make_problem("matmul", dwarf().info().keys,
                                 {"file", {{"m", its.rows}, {"n", its.cols}, {"k", its.terms}}});
  return {std::move(problem), std::make_shared<matmul::MatmulInput>(std::move(operands))};
}

// Summed in order, in single precision.
std::vector<float> product_of(const matmul::Operands& operands) {
  const auto [m, n, k] = operands.shape;
  std::vector<float> c(static_cast<std::size_t>(m * n));
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t col = 0; col < n; ++col) {
      for (std::int64_t i = 0; i < k; ++i)
        c[row * n + col] += operands.a[row * k + i] * operands.b[i * n + col];
    }
  }
  return c;
}

}  // namespace

TEST_CASE("matmul: a permutation permutes the rows", "[device][matmul]") {
  const ScratchDirectory folder;
  // Ones at (0, 2), (1, 0) and (2, 1), written column by column.
  const std::string a =
      folder.file("a.mtx", "%%MatrixMarket matrix array real general\n3 3\n0\n1\n0\n0\n0\n1\n1\n0\n0\n");
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const std::string b = folder.path() / "b.npy";
  write_npy(b, values, {3, 2});
  // The same by its entries.
  const std::string entries =
      folder.file("entries.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 3\n2 1\n3 2\n");
  const auto file = GENERATE_COPY(a, entries);
  const Loaded loaded = dwarf().load({}, {file, b});
  CHECK(loaded.problem.values.to_string() == "m=3;n=2;k=3");
  Dump dump = dumped(dwarf(), loaded, dwarf().space().baseline());
  CHECK(dump.shapes["a"] == DumpSink::Shape{3, 3});
  CHECK(dump.shapes["b"] == DumpSink::Shape{3, 2});
  CHECK(dump.shapes["c"] == DumpSink::Shape{3, 2});
  CHECK(dump.floats["c"] == std::vector<float>{5, 6, 1, 2, 3, 4});
}

TEST_CASE("matmul: data of any precision meet the bound", "[device][matmul]") {
  const Loaded loaded = loaded_of(uniform_operands({35, 43, 61}));
  for (const Value& variant : dwarf().space().find("variant").values) {
    const Outcome outcome =
        run_point(dwarf(), loaded, dwarf().space().set(dwarf().space().baseline(), {{"variant", variant}}));
    INFO(variant.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
    CHECK(outcome.check.max_error > 0);
    CHECK(outcome.check.tolerance < 61 * 61 * 0x1p-24);  // gamma_61 of at most 61
  }
}

TEST_CASE("matmul: one wrong bit in one element of a generated product is seen", "[matmul]") {
  // More products than rows are compared: for the rows between, the product with vectors must show errors.
  const matmul::MatmulInput input(matmul::random_operands({700, 500, 600}, 3));
  std::vector<float> c = product_of(input.operands());
  CHECK(input.check(c).ok);
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    float& element = c[static_cast<std::size_t>(random.below(c.size()))];
    const float right = element;
    element = std::nextafter(right, 1000.0F);
    CHECK_FALSE(input.check(c).ok);
    element = std::nanf("");
    CHECK_FALSE(input.check(c).ok);
    element = right;
  }
  CHECK(input.check(c).ok);
}

TEST_CASE("matmul: the bound of rounded sums is kept and not wide", "[matmul]") {
  const matmul::MatmulInput input(uniform_operands({80, 90, 100}));
  std::vector<float> c = product_of(input.operands());
  CHECK(input.check(c).ok);
  c[80 * 90 - 1] += 0.01F;  // gamma_100 of sums of about 25 is 1.5e-4
  const Check check = input.check(c);
  CHECK_FALSE(check.ok);
  CHECK(check.message.find("c[79][89] is ") == 0);
}

TEST_CASE("matmul: files that do not fit each other say so", "[matmul]") {
  const ScratchDirectory folder;
  const std::string two = folder.file("two.dat", "2\n1 2 3 4\n");
  const std::string three = folder.file("three.dat", "3\n1 2 3 4 5 6 7 8 9\n");
  CHECK(usage_error([&] {
          (void)dwarf().load({}, {two, three});
        }) == "matmul: " + two + " has 2 columns and " + three + " has 3 rows; these must be as many");
  CHECK(usage_error([&] {
          (void)dwarf().load({{"n", 3}}, {two, two});
        }) == "matmul: problem key 'n' is '3', but " + two + " has 2");
  CHECK(usage_error([&] { (void)dwarf().load({}, {two}); }).find("matmul takes two matrices, A and B") == 0);
  const std::string nan = folder.path() / "nan.npy";
  write_npy(nan, std::vector<float>{1, std::nanf(""), 3, 4}, {2, 2});
  CHECK(usage_error([&] {
          (void)dwarf().load({}, {two, nan});
        }) == nan + ", value (0, 1): expected a finite number within the range of a float, found nan");
  const std::string flat = folder.path() / "flat.npy";
  write_npy(flat, std::vector<float>{1, 2, 3}, {3});
  CHECK(usage_error([&] {
          (void)dwarf().load({}, {flat, two});
        }) == flat + ": matmul needs an array of floats with two dimensions, rows and columns");
}
