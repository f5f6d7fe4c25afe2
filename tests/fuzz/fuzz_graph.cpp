// Fuzz target of read_graph: all three formats, and Matrix Market forced by the suffix.
#include "harness/formats/graph.hpp"

#include <algorithm>

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

namespace {

void check(const Graph& graph) {
  const std::int64_t nodes = graph.nodes();
  fuzz::require(nodes >= 1 && graph.offsets.front() == 0);
  fuzz::require(std::is_sorted(graph.offsets.begin(), graph.offsets.end()));
  fuzz::require(graph.offsets.back() == static_cast<std::int64_t>(graph.neighbours.size()));
  for (const std::int32_t neighbour : graph.neighbours) fuzz::require(neighbour >= 0 && neighbour < nodes);
  if (graph.source) fuzz::require(*graph.source >= 0 && *graph.source < nodes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::run(data, size, [](std::string_view bytes) { check(read_graph(bytes, "input.mtx")); });
  return fuzz::run(data, size, [](std::string_view bytes) { check(read_graph(bytes, "input")); });
}
