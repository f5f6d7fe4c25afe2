#include "dwarfs/bfs/levels_case.hpp"

#include "dwarfs/bfs/verification.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

LevelsCase::LevelsCase(const Setup& setup)
    : workspace_(setup.workspace),
      input_(setup.input<GraphInput>()),
      offset_bits_(setup.integer("offset_bits")),
      levels_(workspace_.allocate<cl_int>("levels", static_cast<std::size_t>(nodes()), Role::output)) {}

Check LevelsCase::check() const {
  return compare(*input_, result_);
}

std::vector<Work> LevelsCase::work() const {
  const auto nodes = static_cast<double>(input_->reference().reached_nodes);
  const auto edges = static_cast<double>(input_->reference().reached_edges);
  const auto search_bytes = [&](double offset_bytes) { return 4 * edges + (2 * offset_bytes + 4) * nodes; };
  return {{"expand", search_bytes(static_cast<double>(offset_bits_) / 8), edges, edges},
          {"update", 3 * nodes, 0, 0},
          {"total", search_bytes(4), edges, edges}};
}

void LevelsCase::dump(DumpSink& sink) const {
  const Adjacency& graph = input_->outgoing();
  const std::vector<std::int32_t> source{input_->source()};
  sink.array("offsets", std::span<const std::int64_t>(graph.offsets), {graph.offsets.size()});
  sink.array("neighbours", std::span<const std::int32_t>(graph.neighbours), {graph.neighbours.size()});
  sink.array("source", std::span<const std::int32_t>(source), {1});
  sink.array("levels", std::span<const std::int32_t>(result_), {result_.size()});
}

void LevelsCase::reset_levels() {
  workspace_.fill<cl_int>(levels_, unreached);
  set_element<cl_int>(levels_, input_->source(), 0);
}

}  // namespace dwarfsweep::bfs
