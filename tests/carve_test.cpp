// Optimisation carving: the paper's formulas, and what is kept of a space.
#include "suite/search/carve.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "harness/space/error.hpp"
#include "suite/search/random_search.hpp"
#include "suite/search/replay.hpp"
#include "suite/search/space_report.hpp"
#include "suite/search/strategy.hpp"
#include "suite/tune/carving.hpp"
#include "suite/worker/serve.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;

namespace {

struct Row {
  double time, instructions;
  double registers = 0, group_size = 0;  // no registers: a CPU
};

// One axis, "point", from 0. Without registers, a thread for each instruction and one region.
RecordedSpace space_of(const std::vector<Row>& rows) {
  RecordedTable table{"made up", {"point"}, {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RecordedFacts facts;
    if (rows[i].instructions > 0) facts.ir_instructions = rows[i].instructions;
    facts.threads = 1024;
    facts.regions = 1;
    if (rows[i].registers > 0) facts.registers = rows[i].registers;
    if (rows[i].group_size > 0) facts.group_size = rows[i].group_size;
    table.rows.push_back({{static_cast<int>(i)}, rows[i].time, facts});
  }
  return RecordedSpace(table);
}

}  // namespace

// Paper 001, 4.2: matrix multiplication of 4096 x 4096 in tiles of 16 on the GeForce 8800.
TEST_CASE("the paper's worked example of carving", "[unit]") {
  const GroupNeeds group{13, 2088, 256};
  CHECK(resident_groups(geforce_8800, group) == 2);
  const double threads = 1 << 24;
  const InstructionCounts counts{15150 * threads, threads, 769};
  CHECK(carve_efficiency(counts) == Approx(3.93e-12).epsilon(0.002));
  // 19.7 * (7 / 2 + 8) = 226.6.
  CHECK(carve_utilisation(counts, geforce_8800, group) == Approx(226.56).epsilon(0.0001));
}

TEST_CASE("how many groups a processor holds is limited by each of its resources", "[unit]") {
  // Paper 001, 2.2: 10 registers and 4 KiB allow three groups of 256; an 11th register costs one of them,
  // another KiB none.
  CHECK(resident_groups(geforce_8800, {10, 4096, 256}) == 3);
  CHECK(resident_groups(geforce_8800, {11, 4096, 256}) == 2);
  CHECK(resident_groups(geforce_8800, {10, 5120, 256}) == 3);
  CHECK(resident_groups(geforce_8800, {10, 8192, 256}) == 2);
  CHECK(resident_groups(geforce_8800, {1, 0, 16}) == 8);  // the limit of groups
  CHECK(resident_groups(geforce_8800, {0, 0, 512}) == 1);
  CHECK(resident_groups(geforce_8800, {33, 0, 256}) == 0);
  // By NVIDIA's occupancy calculator for 9.0: warps of 32 x 40, 64 and 255 registers, in steps of 256.
  CHECK(resident_groups(compute_capability_9, {40, 0, 256}) == 6);
  CHECK(resident_groups(compute_capability_9, {33, 0, 256}) == 6);  // 33 * 32 are allotted as 40 * 32
  CHECK(resident_groups(compute_capability_9, {64, 0, 1024}) == 1);
  CHECK(resident_groups(compute_capability_9, {255, 0, 256}) == 1);
  CHECK(resident_groups(compute_capability_9, {16, 0, 32}) == 32);
  CHECK(resident_groups(compute_capability_9, {16, 49152, 128}) == 4);  // 48 KiB and one more, of 228
  CHECK(resident_groups(compute_capability_9, {16, 0, 33}) == 32);      // two warps each
  CHECK(carve_utilisation({1e6, 1e3, 10}, geforce_8800, {33, 0, 256}) == 0);
}

TEST_CASE("limits of a processor by compute capability", "[unit]") {
  const auto groups = [](std::uint32_t capability, const GroupNeeds& group) {
    return resident_groups(limits_of(capability).value(), group);
  };
  CHECK(groups(90, {40, 0, 256}) == resident_groups(compute_capability_9, {40, 0, 256}));
  CHECK(groups(90, {16, 49152, 128}) == resident_groups(compute_capability_9, {16, 49152, 128}));
  // 1536 work-items, 16 groups and 100 KiB, of which each group takes one more.
  CHECK(groups(86, {16, 0, 256}) == 6);
  CHECK(groups(86, {16, 0, 32}) == 16);
  CHECK(groups(86, {16, 49152, 128}) == 2);
  CHECK(groups(75, {16, 0, 1024}) == 1);
  CHECK(groups(70, {16, 49152, 128}) == 2);
  CHECK_FALSE(limits_of(0));
  CHECK_FALSE(limits_of(35));
}

TEST_CASE("carving keeps the Pareto front, and continues with the next one", "[unit]") {
  // On compute capability 9.0 groups of 64 to 1024 with few registers fill a processor alike: (B - 1) * W
  // falls with larger groups.
  const RecordedSpace space = space_of({{5, 100, 16, 1024},  // 0: as efficient as 1, worse utilised
                                        {4, 100, 16, 64},    // 1: front
                                        {3, 200, 16, 64},    // 2: twice Instr / Regions: front
                                        {2, 200, 255, 64},   // 3: dominated by 2
                                        {1, 100, 16, 64},    // 4: equal to 1: front
                                        {9, 0, 16, 64},      // 5: nothing counted
                                        {9, 50, 0, 0}});     // 6: no registers
  const Carving carving = carve(space, carve_pool(space, 1));
  CHECK_FALSE(carving.by_efficiency_alone);
  CHECK(carving.kept == 3);
  CHECK(carving.order == std::vector<PointNumber>{1, 4, 2, 0, 3});
  // Neither fits into a processor: equally utilised, so that the less efficient one is dominated.
  const RecordedSpace equal = space_of({{1, 200, 255, 1024}, {2, 100, 255, 1024}});
  CHECK(carve(equal, carve_pool(equal, 1)).kept == 1);
}

TEST_CASE("on CPUs carving uses efficiency alone", "[unit]") {
  std::vector<Row> rows;
  for (int i = 0; i < 40; ++i) rows.push_back({1.0 + i, 1000.0 + (i * 7) % 40});
  rows[3].instructions = rows[0].instructions = 900;
  rows[9].instructions = 900;
  const RecordedSpace space = space_of(rows);
  const Carving carving = carve(space, carve_pool(space, 1));
  CHECK(carving.by_efficiency_alone);
  CHECK(carving.order.size() == 40);
  CHECK(carving.kept == 3);  // two of 40, and one that is equal to the second
  CHECK(std::vector<PointNumber>(carving.order.begin(), carving.order.begin() + 3) ==
        std::vector<PointNumber>{0, 3, 9});
}

TEST_CASE("the pool of a large space is a uniform draw", "[unit]") {
  const RecordedSpace space = space_of(std::vector<Row>(5000, Row{1, 1}));
  const std::vector<PointNumber> pool = carve_pool(space, 1);
  CHECK(pool.size() == 2000);
  CHECK(std::is_sorted(pool.begin(), pool.end()));
  CHECK(std::adjacent_find(pool.begin(), pool.end()) == pool.end());
  CHECK(pool != carve_pool(space, 2));
  const auto upper = pool.end() - std::lower_bound(pool.begin(), pool.end(), PointNumber{2500});
  CHECK(std::abs(upper - 1000) < 120);  // over five standard deviations
}

TEST_CASE("carve as a strategy measures what it keeps first", "[unit]") {
  const RecordedSpace space = space_of({{5, 400, 16, 64}, {4, 100, 16, 64}, {3, 100, 255, 64}});
  const std::unique_ptr<Strategy> strategy = make_strategy("carve", {space});
  std::vector<PointNumber> points;
  std::vector<std::string> proposers;
  while (const auto proposal = strategy->next()) {
    points.push_back(proposal->point);
    proposers.emplace_back(proposal->proposer);
    strategy->tell({proposal->point, space.time(proposal->point), proposal->proposer});
  }
  CHECK(points == std::vector<PointNumber>{1, 0, 2});
  CHECK(proposers == std::vector<std::string>{"carve", "carve", "carve-next"});
}

TEST_CASE("with a control, carve measures random points in turn, each point once", "[unit]") {
  std::vector<Row> rows;
  for (int i = 0; i < 60; ++i) rows.push_back({1.0 + i, 1000.0 + (i * 7) % 60});
  const RecordedSpace space = space_of(rows);
  SearchTask task{space, {}, 0, 5};
  task.with_control = true;
  const std::unique_ptr<Strategy> strategy = make_strategy("carve", task);
  std::vector<PointNumber> carved;
  std::set<PointNumber> points;
  std::vector<std::string> proposers;
  while (const auto proposal = strategy->next()) {
    CHECK(points.insert(proposal->point).second);
    proposers.emplace_back(proposal->proposer);
    if (proposers.back() != "random") carved.push_back(proposal->point);
    strategy->tell({proposal->point, space.time(proposal->point), proposal->proposer});
  }
  CHECK(points.size() == 60);
  for (std::size_t i = 0; i < 20; ++i) CHECK((proposers[i] == "random") == (i % 2 == 1));
  const std::vector<PointNumber> order = carve(space, carve_pool(space, task.seed)).order;
  CHECK(carved.front() == order.front());
  CHECK(std::is_sorted(carved.begin(), carved.end(), [&](PointNumber left, PointNumber right) {
    return std::find(order.begin(), order.end(), left) < std::find(order.begin(), order.end(), right);
  }));
}

TEST_CASE("a control sample is uniform, and the same whatever is measured", "[unit]") {
  const RecordedSpace space = space_of(std::vector<Row>(20, Row{1, 1}));
  std::vector<int> first(20);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) ++first[*ControlSample(space, seed).next()];
  for (const int count : first) CHECK(std::abs(count - 100) < 50);  // five standard deviations
  ControlSample sample(space, 3);
  ControlSample again(space, 3);
  std::set<PointNumber> drawn;
  while (const auto point = sample.next()) {
    CHECK(again.next() == point);
    drawn.insert(*point);
  }
  CHECK(drawn.size() == 20);
}

