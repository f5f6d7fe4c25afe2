// Speckle reducing anisotropic diffusion (SRAD) of a positive image, `iterations` explicit steps. One step, for the
// pixel J with its neighbours n s w e (outside the image: the nearest pixel inside):
//
//   q0^2 = variance / mean^2 of the region of interest, at least MIN_SPECKLE
//   q^2  = (G/2 - (L/4)^2) / (1 + L/4)^2,   G = sum of (neighbour - J)^2 / J^2,   L = sum of (neighbour - J) / J
//   c    = 1 / (1 + (q^2 - q0^2) / (q0^2 (1 + q0^2))), at most 1
//   J   += lambda/4 (c (n - J) + c_south (s - J) + c (w - J) + c_east (e - J))
//
// Source: Y. Yu and S. T. Acton, "Speckle reducing anisotropic diffusion", IEEE Transactions on Image Processing
// 11(11), 2002, in the discrete form of S. Che et al., "A performance study of general-purpose applications on graphics
// processors using CUDA" (2008). The lower bound on q0^2 is an addition: without it a constant region divides zero by
// zero.
//
// Kernels. `region_sums` (statistics.cl) sums the region's deviations from its last mean, and their squares, one pair
// per work-group; `region_speckle` computes q0^2 from all pairs. Then, by variant, each in <variant>.cl:
//   branches    `branches_diffusion_1`: a tile in local memory, its neighbours in four arrays, a branch for each side;
//               it stores the four differences and c. `branches_diffusion_2` updates. The initial code of
//               K. Theocharidis and C. Kalogirou, Master thesis, University of Thessaly 2013, section 6.4.
//   halo        `halo_diffusion_1`, `halo_diffusion_2`: the same with the neighbours in the same local array; no
//               branches except at the image's end. The thesis's padded code.
//   fused       `fused_columns`: both passes and the sums of the new image in one kernel. A work-item processes
//               VECTOR_WIDTH columns from top to bottom with three rows in registers, and computes c of one more
//               column than it stores. No local memory.
//   fused_rows  The same for CPUs: a work-item processes STRIP columns row by row, in vectors along the row, and keeps
//               c of one row in private memory. `fused_steps` (fused_steps.cl) makes all steps in one launch.
//
// Index map. branches, halo: group (gx, gy) has the tile of WORK_GROUP x WORK_GROUP pixels at row gy * WORK_GROUP,
// column gx * WORK_GROUP; its work-item (x, y) has the VECTOR_WIDTH columns from x * VECTOR_WIDTH on in the rows
// y + j * (WORK_GROUP / GRANULARITY). fused: global work-item x has the columns from x * VECTOR_WIDTH on, group row y
// the rows from y * GRANULARITY on. fused_rows: likewise with STRIP columns and global work-item y.
//
// A step is the same along rows and along columns: for fused_rows the host transposes an image whose rows are short.
//
// Arrays of pixels have `rows` rows of `stride` floats; a row's pixels begin at LEFT. With PADDING the cell before them
// and at least 2 VECTOR_WIDTH cells behind them repeat the first and the last pixel; a work-item that writes a row's
// end writes these cells too. A flux out of the image is c times a difference of zero: so c beyond the end must be
// finite, but its value does not matter.
//
// Macro             meaning
// VARIANT           VARIANT_BRANCHES, VARIANT_HALO, VARIANT_FUSED, VARIANT_FUSED_ROWS
// WORK_GROUP        branches, halo: edge of a tile; fused, fused_rows: groups have the square of it work-items
// GRANULARITY       rows per work-item
// VECTOR_WIDTH      neighbouring columns computed at once (branches: 1)
// UNROLL            of the loop over a work-item's rows; fused_rows: of the loop over vectors of a row
// PADDING           0: columns beyond the image are clamped (branches 0, fused 1); 1: rows are padded as said above
// SYNC              fused_rows: SYNC_LAUNCHES: a launch per step, `fused_rows`; SYNC_FLAGS: all steps in one,
//                   `fused_steps`; SYNC_AUTO: the host chooses
// STORES            fused_rows: STORES_CACHED, STORES_STREAMED, STORES_AUTO: the host chooses (it passes STREAMED)
// TILE_ARRAYS       branches, halo: local arrays of the first pass in addition to the tile. TILE_ARRAYS_NEEDED: branches has a line
//                   for each edge, halo none. TILE_ARRAYS_PUBLISHED: as in the thesis, branches has a whole array for each
//                   edge, and both have one for c, from which it is stored: 6144 and 2320 bytes for tiles of 16
// and from the host:
// LEFT              cells before a row's pixels
// STRIP             fused_rows: columns per work-item, a multiple of VECTOR_WIDTH
// SUM_NEXT          fused, fused_rows: 1: the region is the whole image, and a step sums the image that it writes
// STREAMED          1: non-temporal stores of pixels, for images larger than the caches
// STATISTICS_GROUP  work-items of a group in `region_sums`, a power of two; 1 on CPUs
// SPECKLE_GROUP     work-items of the one group in `region_speckle`, a power of two; 256, or what the device allows
//
// Preconditions: pixels are positive; 0 <= lambda <= 1; rows and columns are at most 2^20, so that they and
// `stride` fit an int, and so do sums of a few of them; VECTOR_WIDTH > 1 needs PADDING; with PADDING, `stride` is a
// multiple of 16, at least the columns + 64, and buffers are aligned to 64 bytes.

