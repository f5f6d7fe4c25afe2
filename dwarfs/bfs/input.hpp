// Graphs for bfs: adjacency lists in compressed rows, each edge stored under the node it leaves. The
// generator stores every edge both ways, so that a list holds the in-edges as well; a graph from a file may
// be directed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::bfs {

constexpr std::int32_t unreached = -1;  ///< the level of a node that no path from the source leads to
constexpr std::int64_t max_nodes = std::int64_t{1}
                                   << 30;  ///< kernels number nodes by int, rounded up to a work-group

struct Adjacency {
  std::vector<std::int64_t> offsets;  ///< nodes + 1; node v's neighbours are at [offsets[v], offsets[v + 1])
  std::vector<std::int32_t> neighbours;

  [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  [[nodiscard]] std::int64_t edges() const { return static_cast<std::int64_t>(neighbours.size()); }
  [[nodiscard]] std::int64_t degree(std::int64_t node) const { return offsets[node + 1] - offsets[node]; }
};

/// The same nodes with every edge reversed.
Adjacency transposed(const Adjacency& graph);

/// Known-good levels, and the size of what they cover.
struct Reference {
  std::vector<std::int32_t> levels;
  std::int64_t reached_nodes = 0;
  std::int64_t reached_edges = 0;  ///< stored edges that leave reached nodes
};

class GraphInput final : public Input {
 public:
  /// `symmetric`: every edge is stored both ways, so that out-edges and in-edges are the same lists.
  GraphInput(Adjacency outgoing, std::int32_t source, bool symmetric);

  [[nodiscard]] const Adjacency& outgoing() const { return outgoing_; }
  /// In-edges; where the graph is not symmetric, made at the first call.
  [[nodiscard]] const Adjacency& incoming() const;
  [[nodiscard]] bool symmetric() const { return symmetric_; }
  [[nodiscard]] std::int32_t source() const { return source_; }
  /// Computed, and proven, at the first call.
  [[nodiscard]] const Reference& reference() const;

 private:
  Adjacency outgoing_;
  std::int32_t source_;
  bool symmetric_;
  mutable std::optional<Adjacency> incoming_;
  mutable std::optional<Reference> reference_;
};

/// Problem keys nodes, degree, graph and source; the same graph for the same seed on any number of threads.
/// Throws UsageError for a source that is no node, and for more than 2^33 stored edges.
///
/// uniform: each node draws k endpoints, k uniformly from [degree / 3, degree - degree / 3] (2 to 4 where
/// degree is 6, as in the classic generator), and each edge is stored both ways: `degree` stored edges per
/// node on average.
///
/// kronecker: `degree` edges per node, each stored both ways, drawn by the recursive matrix of the Graph500
/// specification (A 0.57, B 0.19, C 0.19); pairs beyond a number of nodes that is no power of two are drawn
/// again, and the nodes are renamed at random. Node 0 is an endpoint of the first edge, so that the default
/// source reaches other nodes: most nodes of such a graph have no edge at all.
///
/// Neither removes self loops or parallel edges.
Adjacency generate_graph(const Problem& problem, std::uint64_t seed);

/// Throws UsageError where there is no such node.
void require_source(std::int64_t source, std::int64_t nodes);

/// Reads a graph in one of the formats of harness/formats/graph.hpp. `request` may set `source`; nodes and
/// degree follow from the file. Throws UsageError and InputError.
Loaded load_graph(const ValueMap& request, const std::string& file);

// Whether levels are those of a breadth-first search.
//
// A result must equal the reference, node by node. The reference comes from the serial search of host.cpp,
// and is used only after broken_rule, which shares no code with any search, has proven it: by the second rule
// no level is larger than the distance from the source, and by the third a chain of nodes leads back to the
// source, one level at a time, so that none is smaller.

/// What levels must satisfy to be those of a breadth-first search, whatever computed them: the source and
/// nothing else has level 0; an edge from a reached node leads to a node at most one level further; a reached
/// node other than the source has an in-edge from the level before. Returns an empty string where all hold;
/// else the rule and the nodes that break it.
std::string broken_rule(const Adjacency& graph, std::int32_t source, std::span<const std::int32_t> levels);

/// Throws std::logic_error where the serial search breaks a rule.
Reference make_reference(const Adjacency& graph, std::int32_t source);

/// Equality with the input's reference.
Check compare(const GraphInput& input, std::span<const std::int32_t> levels);

}  // namespace dwarfsweep::bfs
