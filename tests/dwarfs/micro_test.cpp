// micro: every setting at odd sizes, and that it runs only when asked for by name.
#include <algorithm>

#include "dwarfs/micro/micro.hpp"
#include "dwarfs/registry.hpp"
#include "harness/run/launcher.hpp"
#include "suite/plan/plan.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

namespace dwarfsweep {
namespace {

using namespace test;

const Dwarf& dwarf() {
  return find_dwarf("micro");
}

}  // namespace

TEST_CASE("micro: every setting gives the results of the reference", "[device][micro][variants]") {
  // What a sweep runs: three kernels a point take long to compile, and every variant with every value too
  // long.
  const Loaded loaded = generated(dwarf(), {{"items", 333}, {"rounds", 3}});
  int ran = 0;
  for (const PlannedPoint& point :
       make_plan(dwarf(), loaded.problem, test_session().device().capabilities, {})) {
    if (point.rejected) continue;
    const Outcome outcome = run_point(dwarf(), loaded, point.config);
    INFO(point.config.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
    ++ran;
  }
  CHECK(ran > 20);
  const Outcome one_warp = run_point(dwarf(), {{"items", 70}, {"rounds", 3}},
                                     {{"variant", "divergence"}, {"divergent", 20}, {"work_group", 32}});
  INFO("groups of 32: " << one_warp.reason);
  CHECK(one_warp.status == Status::ok);
  const Loaded odd = generated(dwarf(), {{"items", 1}, {"rounds", 0}, {"bits", 17}});
  CHECK(run_point(dwarf(), odd, dwarf().space().baseline()).status == Status::ok);
}

TEST_CASE("micro: a chain of loads in each kind of memory", "[device][micro]") {
  const Loaded loaded = generated(dwarf(), {{"items", 70}, {"rounds", 1}});
  for (const Value& memory : dwarf().space().find("memory").values) {
    const Config config =
        dwarf().space().set(dwarf().space().baseline(), {{"variant", "latency"}, {"memory", memory}});
    if (dwarf().space().why_rejected({config, loaded.problem, test_session().device().capabilities})) {
      CHECK((memory.string() == "global" || memory.string() == "image"));
      continue;
    }
    const Outcome outcome = run_point(dwarf(), loaded, config);
    INFO(memory.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

TEST_CASE("micro: a chain visits all its slots before it returns", "[micro]") {
  for (const micro::Chain chain : {micro::Chain{}, micro::Chain{1U << 12U, 4}}) {
    const std::vector<std::uint32_t> words = chain.words();
    std::uint32_t at = 0;
    std::uint32_t steps = 0;
    do {
      at = words[at];
      ++steps;
    } while (at != 0);
    CHECK(steps == chain.slots);
    // The reference jumps; here is the walk.
    for (std::uint32_t step = 0; step < 3 * micro::Chain::loads_of_round; ++step) at = words[at];
    CHECK(micro::Reference({1, 3, 0}, {}).chased(chain) == at);
  }
}

TEST_CASE("micro: random points", "[device][micro][heavy]") {
  check_random_points(dwarf(), {{"items", 1501}, {"rounds", 2}, {"bits", 48}}, 4);
}

TEST_CASE("micro: the host's versions", "[micro]") {
  check_host(dwarf(), {{"items", 333}, {"rounds", 3}, {"bits", 56}});
  check_host(dwarf(), {{"items", 1}, {"rounds", 0}});
}

TEST_CASE("micro: the kernels' parameter table", "[micro]") {
  check_parameter_table(dwarf());
}

TEST_CASE("micro: results known by hand", "[device][micro]") {
  const Loaded loaded = generated(dwarf(), {{"items", 64}, {"rounds", 1}});
  const Dump dump = dumped(dwarf(), loaded, dwarf().space().baseline());
  CHECK(dump.words.size() == 4);
  const auto& seeds = dump.words.at("seeds");
  const auto& permuted = dump.words.at("permuted");
  // FIPS 46-3: bit 1 of the permuted block is bit 58 of the input, bit 64 is bit 7.
  CHECK(permuted[0] == seeds[57]);
  CHECK(permuted[1] == seeds[49]);
  CHECK(permuted[32] == seeds[56]);
  CHECK(permuted[63] == seeds[6]);
}

TEST_CASE("micro: a wrong word is seen, whichever kernel wrote it", "[device][micro]") {
  const Loaded right = generated(dwarf(), {{"items", 70}, {"rounds", 2}}, 1);
  const Space& space = dwarf().space();
  Workspace workspace(test_session());
  auto one = dwarf().prepare(workspace, right, space.baseline());
  Launcher launcher(test_session());
  one->upload();
  one->launch(launcher);
  launcher.finish();
  one->download();
  CHECK(one->check().ok);
  workspace.poison();
  one->download();
  CHECK_FALSE(one->check().ok);
  // The poison: 0x7fa5a5a5 or 0xffa5a5a5.
  CHECK(one->check().message.find("traversed[0] is 0x") == 0);
  CHECK(one->check().message.find("fa5a5a5, expected") != std::string::npos);
}

TEST_CASE("micro: runs only when asked for by name", "[micro]") {
  const auto& dwarfs = all_dwarfs();
  CHECK(std::find(dwarfs.begin(), dwarfs.end(), &dwarf()) == dwarfs.end());
  CHECK(std::find(built_in_dwarfs().begin(), built_in_dwarfs().end(), &dwarf()) != built_in_dwarfs().end());
}

}  // namespace dwarfsweep
