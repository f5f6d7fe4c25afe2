// Recorded spaces from files, and what replays report.
#include "suite/search/replay.hpp"

#include <zlib.h>

#include <algorithm>
#include <filesystem>

#include "harness/space/error.hpp"
#include "suite/record/rows.hpp"
#include "suite/search/random_search.hpp"
#include "suite/search/recorded_space.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/recorded_tables.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;

namespace {

const std::string csv_text =
    "block,method,time_ms,invalid,compile_ms\n32,a,2.5,,9\n64,a,,runtime,9\n64,b,1.5,,9\n";

void check_small_space(const std::vector<RecordedTable>& tables, const std::string& name) {
  REQUIRE(tables.size() == 1);
  const RecordedTable& table = tables.front();
  CHECK(table.name == name);
  REQUIRE(table.rows.size() == 3);
  const RecordedSpace space(table);
  CHECK(space.points().size() == 3);
  CHECK(space.numbers() == 4);
  CHECK(space.sorted_times() == std::vector<double>{1.5, 2.5});
  int failed = 0;
  for (const PointNumber point : space.points()) {
    const ValueMap values = space.values(point);
    if (!space.time(point)) {
      ++failed;
      CHECK(values.integer("block") == 64);
      CHECK(values.string("method") == "a");
    }
  }
  CHECK(failed == 1);
}

// lud on one device alone.
RunLog one_space() {
  RunLog log = make_synthetic_run();
  const auto is_other = [](const PointKey& key) { return key.dwarf != "lud" || key.device_id != "fast"; };
  log.order.erase(std::remove_if(log.order.begin(), log.order.end(), is_other), log.order.end());
  return log;
}

}  // namespace

TEST_CASE("a recorded space is read from CSV, compressed or not", "[unit]") {
  const test::ScratchDirectory folder;
  check_small_space(read_spaces(folder.file("small.csv", csv_text)), "small");
  const std::filesystem::path packed = folder.path() / "packed.csv.gz";
  test::write_gzip(packed, csv_text);
  check_small_space(read_spaces(packed), "packed");
  // As `cat a.gz b.gz` makes them.
  const std::filesystem::path joined = folder.path() / "joined.csv.gz";
  test::write_gzip(joined, csv_text.substr(0, 30));
  test::write_gzip(joined, csv_text.substr(30), "ab");
  check_small_space(read_spaces(joined), "joined");
  // Half of a compressed file is an error, not half a space.
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) - 12);
  CHECK_THROWS_WITH(read_spaces(packed), test::contains("packed.csv.gz: is not a complete gzip file"));
}

TEST_CASE("a gzip file may be small and unpack to anything: there is a limit", "[unit]") {
  const test::ScratchDirectory folder;
  const std::filesystem::path bomb = folder.path() / "bomb.csv.gz";
  const gzFile file = gzopen(bomb.c_str(), "wb1");
  const std::string megabyte(std::size_t{1} << 20, '0');
  for (int i = 0; i <= 256; ++i)
    REQUIRE(gzwrite(file, megabyte.data(), static_cast<unsigned>(megabyte.size())) > 0);
  gzclose(file);
  REQUIRE(std::filesystem::file_size(bomb) < 4'000'000);
  CHECK_THROWS_WITH(read_spaces(bomb), test::contains("bomb.csv.gz: unpacks to more than 256 MiB, the most"));
  test::write_gzip(bomb, csv_text);
  std::filesystem::resize_file(bomb, 12);
  std::filesystem::resize_file(bomb, 60);  // zeros from there on
  CHECK_THROWS_WITH(read_spaces(bomb), test::contains("bomb.csv.gz: is not a complete gzip file"));
}

TEST_CASE("a recorded space is read from Kernel Tuner's cache, also from one that was not closed", "[unit]") {
  const test::ScratchDirectory folder;
  const std::string open = R"({"device_name": "D", "tune_params_keys": ["block", "method"],
    "tune_params": {"block": [32, 64], "method": ["a", "b"]}, "objective": "time", "cache": {
    "32,a": {"block": 32, "method": "a", "time": 2.5, "compile_time": 9},
    "64,a": {"block": 64, "method": "a", "time": "RuntimeFailedConfig"},
    "64,b": {"block": 64, "method": "b", "time": 1.5},)";
  check_small_space(read_spaces(folder.file("open.json", open)), "open");
  std::string closed = open;
  closed.back() = '}';
  check_small_space(read_spaces(folder.file("closed.json", closed + "}")), "closed");
}

