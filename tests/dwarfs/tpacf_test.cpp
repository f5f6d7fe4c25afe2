// tpacf: every axis over odd skies, on devices and on the host; pairs by hand; the uniform sky; files;
// planted errors.
#include <cmath>
#include <numeric>

#include "dwarfs/tpacf/tpacf.hpp"
#include "harness/formats/directions.hpp"
#include "harness/formats/npy.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("tpacf", "[heavy][long]")
OTHER_STANDARD_TESTS("tpacf")

namespace {

const Dwarf& tpacf_of_tests() {
  return find_dwarf("tpacf");
}

ValueMap sky_of(int points, int sets) {
  return {{"points", points}, {"sets", sets}};
}

const tpacf::SkyInput& input_of(const Loaded& loaded) {
  return static_cast<const tpacf::SkyInput&>(*loaded.input);
}

void check_each_axis(const std::vector<ValueMap>& problems) {
  const auto of = [](const char* variant, ValueMap settings) { return settings.with("variant", variant); };
  check_settings(
      tpacf_of_tests(),
      {{{"work_group", 32}, {"unroll", 2}, {"histograms", 32}, {"padding", 1}, {"memory", "local"}},
       {{"balance", "tile"}, {"search", "linear_from_wide"}, {"memory", "global"}, {"work_group", 64}},
       {{"work_group", 1}, {"histograms", 1}, {"search", "table"}, {"memory", "local"}, {"balance", "tile"}},
       of("direct", {{"work_group", 32}}),
       of("direct", {{"search", "table"}, {"unroll", 4}}),
       of("columns", {{"work_group", 32}, {"granularity", 4}, {"memory", "local"}}),
       // With less in a group, a work-item's loops would exceed llvmpipe's 65,535 iterations.
       of("columns", {{"work_group", 64}, {"granularity", 2}, {"search", "binary"}, {"balance", "set"}}),
       of("register", {{"work_group", 32}, {"vector_width", 1}, {"edges", 4}, {"unroll", 2}}),
       of("register", {{"granularity", 1}, {"edges", 21}, {"block", 16}, {"balance", "set"}}),
       of("cumulative", {}),
       of("cumulative", {{"work_group", 32}, {"vector_width", 1}, {"block", 16}, {"edges", 2}}),
       of("cumulative", {{"work_group", 64}, {"vector_width", 4}, {"granularity", 1}, {"block", 128}})},
      problems);
}

}  // namespace

TEST_CASE("tpacf: each axis, several at a time", "[device][tpacf][variants]") {
  check_each_axis(small_on_oclgrind(tpacf_of_tests().info().checks.odd_problems,
                                    {{"points", checks_uninitialised() ? 37 : 149}}));
}

TEST_CASE("tpacf: pairs by hand", "[device][tpacf]") {
  const ScratchDirectory folder;
  // Angles of 1, 60 and 61 degrees; 90 from each to the pole.
  const std::string data = folder.file("data.txt", "# RA Dec\n0 0\n1, 0\n\n61 0 # a comment\n0 90\n");
  const std::string random = folder.file("random.txt", "0 0\n2 0\n180 0\n0 -90\n");
  const ValueMap bins = {{"bins", 2}, {"min", 30.0}, {"max", 4320.0}};  // 0.5, 6 and 72 degrees
  const Loaded loaded = tpacf_of_tests().load(bins, {data, random, random});
  CHECK(loaded.problem.integer("points") == 4);
  CHECK(loaded.problem.integer("sets") == 2);
  for (const char* variant : {"tiled", "direct", "columns", "register", "cumulative"}) {
    INFO(variant);
    const Space& space = tpacf_of_tests().space();
    const Dump dump = dumped(tpacf_of_tests(), loaded,
                             space.set(space.baseline(), {{"variant", variant}, {"work_group", 1}}));
    CHECK(dump.shapes.at("random") == DumpSink::Shape{2, 4, 3});
    CHECK(dump.long_integers.at("dd") == std::vector<std::int64_t>{1, 2});
    // Of 0 0: 1 and 61 degrees; of 2 0: 2, 1 and 59; twice each, and the pair at 0 degrees is in no bin.
    CHECK(dump.long_integers.at("dr") == std::vector<std::int64_t>{6, 4});
    CHECK(dump.long_integers.at("rr") == std::vector<std::int64_t>{2, 0});
    const NpyArray w = read_npy(dump.texts.at("w.npy"), "w.npy");
    const auto& values = std::get<std::vector<double>>(w.values);
    CHECK(values[0] == (1 - 0.75 * 3 + 1) / 1);
    CHECK(std::isnan(values[1]));
  }
}

TEST_CASE("tpacf: a uniform sky has the pairs that areas predict", "[device][tpacf][heavy]") {
  const Loaded loaded = generated(tpacf_of_tests(), sky_of(700, 6));
  const Dump dump = dumped(tpacf_of_tests(), loaded, tpacf_of_tests().space().baseline());
  const tpacf::Sky& sky = input_of(loaded).sky();
  const auto& rr = dump.long_integers.at("rr");
  for (std::size_t k = 0; k < rr.size(); ++k) {
    const double share = (sky.edges.distances[k + 1] - sky.edges.distances[k]) / 2;
    const double expected = static_cast<double>(sky.pairs(2)) * share;
    // The angles of two pairs are independent, also if they share a point.
    INFO(k << ": " << rr[k] << " pairs, expected " << expected);
    CHECK(std::abs(static_cast<double>(rr[k]) - expected) <= 5 * std::sqrt(expected) + 1);
  }
  // Clusters: more pairs of data than of random points at small angles.
  const NpyArray w = read_npy(dump.texts.at("w.npy"), "w.npy");
  CHECK(std::get<std::vector<double>>(w.values)[12] > 0.5);
}

