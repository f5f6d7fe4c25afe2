// A failing trial is followed to the smallest that fails, and the command that repeats it names what matters.
#include "tests/property/shrink.hpp"

#include "dwarfs/registry.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::property;

namespace {

constexpr auto without_end = [] { return true; };

Capabilities some_cpu() {
  Capabilities device;
  device.work_group_items = 4096;
  device.local_bytes = 1 << 20;
  return device;
}

Trial trial_of(const std::string& name, const ValueMap& problem, const ValueMap& settings) {
  const Dwarf& dwarf = find_dwarf(name);
  const Problem made = make_problem(name, dwarf.info().keys, {"custom", problem});
  return {&dwarf, made.values, dwarf.space().set(dwarf.space().baseline(), settings, some_cpu()), 77};
}

Outcome wrong_where(bool condition) {
  return condition ? Outcome{Status::wrong_result, "planted"} : Outcome{};
}

}  // namespace

TEST_CASE("shrinking finds the smallest problem and the settings that a failure needs", "[unit]") {
  const Trial failing =
      trial_of("hotspot", {{"rows", 4001}, {"cols", 77}, {"steps", 30}},
               {{"variant", "streaming"}, {"granularity", 512}, {"depth", 8}, {"prefetch", 4}});
  const auto run = [](const Trial& trial) {
    return wrong_where(trial.problem.integer("rows") > 130 && trial.problem.integer("steps") >= 3 &&
                       trial.config.integer("prefetch") > 1);
  };
  const Shrunk smallest = shrink(failing, run(failing), some_cpu(), run, without_end);
  CHECK(smallest.trial.problem.to_string() == "rows=131;cols=1;steps=3");
  CHECK(command_of(smallest.trial, "pocl", some_cpu()) ==
        "dwarfsweep run --dwarf hotspot --device pocl --problem rows=131,cols=1,steps=3 --set "
        "variant=streaming,prefetch=2 --seed 1");
}

TEST_CASE("shrinking keeps problems that fit, and what a failure needs of strings and real numbers",
          "[unit]") {
  const Trial failing =
      trial_of("sgemv", {{"m", 300}, {"n", 200}, {"lda", 263}, {"alpha", -2.5}, {"beta", 0.5}},
               {{"work_group", 64}, {"padding", 16}});
  const auto run = [](const Trial& trial) {
    CHECK(is_legal(trial, some_cpu()));
    const std::int64_t lda = trial.problem.integer("lda");
    CHECK((lda == 0 || lda >= trial.problem.integer("n")));
    return wrong_where(lda > trial.problem.integer("n") && trial.problem.real("beta") != 0);
  };
  const Shrunk smallest = shrink(failing, run(failing), some_cpu(), run, without_end);
  CHECK(smallest.trial.problem.to_string() == "m=1;n=1;lda=2;alpha=1;beta=0.5;transposed=0");
  CHECK(smallest.trial.config == find_dwarf("sgemv").space().baseline());
}

TEST_CASE("shrinking ends on request, with the smallest failure so far", "[unit]") {
  const Trial failing = trial_of("crc", {{"bytes", 5000}}, {});
  int runs = 0;
  const auto run = [&](const Trial&) {
    ++runs;
    return wrong_where(true);
  };
  const Shrunk smallest =
      shrink(failing, {Status::crashed, "as found"}, some_cpu(), run, [&] { return runs < 1; });
  CHECK(runs == 1);
  CHECK(smallest.trial.problem.integer("bytes") == 0);
}

TEST_CASE("what a device declines, and what takes too long, is no failure", "[unit]") {
  for (const Status status :
       {Status::ok, Status::rejected, Status::unsupported, Status::timed_out, Status::out_of_memory})
    CHECK_FALSE(Outcome{status, ""}.is_failure());
  for (const Status status :
       {Status::build_failed, Status::launch_failed, Status::wrong_result, Status::crashed})
    CHECK(Outcome{status, ""}.is_failure());
}
