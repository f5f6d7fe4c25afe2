// `compare --bisect` without a device: ladder files, the sequential test's error, and the search on synthetic
// ladders with the noise of the reference runs (noisy_runs.hpp).
#include "suite/compare/bisect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/space/error.hpp"
#include "suite/compare/ladder.hpp"
#include "tests/catch.hpp"
#include "tests/noisy_runs.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

using Outcome = PairEvidence::Outcome;

struct Planted {
  std::size_t rungs, rung, point;  // from `rung` on `point`...
  double log_slowdown = std::log(1.1);
  bool fails = false;  // ...or fails
};

constexpr std::size_t most_blocks = 1000;

// What a run of two rungs would give: each side has noise of its own, with tails, drift and correlation.
class SyntheticLadder {
 public:
  SyntheticLadder(const Planted& planted, std::size_t points, Random& random)
      : planted_(planted), scales_(drawn_scales({}, points, random)), random_(random) {}

  std::vector<PairEvidence> operator()(std::size_t before, std::size_t after,
                                       const std::vector<std::size_t>& points,
                                       const std::function<bool(const std::vector<double>&)>& enough) {
    std::vector<PairEvidence> all;
    for (const std::size_t point : points) {
      PairEvidence evidence;
      const bool changed = point == planted_.point && before < planted_.rung && after >= planted_.rung;
      if (changed && planted_.fails) {
        all.push_back({Outcome::fails_after, {}, "wrong_result: planted"});
        continue;
      }
      const std::vector<double> scale = {scales_[point]};
      const auto old_logs = noisy_run({}, scale, most_blocks, 1, random_).front();
      const auto new_logs = noisy_run({}, scale, most_blocks, 1, random_).front();
      for (std::size_t i = 0; i < most_blocks; ++i) {
        // Asked now and then, to spare time.
        if ((i < 40 || i % 10 == 0) && enough(evidence.logs)) break;
        evidence.logs.push_back(new_logs[i] - old_logs[i] + (changed ? planted_.log_slowdown : 0));
      }
      all.push_back(std::move(evidence));
    }
    return all;
  }

 private:
  Planted planted_;
  std::vector<double> scales_;
  Random& random_;
};

}  // namespace

TEST_CASE("ladders: a name and variables in each line", "[bisect]") {
  const auto ladder = parse_ladder("drivers.txt", "# drivers\n a.1 A=1 B=/x=y\n\nb-2\tA=2\n");
  REQUIRE(ladder.size() == 2);
  CHECK(ladder[0].name == "a.1");
  CHECK(ladder[0].environment == "A=1 B=/x=y");
  CHECK(ladder[1].environment == "A=2");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"a A=1\n", "at least two rungs"},
      {"", "at least two rungs"},
      {"a A=1\nb\n", "drivers.txt, line 2: the rung 'b' has no variable"},
      {"a A=1\nA=2\n", "drivers.txt, line 2: 'A=2' has no name before it"},
      {"a A=1\n\na A=2\n", "drivers.txt, line 3: line 1 has the name 'a' already"},
      {"a A=1 B C\nb A=2\n", "drivers.txt, line 1: 'B' has no '='"},
      {"a =1\nb A=2\n", "line 1: '' is no name of an environment variable"},
      {"a 1A=1\nb A=2\n", "line 1: '1A' is no name of an environment variable"},
      {"../a A=1\nb A=2\n", "line 1: the name '../a' must have letters"},
      {"a A=\x01\nb A=2\n", "line 1: the value of A has a control character"},
  };
  for (const auto& [text, message] : wrong) {
    try {
      (void)parse_ladder("drivers.txt", text);
      FAIL(text);
    } catch (const InputError& error) {
      CAPTURE(text, error.what());
      CHECK(std::string(error.what()).find(message) != std::string::npos);
    }
  }
  CHECK_THROWS_AS(read_ladder("/nonexistent"), InputError);
}

TEST_CASE("ladders: the part from good to bad, upwards or downwards", "[bisect]") {
  const auto ladder = parse_ladder("x", "a A=1\nb A=2\nc A=3\nd A=4\n");
  const auto names = [&](const std::string& good, const std::string& bad) {
    std::string all;
    for (const Rung& rung : part_of_ladder(ladder, good, bad)) all += rung.name;
    return all;
  };
  CHECK(names("", "") == "abcd");
  CHECK(names("b", "") == "bcd");
  CHECK(names("d", "b") == "dcb");
  CHECK_THROWS_AS(names("b", "b"), UsageError);
  CHECK_THROWS_AS(names("x", "b"), UsageError);
}

