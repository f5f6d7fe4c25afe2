// matmul: every variant and axis over odd shapes, on devices and on the host; planted errors.
#include "dwarfs/matmul/matmul.hpp"
#include "dwarfs/registry.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/made_up_devices.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("matmul");
}

ValueMap shape(int m, int n, int k) {
  return {{"m", m}, {"n", n}, {"k", k}};
}

// A work-item alone that reads packed panels in place, as CPUs want it, made small; and a group that stages,
// as GPUs want it.
const ValueMap alone = {{"variant", "blocked"},
                        {"work_group", 1},
                        {"memory", "global"},
                        {"packing", "both"},
                        {"tile_k", 8},
                        {"vector_width", 4},
                        {"buffering", "none"},
                        {"lanes", 0},
                        {"unroll", 1},
                        {"granularity", 2},
                        {"tile_x", 4},
                        {"tile_y", 4},
                        {"band", 1},
                        {"padding", 0}};
const ValueMap staged = {{"variant", "blocked"},
                         {"work_group", 8},
                         {"memory", "local"},
                         {"packing", "both"},
                         {"tile_k", 8},
                         {"vector_width", 4},
                         {"buffering", "none"},
                         {"lanes", 0},
                         {"unroll", 1},
                         {"granularity", 1},
                         {"tile_x", 4},
                         {"tile_y", 4},
                         {"band", 1},
                         {"padding", 0}};
const ValueMap thin = {{"variant", "thin"}, {"work_group", 8}, {"unroll", 1}, {"tile_y", 2}};
const ValueMap tiled = {{"variant", "tiled"}, {"work_group", 8}, {"unroll", 1}};

Capabilities made_up_gpu() {
  Capabilities gpu;
  gpu.is_gpu = gpu.inline_ptx = gpu.local_is_dedicated = true;
  gpu.work_group_items = 1024;
  gpu.local_bytes = 48 << 10;
  gpu.compute_units = 132;
  return gpu;
}

ValueMap changed(ValueMap settings, const ValueMap& difference) {
  for (const auto& [name, value] : difference.entries()) settings = settings.with(name, value);
  return settings;
}

// Each setting on each problem must be right.
void check_settings(const std::vector<ValueMap>& all, const std::vector<ValueMap>& problems) {
  for (const ValueMap& problem : problems) {
    const Loaded loaded = generated(dwarf(), problem);
    for (const ValueMap& settings : all) {
      const Outcome outcome =
          run_point(dwarf(), loaded, dwarf().space().set(dwarf().space().baseline(), settings));
      INFO(problem.to_string() << " " << settings.to_string() << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
      CHECK(outcome.check.tolerance == 0);  // generated sums are exact
    }
  }
}

}  // namespace

TEST_CASE("matmul: the papers' variants with each of their axes", "[device][matmul][variants]") {
  check_settings({{},
                  {{"work_group", 12}, {"unroll", 2}},
                  changed(tiled, {{"granularity", 2}, {"unroll", 8}}),
                  changed(tiled, {{"granularity", 4}, {"buffering", "prefetch"}}),
                  changed(tiled, {{"work_group", 4}, {"spill", 1}, {"unroll", 2}}),
                  changed(tiled, {{"work_group", 12}, {"buffering", "prefetch"}, {"spill", 1}})},
                 {shape(21, 19, 13), shape(1, 30, 3)});
}

TEST_CASE("matmul: register tiles with every way to pack, stage, buffer and split",
          "[device][matmul][variants]") {
  check_settings({changed(alone, {{"splits", 2}, {"band", 2}, {"tile_y", 6}}),
                  changed(alone, {{"work_group", 8}, {"lanes", 4}, {"vector_width", 2}}),
                  changed(staged, {{"packing", "a"}, {"buffering", "double"}, {"lanes", 8}, {"band", 2}}),
                  changed(staged, {{"packing", "none"},
                                   {"buffering", "prefetch"},
                                   {"padding", 4},
                                   {"granularity", 2},
                                   {"splits", 2}}),
                  changed(staged, {{"packing", "b"}}),
                  changed(alone, {{"packing", "b"}, {"tile_y", 6}, {"splits", 2}, {"band", 16}}),
                  changed(alone, {{"packing", "none"}, {"tile_x", 8}}),
                  changed(alone, {{"packing", "a"}, {"vector_width", 2}}),
                  changed(alone, {{"packing", "none"}, {"work_group", 8}, {"granularity", 1}})},
                 {shape(39, 37, 27), shape(1, 40, 3)});
}

TEST_CASE("matmul: few rows and few columns, read in place", "[device][matmul][variants]") {
  check_settings({thin, changed(thin, {{"tile_x", 1}, {"tile_y", 1}, {"unroll", 2}}),
                  changed(thin, {{"work_group", 16}, {"tile_x", 8}, {"tile_y", 6}, {"splits", 4}}),
                  changed(thin, {{"vector_width", 2}, {"tile_x", 2}, {"tile_y", 12}, {"splits", 1}})},
                 {shape(1, 1, 1700), shape(5, 300, 700), shape(300, 5, 700), shape(301, 1, 90),
                  shape(1, 517, 3), shape(1, 90, 4000)});
}

