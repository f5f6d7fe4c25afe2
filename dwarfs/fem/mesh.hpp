// Meshes of tetrahedra for fem: generated or from files, and in which order their nodes and elements are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dwarfsweep::fem {

using Node = std::array<float, 3>;
using Corners = std::array<std::int32_t, 4>;
using Edge = std::array<std::int32_t, 2>;

struct Mesh {
  std::vector<Node> nodes;
  /// Nodes of each tetrahedron; the last three wind such that the volume is positive.
  std::vector<Corners> elements;
};

/// nx x ny x nz boxes of edge 1 in six tetrahedra each (Kuhn's), whose inner nodes are moved by up to 0.2 in
/// each direction.
Mesh box_mesh(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::uint64_t seed);

/// Winds all tetrahedra alike. `element_name(i)` begins the sentence of the UsageError if one is flat.
void orient(Mesh& mesh, const std::string& source);

/// Six times the volume, in double precision.
double six_volumes(const Mesh& mesh, const Corners& corners);

/// "hilbert": nodes and elements along a Hilbert curve; "shuffled": both in random order.
void arrange(Mesh& mesh, const std::string& order, std::uint64_t seed);

/// The numbers of elements, or edges, along a Hilbert curve through their centres.
template <std::size_t Count>
std::vector<std::int32_t> hilbert_order(const std::vector<Node>& nodes,
                                        const std::vector<std::array<std::int32_t, Count>>& items);

/// Which elements have a node as a corner: entries 4 * element + corner, by node.
struct Incidence {
  explicit Incidence(const Mesh& mesh);

  std::vector<std::int32_t> offsets;  ///< nodes + 1
  std::vector<std::int32_t> corners;
};

}  // namespace dwarfsweep::fem