TEST_CASE("a carved search is compared with the random points that it has measured", "[unit]") {
  // Of 40 points the two most efficient are kept; the better of them is the third fastest. All but the last
  // of 11 random points are measured.
  std::vector<Row> rows;
  for (int i = 0; i < 40; ++i) rows.push_back({1.0 + i, 1000.0 + i});
  rows[2].instructions = rows[30].instructions = 900;
  const RecordedSpace space = space_of(rows);
  SearchRecord search;
  search.seed = 4;
  search.counted.resize(40);
  search.carving_s = 5;
  ControlSample sample(space, search.seed);
  std::vector<PointNumber> random(10);
  for (PointNumber& each : random) each = *sample.next();
  const PointNumber not_measured = *sample.next();
  std::vector<PointNumber> measured = random;
  measured.insert(measured.end(), {2, 30});
  std::map<PointNumber, EvaluationRecord> records;
  for (const PointNumber point : measured) {
    records[point].key.config = space.values(point).to_string();
    records[point].time_ns = *space.time(point);
    records[point].cost = {0, 0.25, 0.25, 0.5};
  }
  REQUIRE(records.count(not_measured) == 0);
  Evaluated evaluated;
  for (const auto& [point, record] : records) evaluated[point] = &record;
  const CarvingRecord carving = compare_carving(space, search, evaluated);
  CHECK(carving.by_efficiency_alone);
  CHECK(carving.kept == 2);
  CHECK(carving.measured == 2);
  CHECK(carving.random == 10);
  CHECK(carving.best_value == 3);
  CHECK(carving.seconds == Approx(7));  // and a second for each of the two
  const auto good = std::count_if(random.begin(), random.end(), [](PointNumber point) { return point <= 2; });
  REQUIRE(good > 0);
  const auto none_of = [&](double draws) {
    double none = 1;
    for (int i = 0; i < good; ++i) none *= (10 - draws - i) / (10.0 - i);
    return none;
  };
  REQUIRE(carving.rows.size() == 3);
  CHECK(carving.rows[0].points == 2);
  CHECK(carving.rows[0].probability == Approx(1 - none_of(2)));
  CHECK(carving.rows[1].points == 40);
  CHECK(carving.rows[1].drawn == 10);
  CHECK(carving.rows[1].probability == Approx(1));
  CHECK(carving.rows[2].points == 7);
  CHECK(carving.rows[2].probability == Approx(1 - none_of(7)));
  // A kept point that fails is no best; where all do, random search cannot be worse.
  records[2].time_ns.reset();
  CHECK(compare_carving(space, search, evaluated).best_value == 31);
  records[30].time_ns.reset();
  CHECK(compare_carving(space, search, evaluated).rows[0].probability == 1);
}