TEST_CASE("matmul: few rows and few columns, shares added by the last group", "[device][matmul][variants]") {
  const ValueMap finishing = changed(thin, {{"finish", "group"}});
  if (!test_session().device().capabilities.orders_groups()) {
    CHECK(run_point(dwarf(), shape(5, 300, 700), finishing).status == Status::rejected);
    return;
  }
  check_settings({finishing, changed(finishing, {{"tile_x", 1}, {"tile_y", 1}, {"splits", 16}}),
                  changed(finishing, {{"vector_width", 2}, {"tile_x", 2}, {"tile_y", 12}, {"splits", 2}}),
                  changed(finishing, {{"work_group", 16}, {"vector_width", 4}, {"splits", 4}})},
                 {shape(1, 1, 1700), shape(5, 300, 700), shape(300, 5, 700), shape(1, 90, 4000)});
  CHECK(status_with("other = slice; other <", "other = slice; other + 1 <", dwarf(), shape(5, 300, 700),
                    changed(finishing, {{"splits", 4}})) == Status::wrong_result);
  CHECK(status_with("== groups;", "== groups + 1;", dwarf(), shape(5, 300, 700),
                    changed(finishing, {{"splits", 4}})) == Status::wrong_result);
}

TEST_CASE("matmul: groups that divide the terms of all tiles evenly, few and many for the tiles",
          "[device][matmul][variants]") {
  const ValueMap one = changed(staged, {{"resident", 1}});
  if (!test_session().device().capabilities.orders_groups()) {
    CHECK(run_point(dwarf(), shape(39, 37, 27), one).status == Status::rejected);
    return;
  }
  check_settings({one, changed(staged, {{"resident", 2}, {"packing", "none"}, {"buffering", "double"}}),
                  changed(staged, {{"resident", 4}, {"packing", "a"}, {"tile_k", 16}, {"band", 2}})},
                 {shape(39, 37, 27), shape(33, 100, 700), shape(1, 40, 3)});
}

TEST_CASE("matmul: defaults on shapes that are long, thin, or whole tiles", "[device][matmul][heavy]") {
  check_settings(
      {{}, {{"variant", "tiled"}}, {{"variant", "blocked"}}},
      {shape(1, 1, 1), shape(1, 1, 1700), shape(300, 1, 5), shape(2, 300, 17), shape(128, 128, 64)});
}

TEST_CASE("matmul: random points", "[device][matmul][heavy]") {
  check_random_points(dwarf(), shape(33, 70, 29), 4);
}

TEST_CASE("matmul: every axis varied from each variant's default", "[device][matmul][heavy][long]") {
  check_one_at_a_time(dwarf(), shape(133, 70, 290));
}

TEST_CASE("matmul: the full space, at tiny and at an odd size", "[device][matmul][heavy][long]") {
  check_full_space(dwarf(), shape(133, 70, 290), 100);
}

TEST_CASE("matmul: on the host", "[matmul]") {
  for (const ValueMap& problem : {shape(1, 1, 1), shape(33, 57, 300), shape(1, 70, 3), shape(17, 16, 512)}) {
    check_host(dwarf(), problem);
  }
}

TEST_CASE("matmul: the default of a CPU fits its vector registers, and its vectors are as wide as they are",
          "[unit][matmul]") {
  for (const DeviceInfo& device : made_up_cpus()) {
    const Capabilities& cpu = device.capabilities;
    const matmul::BlockedShape tile(dwarf().space().default_config("blocked", cpu));
    CAPTURE(device.name, tile.tile_x, tile.tile_y);
    CHECK(tile.alone());
    CHECK(tile.vector_width == register_lanes(cpu));
    // Sums, a row of B, an element of A; and enough sums for two units whose additions take four cycles.
    const std::int64_t row = tile.tile_x / tile.vector_width;
    const std::int64_t registers =
        register_lanes(cpu) == 16 ? 32 : 16;  // of AVX-512, and of all others at least
    CHECK(tile.tile_y * row + row + 1 <= registers);
    CHECK(tile.tile_y * row >= 8);
  }
}

TEST_CASE("matmul: the first choice of a CPU by shape and cores", "[unit][matmul]") {
  Capabilities cpu = made_up_cpus().back().capabilities;  // vectors of 16
  const auto choice = [&](std::uint32_t cores, const ValueMap& problem) {
    cpu.compute_units = cores;
    return matmul::first_choice(make_problem("matmul", dwarf().info().keys, {"custom", problem}), cpu)
        .to_string();
  };
  CHECK(choice(2, shape(2048, 2048, 2048)) == "variant=blocked;granularity=32");
  CHECK(choice(16, shape(1024, 1024, 1024)) == "variant=blocked;granularity=8");
  CHECK(choice(1, shape(40, 1024, 1024)) == "variant=blocked;packing=none;granularity=8");
  CHECK(choice(2, shape(317, 154, 218)) == "variant=blocked;tile_x=32;tile_y=8;packing=none;granularity=8");
  CHECK(choice(64, shape(9, 32, 100)) == "variant=blocked;tile_x=32;tile_y=8;packing=none;granularity=1");
  cpu.float_lanes = 8;
  CHECK(choice(2, shape(317, 154, 218)) == "variant=blocked;packing=none;granularity=16");
}

