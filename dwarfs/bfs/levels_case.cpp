#include "dwarfs/bfs/levels_case.hpp"
#include "dwarfs/bfs/bfs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "dwarfs/bfs/frontier_plan.hpp"
#include "dwarfs/bfs/input.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/error.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (setup.string("variant") == "topology") return topology_case(setup);
  const SearchMode mode = search_mode(setup.config, setup.device());
  if (!mode.pulls) return queue_case(setup);
  if (!mode.one_launch) return direction_by_launches(setup);
  return mode.merges_claims ? direction_by_phases(setup) : direction_by_barrier(setup);
}

PaddedLists padded_lists(const Adjacency& graph, const Config& config) {
  const std::int64_t multiple = config.integer("padding");
  PaddedLists lists;
  lists.offsets.reserve(static_cast<std::size_t>(graph.nodes()) + 1);
  std::uint64_t total = 0;
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    const std::int64_t degree = graph.degree(node);
    lists.offsets.push_back(total);
    total += static_cast<std::uint64_t>(multiple == 0 ? degree : round_up(degree, multiple));
  }
  lists.offsets.push_back(total);
  constexpr std::uint64_t most = std::numeric_limits<cl_uint>::max();
  if (config.integer("offset_bits") == 32 && total > most) {
    throw PointFailure(Status::rejected,
                       fmt::format("{} stored edges are more than offset_bits=32 can count ({}); "
                                   "offset_bits=64 can",
                                   total, most));
  }
  lists.neighbours.resize(total);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    const auto first = graph.neighbours.begin() + graph.offsets[node];
    const auto padding =
        std::copy(first, first + graph.degree(node),
                  lists.neighbours.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node]));
    std::fill(padding, lists.neighbours.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node + 1]),
              static_cast<cl_int>(node));
  }
  return lists;
}

OffsetBuffer allocate_offsets(Workspace& workspace, const std::string& name, std::size_t count,
                              std::int64_t offset_bits, Role role) {
  return workspace.allocate<cl_uint>(name, count * static_cast<std::size_t>(offset_bits / 32), role);
}

void upload_offsets(Workspace& workspace, std::span<const std::uint64_t> offsets, std::int64_t offset_bits,
                    const OffsetBuffer& to) {
  Staging<cl_uint> words(to.count);
  if (offset_bits == 32) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < offsets.size(); ++i) words[i] = static_cast<cl_uint>(offsets[i]);
  } else {
    std::memcpy(words.data(), offsets.data(), offsets.size_bytes());
  }
  workspace.upload(words, to);
}

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
