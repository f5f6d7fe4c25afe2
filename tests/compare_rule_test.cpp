// What counts as a change: threshold, multiplicity, correlation of blocks, what is allowed, selection bias.
#include <fmt/format.h>

#include <cmath>

#include "harness/space/error.hpp"
#include "suite/compare/compare.hpp"
#include "suite/compare/sides.hpp"
#include "suite/record/run_rows.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/noisy_runs.hpp"

using namespace dwarfsweep;
using test::contains;

namespace {

// `blocks` values about ln(ns), the same spread in every call.
std::vector<double> logs_about(double ns, int blocks, double spread = 0.01) {
  std::vector<double> logs;
  for (int i = 0; i < blocks; ++i) logs.push_back(std::log(ns) + spread * ((i * 7) % 5 - 2) / 2);
  return logs;
}

Change change_of(double ratio, int blocks, double threshold, double spread = 0.01) {
  const BlockLogs logs{logs_about(1000 * ratio, blocks, spread), logs_about(1000, blocks, spread)};
  return judge(*ratio_at(logs, 0.95), threshold);
}

SampleRow sample(std::int64_t block, double ns, bool fresh, const char* role = "variant") {
  SampleRow row;
  row.run_id = "run";
  row.kernel = "total";
  row.role = role;
  row.block = row.round = block;
  row.confirmation = fresh;
  row.ns = ns;
  return row;
}

std::vector<double> series(double correlation, std::size_t count, Random& random) {
  std::vector<double> values;
  double state = random.normal();
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(state);
    state = correlation * state + std::sqrt(1 - correlation * correlation) * random.normal();
  }
  return values;
}

double inflation_of(double correlation, std::size_t points, std::size_t blocks) {
  Random random(11);
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < points; ++i) all.push_back(series(correlation, blocks, random));
  std::vector<const std::vector<double>*> pointers;
  for (const auto& each : all) pointers.push_back(&each);
  return variance_inflation(pointers);
}

}  // namespace

TEST_CASE("slower is what the whole interval shows, beyond the threshold", "[unit][compare]") {
  CHECK(change_of(1 / 1.03, 20, 0) == Change::slower);
  CHECK(change_of(1 / 1.03, 20, 0.05) == Change::within_noise);
  CHECK(change_of(1 / 1.10, 20, 0.05) == Change::slower);
  CHECK(change_of(1 / 1.055, 20, 0.05) == Change::undecided);  // seems so, and its interval reaches below
  CHECK(change_of(1.10, 20, 0.05) == Change::faster);
  CHECK(change_of(1.03, 20, 0.05) == Change::within_noise);
  CHECK(change_of(1 / 1.001, 20, 0) == Change::within_noise);
  CHECK(change_of(1 / 1.5, 1, 0) == Change::undecided);  // a single block has no interval
}

TEST_CASE("with many points only what stands out of all of them counts", "[unit][compare]") {
  std::vector<BlockLogs> points(300, {logs_about(1000, 30, 0.02), logs_about(1000, 30, 0.02)});
  points[7].after = logs_about(1020, 30, 0.02);
  points[8].after = logs_about(1200, 30, 0.02);
  const Decision each = decide(points, 0, false);
  const Decision all = decide(points, 0, true);
  CHECK(each.confidence == 0.95);
  CHECK(all.confidence == Approx(1 - family_error / 299));  // one of 300 has changed
  CHECK(judge(each.ratios[7], 0) == Change::slower);
  CHECK(judge(all.ratios[7], 0) == Change::within_noise);
  CHECK(judge(all.ratios[8], 0) == Change::slower);
  CHECK(all.ratios[7].low < each.ratios[7].low);
}

TEST_CASE("correlation between blocks widens intervals", "[unit][compare]") {
  // For a median of a Gaussian series the sign correlation is 2/pi asin(r), and r_k = r^k.
  double expected = 1;
  for (int lag = 1; lag < 20; ++lag) expected += 2 * 2 / 3.14159265 * std::asin(std::pow(0.5, lag));
  CHECK(inflation_of(0.5, 200, 100) == Approx(expected).epsilon(0.1));
  CHECK(inflation_of(0, 200, 100) < 1.05);
  CHECK(inflation_of(0, 300, 6) < 1.15);  // many short series: the signs' own bias is taken out
  CHECK(inflation_of(0.5, 1, 10) == 1);   // too little data
  BlockLogs logs{logs_about(1000, 20), logs_about(1010, 20)};
  const Speedup narrow = *ratio_at(logs, 0.95);
  logs.inflation_before = logs.inflation_after = 4;
  const Speedup wide = *ratio_at(logs, 0.95);
  CHECK(std::log(wide.high / wide.ratio) == Approx(2 * std::log(narrow.high / narrow.ratio)));
}

