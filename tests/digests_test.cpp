// Digests of a point's arrays: inputs are hashed once for all points with the same data.
#include "dwarfs/registry.hpp"
#include "suite/worker/dump_sinks.hpp"
#include "suite/worker/server.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

// Of a point whose input and result hold these words.
PointDigests digests_of(std::int32_t input, std::int32_t result, std::map<std::string, ArrayDigest>& known) {
  CheckData checks;
  checks.results = {"result"};
  DigestSink sink(checks, 1, known);
  sink.array("input", std::span<const std::int32_t>(&input, 1), {1});
  sink.array("result", std::span<const std::int32_t>(&result, 1), {1});
  return sink.digests();
}

PointRequest tiny(const std::string& dwarf) {
  const DwarfInfo& info = find_dwarf(dwarf).info();
  PointRequest request;
  request.dwarf = dwarf;
  request.problem = make_problem(dwarf, info.keys, info.sizes.front());
  return request;
}

}  // namespace

TEST_CASE("inputs are hashed once, results of each point") {
  std::map<std::string, ArrayDigest> known;
  const PointDigests first = digests_of(1, 2, known);
  const PointDigests second = digests_of(3, 4, known);
  CHECK(second.inputs.at("input") == first.inputs.at("input"));
  CHECK(second.results.at("result").sha256 != first.results.at("result").sha256);
  CHECK(known.size() == 1);
}

TEST_CASE("digests of inputs are forgotten with the data") {
  PreparedPoints points;
  (void)points.data(tiny("lud"));
  points.input_digests()["matrix"];
  (void)points.data(tiny("lud"));
  CHECK(points.input_digests().size() == 1);
  (void)points.data(tiny("sgemv"));  // has a matrix as well
  CHECK(points.input_digests().empty());
}
