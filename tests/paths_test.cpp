// What a device's capabilities decided is told by the options of a point's programs.
#include "harness/program/program.hpp"

#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

using Paths = std::vector<std::string>;

Paths paths_of(const std::vector<std::string>& options) {
  std::vector<std::shared_ptr<const Program>> programs;
  for (const std::string& each : options)
    programs.push_back(std::make_shared<Program>(Program{{"file", "text", each}, {}, "", 0, 0}));
  return device_features_used(programs);
}

}  // namespace

TEST_CASE("the paths that capabilities decided are named, each once", "[unit]") {
  const std::string ordered = "-cl-std=CL3.0 -D HAS_INLINE_PTX=0 -D HAS_ORDERED_ATOMICS=1 -D GROUPS_WAIT=1";
  CHECK(paths_of({ordered, ordered}) == Paths{"groups wait by ordered atomics"});
  const std::string ptx = "-D HAS_INLINE_PTX=1 -D HAS_ORDERED_ATOMICS=0 -D GROUPS_WAIT=1 -D UNROLL=4";
  CHECK(paths_of({ptx + " -D SHUFFLE=2 -D SUB_GROUP=32"}) ==
        Paths{"groups wait by PTX", "32 lanes shuffle by PTX"});
  const std::string separate = "-D HAS_INLINE_PTX=0 -D HAS_ORDERED_ATOMICS=0 -D GROUPS_WAIT=0";
  CHECK(paths_of({separate}).empty());
  CHECK(paths_of({separate + " -D SHUFFLE=1 -D SUB_GROUP=64"}) == Paths{"lanes shuffle in sub-groups of 64"});
  CHECK(paths_of({separate + " -D SHUFFLE=0"}) == Paths{"lanes pass values through local memory"});
  CHECK(paths_of({"-D NO_SHUFFLE=1"}).empty());
  CHECK(paths_of({}).empty());
}