TEST_CASE("tpacf: a point is lost or counted twice", "[tpacf]") {
  const Loaded loaded = generated(tpacf_of_tests(), sky_of(200, 2));
  const tpacf::SkyInput& input = input_of(loaded);
  const tpacf::Sky& sky = input.sky();
  tpacf::Counts counts(tpacf::kinds * sky.slots(), 0);
  for (std::int64_t number = 0; number < 2 * sky.sets + 1; ++number) {
    const tpacf::SetPair pair = tpacf::set_pair(sky, number);
    for (std::int64_t i = 0; i < sky.points; ++i) {
      for (std::int64_t j = pair.self() ? i + 1 : 0; j < sky.points; ++j) {
        const tpacf::SkyPoint& a = sky.set(pair.one)[i];
        const tpacf::SkyPoint& b = sky.set(pair.other)[j];
        const float distance = 1 - (a.x * b.x + a.y * b.y + a.z * b.z);
        const auto& edges = sky.edges.distances;
        const auto slot = static_cast<std::size_t>(
            std::count_if(edges.begin(), edges.end(), [&](float edge) { return distance > edge; }));
        ++counts[pair.kind * sky.slots() + slot];
      }
    }
  }
  CHECK(input.check(counts).ok);
  CHECK(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == 3 * 19900 + 2 * 40000);
  ++counts[0];
  CHECK(input.check(counts).message.find("dd has 19901 pairs in all, wanted 19900") == 0);
  --counts[0];
  --counts[19];
  ++counts[18];
  CHECK(input.check(counts).message.find("pairs of dd are beyond edge 18, wanted") != std::string::npos);
}

TEST_CASE("tpacf: the table has each edge in a cell of its own", "[tpacf]") {
  const auto edges = tpacf::edges_of(make_problem("tpacf", tpacf_of_tests().info().keys, {"small", {}}));
  const auto table = tpacf::lookup_table(edges.distances);
  REQUIRE(table);
  CHECK(table->shift == 22);
  CHECK(table->cells.back().slot == 21);
  CHECK(edges.cosine(0) == 1 - edges.distances[0]);
  const std::vector<float> close = {0.5F, 0.501F};
  CHECK_FALSE(tpacf::lookup_table(close));
}

TEST_CASE("tpacf: files and bins that cannot be say so", "[tpacf]") {
  const ScratchDirectory folder;
  const std::string two = folder.file("two.txt", "0 0\n1 1\n");
  const std::string three = folder.file("three.txt", "0 0\n1 1\n2 2\n");
  const auto load = [](const ValueMap& request, const std::vector<std::string>& files) {
    return usage_error([&] { (void)tpacf_of_tests().load(request, files); });
  };
  CHECK(load({}, {two, three}) == "tpacf: problem key 'points' is '2', but " + three + " has 3");
  CHECK(load({{"sets", 3}}, {two, two}) == "tpacf: problem key 'sets' is '3', but --input has 1");
  CHECK(load({}, {}).find("tpacf takes") == 0);
  CHECK(load({{"min", 60.0}, {"max", 60.0}}, {two}) ==
        "tpacf: problem key 'min' is 60, but must be below 'max', which is 60");
  CHECK(load({{"sets", 4}}, {two}) == "no error");
}

TEST_CASE("formats: directions on the sky", "[formats]") {
  const auto good = read_directions("# a\n\n 1.5,-2\r\n+359.25\t90", "F");
  REQUIRE(good.size() == 2);
  CHECK(good[0].right_ascension == 1.5);
  CHECK(good[0].declination == -2);
  CHECK(good[1].right_ascension == 359.25);
  const auto refused = [](std::string_view bytes) {
    return refusal<std::vector<Direction>>(read_directions, bytes);
  };
  CHECK(refused("") ==
        "F, line 1: expected a right ascension and a declination in degrees, but the file ends here");
  CHECK(refused("1 2\n3\n4 5") ==
        "F, line 2: expected a declination behind the right ascension, but the line ends here");
  CHECK(refused("1 2 3") == "F, line 1: expected the end of the line after a declination, found '3'");
  CHECK(refused("1 91") == "F, line 1: expected a declination from -90 to 90 degrees, found '91'");
  CHECK(refused("361 1") == "F, line 1: expected a right ascension from -360 to 360 degrees, found '361'");
  CHECK(refused("1 nan").find("F, line 1: expected a declination from -90 to 90 degrees") == 0);
  CHECK(refused("inf 1").find("F, line 1: expected a right ascension") == 0);
  CHECK(refused("1 2x").find("F, line 1: expected a declination") == 0);
  CHECK(refused(rubbish).find("F, line 1: expected a right ascension") == 0);
}

TEST_CASE("tpacf: planted errors are caught", "[device][tpacf]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, tpacf_of_tests(), sky_of(150, 2), settings);
  };
  const ValueMap small = {{"work_group", 32}};
  CHECK(status("below = middle + 1", "below = middle + 1", small) == Status::ok);  // nothing changed
  CHECK(status("below = middle + 1", "below = middle + 2", small) == Status::wrong_result);
  CHECK(status("one.w + other.w", "0.0f * one.w", {{"variant", "cumulative"}}) == Status::wrong_result);
}