#if VARIANT == VARIANT_BRANCHES && VECTOR_WIDTH != 1
#error "srad.cl: VECTOR_WIDTH must be 1 in VARIANT_BRANCHES"
#endif
#if VECTOR_WIDTH > 1 && !PADDING
#error "srad.cl: PADDING must be 1 where VECTOR_WIDTH is above 1"
#endif
#if STRIP % VECTOR_WIDTH != 0
#error "srad.cl: STRIP must be a multiple of VECTOR_WIDTH"
#endif
#if (STATISTICS_GROUP & (STATISTICS_GROUP - 1)) || (SPECKLE_GROUP & (SPECKLE_GROUP - 1))
#error "srad.cl: STATISTICS_GROUP and SPECKLE_GROUP must be powers of two"
#endif

// Below it a step moves no pixel by more than 2 sqrt(2^-40) of its value.
#define MIN_SPECKLE 0x1p-40f

// The vector of pixels at a column that VECTOR_WIDTH divides.
#define OWN(pointer) (*(global realv*)(pointer))
#define OWN_CONST(pointer) (*(global const realv*)(pointer))

// The first pixel of the row that is nearest to `row` inside the image.
INLINED global const float* row_of(global const float* image, const int row, const int rows, const int stride) {
  return image + (size_t)clamp(row, 0, rows - 1) * stride + LEFT;
}

#include "srad/statistics.cl"

// c as the head comment has it. q^2 < q0^2 is the same as c > 1.
INLINED realv coefficient_of_differences(const realv centre, const realv north, const realv south, const realv west,
                                        const realv east, const float q0_squared) {
  const realv gradient = (north * north + south * south + west * west + east * east) / (centre * centre);
  const realv quarter_laplacian = 0.25f * (north + south + west + east) / centre;
  const realv numerator = 0.5f * gradient - quarter_laplacian * quarter_laplacian;
  const realv denominator = 1 + quarter_laplacian;
  const realv q_squared = numerator / (denominator * denominator);
  const realv excess = (q_squared - q0_squared) / (q0_squared * (1 + q0_squared));
  return 1 / (1 + max(excess, (realv)(0)));
}