TEST_CASE("counts are kept for the same dwarf and problem, and half a line counts as none", "[unit]") {
  const test::ScratchDirectory folder;
  const CountedPoint first{"a=1", 10, 2, 3};
  KnownCounts counts(folder.path(), "crc", "bytes=100");
  CHECK_FALSE(counts.find("a=1"));
  counts.add(first);
  std::ofstream(std::filesystem::directory_iterator(folder.path())->path(), std::ios::app)
      << R"({"config": "a=2", "instr)";
  KnownCounts(folder.path(), "crc", "bytes=100").add({"a=3", 11, 2, 3});
  const KnownCounts again(folder.path(), "crc", "bytes=100");
  REQUIRE(again.find("a=1"));
  CHECK(again.find("a=1")->instructions == 10);
  CHECK(again.find("a=1")->regions == 3);
  CHECK_FALSE(again.find("a=2"));
  CHECK(again.find("a=3"));
  CHECK_FALSE(KnownCounts(folder.path(), "crc", "bytes=200").find("a=1"));
  CHECK_FALSE(KnownCounts(folder.path(), "sad", "bytes=100").find("a=1"));
  KnownCounts nowhere("", "crc", "bytes=100");
  nowhere.add(first);
  CHECK(nowhere.find("a=1"));
}

