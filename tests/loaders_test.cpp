// Loaders that read ahead into registers, and named barriers, in all dwarfs that have work-items that only
// load.
#include <string>
#include <vector>

#include "dwarfs/registry.hpp"
#include "suite/plan/plan.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

namespace dwarfsweep {
namespace {

using namespace test;

struct Group {
  std::string dwarf;
  ValueMap problem;
  std::vector<ValueMap> settings;
};

// Odd lengths, one buffer and two, scalars and vectors, and loaders with several vectors each.
std::vector<Group> groups() {
  const ValueMap saxpy{{"variant", "staged"}, {"granularity", 4}, {"loaders", 32}, {"unroll", 1}};
  const ValueMap fft{{"variant", "staged"}, {"work_group", 32}, {"vector_width", 1}};
  const ValueMap stencil{{"work_group", 32}, {"rows", 4}, {"granularity", 1}};
  const ValueMap staging{{"variant", "split"}, {"work_group", 64}, {"loaders", 32}, {"groups", 1}};
  std::vector<Group> all = {
      {"saxpy",
       {{"n", 5003}},
       {saxpy.with("work_group", 64).with("vector_width", 1).with("buffering", "single"),
        saxpy.with("work_group", 128).with("vector_width", 4).with("buffering", "double"),
        saxpy.with("work_group", 64).with("vector_width", 2).with("buffering", "double").with("padding", 1)}},
      {"staging",
       {{"n", 1517}, {"multiply_adds", 2}},
       {staging.with("buffering", "single"), staging.with("buffering", "double").with("granularity", 4)}},
      {"fft_1d",
       {{"n", 512}, {"batch", 3}},
       {fft.with("granularity", 8).with("unroll", 2), fft.with("granularity", 32).with("unroll", 4),
        fft.with("granularity", 16).with("vector_width", 2).with("layout", "columns").with("unroll", 1)}},
      {"stencil_3d", {{"nx", 45}, {"ny", 27}, {"nz", 14}}, {}},
      {"sgemv", {{"m", 70}, {"n", 533}}, {}}};
  for (const char* variant :
       {"halo_only_single", "halo_only_double", "halo_only_manual", "block_halo_single"}) {
    for (const int width : {1, 4})
      all[3].settings.push_back(stencil.with("variant", variant).with("vector_width", width));
  }
  for (const char* variant :
       {"vec_single", "vec_double", "vec_manual", "both_single", "both_double", "both_manual"}) {
    for (const int width : {1, 4})
      all[4].settings.push_back({{"variant", variant},
                                 {"loader", "split"},
                                 {"work_group", 64},
                                 {"tile", 128},
                                 {"vector_width", width}});
  }
  // A staged matrix of 64 rows and 128 terms takes more local memory than some devices have.
  for (ValueMap& setting : all[4].settings) {
    if (setting.string("variant").starts_with("both_")) setting = setting.with("tile", 32);
  }
  return all;
}

}  // namespace

TEST_CASE("loaders: results with values held in registers, and with named barriers",
          "[device][loaders][axes]") {
  const Capabilities& device = test_session().device().capabilities;
  for (const Group& each : groups()) {
    const Dwarf& dwarf = find_dwarf(each.dwarf);
    const Loaded loaded = generated(dwarf, each.problem);
    for (const ValueMap& setting : each.settings) {
      for (const char* barrier : {"group", "named"}) {
        for (const int prefetch : {0, 1}) {
          const Config config = dwarf.space().set(
              dwarf.space().baseline(), setting.with("barrier", barrier).with("prefetch", prefetch));
          const auto rejected = dwarf.space().why_rejected({config, loaded.problem, device});
          INFO(each.dwarf << " " << config.to_string());
          if (barrier == std::string("named") && !device.inline_ptx) {
            REQUIRE(rejected.has_value());
            CHECK(rejected->find("barrier=named requires a device whose compiler accepts PTX") !=
                  std::string::npos);
            continue;
          }
          if (rejected && rejected->find("local memory") != std::string::npos) continue;
          CHECK(rejected.value_or("").empty());
          const Outcome outcome = run_point(dwarf, loaded, config);
          INFO(outcome.reason);
          CHECK(outcome.status == Status::ok);
        }
      }
    }
  }
}

}  // namespace dwarfsweep
