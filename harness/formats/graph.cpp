#include "harness/formats/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"

namespace dwarfsweep {
namespace {

constexpr std::int64_t max_nodes = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t max_edges = std::numeric_limits<std::int64_t>::max() / 2;

struct Edge {
  std::int32_t from;
  std::int32_t to;
};

/// Counting sort by the edges' first node; stable, so that neighbours keep the file's order.
Graph compress(std::int64_t nodes, const std::vector<Edge>& edges) {
  Graph graph;
  graph.offsets.assign(static_cast<std::size_t>(nodes) + 1, 0);
  graph.neighbours.resize(edges.size());
  for (const Edge& edge : edges) ++graph.offsets[edge.from + 1];
  for (std::int64_t node = 0; node < nodes; ++node) graph.offsets[node + 1] += graph.offsets[node];
  std::vector<std::int64_t> next_slot(graph.offsets.begin(), graph.offsets.end() - 1);
  for (const Edge& edge : edges) graph.neighbours[next_slot[edge.from]++] = edge.to;
  return graph;
}

void require_node_memory(const TokenReader& tokens, std::int64_t nodes, std::size_t file_bytes) {
  const std::int64_t limit = std::max<std::int64_t>(1 << 20, static_cast<std::int64_t>(file_bytes));
  if (nodes > limit) {
    tokens.fail(
        fmt::format("{} nodes are more than the {} allowed in a file of {} bytes", nodes, limit, file_bytes));
  }
}

/// The node lines of the classic format: where each node's edges start, and how many there are.
struct ClassicNodes {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> offsets;  // running sum of the degrees
};

ClassicNodes read_classic_nodes(TokenReader& tokens, std::int64_t nodes) {
  ClassicNodes result;
  result.starts.reserve(nodes);
  result.offsets.reserve(nodes + 1);
  result.offsets.push_back(0);
  for (std::int64_t node = 0; node < nodes; ++node) {
    result.starts.push_back(tokens.integer("the start of a node's edges", 0, max_edges));
    result.offsets.push_back(result.offsets.back() + tokens.integer("the degree of a node", 0, max_nodes));
  }
  return result;
}

std::vector<std::int32_t> read_classic_edges(TokenReader& tokens, std::int64_t edges, std::int64_t nodes) {
  std::vector<std::int32_t> destinations;
  destinations.reserve(edges);
  for (std::int64_t edge = 0; edge < edges; ++edge) {
    destinations.push_back(static_cast<std::int32_t>(tokens.integer("an edge's destination", 0, nodes - 1)));
    tokens.number("an edge's weight");
  }
  return destinations;
}

/// The starts may be in any order in the file; in the graph they are ascending. `node_lines` is positioned
/// before the first node line, to find the line of a wrong start.
std::vector<std::int32_t> in_node_order(const ClassicNodes& listed,
                                        const std::vector<std::int32_t>& destinations,
                                        TokenReader node_lines) {
  const auto edges = static_cast<std::int64_t>(destinations.size());
  std::vector<std::int32_t> neighbours;
  neighbours.reserve(edges);
  for (std::size_t node = 0; node < listed.starts.size(); ++node) {
    const std::int64_t start = listed.starts[node];
    const std::int64_t degree = listed.offsets[node + 1] - listed.offsets[node];
    if (start > edges - degree) {
      for (std::size_t word = 0; word <= 2 * node; ++word) node_lines.next();
      node_lines.fail(fmt::format("node {} starts at edge {} and has {}, but there are {} edges in all", node,
                                  start, degree, edges));
    }
    const auto first = destinations.begin() + start;
    neighbours.insert(neighbours.end(), first, first + degree);
  }
  return neighbours;
}

Graph read_classic(TokenReader tokens) {
  const std::int64_t nodes = tokens.integer("the number of nodes", 1, max_nodes);
  tokens.require_room(nodes, 2, "nodes");
  const TokenReader node_lines = tokens;
  ClassicNodes listed = read_classic_nodes(tokens, nodes);

  Graph graph;
  graph.source = static_cast<std::int32_t>(tokens.integer("the source node", 0, nodes - 1));
  const std::int64_t edges = tokens.integer("the number of edges", 0, max_edges);
  if (edges != listed.offsets.back()) {
    tokens.fail_expecting(fmt::format("{} edges, the sum of the degrees", listed.offsets.back()));
  }
  tokens.require_room(edges, 2, "edges");
  const std::vector<std::int32_t> destinations = read_classic_edges(tokens, edges, nodes);
  tokens.expect_end("the last edge");

  graph.neighbours = in_node_order(listed, destinations, node_lines);
  graph.offsets = std::move(listed.offsets);
  return graph;
}

Graph read_market_graph(TokenReader tokens, std::size_t file_bytes) {
  const MarketHeader header =
      read_market_header(tokens, {{"coordinate"}, {"pattern", "real", "integer"}, {"general", "symmetric"}});
  const bool weighted = header.field != "pattern";
  const std::int64_t nodes = tokens.integer("the number of rows", 1, max_nodes);
  require_node_memory(tokens, nodes, file_bytes);
  if (tokens.integer("the number of columns", 1, max_nodes) != nodes) {
    tokens.fail_expecting(fmt::format("{} columns, as many as rows", nodes));
  }
  const std::int64_t entries = tokens.integer("the number of entries", 0, max_edges);
  tokens.require_room(entries, weighted ? 3 : 2, "entries");

  std::vector<Edge> edges;
  edges.reserve(header.mirrors() ? 2 * entries : entries);
  for (std::int64_t entry = 0; entry < entries; ++entry) {
    const auto row = static_cast<std::int32_t>(tokens.integer("an entry's row", 1, nodes) - 1);
    const auto column = static_cast<std::int32_t>(tokens.integer("an entry's column", 1, nodes) - 1);
    if (weighted) tokens.number("an entry's value");
    edges.push_back({row, column});
    if (header.mirrors() && row != column) edges.push_back({column, row});
  }
  tokens.expect_end("the last entry");
  return compress(nodes, edges);
}

Graph read_edge_list(TokenReader tokens, std::size_t file_bytes) {
  std::vector<Edge> edges;
  std::int64_t largest = -1;
  while (tokens.next()) {
    const std::int64_t from = tokens.as_integer("an edge's first node", 0, max_nodes - 1);
    require_node_memory(tokens, from + 1, file_bytes);
    tokens.next_in_line();
    const std::int64_t to = tokens.as_integer("an edge's second node", 0, max_nodes - 1);
    require_node_memory(tokens, to + 1, file_bytes);
    if (tokens.next_in_line()) tokens.as_number("an edge's weight");
    if (tokens.next_in_line()) tokens.fail_expecting("the end of the line after an edge");
    largest = std::max({largest, from, to});
    edges.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)});
  }
  return compress(largest + 1, edges);
}

int words_in_first_line(TokenReader tokens) {
  int words = tokens.next() ? 1 : 0;
  while (words > 0 && words < 4 && tokens.next_in_line()) ++words;
  return words;
}

}  // namespace

Graph read_graph(std::string_view bytes, const std::string& name) {
  const TokenReader tokens(bytes, name);
  if (is_matrix_market(bytes, name)) return read_market_graph(tokens, bytes.size());
  TokenReader commented = tokens;
  commented.comments_start_with("#%");
  const int words = words_in_first_line(commented);
  return words == 2 || words == 3 ? read_edge_list(commented, bytes.size()) : read_classic(tokens);
}

Graph read_graph(const std::filesystem::path& file) {
  return read_graph(read_text(file), file.string());
}

}  // namespace dwarfsweep