TEST_CASE("a recorded space is read from the T4 schema", "[unit]") {
  const test::ScratchDirectory folder;
  const auto result = [](int block, const char* method, const char* invalidity, const char* time) {
    return std::string(R"({"configuration": {"block": )") + std::to_string(block) + R"(, "method": ")" +
           method + R"("}, "invalidity": ")" + invalidity +
           R"(", "measurements": [{"name": "time", "value": )" + time + R"(}], "objectives": ["time"]})";
  };
  const std::string text = R"({"schema_version": "1.0.0", "results": [)" + result(32, "a", "correct", "2.5") +
                           "," + result(64, "a", "runtime", R"("RuntimeFailedConfig")") + "," +
                           result(64, "b", "correct", "1.5") + "]}";
  check_small_space(read_spaces(folder.file("t4.json", text)), "t4");
}

TEST_CASE("a run of ours is a space for each problem, with its variants as parts", "[unit]") {
  std::vector<MeasurementRow> rows;
  const auto add = [&](const char* variant, const char* group, const char* status, double ns) {
    MeasurementRow row;
    row.dwarf = "lud";
    row.kernel = "total";
    row.problem = "n=64";
    row.device = "D";
    row.variant = variant;
    row.work_group = group;
    row.status = status;
    if (ns > 0) row.median_ns = ns;
    rows.push_back(row);
    row.kernel = "diagonal";  // a part of it
    rows.push_back(row);
  };
  add("tiled", "16", "ok", 3e6);
  add("tiled", "32", "ok", 2e6);
  add("tiled", "64", "rejected", 0);
  add("blocked", "16", "wrong_result", 0);
  add("blocked", "32", "ok", 1e6);
  add("blocked", "64", "not_run", 0);
  rows.push_back(rows.front());
  rows.back().dwarf = "crc";  // a single point is no space
  const std::vector<RecordedTable> tables = spaces_of_run(rows);
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].name == "lud/n=64/D");
  const RecordedSpace space(tables[0]);
  CHECK(space.points().size() == 4);
  CHECK(space.sorted_times() == std::vector<double>{1, 2, 3});
  REQUIRE(space.parts().size() == 2);
  CHECK(space.values(*space.parts()[1].default_point).string("variant") == "blocked");
  CHECK(space.values(*space.parts()[1].default_point).integer("work_group") == 16);
}

TEST_CASE("what is no recorded space is refused in one sentence", "[unit]") {
  const test::ScratchDirectory folder;
  const auto message = [&](const std::string& name, const std::string& text) {
    try {
      for (const RecordedTable& table : read_spaces(folder.file(name, text))) RecordedSpace space(table);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THROWS_WITH(read_spaces(folder.path() / "none.csv"), test::contains("there is no '"));
  CHECK_THROWS_WITH(read_spaces(folder.path()), test::contains("contains neither measurements.csv nor"));
  CHECK_THAT(message("a.csv", "block,time\n1,2\n"), test::contains("is no recorded space"));
  CHECK_THAT(message("b.csv", "time_ms\n1\n"), test::contains("is no recorded space"));
  CHECK_THAT(message("c.csv", "block,time_ms\n1,fast\n"), test::contains("line 2: time_ms is 'fast'"));
  CHECK_THAT(message("d.csv", "block,time_ms\n"), test::contains("has no points below its header"));
  CHECK_THAT(message("e.csv", "block,time_ms\n1,\n"), test::contains("no point has a time"));
  // One of the two values would be lost, and nobody would know which.
  CHECK_THAT(message("f.csv", "block,block,time_ms\n1,2,3\n"),
             test::contains("line 1: 'block' is there twice"));
  CHECK_THAT(message("g.csv", "block,time_ms,threads,threads\n1,2,3,4\n"),
             test::contains("line 1: 'threads' is there twice"));
  const auto nested = [](std::size_t levels) {
    return R"({"tune_params_keys": ["x"], "cache": {"1": {"x": )" + std::string(levels, '[') +
           std::string(levels, ']') + R"(, "time": 2}, "2": {"x": 2, "time": 1}}})";
  };
  CHECK_THAT(message("n.json", nested(1'000'000)),
             test::contains("n.json, entry '1' of 'cache': 'x' has more than 10 levels of lists"));
  CHECK(message("n.json", nested(10)).empty());
  CHECK_THAT(message("a.json", "{\"cache\":\n\n "),
             test::contains("a.json, line 3: is not JSON; expected Kernel"));
  CHECK_THAT(message("b.json", "{\"x\": 1}"), test::contains("is no recorded space"));
  CHECK_THROWS_WITH(read_spaces(std::string(5000, 'x') + ".csv"),
                    test::contains("cannot be read: File name too"));
  const std::string names = R"({"tune_params_keys": ["block"], "cache": )";
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {R"({"cache": {"1": {}}})", ": is no recorded space: 'tune_params_keys' is missing"},
           {R"({"tune_params_keys": [7], "cache": {}})",
            "tune_params_keys: is no recorded space: expected a name"},
           {R"({"tune_params_keys": ["a", "a"], "cache": {"1": {"a": 1, "time": 2}}})",
            ": 'a' is there twice"},
           {names + R"({"16": {"time": 2}}})",
            "entry '16' of 'cache': is no recorded space: 'block' is missing"},
           {names + R"({"16": 7}})", "entry '16' of 'cache': is no recorded space: 'block' is missing"},
           {names + "[[]]}", "entry '0' of 'cache'"},
           {names + R"({"16": {"block": 1e999}}})", "is not JSON: a number is too large"},
           {R"({"results": [{"configuration": {"a": 1}, "invalidity": "correct"}]})",
            "entry 1 of 'results': is no recorded space: 'measurements' is missing"},
           {R"({"results": {"x": 1}})",
            "entry 1 of 'results': is no recorded space: 'configuration' is missing"},
           {R"({"results": [{"configuration": {"a": 1}, "invalidity": "correct", "objectives": [7],
               "measurements": []}]})",
            "entry 1 of 'results': is no recorded space: expected a name"}}) {
    const std::string told = message("wrong.json", text);
    CHECK_THAT(told, test::contains(words));
    CHECK_THAT(told, !test::contains("json.exception"));
  }
}

