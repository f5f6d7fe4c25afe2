// Stencil of 25 points and radius 4 on a grid of three dimensions. A step, for each point that has four neighbours on
// every side:
//
//   u' = c0 u + sum over k = 1 .. 4 of ck (the six neighbours at distance k)
//
// The outer four layers of each side keep their values: the host copies them to every output before a run.
//
// Limit. A step reads and writes each point once, 8 bytes, and takes 29 operations (6 neighbours added, then a
// multiply-add, for each k): memory is the limit where neighbours come from registers, local memory or caches. Of a
// point, 9 of the values that it needs lie in its column along z, 8 more in its row along x, 8 along y.
//
// Source: P. Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU-2, 2009 (reference), and M.
// Bauer, H. Cook and B. Khailany, "CudaDMA: optimizing GPU memory bandwidth via warp specialization", SC '11, section
// 6.2 (the variants whose names begin with halo and block).
//
// Index map. The inner points begin at (4, 4, 4). A group has a tile of TILE_COLS x TILE_ROWS of them and moves along z
// through DEPTH planes; group (gx, gy, gz) begins at inner point (gx TILE_COLS, gy TILE_ROWS, gz DEPTH). Work-item
// (x, y) of the WORK_GROUP x ROWS that compute has
//   the paper's variants: GRANULARITY points of a column, ROWS apart (staged.cl)
//   streaming: VECTOR_WIDTH x GRANULARITY neighbours (columns.cl, with a RING ring.cl); where it is alone, STRIP columns
//   and GRANULARITY rows (rows.cl)
// A point's column along z is kept in registers, or with a RING the sums that it adds to are; a plane and the points
// around a tile (its halo) lie in local memory, or are read from global memory through caches.
//
// Variants:
//   reference           the work-items that compute load the halo too, each what its place in the tile says
//   halo_only_single    other work-items load the halo: 32 the rows above the tile, 32 those below, and 32 for every 16
//                       rows the adjacent columns; one buffer
//   halo_only_double    two buffers, and as many such work-items for each
//   halo_only_manual    two buffers, and the same work-items for both
//   block_halo_single   as halo_only_single; LOADERS more work-items load the tile's own points, four planes ahead
//   streaming           few loads of many neighbours, planes loaded one ahead, or with a RING more
//
// Macro         meaning
// VARIANT       see above
// WORK_GROUP    work-items that compute, along x
// ROWS          work-items that compute, along y
// GRANULARITY   rows of a work-item
// VECTOR_WIDTH  elements of a load: of those that only load, or neighbours that a work-item of streaming computes
// UNROLL        of the loop over planes; streaming: 9 keeps a column's values in place, which else move by one a plane;
//               with one work-item, of the loop over vectors of a row
// PADDING       0: rows are contiguous; 1: of each row the first inner point is aligned to 128 bytes
// DEPTH         planes that a group computes; 0: all
// LOADERS       block_halo_single: work-items that load the tile's own points
// BARRIER       variants with loaders: how these meet the others: BARRIER_GROUP: at a barrier of the group; BARRIER_NAMED:
//               at barriers of each buffer, which needs PTX
// PREFETCH      variants with loaders: 1: these read the next plane's part into registers before they wait
// MEMORY        streaming with several work-items: MEMORY_LOCAL: neighbours in x and y come from local memory;
//               MEMORY_GLOBAL: from global memory, through the caches
// RING          streaming with several work-items: planes in local memory that copies fill ahead of the one computed
//               with; 0: one plane ahead, through registers
// STRIP         streaming with one work-item: columns of a work-item
// SUBMISSION    how the host submits launches; nothing here depends on it
// and from the host:
// LEFT          elements of a row before its points: 28 with PADDING, else 0
//
// Arrays have nz planes of ny rows of `stride` floats; a row's points begin at LEFT. Preconditions: nx, ny and nz are at
// least 9; 32 elements behind the last row's points may be read; with PADDING `stride` is a multiple of 32 and at least
// LEFT + nx + 32, and buffers are aligned to 128 bytes. `planes` is DEPTH, or all inner planes.

#define RADIUS 4
#define COLUMN (2 * RADIUS + 1)

#define IS_REFERENCE (VARIANT == VARIANT_REFERENCE)
#define LOADS_BLOCK (VARIANT == VARIANT_BLOCK_HALO_SINGLE)

// The grid and the coefficients: c = c1 .. c4.
typedef struct {
  int nx, ny, nz;
  int stride;
} grid_shape;

#if VECTOR_WIDTH == 1
typedef realv packed_realv;
#else
// Vectors that need no alignment beyond the element's. PoCL's vload16 is four loads, and so is what is computed from it.
typedef realv packed_realv __attribute__((aligned(4)));
#endif

// The vector at a column of a row, `row` being where the row's points begin. With PADDING columns are multiples of
// VECTOR_WIDTH.
INLINED realv load_vector(global const float* row, const int column) {
  if (PADDING) return *(global const realv*)(row + column);
  return *(global const packed_realv*)(row + column);
}

INLINED size_t row_begin(const grid_shape shape, const int y, const int z) {
  return ((size_t)z * shape.ny + y) * shape.stride + LEFT;
}

#if VARIANT != VARIANT_STREAMING
#include "stencil_3d/staged.cl"
#elif WORK_GROUP == 1
#include "stencil_3d/rows.cl"
#else
#include "stencil_3d/tile.cl"
#if RING == 0
#include "stencil_3d/columns.cl"
#else
#include "stencil_3d/ring.cl"
#endif
#endif