TEST_CASE("carving a space without counts is refused", "[unit]") {
  const std::vector<RecordedSpace> spaces = [] {
    std::vector<RecordedSpace> list;
    list.push_back(space_of({{5, 0}, {4, 0}}));
    return list;
  }();
  CHECK_THROWS_WITH(replay(spaces, {{"random", "carve"}, {2}, 2}),
                    test::contains("made up: 'carve' needs instruction counts"));
}

TEST_CASE("carving is compared with random search by exact probabilities", "[unit]") {
  // Of 40 points the two most efficient are kept; the better of them is the third fastest.
  std::vector<Row> rows;
  for (int i = 0; i < 40; ++i) rows.push_back({1.0 + i, 1000.0 + i});
  rows[2].instructions = rows[30].instructions = 900;
  const CarveReport report = report_carving(space_of(rows), 1);
  CHECK(report.legal == 40);
  CHECK(report.kept == 2);
  CHECK(report.best_kept_over_best == Approx(3));
  REQUIRE(report.equal_within);
  CHECK(*report.equal_within == Approx(31.0 / 3));
  REQUIRE(report.comparisons.size() == 2);
  CHECK_FALSE(report.seconds);
  // One of the three fastest among two of 40: 1 - C(37, 2) / C(40, 2).
  CHECK(report.comparisons[0].points == 2);
  CHECK(report.comparisons[0].probability == Approx(1 - 37.0 * 36 / (40 * 39)));
  CHECK(report.comparisons[1].points == 40);
  CHECK(report.comparisons[1].probability == Approx(1));
}

TEST_CASE("in the same seconds random search measures more, or fewer, points", "[unit]") {
  RecordedTable table{"costs", {"point"}, {}};
  for (int i = 0; i < 40; ++i) {
    RecordedFacts facts;
    facts.ir_instructions = 1000 + i;
    facts.compile_ms = 100;
    facts.count_ms = 50;
    facts.benchmark_ms = 250;
    facts.verify_ms = 50;
    table.rows.push_back({{i}, 1.0 + i, facts});
  }
  const CarveReport report = report_carving(RecordedSpace(table), 1);
  REQUIRE(report.comparisons.size() == 3);
  // 40 * 150 ms and 2 * 300 ms, where a point of random search takes 400 ms.
  CHECK(*report.seconds == Approx(6.6));
  CHECK(report.comparisons[2].points == 16);
  CHECK(report.comparisons[2].probability == Approx(16.0 / 40));
  CHECK(to_text({report}).find("by efficiency alone") != std::string::npos);
}

