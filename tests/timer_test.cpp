#include "harness/run/self_test.hpp"

#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

// Five launches of `ns` each, as a correct driver reports them.
std::vector<TimerReading> valid(std::int64_t ns) {
  return std::vector<TimerReading>(
      5, TimerReading{1'000'000, 1'001'000, 1'010'000, 1'010'000 + ns, ns + 20'000});
}

}  // namespace

TEST_CASE("a valid timer is accepted", "[unit]") {
  CHECK(judge_timer(valid(200'000), valid(2'000'000), 1).empty());
}

TEST_CASE("an invalid timer is rejected with the reason", "[unit]") {
  const std::vector<TimerReading> counter(5, TimerReading{0, 1, 2, 3, 200'000});
  CHECK(judge_timer(counter, counter, 1) == "the four timestamps are small integers, not times");

  auto backwards = valid(200'000);
  std::swap(backwards[2].start_ns, backwards[2].end_ns);
  CHECK(judge_timer(backwards, valid(2'000'000), 1) == "END lies before START");

  const std::vector<TimerReading> nothing(5,
                                          TimerReading{1'000'000, 1'001'000, 1'010'000, 1'010'000, 200'000});
  CHECK(judge_timer(nothing, nothing, 1) == "the timer reports no time for a kernel that does work");

  auto endless = valid(200'000);
  endless[0].end_ns += 4'000'000'000'000'000'000;
  CHECK(judge_timer(endless, valid(2'000'000), 1).find("within 220000 ns of the host's time") !=
        std::string::npos);

  CHECK(judge_timer(valid(200'000), valid(210'000), 1) == "ten times the work took 1.05 times as long");
}

TEST_CASE("a tick is the step that the timer's stamps show", "[unit]") {
  constexpr std::int64_t stated = 1000;
  // The n-th launch of a timer that advances by `step`.
  const auto reading = [](std::int64_t n, std::int64_t step) {
    const std::int64_t start = 31'250 + 7 * n * n + n;
    return TimerReading{0, 0, start * step, (start + 2000 + 3 * n % 11) * step, 0};
  };
  for (const std::int64_t step : {1, 2, 32, 1000, 4096}) {
    std::vector<TimerReading> readings;
    for (int n = 0; n < 10; ++n) readings.push_back(reading(n, step));
    INFO(step);
    CHECK(timer_tick(readings, stated) == (step == 1 ? stated : step));
    readings.resize(7);
    CHECK(timer_tick(readings, stated) == stated);
  }
  CHECK(timer_tick(std::vector<TimerReading>(10, valid(200'000).front()), stated) == stated);
}

TEST_CASE("readings that a busy machine disturbed are taken again, but not for ever", "[unit]") {
  std::size_t taken = 0;
  // The first so many launches of the work took as long as ten times as much.
  const auto disturbed = [&taken](std::size_t count) {
    taken = 0;
    return [&taken, count](bool tenfold) {
      const bool is_long = tenfold || taken < 2 * count;
      ++taken;
      return valid(is_long ? 2'000'000 : 200'000).front();
    };
  };
  const TimerJudgement passed = judge_timer(disturbed(7), 1);
  CHECK(passed.reason.empty());
  CHECK(passed.scaling == 10);
  CHECK(taken == 20);
  const TimerJudgement refused = judge_timer(disturbed(100), 1);
  CHECK(refused.reason == "ten times the work took 1.00 times as long");
  CHECK(taken == 40);
  CHECK(judge_timer(disturbed(0), 1).reason.empty());
  CHECK(taken == 10);

  const auto backwards_once = [&taken](bool tenfold) {
    TimerReading reading = valid(tenfold ? 2'000'000 : 200'000).front();
    if (taken++ == 0) std::swap(reading.start_ns, reading.end_ns);
    return reading;
  };
  taken = 0;
  CHECK(judge_timer(backwards_once, 1).reason == "END lies before START");
}

namespace {

// Three commands in order, 10 us each and 2 us apart.
std::vector<EventTimes> ordered() {
  std::vector<EventTimes> commands;
  for (std::int64_t start = 1'000'000; commands.size() < 3; start += 12'000) {
    commands.push_back({900'000, 950'000, start, start + 10'000});
  }
  return commands;
}

}  // namespace

TEST_CASE("commands in order are accepted, and others are refused with the reason", "[unit]") {
  CHECK(judge_order(ordered(), 40'000, 1).empty());
  CHECK(judge_order({}, 40'000, 1).empty());

  auto overlapping = ordered();
  overlapping[1].start_ns -= 5'000;
  CHECK(judge_order(overlapping, 40'000, 1) ==
        "a command started 3000 ns before the one ahead of it in the queue had ended");
  CHECK(judge_order(overlapping, 40'000, 4'000).empty());

  auto own_clocks = ordered();  // each kernel counts from its own zero
  for (EventTimes& command : own_clocks) command = {1, 1, 1'000, 11'000};
  CHECK_FALSE(judge_order(own_clocks, 40'000, 1).empty());

  CHECK(judge_order(ordered(), 20'000, 1) ==
        "commands took 34000 ns from the first START to the last END, within 20000 ns of the host's time");
  auto backwards = ordered();
  std::swap(backwards[0].start_ns, backwards[0].end_ns);
  CHECK(judge_order(backwards, 40'000, 1) == "START 1010000 and END 1000000 of a command cannot be true");
}

TEST_CASE("the timer test finds the known properties of the test devices", "[device][timer]") {
  const TimerReport report = test_timer(test::test_session());
  INFO(report.reason);
  // rusticl on llvmpipe counts 0, 1, 2, 3; Oclgrind ticks once for a work-group. PoCL's timer is correct.
  const std::string& platform = test::test_session().device().platform;
  if (platform == "Portable Computing Language") {
    CHECK(report.timer == Timer::device);
    CHECK(report.spans);
  }
  if (platform == "rusticl") CHECK(report.timer == Timer::host);
  CHECK(report.launch_ns > 0);
  CHECK((report.timer == Timer::device) == report.reason.empty());
  CHECK(report.spans == (report.reason.empty() && report.span_reason.empty()));
}