TEST_CASE("blocks by which a best candidate was chosen do not count", "[unit][compare]") {
  const auto all = [](const SampleRow&) { return std::string("point"); };
  std::vector<SampleRow> samples;
  for (int block = 0; block < 5; ++block) samples.push_back(sample(block, 100, false));
  CHECK(blocks_of(samples, all).at("point").logs.size() == 5);
  for (int block = 5; block < 8; ++block) samples.push_back(sample(block, 120, true));
  const PointBlocks fresh = blocks_of(samples, all).at("point");
  REQUIRE(fresh.logs.size() == 3);
  CHECK(fresh.logs.front() == Approx(std::log(120)));
  CHECK(fresh.rounds.front() == 5);
  // A challenge of another point's is no re-measurement.
  samples.push_back(sample(8, 90, true, "incumbent"));
  samples.push_back(sample(8, 500, true));
  CHECK(blocks_of(samples, all).at("point").logs.size() == 3);
}

TEST_CASE("pairs of blocks cancel what both share", "[unit][compare]") {
  BlockLogs logs;
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const double drift = 0.3 * random.normal();
    logs.before.push_back(drift);
    logs.after.push_back(drift + 0.05 + 0.005 * random.normal());
  }
  CHECK(judge(*ratio_at(logs, 0.95), 0.02) != Change::slower);
  logs.paired = true;
  CHECK(judge(*ratio_at(logs, 0.95), 0.02) == Change::slower);
  CHECK(ratio_at(logs, 0.95)->ratio == Approx(std::exp(-0.05)).epsilon(0.01));
}

TEST_CASE("lists of known regressions", "[unit][compare]") {
  const AllowList list = parse_allow_list("known.txt",
                                          "# what is known\n\n"
                                          "2026-11-22  ^lud.*variant=blocked  bug 12, with spaces\r\n"
                                          "2026-11-21  ^lud  older\n",
                                          "2026-11-22");
  REQUIRE(list.entries.size() == 2);
  CHECK(list.entries[0].line == 3);
  CHECK(list.entries[0].reason == "bug 12, with spaces");
  CHECK_FALSE(list.has_expired(list.entries[0]));  // on its last day
  CHECK(list.has_expired(list.entries[1]));
  const auto both = list.matches("lud n=240 variant=blocked;unroll=1 on X");
  REQUIRE(both.size() == 2);
  CHECK(both.front() == &list.entries[0]);
  CHECK(list.matches("crc bytes=10 variant=blocked").empty());
  const auto parse = [](const char* text) { return parse_allow_list("known.txt", text, "2026-11-22"); };
  CHECK_THROWS_WITH(parse("\ntomorrow lud x"),
                    contains("known.txt, line 2") && contains("'tomorrow' is no date"));
  CHECK_THROWS_WITH(parse("2026-13-01 lud x"), contains("is no date"));
  CHECK_THROWS_WITH(parse("2026-12-01"), contains("regular expression"));
  CHECK_THROWS_WITH(parse("2026-12-01 lud"), contains("a reason must follow 'lud'"));
  CHECK_THROWS_WITH(parse("2026-12-01 lud( x"), contains("'lud(' is no regular expression"));
  CHECK_THROWS_AS(read_allow_list("/does/not/exist", ""), InputError);
  const test::ScratchDirectory scratch;
  CHECK_THROWS_WITH(read_allow_list(scratch.path().string(), ""), contains("neither a file nor a pipe"));
  CHECK_THROWS_WITH(read_allow_list("/dev/zero", ""), contains("neither a file nor a pipe"));
  const auto large = scratch.file("large", std::string((1 << 20) + 1, '#'));
  CHECK_THROWS_WITH(read_allow_list(large.string(), ""), contains("is larger than 1048576 bytes"));
}

TEST_CASE("patterns are those of ECMAScript, without what needs backtracking", "[unit][compare]") {
  const std::string name = "lud n=240 variant=tiled;work_group=16 on NVIDIA H200";
  const auto matches = [&](const std::string& pattern) { return PointPattern(pattern).matches(name); };
  for (const char* pattern : {"",
                              "lud",
                              "^lud.*variant=tiled",
                              "on\\sNVIDIA",
                              "H200$",
                              "n=\\d+ ",
                              "n=[0-9]{3}\\b",
                              "n=\\d{2,}\\s",
                              "n=\\d{1,2}0",
                              "(crc|lud) n",
                              "(?:crc|lud|) n",
                              "a.*?t",
                              "\\bH",
                              "[^a-z]H",
                              "[\\w-]+=tiled;",
                              "x?lud",
                              "(a*)*b*$",
                              "[ -~]{52}",
                              "variant=(tiled|blocked);",
                              "\\W240\\b",
                              "NVIDI(A|B) H2(0){2}$",
                              "()",
                              "\\S=2",
                              "l\\Bud"}) {
    INFO(pattern);
    CHECK(matches(pattern));
  }
  for (const char* pattern : {"^ud", "lud$", "n=\\d{4}", "variant=(blocked|streamed)", "[^ -~]",
                              "n=\\d{1,2} ", "a{0}q", "\\Blud", "tiled\\D\\d", "(x|y)+", "[]", "l.{60}"}) {
    INFO(pattern);
    CHECK_FALSE(matches(pattern));
  }
  for (const char* pattern :
       {"(",           ")",     "a)",    "[a", "*a",    "a**", "a{", "a{2,1}",  "a{x}",
        "(a)\\1",      "(?=a)", "(?!a)", "\\", "[z-a]", "\\q", "^*", "a{1001}", "(((a{20}){20}){20})",
        "[[:alpha:]]", "{1}"}) {
    INFO(pattern);
    CHECK_THROWS_WITH(PointPattern(pattern), contains("is no regular expression"));
  }
}

