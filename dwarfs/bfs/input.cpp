#include "dwarfs/bfs/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "dwarfs/bfs/bfs.hpp"
#include "harness/formats/graph.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep::bfs {

Adjacency transposed(const Adjacency& graph) {
  Adjacency result;
  result.offsets.assign(graph.offsets.size(), 0);
  for (const std::int32_t to : graph.neighbours) ++result.offsets[to + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.neighbours.resize(graph.neighbours.size());
  std::vector<std::int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      result.neighbours[next[graph.neighbours[edge]]++] = static_cast<std::int32_t>(node);
    }
  }
  return result;
}

GraphInput::GraphInput(Adjacency outgoing, std::int32_t source, bool symmetric)
    : outgoing_(std::move(outgoing)), source_(source), symmetric_(symmetric) {}

const Adjacency& GraphInput::incoming() const {
  if (symmetric_) return outgoing_;
  if (!incoming_) incoming_ = transposed(outgoing_);
  return *incoming_;
}

const Reference& GraphInput::reference() const {
  if (!reference_) reference_ = make_reference(outgoing_, source_);
  return *reference_;
}

void require_source(std::int64_t source, std::int64_t nodes) {
  if (source >= 0 && source < nodes) return;
  throw UsageError(fmt::format("bfs: the source {} is not a node: the graph has {} nodes, numbered from 0",
                               source, nodes));
}

Loaded load_graph(const ValueMap& request, const std::string& file) {
  for (const auto& [key, value] : request.entries()) {
    if (key != "source")
      throw UsageError(fmt::format("bfs: with an input file only 'source' can be set, not '{}'", key));
  }
  Graph graph = read_graph(std::filesystem::path(file));
  if (graph.nodes() < 1 || graph.nodes() > max_nodes) {
    throw InputError(file, "",
                     fmt::format("a graph of {} nodes; it must have 1 to {}", graph.nodes(), max_nodes));
  }
  std::int64_t source = graph.source.value_or(0);
  if (const Value* wanted = request.find("source")) {
    if (!wanted->is_integer())
      throw UsageError(fmt::format("bfs: the source '{}' is not an integer", wanted->to_string()));
    source = wanted->integer();
  }
  require_source(source, graph.nodes());
  Adjacency outgoing{std::move(graph.offsets), std::move(graph.neighbours)};
  const Problem problem{"file",
                        {{"nodes", outgoing.nodes()},
                         {"degree", outgoing.edges() / outgoing.nodes()},
                         {"graph", "file"},
                         {"source", source}}};
  constexpr bool symmetric = false;  // not known without comparing the lists of both directions
  return {problem,
          std::make_shared<GraphInput>(std::move(outgoing), static_cast<std::int32_t>(source), symmetric)};
}

Reference make_reference(const Adjacency& graph, std::int32_t source) {
  Reference reference;
  reference.levels = serial_levels(graph, source);
  if (const std::string broken = broken_rule(graph, source, reference.levels); !broken.empty()) {
    throw std::logic_error("bfs: the reference is no breadth-first search: " + broken);
  }
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    if (reference.levels[node] == unreached) continue;
    ++reference.reached_nodes;
    reference.reached_edges += graph.degree(node);
  }
  return reference;
}

std::string broken_rule(const Adjacency& graph, std::int32_t source, std::span<const std::int32_t> levels) {
  // Every thread may mark the same node, and all write the same value.
  std::vector<std::uint8_t> has_parent(levels.size(), 0);
  const auto breaks = [&](std::int64_t node) -> std::string {
    if ((levels[node] == 0) != (node == source))
      return fmt::format("node {} has level {}, and the source is {}", node, levels[node], source);
    if (levels[node] == unreached) return "";
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const std::int32_t to = graph.neighbours[edge];
      if (levels[to] == unreached || levels[to] > levels[node] + 1)
        return fmt::format("node {} of level {} leads to node {} of level {}", node, levels[node], to,
                           levels[to]);
      if (levels[to] == levels[node] + 1) std::atomic_ref(has_parent[to]).store(1, std::memory_order_relaxed);
    }
    return "";
  };
  const std::int64_t nodes = graph.nodes();
  std::int64_t first_bad = nodes;
#pragma omp parallel for reduction(min : first_bad) schedule(static)
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (!breaks(node).empty()) first_bad = std::min(first_bad, node);
  }
  if (first_bad < nodes) return breaks(first_bad);
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (node != source && levels[node] != unreached && has_parent[node] == 0) {
      return fmt::format("node {} has level {}, but no edge comes from level {}", node, levels[node],
                         levels[node] - 1);
    }
  }
  return "";
}

Check compare(const GraphInput& input, std::span<const std::int32_t> levels) {
  const std::vector<std::int32_t>& wanted = input.reference().levels;
  Check check;
  if (levels.size() != wanted.size()) {
    check.message = fmt::format("{} levels, wanted {}", levels.size(), wanted.size());
    return check;
  }
  const auto [got, want] = std::mismatch(levels.begin(), levels.end(), wanted.begin());
  check.ok = got == levels.end();
  if (!check.ok) {
    check.max_error = 1;
    check.message = fmt::format("level of node {}: got {}, wanted {}", got - levels.begin(), *got, *want);
  }
  return check;
}

}  // namespace dwarfsweep::bfs
