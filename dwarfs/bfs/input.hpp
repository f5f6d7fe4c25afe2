// Graphs for bfs, and breadth-first search on the host: the reference, its proof, and the CPU versions.
//
// A graph is stored as adjacency lists in compressed rows, each edge under the node it leaves. Both
// generators store every edge both ways, so that a list holds the edges that come in as well; a graph from a
// file may be directed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::bfs {

constexpr std::int32_t unreached = -1;

struct Adjacency {
  std::vector<std::int64_t>
      offsets;  ///< nodes + 1; node v's neighbours stand at [offsets[v], offsets[v + 1])
  std::vector<std::int32_t> neighbours;

  [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  [[nodiscard]] std::int64_t edges() const { return static_cast<std::int64_t>(neighbours.size()); }
  [[nodiscard]] std::int64_t degree(std::int64_t node) const { return offsets[node + 1] - offsets[node]; }
};

/// The same nodes with every edge turned round.
Adjacency transposed(const Adjacency& graph);

struct Reference {
  std::vector<std::int32_t> levels;
  std::int64_t reached_nodes = 0;
  std::int64_t reached_edges = 0;  ///< stored edges that leave reached nodes
};

class GraphInput final : public Input {
 public:
  /// `symmetric`: every edge is stored both ways, so that edges out and edges in are the same lists.
  GraphInput(Adjacency outgoing, std::int32_t source, bool symmetric);

  [[nodiscard]] const Adjacency& outgoing() const { return outgoing_; }
  /// Made at the first call where the graph is not symmetric.
  [[nodiscard]] const Adjacency& incoming() const;
  [[nodiscard]] bool symmetric() const { return symmetric_; }
  [[nodiscard]] std::int32_t source() const { return source_; }
  /// Computed at the first call, and held to the rules of breadth-first search (see broken_rule) there and
  /// then.
  [[nodiscard]] const Reference& reference() const;

 private:
  Adjacency outgoing_;
  std::int32_t source_;
  bool symmetric_;
  mutable std::optional<Adjacency> incoming_;
  mutable std::optional<Reference> reference_;
};

/// Problem keys nodes, degree, graph and source; the same graph for the same seed on any number of threads.
/// Throws UsageError for a source that is no node, and for more edges than the host should be asked to hold.
///
/// uniform: each node draws k ends, k evenly from [degree / 3, degree - degree / 3] (2 to 4 where degree is
/// 6, as in the classic generator), and each edge is stored both ways: `degree` stored edges per node on
/// average.
///
/// kronecker: `degree` edges per node, each stored both ways, drawn by the recursive matrix of the Graph500
/// specification (A 0.57, B 0.19, C 0.19); pairs beyond a number of nodes that is no power of two are drawn
/// again, and the nodes are renamed at random. Node 0 is an end of the first edge, so that the preset source
/// leads somewhere: most nodes of such a graph have no edge at all.
///
/// Neither removes self loops or parallel edges.
Adjacency generate_graph(const Problem& problem, std::uint64_t seed);

/// Throws UsageError where there is no such node.
void require_source(std::int64_t source, std::int64_t nodes);

/// One thread, a queue: each node is settled when it is first seen.
std::vector<std::int32_t> serial_levels(const Adjacency& graph, std::int32_t source);

/// Level by level on `threads` threads. A frontier that has many edges is answered from the other side: each
/// node not yet reached looks for a reached one among the nodes that lead to it (Beamer, Asanovic and
/// Patterson, "Direction-optimizing breadth-first search", SC12).
void parallel_levels(const GraphInput& input, int threads, std::vector<std::int32_t>& levels);

/// What levels must obey to be those of a breadth-first search, whatever computed them: the source and
/// nothing else has level 0; an edge from a reached node leads to a node at most one level further; a reached
/// node has an edge in from one level before. Empty where all hold; else the rule and the nodes.
std::string broken_rule(const Adjacency& graph, std::int32_t source, std::span<const std::int32_t> levels);

/// Equality with the reference, node by node.
Check compare(const GraphInput& input, std::span<const std::int32_t> levels);

}  // namespace dwarfsweep::bfs
