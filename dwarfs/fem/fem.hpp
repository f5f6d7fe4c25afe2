// What the files of fem declare to each other: its space, what variants make of the mesh, its cases, its host
// version.
#pragma once

#include <algorithm>
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

/// Patches of neighbouring items, which are elements with 4 corners or edges with 2, for the variants staged
/// and edges: kernels_cl/fem/staged.cl has the arrays.
template <std::size_t Count>
struct Patches {
  using Items = std::vector<std::array<std::int32_t, Count>>;
  Patches(const Mesh& mesh, const Items& items, std::size_t most_items, std::size_t most_nodes);

  std::vector<std::int32_t> order;  ///< numbers of items
  std::vector<std::int32_t> item_offsets, node_offsets, rank_offsets;
  std::vector<std::array<std::uint16_t, Count>> corners, slots;
  std::vector<float> data;  ///< of items: filled in by those who know what they are
  std::vector<std::int32_t> nodes;
  std::vector<std::uint16_t> counts, ranks;
  std::vector<std::int32_t> offsets, entries;  ///< by node of the mesh: its places in `nodes`
};

Patches<4> element_patches(const Body& body, std::size_t largest);

/// With a block of the assembled matrix for each edge.
Patches<2> edge_patches(const Body& body, std::size_t largest);

/// A place among the nodes has 8 bits.
constexpr std::int64_t largest_edge_patch_nodes(std::int64_t largest) {
  return std::min<std::int64_t>(largest / 2, 256);
}

std::unique_ptr<Case> make_case(const Setup& setup);

/// The steps on the host's cores, on `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const FemInput> input, int threads);

}  // namespace dwarfsweep::fem