TEST_CASE("hostile patterns end soon", "[unit][compare]") {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  const std::string name = repeated("lud n=240 variant=tiled;work_group=16 on NVIDIA H200 ", 20);
  CHECK_THROWS_WITH(PointPattern(std::string(100'000, 'a')), contains("at most 1000"));
  CHECK_THROWS_WITH(PointPattern(std::string(20'000, '[')), contains("at most 1000"));
  CHECK_THROWS_WITH(PointPattern(std::string(20'000, '(')), contains("at most 1000"));
  CHECK_THROWS_WITH(PointPattern(std::string(900, '(')), contains("nested too deeply"));
  CHECK_FALSE(PointPattern("(.*)*(.*)*(.*)*X$").matches(name));
  CHECK_FALSE(PointPattern(repeated("(.*)*", 150) + "@").matches(name));
  CHECK_FALSE(PointPattern(repeated("(^|$|\\b)*", 90) + "@").matches(name));
  CHECK_FALSE(PointPattern("(((((x*)*)*)*)*|(.|.)*)*@").matches(name));
  CHECK_FALSE(PointPattern(repeated("(a?", 90) + repeated(")*", 90) + "@").matches(name));
  CHECK_FALSE(PointPattern("(){1000}(|){900}@").matches(name));
}

TEST_CASE("a slow drift over many runs is found, and noise is not", "[unit][compare]") {
  std::vector<double> drifting;
  std::vector<double> noise;
  Random random(5);
  for (int night = 0; night < 30; ++night) {
    drifting.push_back(0.005 * night + 0.01 * random.normal());
    noise.push_back(0.01 * random.normal());
  }
  const auto found = drift_of(drifting, 0.9999);
  REQUIRE(found);
  CHECK(found->interval.low > 1.05);
  CHECK(found->factor == Approx(std::exp(0.005 * 29)).epsilon(0.03));
  CHECK(drift_of(noise, 0.9999)->interval.low < 1);
  CHECK_FALSE(drift_of({1, 2, 3, 4, 5, 6}, 0.9999));                   // too few runs for that confidence
  CHECK(drift_of(std::vector<double>(30, 1.0), 0.9999)->factor == 1);  // all the same
}

TEST_CASE("histories keep each run once and order runs by time", "[unit][compare]") {
  const test::ScratchDirectory scratch;
  const auto folder = scratch.path() / "history";
  CompareRule rule;
  rule.threshold = 0.05;
  std::vector<PastRun> runs;
  for (int night = 29; night >= 0; --night) {
    const PastRun run{fmt::format("run{}", night),
                      fmt::format("2026-01-{:02}T00:00:00Z", night + 1),
                      {{"slow", 1000 * std::exp(0.005 * night)}, {"same", 500.0}}};
    runs = keep_in_history(folder, run);
    runs = keep_in_history(folder, run);
  }
  REQUIRE(runs.size() == 30);
  CHECK(runs.front().run_id == "run0");
  const std::vector<Drift> drifts = find_drifts(runs, rule);
  REQUIRE(drifts.size() == 1);
  CHECK(drifts[0].name == "slow");
  CHECK(drifts[0].runs == 30);
  CHECK(drifts[0].since == "2026-01-01T00:00:00Z");
  rule.filter = "same";
  CHECK(find_drifts(runs, rule).empty());
  rule.filter = "";
  rule.allowed = parse_allow_list("known", "2030-01-01 ^slow known", "2026-02-01");
  CHECK(find_drifts(runs, rule).at(0).allowed == "known");
  (void)scratch.file("history/history.jsonl", "no run\n");
  CHECK_THROWS_WITH(keep_in_history(folder, runs[0]), contains("line 1: is no run of a history"));
  (void)scratch.file("history/history.jsonl", R"({"run_id":"a","timestamp":"b","times":{"slow":0}})"
                                              "\n");
  CHECK_THROWS_WITH(keep_in_history(folder, runs[0]), contains("line 1: is no run of a history"));
}

TEST_CASE("words of the next command are quoted for a shell", "[unit][compare]") {
  CHECK(shell_quoted("n=240,m=3") == "n=240,m=3");
  CHECK(shell_quoted("Fast GPU") == "'Fast GPU'");
  CHECK(shell_quoted("a'b; rm -rf") == "'a'\\''b; rm -rf'");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("C++\n") == "'C++'");
  const Speedup seems{0.94, 0.90, 0.98, Verdict::slower};
  const std::size_t blocks = blocks_to_decide(seems, 0.05, 10, 0.95);
  CHECK(blocks > 10);
  CHECK(blocks <= 1000);
}
