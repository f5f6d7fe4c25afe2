// sgemv: every variant on every kind of shape, known answers, and planted errors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

const Dwarf& sgemv() {
  return find_dwarf("sgemv");
}

ValueMap shape(int m, int n, int lda, int transposed, double beta = -0.5) {
  return {{"m", m}, {"n", n}, {"lda", lda}, {"alpha", 1.5}, {"beta", beta}, {"transposed", transposed}};
}

const ValueMap finish_in_groups = {
    {"variant", "split_k"}, {"work_group", 64}, {"lanes", 32}, {"splits", 8}, {"finish", "group"}};

// Each variant in its default configuration, the staged ones with both loaders, and split_k with the
// geometries that the automatic choice for the device leaves out.
std::vector<ValueMap> settings_of_all_variants() {
  std::vector<ValueMap> all;
  for (const Value& variant : sgemv().space().find("variant").values) {
    all.push_back({{"variant", variant}});
    if (Space::applies(sgemv().space().find("loader"), variant.string())) {
      all.push_back({{"variant", variant}, {"loader", "split"}});
    }
  }
  all.push_back({{"variant", "split_k"}, {"work_group", 16}, {"vector_width", 16}, {"padding", 0}});
  all.push_back({{"variant", "split_k"}, {"work_group", 64}, {"lanes", 32}, {"splits", 8}});
  all.push_back({{"variant", "split_k"}, {"lanes", 1}, {"work_group", 1}, {"splits", 2}});
  all.push_back(
      {{"variant", "split_k"}, {"lanes", 1}, {"work_group", 1}, {"splits", 2}, {"vector_width", 16}});
  if (test::test_session().device().capabilities.orders_groups()) all.push_back(finish_in_groups);
  return all;
}

