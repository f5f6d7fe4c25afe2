// Graphs for bfs, as adjacency lists in compressed rows.
//
// The format is recognised from the file:
//   Matrix Market  the banner %%MatrixMarket, or the suffix .mtx
//   edge list      the first line that is no comment (# or %) has two or three tokens
//   classic        anything else: its first line is the number of nodes, alone
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct Graph {
  std::vector<std::int64_t> offsets;  // nodes + 1; node v's neighbours stand at [offsets[v], offsets[v + 1])
  std::vector<std::int32_t> neighbours;  // edges; in the file's order within a node, repetitions kept
  std::optional<std::int32_t> source;    // only the classic format names one

  std::int64_t nodes() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

/// classic: tokens N; N x (start, degree); source; E; E x (destination, weight). The degrees must sum to E;
/// the weights must be numbers and are dropped.
///
/// Matrix Market: coordinate, square, 1-based; pattern, real or integer (values dropped). Entry (i, j) is an
/// edge from i to j; in a symmetric file also one from j to i, off the diagonal.
///
/// edge list: lines "from to [weight]", 0-based, directed as listed; the largest number decides how many
/// nodes.
///
/// Matrix Market and edge lists can name more nodes than they have edges. As memory grows with the nodes,
/// those are limited to the larger of 2^20 and the file's size in bytes. Throws InputError.
Graph read_graph(const std::filesystem::path& file);
Graph read_graph(std::string_view bytes, const std::string& name);

}  // namespace dwarfsweep