TEST_CASE("a run is written as a space that a replay reads back", "[unit]") {
  const RunLog log = one_space();
  const std::string text = space_csv(log, "made up");
  const RecordedTable table = parse_space_csv("lud", "lud.csv", text);
  const RecordedSpace space(table);
  REQUIRE(table.rows.size() == 3);  // granularity 4 was rejected
  CHECK(space.time(space.first_point()));
  CHECK(space.values(space.first_point()).integer("granularity") == 1);
  for (const RecordedTable::Row& row : table.rows) {
    REQUIRE(row.time);
    CHECK(row.facts.benchmark_ms);
    CHECK(row.facts.verify_ms);
    CHECK_FALSE(row.facts.group_size);  // its axes are not those of this program's lud
  }
  // The times are those of the run's own table.
  const RecordedSpace direct(spaces_of_run(make_rows(log).measurements).front());
  CHECK(direct.sorted_times() == space.sorted_times());
}

TEST_CASE("a run of several spaces is not written as one", "[unit]") {
  CHECK_THROWS_WITH(
      space_csv(make_synthetic_run(), "runs/x"),
      test::contains("--format space is for a run of one dwarf, problem and device; 'runs/x' has "));
  RunLog none = one_space();
  none.order.clear();
  CHECK_THROWS_WITH(space_csv(none, "runs/x"), test::contains("'runs/x' has none"));
}

TEST_CASE("a replay reports the same whatever the number of threads, and otherwise by its seed", "[unit]") {
  std::vector<RecordedSpace> spaces;
  spaces.emplace_back(test::valley());
  ReplayRequest request{{"random", "auto"}, {30, 60}, 10, 4, 1};
  const std::string once = to_csv(replay(spaces, request));
  request.threads = 3;
  CHECK(to_csv(replay(spaces, request)) == once);
  request.seed = 5;
  CHECK(to_csv(replay(spaces, request)) != once);
  CHECK(
      once.starts_with("space,strategy,repeats,evaluations,median_over_best,within_2_percent,score\n"
                       "valley,random,10,30,"));
  CHECK(std::count(once.begin(), once.end(), '\n') == 5);
}

TEST_CASE("the score is 0 for random search, 1 for a search that has the best at once", "[unit]") {
  const RecordedSpace space(test::valley());
  const RandomSearch random(space.sorted_times(), space.points().size());
  std::vector<double> expected;
  for (std::size_t t = 1; t <= 200; ++t) expected.push_back(random.expected_best(t));
  CHECK(replay_score(space, expected) == Approx(0).margin(1e-12));
  CHECK(replay_score(space, std::vector<double>(200, space.sorted_times().front())) == Approx(1));
  CHECK(replay_score(space, std::vector<double>(200, space.sorted_times().back())) < -1);
}