void check_all_variants(const std::vector<ValueMap>& problems) {
  for (const ValueMap& problem : problems) {
    const Loaded loaded = test::generated(sgemv(), problem);
    for (const ValueMap& settings : settings_of_all_variants()) {
      const auto outcome =
          test::run_point(sgemv(), loaded, sgemv().space().set(sgemv().space().baseline(), settings));
      INFO(problem.to_string() << " " << settings.to_string() << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

// The status of a point in whose kernel file `from` is replaced by `to`.
Status status_with(const std::string& from, const std::string& to, const ValueMap& problem,
                   const ValueMap& settings) {
  return test::status_with(from, to, sgemv(), problem, settings);
}

}  // namespace

TEST_CASE("sgemv: every variant on small odd shapes", "[device][sgemv][variants]") {
  check_all_variants({shape(1, 1, 0, 0), shape(1, 1, 3, 1), shape(3, 70, 71, 0), shape(3, 70, 71, 1),
                      shape(70, 3, 0, 0), shape(70, 3, 0, 1)});
}

TEST_CASE("sgemv: every variant on larger odd shapes", "[device][sgemv][heavy]") {
  check_all_variants({shape(3, 1000, 1001, 0), shape(3, 1000, 1001, 1), shape(1, 9000, 0, 0),
                      shape(1000, 3, 0, 0), shape(1000, 3, 0, 1), shape(513, 1025, 0, 0, 0),
                      shape(513, 1025, 0, 1, 0)});
}

TEST_CASE("sgemv: groups that add chunks need an order, and are rejected without", "[device][sgemv]") {
  const Loaded loaded = test::generated(sgemv(), shape(3, 70, 71, 1));
  const Config config = sgemv().space().set(sgemv().space().baseline(), finish_in_groups);
  const bool ordered = test::test_session().device().capabilities.orders_groups();
  CHECK(test::run_point(sgemv(), loaded, config).status == (ordered ? Status::ok : Status::rejected));
}

TEST_CASE("sgemv: random points", "[device][sgemv][heavy]") {
  test::check_random_points(sgemv(), shape(37, 45, 0, 0), 10);
  test::check_random_points(sgemv(), shape(45, 37, 0, 1), 10);
}

TEST_CASE("sgemv: a few points of the full space, at tiny and at an odd size", "[device][sgemv][heavy]") {
  test::check_full_space(sgemv(), shape(67, 129, 131, 1), 4);
}

TEST_CASE("sgemv: the full space, at tiny and at an odd size", "[device][sgemv][heavy][long]") {
  test::check_full_space(sgemv(), shape(67, 129, 131, 1), 100);
}

TEST_CASE("sgemv: every value of every axis", "[device][sgemv][long]") {
  test::check_one_at_a_time(sgemv(), shape(67, 129, 131, 0));
  test::check_one_at_a_time(sgemv(), shape(129, 67, 0, 1, 0));
  test::check_random_points(sgemv(), shape(130, 300, 301, 0), 100);
  test::check_random_points(sgemv(), shape(300, 130, 0, 1), 100);
}

TEST_CASE("sgemv: on the host", "[sgemv]") {
  for (const int transposed : {0, 1}) {
    test::check_host(sgemv(), shape(1, 1, 0, transposed));
    test::check_host(sgemv(), shape(3, 1000, 1001, transposed));
    test::check_host(sgemv(), shape(1000, 3, 0, transposed, 0));
    test::check_host(sgemv(), shape(513, 4100, 0, transposed));
  }
}

TEST_CASE("sgemv: the kernel's parameter table", "[sgemv]") {
  test::check_parameter_table(sgemv());
}

TEST_CASE("sgemv: a permutation from a Matrix Market file permutes x", "[device][sgemv]") {
  const test::ScratchDirectory folder;
  // Ones at (0, 2), (1, 0) and (2, 1), written column by column.
  const std::string file =
      folder.file("p.mtx", "%%MatrixMarket matrix array real general\n3 3\n0\n1\n0\n0\n0\n1\n1\n0\n0\n");
  const std::vector<std::size_t> source[2] = {{2, 0, 1}, {1, 2, 0}};
  for (const int transposed : {0, 1}) {
    const Loaded loaded =
        sgemv().load({{"alpha", 2.0}, {"beta", 0.5}, {"lda", 5}, {"transposed", transposed}}, {file});
    CHECK(loaded.problem.size == "file");
    CHECK(loaded.problem.integer("m") == 3);
    for (const char* variant : {"row_per_item", "both_double", "split_k"}) {
      test::Dump dump = test::dumped(sgemv(), loaded,
                                     sgemv().space().set(sgemv().space().baseline(), {{"variant", variant}}));
      CHECK(dump.shapes["matrix"] == DumpSink::Shape{3, 3});
      for (std::size_t i = 0; i < 3; ++i) {
        const float wanted = 2 * dump.floats["x"][source[transposed][i]] + 0.5F * dump.floats["y_in"][i];
        CHECK(dump.floats["y"][i] == Approx(wanted).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("sgemv: data of any precision meet the bound", "[device][sgemv]") {
  const test::ScratchDirectory folder;
  std::string text = "48\n";
  Random random(7);
  for (int i = 0; i < 48 * 48; ++i) text += fmt::format("{}\n", 2 * random.uniform01() - 1);
  const std::string file = folder.file("dense.dat", text);
  for (const int transposed : {0, 1}) {
    const Loaded loaded = sgemv().load({{"beta", 1.0}, {"transposed", transposed}}, {file});
    for (const char* variant : {"row_per_item", "row_per_group", "split_k"}) {
      const auto outcome = test::run_point(
          sgemv(), loaded, sgemv().space().set(sgemv().space().baseline(), {{"variant", variant}}));
      INFO(variant << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
      // gamma_(48+3) times less than 48 + 1, and not the three roundings of exact data.
      CHECK(outcome.check.tolerance > 1e-6);
      CHECK(outcome.check.tolerance < 1e-3);
    }
  }
}

TEST_CASE("sgemv: planted errors are caught", "[device][sgemv]") {
  const ValueMap plain = shape(33, 67, 0, 0, 0);
  CHECK(status_with("beta == 0.0f", "beta == 0.0f", plain, {}) == Status::ok);  // nothing changed
  // y_in is read though beta is 0, a term is lost, an output is lost.
  CHECK(status_with("beta == 0.0f", "beta == 1.0f", plain, {}) == Status::wrong_result);
  CHECK(status_with("k < whole;", "k < whole - 1;", plain, {}) == Status::wrong_result);
  CHECK(status_with("output < outputs", "output < outputs - 1", plain, {}) == Status::wrong_result);
  // A chunk is forgotten in the reduction.
  CHECK(status_with("c < chunks;", "c < chunks - 1;", plain,
                    {{"variant", "split_k"}, {"splits", 2}, {"vector_width", 1}}) == Status::wrong_result);
  // A row is lost, of those that one item adds at once.
  CHECK(status_with("r < number)", "r < number - 1)", shape(33, 67, 0, 1, 0),
                    {{"variant", "split_k"}, {"work_group", 1}, {"lanes", 1}, {"unroll", 4}}) ==
        Status::wrong_result);
  // Of short rows, which GPUs do not have: the first column is taken for all, the last row is lost.
  if (!test::test_session().device().capabilities.is_gpu) {
    const ValueMap short_rows = {
        {"variant", "split_k"}, {"work_group", 1}, {"vector_width", 16}, {"padding", 0}};
    CHECK(status_with("[e * SHORT_ROWS + c]", "[e * SHORT_ROWS]", shape(37, 3, 0, 0, 0), short_rows) ==
          Status::wrong_result);
    CHECK(status_with("row < last", "row < last - 1", shape(37, 3, 0, 0, 0), short_rows) ==
          Status::wrong_result);
  }
  // Oclgrind reports these itself, which CTest takes for failures, or takes minutes for them.
  if (!test::test_session().device().checks_bounds) {
    // A stage's matrix is taken from the buffer that is still being filled.
    CHECK(status_with("matrix_tiles[stage % BUFFERS]", "matrix_tiles[(stage + 1) % BUFFERS]", plain,
                      {{"variant", "both_manual"}, {"loader", "split"}}) == Status::wrong_result);
    // A lost term shows in sums whose absolute values are beyond 2^24 grains as well. A row is shared by a
    // group, because llvmpipe ends a work-item's loops after 65,535 iterations.
    const ValueMap wide = shape(1, 5'000'000, 0, 0, 0);
    const ValueMap shared = {{"variant", "row_per_group"}, {"work_group", 256}, {"vector_width", 1}};
    CHECK(status_with("beta == 0.0f", "beta == 0.0f", wide, shared) == Status::ok);
    CHECK(status_with("k < whole;", "k < whole - 1;", wide, shared) == Status::wrong_result);
    // One output too many is written.
    CHECK(status_with("output < outputs", "output <= outputs", shape(32, 8, 0, 0, 0), {}) ==
          Status::wrong_result);
  }
}

TEST_CASE("sgemv: requests that cannot be met say what is allowed", "[sgemv]") {
  const test::ScratchDirectory folder;
  CHECK(test::usage_error([] { (void)test::generated(sgemv(), shape(4, 5, 4, 0)); }) ==
        "sgemv: problem key 'lda' is 4, but must be 0 or at least n, which is 5");
  const std::string file = folder.file("two.dat", "2\n1 2 3 4\n");
  CHECK(test::usage_error([&] {
          (void)sgemv().load({{"m", 3}}, {file});
        }) == "sgemv: problem key 'm' is '3', but " + file + " has 2");
  CHECK(test::usage_error([&] {
          (void)sgemv().load({}, {file, file});
        }) ==
        "sgemv takes one matrix: Matrix Market, or .dat (n, then n x n numbers row by row); 2 files "
        "were given");
}
