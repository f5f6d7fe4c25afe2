// LU decomposition without pivoting, in place: below the diagonal the factors L (its diagonal of ones is not stored),
// on and above it U.
//
// The matrix has rows of `stride` floats. It is padded at the end by a part of the identity matrix, to an order that is
// a multiple of the tile: the factors of the padding are itself, and it affects no other element. Element (row, column)
// is matrix[row * stride + column]; a block step works on the trailing matrix that begins at (offset, offset).
//
// Variant TILED (tiled.cl): three launches per block step, tiles of WORK_GROUP x WORK_GROUP in local memory
// (K. Theocharidis and C. Kalogirou, Master thesis, University of Thessaly, 2013, section 6.1).
//   diagonal   one group of TILE work-items, one per row, eliminates the tile on the diagonal.
//   perimeter  group g solves the tile g + 1 to the right of the diagonal, one work-item per column, and in its second
//              half of work-items the tile g + 1 below the diagonal, one work-item per row.
//   internal   group (x, y) subtracts from the tile at (y + 1, x + 1) the product of the perimeter's tiles (y + 1, 0)
//              and (0, x + 1).
//
// Variant BLOCKED (blocked.cl): two launches per step of PANEL columns. The panels are packed for the product that
// follows, in tiles of the size that a work-group updates; the group that updates the next block on the diagonal also
// factors it, while the others still update the rest.
//   blocked_diagonal   factors the first block on the diagonal.
//   blocked_perimeter  the work-items of a group solve for LANES columns of U or, in the second half of the groups, rows
//                      of L, and pack them: right_panel holds [tile of columns][PANEL][GROUP_X], below_panel [tile of rows]
//                      [PANEL][GROUP_Y], negated and transposed.
//   blocked_internal   group 0 updates the next PANEL x PANEL block and factors it; every other group updates
//                      GRANULARITY tiles of GROUP_Y x GROUP_X below each other, TILE_Y x TILE_X per work-item.
// Between the kernels, `factors` holds two upper triangles of PANEL x PANEL: L transposed, then U; their diagonals hold
// what a solved row is multiplied by: 1, and 1 / u.
//
// Variant DATAFLOW (dataflow.cl): one launch, a group for each tile of PANEL x PANEL, which waits for the tiles it
// needs.
//
// Parameters (TILED, BLOCKED, DATAFLOW: what they mean in that variant):
//   VARIANT       VARIANT_TILED, VARIANT_BLOCKED or VARIANT_DATAFLOW
//   WORK_GROUP    TILED: edge of a tile, 8 to 64. BLOCKED: edge of the square of work-items of a group, 1 to 32; with 1
//                 the perimeter solves for vectors, else each of its work-items for one column
//   GRANULARITY   TILED: results per work-item in the kernel that DIRECTION names. BLOCKED: tiles per work-item
//   VECTOR_WIDTH  TILED: neighbouring results that a work-item of the perimeter kernel holds in a vector (it gets at least
//                 as many), and in the internal kernel neighbouring columns (LAYOUT_DIRECT) or neighbouring terms
//                 of the inner product (otherwise). BLOCKED: neighbouring columns
//   UNROLL        TILED: factor of the inner loops; from 2 on, the perimeter's outer loop is unrolled completely as well.
//                 BLOCKED, DATAFLOW: factor of the update's loop over the terms of the product
//   PADDING       TILED: unused columns at the end of each tile in local memory
//   DIRECTION     TILED: DIRECTION_PERIMETER coarsens the perimeter, by neighbours; DIRECTION_INTERNAL_X the internal
//                 kernel by columns TILE / GRANULARITY apart; DIRECTION_INTERNAL_Y by neighbouring rows
//   LAYOUT        TILED: LAYOUT_TRANSPOSED transposes the tile right of the diagonal while the internal kernel loads it
//                 (neighbouring work-items then read a column of the matrix), and the tile below the diagonal in the
//                 perimeter kernel; LAYOUT_TRANSPOSED_STORES reads rows of the matrix there and stores them as columns of
//                 the tile in local memory, the other reading of the thesis's figure 6.19; LAYOUT_DIRECT transposes the
//                 tile below the diagonal only where VECTOR_WIDTH > 1
//   ACCUMULATE    TILED: where the perimeter's results are while terms are subtracted from them: ACCUMULATE_REGISTER, or
//                 ACCUMULATE_LOCAL: in the tile itself, as the thesis prints it
//   UNROLLED_LOOPS  TILED: which of the perimeter's inner loops UNROLL applies to: UNROLLED_LOOPS_ALL, or
//                 UNROLLED_LOOPS_EVEN: those of an even number of terms, as the thesis's Case_1 and Case_2
//   MEMORY        BLOCKED: MEMORY_LOCAL stages the packed panels through local memory, two chunks at a time;
//                 MEMORY_GLOBAL reads them in place
//   PANEL         BLOCKED: columns per step. DATAFLOW: edge of a tile
//   TILE_X        BLOCKED, DATAFLOW: columns of a work-item's tile
//   TILE_Y        BLOCKED, DATAFLOW: rows of a work-item's tile
//   SUBMISSION    how the host submits launches; the kernels do not depend on it
//   BLOCK_LOCAL   BLOCKED, chosen by the host: 1 where the block on the diagonal fits in local memory while it is factored
//
// Preconditions.
//   TILED     TILE divides the padded order and `offset`; GRANULARITY and VECTOR_WIDTH, and where both shorten the same
//             side of a group their product, divide TILE.
//   BLOCKED   PANEL divides the padded order; TILE_X * WORK_GROUP and TILE_Y * WORK_GROUP * GRANULARITY divide PANEL;
//             VECTOR_WIDTH divides TILE_X; rows of the matrix begin at multiples of 16 floats.
//   DATAFLOW  PANEL divides the padded order, TILE_X and TILE_Y divide PANEL; rows of the matrix begin at multiples of
//             4 floats.

// Helpers are `static inline`, except for the functions that work on a whole tile or block, which are ordinary external
// functions: PoCL then calls them. Inlined into its loop over work-items, as it does with a static function that is
// called once, the dataflow kernel takes 1.5 times as long (PoCL 3.1, n = 500) and three times as long to compile. The
// tiled kernels' unrolled solves must not be inlined either: LLVM 15's inliner then crashes in PoCL 3.1 for some points
// (WORK_GROUP 64, VECTOR_WIDTH 4, UNROLL 8, LAYOUT_TRANSPOSED).
static inline size_t element(int row, int column, int stride) { return (size_t)row * stride + column; }

#if VARIANT == VARIANT_TILED
#include "lud/tiled.cl"
#elif VARIANT == VARIANT_BLOCKED
#include "lud/blocked.cl"
#else
#include "lud/dataflow.cl"
#endif
