// What the files of fem declare to each other: its space, what variants make of the mesh, its cases, its host
// version.
#pragma once

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

/// Patches of neighbouring elements, for the variant staged: kernels_cl/fem/staged.cl has the arrays.
struct Patches {
  Patches(const Body& body, std::size_t largest);

  std::vector<std::int32_t> element_offsets, node_offsets, rank_offsets;
  std::vector<std::array<std::uint16_t, 4>> corners, slots;
  std::vector<Lame> lame;
  std::vector<std::int32_t> nodes;
  std::vector<std::uint16_t> counts, ranks;
  std::vector<std::int32_t> offsets, entries;  ///< by node of the mesh: its places in `nodes`
};

std::unique_ptr<Case> make_case(const Setup& setup);

/// The steps on the host's cores, on `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const FemInput> input, int threads);

}  // namespace dwarfsweep::fem