// The same with one division. With m = J (1 + L/4), the mean of the neighbours, and v = J^2 (G/2 - (L/4)^2) =
// sum of (neighbour - J)^2 / 2 - (m - J)^2, which is at least a quarter of that sum (so never negative),
// q^2 = v / m^2 and c = q0^2 (1 + q0^2) m^2 / (q0^4 m^2 + v). m - J is computed from the differences: as a difference
// of m, which is rounded, it would make v negative where neighbours differ by few units in the last place.
#if VARIANT == VARIANT_FUSED
typedef float pixel_t;  // it needs c of VECTOR_WIDTH + 1 columns
#else
typedef realv pixel_t;
#endif

INLINED pixel_t coefficient(const pixel_t centre, const pixel_t north, const pixel_t south, const pixel_t west,
                           const pixel_t east, global const float* speckle) {
  const pixel_t to_north = north - centre;
  const pixel_t to_south = south - centre;
  const pixel_t to_west = west - centre;
  const pixel_t to_east = east - centre;
  pixel_t squares = to_north * to_north;
  squares = MULTIPLY_ADD(to_south, to_south, squares);
  squares = MULTIPLY_ADD(to_west, to_west, squares);
  squares = MULTIPLY_ADD(to_east, to_east, squares);
  const pixel_t off = 0.25f * ((to_north + to_south) + (to_west + to_east));
  const pixel_t mean = centre + off;
  const pixel_t mean_squared = mean * mean;
  const pixel_t variation = MULTIPLY_ADD(-off, off, 0.5f * squares);
  return min(speckle[1] * mean_squared / MULTIPLY_ADD((pixel_t)(speckle[2]), mean_squared, variation), (pixel_t)(1));
}

// Stores pixels at `column` of the row that begins at `row`. At a row's ends it also writes the padding: lanes beyond
// the image, and the cells behind them, become the last pixel.
INLINED void store_with_padding(global float* row, const int column, const int cols, realv value) {
  if (PADDING && (column == 0 || column + VECTOR_WIDTH >= cols)) {
    float lanes[VECTOR_WIDTH];
    STOREV(value, 0, lanes);
    if (column == 0) row[-1] = lanes[0];
    if (column + VECTOR_WIDTH >= cols) {
      UNROLL_WHOLE
      for (int k = 1; k < VECTOR_WIDTH; ++k) lanes[k] = column + k < cols ? lanes[k] : lanes[k - 1];
      OWN(row + column + VECTOR_WIDTH) = (realv)(lanes[VECTOR_WIDTH - 1]);
      OWN(row + column + 2 * VECTOR_WIDTH) = (realv)(lanes[VECTOR_WIDTH - 1]);
      value = LOADV(0, lanes);
    }
  }
  if (STREAMED) {
    STREAM(value, (global realv*)(row + column));
  } else {
    OWN(row + column) = value;
  }
}

#if VARIANT == VARIANT_BRANCHES || VARIANT == VARIANT_HALO

#define TILE WORK_GROUP
#define WHOLE_ARRAYS (TILE_ARRAYS == TILE_ARRAYS_PUBLISHED)
#define ITEM_STEP (TILE / GRANULARITY)

// Order of the arrays of differences to the four neighbours, which lie one after the other.
enum { NORTH, SOUTH, WEST, EAST };

#if VARIANT == VARIANT_BRANCHES
#include "srad/branches.cl"
#else
#include "srad/halo.cl"
#endif

#else

#define GROUP_ITEMS (WORK_GROUP * WORK_GROUP)

// Writes the group's sums for `region_speckle`; all of its work-items must call it.
static inline void store_sums(global float2* sums, local float2* cells, const float2 value, const int item) {
  const float2 total = sum_over_group(cells, value, item, GROUP_ITEMS);
  if (item == 0) sums[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = total;
}

#if VARIANT == VARIANT_FUSED
#include "srad/fused.cl"
#else
#include "srad/fused_rows.cl"
#if SUM_NEXT && WORK_GROUP == 1
#include "srad/fused_steps.cl"
#endif
#endif

#endif