TEST_CASE("hill climbing along one axis at a time is trapped where two must change", "[unit]") {
  RecordedTable table{"trap", {"a", "b"}, {}};
  const std::vector<std::vector<double>> times = {{4, 5, 5}, {5, 5, 0}, {5, 3, 1}};  // 0: failed
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const double time = times[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
      table.rows.push_back({{a, b}, time > 0 ? std::optional(time) : std::nullopt});
    }
  }
  const SpaceReport report = report_space(RecordedSpace(table));
  CHECK(report.points == 9);
  CHECK(report.failed == 1);
  CHECK(report.within_2_percent == 1);
  // Eight draws of nine miss the best once in nine times and then have 3: 8 / 9 + 3 / 9, more than 1 / 0.9.
  CHECK(report.draws_for_90_percent == 9);
  CHECK(report.draws_for_95_percent == 9);
  CHECK(report.worst_over_best == 5);
  // A single draw of nine: eight times in (1 + 3 + 4 + 5 * 5), and the failed one counts as the slowest.
  REQUIRE(report.random_curve.size() == 6);
  CHECK(report.random_curve[0].first == 0.01);
  CHECK(report.random_curve[0].second == Approx((1 + 3 + 4 + 5 * 5 + 5) / 9.0));
  // Five draws of nine: the best is among them in five of nine cases.
  CHECK(report.random_curve[5].second < 4.0 / 9 * 5 + 5.0 / 9);
  CHECK(report.ends == 2);
  REQUIRE(report.from_first);
  CHECK(report.from_first->steps == 0);
  CHECK(report.from_first->over_best == 4);
  CHECK(report.stuck_at == "a=0 (2), b=0 (2)");
  // (0,0), (0,1), (1,0) climb to 4: of (0,1) both 4 and 3 are seen, and 3 leads on to 1; of (1,0) 4 alone is
  // better.
  CHECK(report.stuck == Approx(2.0 / 8));
}

TEST_CASE("what Oclgrind prints of a run is added up", "[unit]") {
  const auto launch = [](const std::string& kernel, int items) {
    return "Instructions executed for kernel '" + kernel + "':\n" + "      " + std::to_string(10 * items) +
           " - add\n       " + std::to_string(3 * items) + " - load global (12 bytes)\n      " +
           std::to_string(items) + " - call barrier()\n      " + std::to_string(items) + " - ret\n\n";
  };
  // Two launches in a run, which "verify" makes three times.
  const std::string run = launch("first", 64) + launch("second", 32);
  const InstructionCounts counts = parse_counts(run + run + run, 3);
  CHECK(counts.instructions == 15 * 96);
  CHECK(counts.threads == 96);
  CHECK(counts.regions == 5);
  CHECK_THROWS(parse_counts(run + run + launch("first", 64), 3));
  CHECK_THROWS(parse_counts("", 3));
}

TEST_CASE("special functions block a work-item where they outnumber longer waits", "[unit]") {
  const auto counted = [](const std::string& lines) {
    const std::string run = "Instructions executed for kernel 'k':\n" + lines + "       8 - ret\n\n";
    return parse_counts(run + run + run, 3).regions;
  };
  const std::string loads = "      24 - load global (96 bytes)\n";
  CHECK(counted(loads) == 4);
  CHECK(counted("      80 - call _Z5rsqrtf()\n") == 11);
  CHECK(counted(loads + "      40 - call _Z10native_sinDv4_f()\n      40 - call _Z3cosf()\n") == 11);
  CHECK(counted(loads + "      16 - call _Z4sqrtf()\n") == 4);
  CHECK(counted(loads + "      80 - call _Z3madfff()\n      80 - call _Z12get_local_idj()\n") == 4);
}
