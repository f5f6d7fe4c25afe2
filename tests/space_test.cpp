#include "harness/space/space.hpp"

#include <limits>

#include "harness/program/macros.hpp"
#include "harness/space/text.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
using test::usage_error;

namespace {

Space example() {
  Space space;
  space.axis({"variant", "algorithm", {"plain", "fast"}, "plain"})
      .axis({"work_group", "items", {64, 128, 256}, 128})
      .axis({"memory", "where the table lives", {"global", "local"}, "global", {"fast"}})
      .default_setting("fast", {{"work_group", 64}, {"memory", "local"}})
      .constrain("the table must fit the group",
                 [](const Point& p) { return p.variant() == "plain" || p["work_group"] <= 128; })
      .group_items([](const Point& p) { return static_cast<std::uint64_t>(p["work_group"]); })
      .local_bytes([](const Point& p) { return p.config.string("memory") == "local" ? 4096U : 0U; });
  return space;
}

}  // namespace

TEST_CASE("a configuration keeps the order of the axes and changes with its variant", "[unit]") {
  const Space space = example();
  CHECK(space.baseline().to_string() == "variant=plain;work_group=128;memory=global");
  CHECK(space.set(space.baseline(), {{"variant", "fast"}}).to_string() ==
        "variant=fast;work_group=64;memory=local");
  CHECK(space.set(space.baseline(), {{"variant", "fast"}, {"work_group", 128}}).to_string() ==
        "variant=fast;work_group=128;memory=local");
}

TEST_CASE("a variant may have another default configuration on GPUs", "[unit]") {
  Space space = example();
  space.default_setting("fast", {{"work_group", 256}}, is_gpu);
  Capabilities gpu;
  gpu.is_gpu = true;
  CHECK(space.default_config("fast").to_string() == "variant=fast;work_group=64;memory=local");
  CHECK(space.default_config("fast", gpu).to_string() == "variant=fast;work_group=256;memory=local");
  CHECK(space.set(space.baseline(), {{"variant", "fast"}}, gpu).integer("work_group") == 256);
}

TEST_CASE("unknown axes and values are named together with what is allowed", "[unit]") {
  const Space space = example();
  CHECK(usage_error([&] {
          (void)space.set(space.baseline(), {{"colour", 1}});
        }) == "there is no axis 'colour'; there are variant, work_group, memory");
  CHECK(usage_error([&] {
          (void)space.set(space.baseline(), {{"work_group", 100}});
        }) == "axis 'work_group' has no value '100'; it takes 64, 128, 256");
  CHECK(usage_error([&] {
          (void)space.set(space.baseline(), {{"memory", "local"}});
        }) == "axis 'memory' has a meaning only in the variants fast, not in 'plain'");
}

TEST_CASE("a point is rejected with the reason in words", "[unit]") {
  const Space space = example();
  const Problem problem;
  Capabilities capabilities;
  capabilities.work_group_items = 128;
  capabilities.local_bytes = 1024;
  const auto why = [&](const ValueMap& settings) {
    const Config config = space.set(space.baseline(), settings);
    return space.why_rejected({config, problem, capabilities}).value_or("legal");
  };
  CHECK(why({}) == "legal");
  CHECK(why({{"work_group", 256}}) == "a work-group of 256 work-items is more than the device's 128");
  CHECK(why({{"variant", "fast"}}) == "4096 bytes of local memory are more than the device's 1024");
  CHECK(why({{"variant", "fast"}, {"work_group", 256}}) == "the table must fit the group");
}

TEST_CASE("words become numbered names, so that a misspelt name equals none of them", "[unit]") {
  const Space space = example();
  CHECK(Macros(space, space.baseline()).options() ==
        " -D VARIANT_PLAIN=1 -D VARIANT_FAST=2 -D VARIANT=VARIANT_PLAIN -D WORK_GROUP=128 -D MEMORY_GLOBAL=1 "
        "-D MEMORY_LOCAL=2 -D MEMORY=MEMORY_GLOBAL");
}

TEST_CASE("guards report macros that are missing or have a value outside their axis", "[unit]") {
  const Space space = example();
  Macros macros(space, space.baseline());
  macros.define("LEVELS", 3);
  CHECK(macros.options().find(" -D LEVELS=3") != std::string::npos);
  CHECK(macros.used_in("+MEMORY,LEVELS").guards ==
        "#if !defined(VARIANT) || (VARIANT != VARIANT_PLAIN && VARIANT != VARIANT_FAST)\n"
        "#error \"VARIANT must be VARIANT_PLAIN, VARIANT_FAST\"\n#endif\n"
        "#if !defined(WORK_GROUP) || (WORK_GROUP != 64 && WORK_GROUP != 128 && WORK_GROUP != 256)\n"
        "#error \"WORK_GROUP must be 64, 128, 256\"\n#endif\n"
        "#if !defined(MEMORY) || (MEMORY != MEMORY_GLOBAL && MEMORY != MEMORY_LOCAL)\n"
        "#error \"MEMORY must be MEMORY_GLOBAL, MEMORY_LOCAL\"\n#endif\n"
        "#if !defined(LEVELS)\n#error \"LEVELS must be defined\"\n#endif\n");
}

TEST_CASE("a program is built with the macros that its text mentions", "[unit]") {
  const Space space = example();
  const Macros macros = Macros(space, space.baseline()).define("LEVELS", 3);
  const auto options = [&](const char* text) { return macros.used_in(text).options; };
  const std::string shared =
      " -D VARIANT_PLAIN=1 -D VARIANT_FAST=2 -D VARIANT=VARIANT_PLAIN -D WORK_GROUP=128";
  CHECK(options("int x = MEMORY;") ==
        shared + " -D MEMORY_GLOBAL=1 -D MEMORY_LOCAL=2 -D MEMORY=MEMORY_GLOBAL");
  CHECK(options("// MEMORY\n/* LEVELS\n*/ MY_LEVELS LEVELS_ALL") == shared);
  CHECK(options("#if MINE == MEMORY_LOCAL") == shared + " -D MEMORY_GLOBAL=1 -D MEMORY_LOCAL=2");
  CHECK(options("/LEVELS/2//") == shared + " -D LEVELS=3");
}

TEST_CASE("a value is read back from its text", "[unit]") {
  for (const Value& value : {Value(0), Value(-7), Value(0.25), Value(1.0), Value(-3.0), Value(1e300),
                             Value(1e15), Value(std::int64_t{1} << 62U), Value("word"), Value("")}) {
    INFO(value.to_string());
    CHECK(Value::parse(value.to_string()) == value);
  }
  CHECK(Value(1.0) == Value(1));
  CHECK(Value(1) == Value(1.0));
  CHECK_FALSE(Value(1.5) == Value(1));
  CHECK_FALSE(Value(0x1p63) == Value(std::numeric_limits<std::int64_t>::max()));
  CHECK_FALSE(Value(0x1p53) == Value((std::int64_t{1} << 53U) + 1));
  CHECK_FALSE(Value("1") == Value(1));
  CHECK_FALSE(Value(1.0) == Value("1"));
}

// The values are from the authors' test suite (draft-eastlake-fnv).
TEST_CASE("FNV-1a gives the published hashes", "[unit]") {
  CHECK(fnv1a("") == 0xcbf29ce484222325U);
  CHECK(fnv1a("a") == 0xaf63dc4c8601ec8cU);
  CHECK(fnv1a("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("a hash continues from that of the preceding bytes", "[unit]") {
  CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
}
