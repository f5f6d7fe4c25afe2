// staging: every setting over odd lengths, and that both variants sum up all data for each number of
// multiply-adds.
#include <numeric>

#include "dwarfs/registry.hpp"
#include "dwarfs/staging/staging.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("staging");
}

}  // namespace

TEST_CASE("staging: every axis varied from small groups", "[device][staging][variants]") {
  // The baseline's groups of 512 with their nine kernels would be most of an interpreter's time.
  const Loaded loaded = generated(dwarf(), {{"n", 517}, {"multiply_adds", 2}});
  const Space& space = dwarf().space();
  int ran = 0;
  for (const Value& variant : space.find("variant").values) {
    const ValueMap small{{"variant", variant}, {"work_group", 64}, {"groups", 1}};
    for (const Axis& axis : space.axes()) {
      if (axis.name == "variant" || !Space::applies(axis, variant.string())) continue;
      for (const Value& value : axis.values) {
        if (axis.name == "work_group" && value.integer() > 128) continue;
        const Config config = space.set(space.baseline(), small.with(axis.name, value));
        if (dwarf().space().why_rejected({config, loaded.problem, test_session().device().capabilities})) {
          CHECK((axis.name == "barrier" || axis.name == "element"));
          continue;
        }
        const Outcome outcome = run_point(dwarf(), loaded, config);
        INFO(config.to_string() << ": " << outcome.reason);
        CHECK(outcome.status == Status::ok);
        CHECK(outcome.check.tolerance == 0);
        ++ran;
      }
    }
  }
  CHECK(ran > 30);
}

TEST_CASE("staging: the baseline at one float", "[device][staging]") {
  CHECK(run_point(dwarf(), {{"n", 1}, {"multiply_adds", 1}}, {}).status == Status::ok);
}

TEST_CASE("staging: random points", "[device][staging][heavy]") {
  check_random_points(dwarf(), {{"n", 15'170}, {"multiply_adds", 40}}, 4);
}

TEST_CASE("staging: on the host", "[staging]") {
  check_host(dwarf(), {{"n", 1517}});
  check_host(dwarf(), {{"n", 1}, {"multiply_adds", 3}});
}

TEST_CASE("staging: the kernel's parameter table", "[staging]") {
  check_parameter_table(dwarf());
}

TEST_CASE("staging: together the sums are those of the data", "[device][staging]") {
  const Loaded loaded = generated(dwarf(), {{"n", 517}, {"multiply_adds", 16}});
  for (const char* variant : {"plain", "split"}) {
    const Dump dump = dumped(dwarf(), loaded,
                             dwarf().space().set(dwarf().space().baseline(),
                                                 {{"variant", variant}, {"work_group", 64}, {"groups", 1}}));
    const auto total = [&](const std::string& name) {
      const std::vector<float>& values = dump.floats.at(name);
      return std::accumulate(values.begin(), values.end(), 0.0);
    };
    CHECK(total("sums_1") == 2 * total("data"));
    CHECK(total("sums_2") == 3 * total("data"));
    CHECK(total("sums_16") == 17 * total("data"));
    CHECK(dump.floats.count("sums_32") == 0);
  }
}

TEST_CASE("staging: sums are exact while they fit a float, and bounded beyond", "[staging]") {
  CHECK(staging::expected_sum({12.5, 100, 200}, 256).tolerance == 0);
  const Expected rounded = staging::expected_sum({12.5, 10'000, 20'000}, 256);
  CHECK(rounded.value == 257 * 12.5);
  CHECK(rounded.tolerance > 0);
  CHECK(rounded.tolerance < 20'000 * 0x1p-23 * 257 * 10'000);
}
