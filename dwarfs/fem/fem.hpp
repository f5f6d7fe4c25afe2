// What the files of fem declare to each other: its space, what variants make of the mesh, its cases, its host
// version.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/fem/input.hpp"
#include "dwarfs/fem/product.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::fem {

Space make_space();

/// Where no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// What variants make of a mesh before the first step.

/// Elements ordered by colour: those of one have no node in common.
struct Colours {
  explicit Colours(const Mesh& mesh);

  std::vector<std::int32_t> order;   ///< numbers of elements
  std::vector<std::int32_t> begins;  ///< of each colour in `order`, and its end
};

/// A matrix in blocks of 3 x 3, column by column; rows of blocks (nodes) in slices whose blocks lie side by
/// side.
struct BlockMatrix {
  /// Assembled from the elements.
  BlockMatrix(const Body& body, std::size_t slice);
  /// Rows and columns in threes; zeros fill the blocks. Throws PointFailure if there are too many blocks.
  BlockMatrix(const SparseMatrix& matrix, std::size_t slice);

  std::vector<std::int32_t> offsets;  ///< of each slice, in rows of `slice` blocks, and the end
  std::vector<std::int32_t> columns;
  std::vector<float> blocks;

 private:
  using Around = std::vector<std::vector<std::int32_t>>;
  /// Places for the blocks in these columns of each row; empty blocks until they are filled.
  void make_places(const Around& around, std::size_t slice);
};

/// What patches of elements and of edges have in common: their nodes' forces, and where these lie in local
/// memory. kernels_cl/fem/staged.cl has the arrays.
struct PatchForces {
  std::vector<std::int32_t> node_offsets = {0}, rank_offsets = {0};
  std::vector<std::uint16_t> counts, ranks;
  std::vector<std::int32_t> nodes;             ///< in the order of `counts`
  std::vector<std::int32_t> offsets, entries;  ///< by node of the mesh: its places in `nodes`

 protected:
  using Forces = std::vector<std::vector<std::uint16_t>>;
  /// A patch of these nodes, whose forces have numbers; `put(force, place, slot)` takes what becomes of each.
  template <typename Put>
  void add_patch(const std::vector<std::int32_t>& found, const Forces& of_node, const Put& put);
  void list_entries(std::size_t nodes_of_mesh);
};

/// Patches of neighbouring elements, for the variant staged.
struct ElementPatches : PatchForces {
  ElementPatches(const Body& body, std::size_t largest);

  std::vector<std::int32_t> element_offsets = {0};
  std::vector<std::array<std::uint16_t, 4>> corners, slots;
  std::vector<Lame> lame;
};

/// Patches of neighbouring edges, for the variant edges: kernels_cl/fem/edges.cl has the other arrays.
struct EdgePatches : PatchForces {
  EdgePatches(const Body& body, std::size_t largest);

  std::vector<std::int32_t> edge_offsets = {0}, turn_offsets = {0};
  std::vector<Edge> edges;  ///< the node to which it belongs, and the other end
  std::vector<std::uint8_t> others;
  std::vector<std::uint16_t> slots, turns;
  std::vector<float> blocks;
  std::vector<std::int32_t> patch_nodes;
  std::vector<std::array<std::uint8_t, 2>> owned;

 private:
  /// Of nodes `found`, by their places there.
  void add_edges(const std::vector<std::int32_t>& found, std::vector<std::array<std::uint16_t, 2>> ends);
  void assemble(const Body& body);
};

/// The most nodes of a patch of `largest` edges: a place among them has 8 bits.
constexpr std::int64_t most_edge_patch_nodes(std::int64_t largest) {
  return std::min<std::int64_t>(largest / 2, 256);
}

std::unique_ptr<Case> make_case(const Setup& setup);

/// The steps on the host's cores, on `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const FemInput> input, int threads);

}  // namespace dwarfsweep::fem