TEST_CASE("the sequential test decides after few values, and rarely wrongly", "[bisect]") {
  SideTest clear(0, 1.0 / 500);
  while (clear.side() == SideTest::Side::open) clear.add(1);
  CHECK(clear.side() == SideTest::Side::above);
  CHECK(clear.values() == 12);  // 2^13 / 13 > 500
  CHECK(clear.evidence() == Approx(std::log((std::pow(2, 13) - 1) / 13)));
  // Half of the values on either side: whatever is decided within 400 values is wrong. At most 5 % of 2,000
  // trials for each side, so 10 % for both; the standard deviation of the share is 0.7 %.
  Random random(1);
  int decided = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    SideTest test(0, 0.05);
    for (int i = 0; i < 400 && test.side() == SideTest::Side::open; ++i) test.add(random.normal());
    decided += test.side() != SideTest::Side::open ? 1 : 0;
  }
  CHECK(decided <= trials / 10 + 3 * 14);
  CHECK(decided > 0);
}

TEST_CASE("the right rung of synthetic ladders with a slowdown of 10 %", "[bisect]") {
  constexpr int ladders = 200;
  constexpr std::size_t points = 6;
  Random random(20780);
  int right = 0;
  std::vector<std::size_t> blocks;
  std::vector<std::size_t> steps;
  for (int number = 0; number < ladders; ++number) {
    const std::size_t rungs = 4 + random.below(37);
    const Planted planted{rungs, 1 + random.below(rungs - 1), random.below(points)};
    const Bisection found = bisect_ladder(rungs, points, 0.05, SyntheticLadder(planted, points, random));
    const bool is_right = found.found == PointChange::slower && found.point == planted.point &&
                          found.after == planted.rung && found.before + 1 == planted.rung &&
                          found.between.change == PointChange::slower;
    right += is_right ? 1 : 0;
    blocks.push_back(found.pairs_of_blocks);
    std::size_t in_search = found.between.evidence.logs.size();
    for (const SearchStep& step : found.steps) in_search += step.judged.evidence.logs.size();
    steps.push_back(in_search);
  }
  std::ranges::sort(blocks);
  std::ranges::sort(steps);
  WARN(fmt::format(
      "{} of {} ladders right; pairs of blocks: median {}, of these after the first pair of rungs {}; "
      "in 95 % of the ladders at most {} and {}",
      right, ladders, blocks[ladders / 2], steps[ladders / 2], blocks[ladders * 95 / 100],
      steps[ladders * 95 / 100]));
  CHECK(right >= 186);
}

TEST_CASE("unchanged ladders, failures, rungs that cannot be measured, changes in steps", "[bisect]") {
  constexpr std::size_t points = 6;
  Random random(3);
  int alarms = 0;
  for (int number = 0; number < 100; ++number) {
    const Bisection found = bisect_ladder(8, points, 0.05, SyntheticLadder({8, 8, points}, points, random));
    alarms += found.found == PointChange::slower ? 1 : 0;
  }
  CHECK(alarms <= 4);  // of 100 at a probability of 1 %: more than 4 in 4 of 1,000 such tests
  for (std::size_t rung = 1; rung < 8; ++rung) {
    const Bisection found =
        bisect_ladder(8, points, 0.05, SyntheticLadder({8, rung, 2, 0, true}, points, random));
    CHECK(found.found == PointChange::fails);
    CHECK(found.point == 2);
    CHECK(found.after == rung);
    CHECK(found.before + 1 == rung);
    CHECK(found.steps.size() <= 3);
  }
  // The rungs 3 to 5 do not start.
  SyntheticLadder ladder({9, 5, 1, std::log(2.0)}, points, random);
  const auto with_gaps = [&](std::size_t before, std::size_t after, const std::vector<std::size_t>& which,
                             const std::function<bool(const std::vector<double>&)>& enough) {
    if (after >= 3 && after <= 5)
      return std::vector<PairEvidence>(which.size(), {Outcome::incomparable, {}, "no device"});
    return ladder(before, after, which, enough);
  };
  const Bisection gap = bisect_ladder(9, points, 0.05, with_gaps);
  CHECK(gap.before == 2);
  CHECK(gap.after == 6);
  CHECK(gap.between.change == PointChange::slower);
  // Two changes: either is right.
  const auto in_steps = [](std::size_t before, std::size_t after, const std::vector<std::size_t>&,
                           const std::function<bool(const std::vector<double>&)>& enough) {
    const auto time = [](std::size_t rung) { return (rung >= 2 ? 0.2 : 0.0) + (rung >= 6 ? 0.21 : 0.0); };
    PairEvidence evidence;
    while (evidence.logs.size() < most_blocks && !enough(evidence.logs))
      evidence.logs.push_back(time(after) - time(before));
    return std::vector<PairEvidence>{evidence};
  };
  const Bisection two = bisect_ladder(9, 1, 0.05, in_steps);
  CHECK((two.after == 2 || two.after == 6));
  CHECK(two.before + 1 == two.after);
  CHECK(two.between.change == PointChange::slower);
}
