// Building programs with a cache on a device, and what is read from their logs and options.
#include "harness/program/program.hpp"

#include <filesystem>

#include "dwarfs/registry.hpp"
#include "harness/space/text.hpp"
#include "suite/plan/plan.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

namespace fs = std::filesystem;

const ProgramText one_kernel{"one", "kernel void one(global int* p) { p[0] = N; }", "-D N=7"};

// What the kernel writes.
int result_of(const Program& program) {
  Session& session = test::test_session();
  const cl::Buffer buffer(session.context(), CL_MEM_READ_WRITE, sizeof(int));
  cl::Kernel kernel(program.program, "one");
  kernel.setArg(0, buffer);
  session.queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
  int result = 0;
  session.queue().enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof result, &result);
  return result;
}

ProgramBuilder builder_for(const DeviceInfo& info, const fs::path& folder) {
  Session& session = test::test_session();
  return {info, session.context().getInfo<CL_CONTEXT_DEVICES>().front(), session.context(),
          ProgramCache(folder)};
}

}  // namespace

TEST_CASE("a program that was built before brings the log and the time of that build", "[device]") {
  const test::ScratchDirectory folder;
  const DeviceInfo& info = test::test_session().device();
  const ProgramBuilder builder = builder_for(info, folder.path());
  const ProgramCache cache(folder.path());
  const ProgramKey key(one_kernel, info);
  const auto first = builder.build(one_kernel);
  CHECK(result_of(*first) == 7);
  const auto stored = cache.find(key);
  REQUIRE(stored);
  CHECK(stored->build_ns == first->build_ns);
  CHECK(stored->log == first->log);
  // The entry is what counts: it may be changed.
  cache.store(key, {42, "a log of ours", stored->binary});
  const auto second = builder.build(one_kernel);
  CHECK(second->build_ns == 42);
  CHECK(second->log == "a log of ours");
  CHECK(result_of(*second) == 7);
  // A damaged entry is made again.
  fs::resize_file(cache.file_of(key), 40);
  CHECK(builder.build(one_kernel)->build_ns != 42);
  CHECK(cache.find(key));
}

TEST_CASE("a kept binary is loaded, and where the driver refuses it the source is built", "[device]") {
  const test::ScratchDirectory folder;
  DeviceInfo info = test::test_session().device();
  if (info.checks_bounds) {
    CHECK_FALSE(keeps_binaries(info));
    return;
  }
  info.platform = "another";
  REQUIRE(keeps_binaries(info));
  const ProgramBuilder builder = builder_for(info, folder.path());
  const ProgramCache cache(folder.path());
  const ProgramKey key(one_kernel, info);
  CHECK(result_of(*builder.build(one_kernel)) == 7);
  const auto stored = cache.find(key);
  REQUIRE(stored);
  REQUIRE_FALSE(stored->binary.empty());
  CHECK(result_of(*builder.build(one_kernel)) == 7);
  // That it is the binary which is loaded: that of another program does what the other does.
  const ProgramText other{"one", one_kernel.text, "-D N=8"};
  cache.store(ProgramKey(other, info), *stored);
  CHECK(result_of(*builder.build(other)) == 7);
  // rusticl (22.3) ends the process over bytes that it does not know; its binaries are not kept.
  if (lower(test::test_session().device().platform).find("rusticl") != std::string::npos) return;
  cache.store(key, {42, "", "no binary of any driver"});
  CHECK(result_of(*builder.build(one_kernel)) == 7);
}

TEST_CASE("a session that only lists programs names those that its points are built from",
          "[device][builds][axes]") {
  Session& session = test::test_session();
  SessionOptions options;
  options.dry_run = true;
  Session lister(session.device(), options);
  std::size_t points = 0;
  for (const Dwarf* dwarf : all_dwarfs()) {
    const Loaded loaded = test::generated(*dwarf, dwarf->info().checks.odd_problems.front());
    PlanRequest plan;
    std::size_t of_this_dwarf = 0;
    for (const PlannedPoint& point : make_plan(*dwarf, loaded.problem, session.device().capabilities, plan)) {
      if (point.rejected || ++of_this_dwarf % 12 != 1) continue;
      Workspace listing(lister);
      Workspace building(session);
      lister.forget_listed();
      std::vector<std::string> listed;
      std::vector<std::string> built;
      try {
        const auto built_case = dwarf->prepare(building, loaded, point.config);
        for (const auto& program : building.programs()) built.push_back(program_id(program->text));
      } catch (const PointFailure&) {
        continue;  // not legal on this device: the worker will say so
      }
      const auto listed_case = dwarf->prepare(listing, loaded, point.config);
      for (const ProgramText& text : lister.listed()) listed.push_back(program_id(text));
      INFO(dwarf->info().name << " " << point.config.to_string());
      CHECK(listed == built);
      ++points;
    }
  }
  CHECK(points > 20);
}

TEST_CASE("the registers and spills of a kernel are those of its part of NVIDIA's log") {
  const std::string log =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'one' for 'sm_90'\n"
      "ptxas info    : Function properties for one\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, 368 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"
      "ptxas info    : Function properties for other\n"
      "ptxas         .     64 bytes stack frame, 48 bytes spill stores, 40 bytes spill loads\n"
      "ptxas info    : Used 255 registers, 400 bytes cmem[0]\n";
  CHECK(read_nvidia_log(log, "one").registers == 24);
  CHECK(read_nvidia_log(log, "one").spill_bytes == 0);
  CHECK(read_nvidia_log(log, "other").registers == 255);
  CHECK(read_nvidia_log(log, "other").spill_bytes == 48);
  CHECK(read_nvidia_log(log, "on").registers == 0);
  CHECK(tells_registers(log));
  CHECK_FALSE(tells_registers("\n"));
}

namespace {

using Features = std::vector<std::string>;

Features features_of(const std::vector<std::string>& options) {
  std::vector<std::shared_ptr<const Program>> programs;
  for (const std::string& each : options)
    programs.push_back(std::make_shared<Program>(Program{{"file", "text", each}, {}, "", 0, 0}));
  return device_features_used(programs);
}

}  // namespace

TEST_CASE("the features of a device that programs use are named, each once", "[unit]") {
  const std::string ordered = "-cl-std=CL3.0 -D HAS_INLINE_PTX=0 -D HAS_ORDERED_ATOMICS=1 -D GROUPS_WAIT=1";
  CHECK(features_of({ordered, ordered}) == Features{"groups wait by ordered atomics"});
  const std::string ptx = "-D HAS_INLINE_PTX=1 -D HAS_ORDERED_ATOMICS=0 -D GROUPS_WAIT=1 -D UNROLL=4";
  CHECK(features_of({ptx + " -D SHUFFLE=2 -D SUB_GROUP=32"}) ==
        Features{"groups wait by PTX", "32 lanes shuffle by PTX"});
  const std::string separate = "-D HAS_INLINE_PTX=0 -D HAS_ORDERED_ATOMICS=0 -D GROUPS_WAIT=0";
  CHECK(features_of({separate}).empty());
  CHECK(features_of({separate + " -D SHUFFLE=1 -D SUB_GROUP=64"}) ==
        Features{"lanes shuffle in sub-groups of 64"});
  CHECK(features_of({separate + " -D SHUFFLE=0"}) == Features{"lanes pass values through local memory"});
  CHECK(features_of({"-D NO_SHUFFLE=1"}).empty());
  CHECK(features_of({}).empty());
}