TEST_CASE("matmul: the first choice of a GPU: whole tiles where every unit has as many", "[unit][matmul]") {
  const Capabilities gpu = made_up_gpu();
  const auto divides = [&](const ValueMap& problem) {
    const ValueMap choice =
        matmul::first_choice(make_problem("matmul", dwarf().info().keys, {"custom", problem}), gpu);
    return dwarf().space().set(dwarf().space().baseline(), choice, gpu).integer("resident") > 0;
  };
  CHECK_FALSE(divides(shape(2048, 2048, 2048)));  // 128 tiles
  CHECK_FALSE(divides(shape(8192, 8192, 8192)));
  CHECK(divides(shape(2200, 2048, 2048)));  // 144 tiles
  CHECK(divides(shape(1024, 1024, 1024)));
  CHECK(divides(shape(3000, 100, 3000)));
  CHECK(divides(shape(111, 32442, 596)));  // 127 tiles, but what is packed is used only once
}

TEST_CASE("matmul: the first choice of a GPU for few rows or columns covers them", "[unit][matmul]") {
  const Capabilities gpu = made_up_gpu();
  const auto choice = [&](const ValueMap& problem) {
    return matmul::first_choice(make_problem("matmul", dwarf().info().keys, {"custom", problem}), gpu)
        .to_string();
  };
  CHECK(choice(shape(1, 50000, 5000)) == "variant=thin;finish=group;tile_x=4;tile_y=1");
  CHECK(choice(shape(11, 387391, 10)) ==
        "variant=thin;finish=group;tile_x=4;tile_y=12;work_group=8;unroll=1");
  CHECK(choice(shape(206, 2314, 48)) == "variant=thin;unroll=1;splits=1");
  CHECK(choice(shape(32, 5000, 900)).find("tile_x=16;tile_y=4") != std::string::npos);
  CHECK(choice(shape(635, 1, 4906)) == "variant=thin;finish=group;tile_x=1;tile_y=4;work_group=16;unroll=1");
  CHECK(choice(shape(391, 17, 9202)) == "variant=thin;finish=group;tile_x=4;tile_y=16;unroll=2");
  CHECK(choice(shape(100000, 5, 300)) == "variant=thin;finish=group;tile_x=8;tile_y=8;work_group=8;unroll=1");
  CHECK(choice(shape(3000, 12, 3000)) == "variant=thin;finish=group;tile_x=4;tile_y=8;work_group=8;unroll=1");
  CHECK(choice(shape(33, 5000, 900)).find("blocked") != std::string::npos);
}

TEST_CASE("matmul: the first choice of a GPU for short sums, and for few results", "[unit][matmul]") {
  const Capabilities gpu = made_up_gpu();
  const auto choice = [&](const ValueMap& problem) {
    return matmul::first_choice(make_problem("matmul", dwarf().info().keys, {"custom", problem}), gpu);
  };
  const auto granularity_of_short_sums = [&](const ValueMap& problem) -> std::int64_t {
    const ValueMap found = choice(problem);
    const Value* const height = found.find("tile_y");
    return found.string("variant") == "blocked" && height && height->integer() == 4
               ? found.integer("granularity")
               : 0;
  };
  CHECK(granularity_of_short_sums(shape(15998, 109, 2)) == 1);
  CHECK(granularity_of_short_sums(shape(2000, 1000, 64)) == 1);
  CHECK(granularity_of_short_sums(shape(20000, 20000, 10)) == 2);  // no cache holds the results
  CHECK(granularity_of_short_sums(shape(8000, 8000, 30)) == 0);
  CHECK(granularity_of_short_sums(shape(300, 300, 60)) == 0);  // too few groups
  CHECK(choice(shape(54, 63, 5108)).string("variant") == "thin");
  CHECK(choice(shape(500, 500, 200)).string("variant") == "thin");
  CHECK(choice(shape(1000, 100, 600)).string("variant") == "blocked");  // tall
  CHECK(choice(shape(600, 600, 300)).string("variant") == "blocked");
}

TEST_CASE("matmul: the kernel's parameter table", "[matmul]") {
  check_parameter_table(dwarf());
}

TEST_CASE("matmul: planted errors are caught", "[device][matmul]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, dwarf(), shape(33, 57, 41), settings);
  };
  const ValueMap prefetching = changed(tiled, {{"buffering", "prefetch"}});
  CHECK(status("begin + TILE < terms", "begin + TILE < terms", prefetching) ==
        Status::ok);  // nothing changed
  CHECK(status("begin + TILE < terms", "begin + 2 * TILE < terms", prefetching) == Status::wrong_result);
  CHECK(status("i < terms", "i < terms - 1", {}) == Status::wrong_result);
  CHECK(status("k < count", "k < count - 1", alone) == Status::wrong_result);
  CHECK(status("other < shares", "other < shares - 1", changed(alone, {{"splits", 2}})) ==
        Status::wrong_result);
}
