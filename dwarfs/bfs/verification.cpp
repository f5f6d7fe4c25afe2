#include "dwarfs/bfs/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "dwarfs/bfs/host.hpp"

namespace dwarfsweep::bfs {

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
  std::vector<bool> has_parent(levels.size(), false);
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    if ((levels[node] == 0) != (node == source)) {
      return fmt::format("node {} has level {}, and the source is {}", node, levels[node], source);
    }
    if (levels[node] == unreached) continue;
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const std::int32_t to = graph.neighbours[edge];
      if (levels[to] == unreached || levels[to] > levels[node] + 1) {
        return fmt::format("node {} of level {} leads to node {} of level {}", node, levels[node], to,
                           levels[to]);
      }
      if (levels[to] == levels[node] + 1) has_parent[to] = true;
    }
  }
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    if (node != source && levels[node] != unreached && !has_parent[node]) {
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
