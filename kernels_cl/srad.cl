// Speckle reducing anisotropic diffusion (SRAD) of a positive image, `iterations` explicit steps. One step, for the
// pixel J with its neighbours n s w e (outside the image: the nearest pixel inside):
//
//   q0^2 = variance / mean^2 of the region of interest, at least SMALLEST_SPECKLE
//   q^2  = (G/2 - (L/4)^2) / (1 + L/4)^2,   G = sum of (neighbour - J)^2 / J^2,   L = sum of (neighbour - J) / J
//   c    = 1 / (1 + (q^2 - q0^2) / (q0^2 (1 + q0^2))), at most 1
//   J   += lambda/4 (c (n - J) + c_south (s - J) + c (w - J) + c_east (e - J))
//
// Source: Y. Yu and S. T. Acton, "Speckle reducing anisotropic diffusion", IEEE Transactions on Image Processing
// 11(11), 2002, in the discrete form of S. Che et al., "A performance study of general-purpose applications on graphics
// processors using CUDA" (2008). The lower bound on q0^2 is ours: a constant region divides zero by zero otherwise.
//
// Kernels. `region_sums` sums the region's deviations from `shift`, and their squares, one pair per work-group;
// `region_speckle` makes q0^2 of all pairs. Then, by variant:
//   branches    `branches_diffusion_1`: a tile in local memory, its neighbours in four arrays, a branch for each side; it
//               stores the four differences and c. `branches_diffusion_2` updates. The initial code of K. Theocharidis and
//               C. Kalogirou, Master thesis, University of Thessaly 2013, section 6.4.
//   halo        `halo_diffusion_1`, `halo_diffusion_2`: the same with the neighbours in the same local array; no
//               branches but for the image's end. The thesis's padded code.
//   fused       `fused_columns`: both passes and the sums of the new image in one. A work-item walks down VECTOR_WIDTH
//               columns with three rows in registers and computes c of one column more than it has. No local memory.
//   fused_rows  The same for CPUs: a work-item walks along STRIP columns of a row in vectors, then along the next row; c
//               of one row waits in private memory.
//
// Index map. branches, halo: group (gx, gy) has the tile of WORK_GROUP x WORK_GROUP pixels at row gy * WORK_GROUP,
// column gx * WORK_GROUP; its work-item (x, y) has the VECTOR_WIDTH columns from x * VECTOR_WIDTH on in the rows
// y + j * (WORK_GROUP / GRANULARITY). fused: global work-item x has the columns from x * VECTOR_WIDTH on, group row y
// the rows from y * GRANULARITY on. fused_rows: likewise with STRIP columns and global work-item y.
//
// Arrays of pixels have `rows` rows of `stride` floats; a row's pixels begin at LEFT. With PADDING the cell before them
// and at least 2 VECTOR_WIDTH cells behind them repeat the first and the last pixel, and whoever writes a row's end
// keeps that true. A flux out of the image is c times a difference of zero: so c beyond the end must be finite, its
// value is of no account.
//
// Macro             meaning
// VARIANT           VARIANT_BRANCHES, VARIANT_HALO, VARIANT_FUSED, VARIANT_FUSED_ROWS
// WORK_GROUP        branches, halo: edge of a tile; fused, fused_rows: groups have the square of it work-items
// GRANULARITY       rows per work-item
// VECTOR_WIDTH      neighbouring columns computed at once (branches: 1)
// UNROLL            of the loop over a work-item's rows; fused_rows: of the loop over vectors of a row
// PADDING           0: columns beyond the image are clamped (branches 0, fused 1); 1: rows are padded as said above
// STRIP             fused_rows: columns per work-item, a multiple of VECTOR_WIDTH; chosen by the host
// SUM_NEXT          fused, fused_rows: 1: the region is the whole image, and the new one is summed while it is made
// STATISTICS_GROUP  work-items of a group in `region_sums`, a power of two; 1 on CPUs
// SPECKLE_GROUP     work-items of the one group in `region_speckle`, a power of two; 256, or what the device allows
//
// Preconditions: pixels are positive; 0 <= lambda <= 1; rows and columns are at most 2^20, so that they and
// `stride` fit an int, and so do sums of a few of them; VECTOR_WIDTH > 1 needs PADDING; with PADDING, `stride` is a
// multiple of 16, at least the columns + 64, and buffers are aligned to 64 bytes.

#if !defined(VARIANT) || VARIANT < 1 || VARIANT > 4
#error "srad.cl: VARIANT must be VARIANT_BRANCHES, VARIANT_HALO, VARIANT_FUSED or VARIANT_FUSED_ROWS"
#endif
#if !defined(WORK_GROUP) || WORK_GROUP < 1 || (WORK_GROUP & (WORK_GROUP - 1))
#error "srad.cl: WORK_GROUP must be a power of two"
#endif
#if !defined(GRANULARITY) || GRANULARITY < 1
#error "srad.cl: GRANULARITY must be the rows per work-item"
#endif
#if !defined(VECTOR_WIDTH) || (VARIANT == VARIANT_BRANCHES && VECTOR_WIDTH != 1)
#error "srad.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16, and 1 in VARIANT_BRANCHES"
#endif
#if !defined(UNROLL) || UNROLL < 1
#error "srad.cl: UNROLL must be at least 1"
#endif
#if !defined(PADDING) || PADDING < 0 || PADDING > 1 || (VECTOR_WIDTH > 1 && !PADDING)
#error "srad.cl: PADDING must be 0 or 1, and 1 where VECTOR_WIDTH is above 1"
#endif
#if !defined(STRIP) || STRIP < 1 || STRIP % VECTOR_WIDTH != 0
#error "srad.cl: STRIP must be a multiple of VECTOR_WIDTH"
#endif
#if !defined(SUM_NEXT) || SUM_NEXT < 0 || SUM_NEXT > 1
#error "srad.cl: SUM_NEXT must be 0 or 1"
#endif
#if !defined(STATISTICS_GROUP) || STATISTICS_GROUP < 1 || (STATISTICS_GROUP & (STATISTICS_GROUP - 1))
#error "srad.cl: STATISTICS_GROUP must be a power of two"
#endif
#if !defined(SPECKLE_GROUP) || SPECKLE_GROUP < 1 || (SPECKLE_GROUP & (SPECKLE_GROUP - 1))
#error "srad.cl: SPECKLE_GROUP must be a power of two"
#endif

#define LEFT (PADDING ? 16 : 0)

// Below it a step moves no pixel by more than 2 sqrt(2^-40) of its value.
#define SMALLEST_SPECKLE 0x1p-40f

// The vector of pixels at a column that VECTOR_WIDTH divides.
#define OWN(pointer) (*(global realv*)(pointer))
#define OWN_CONST(pointer) (*(global const realv*)(pointer))

// Arrays stay in registers where every index is a constant and no function but a built-in is called with them.
#define INLINED __attribute__((always_inline))
#define UNROLL_WHOLE PRAGMA(unroll)

// The first pixel of the row that is nearest to `row` inside the image.
INLINED global const float* row_of(global const float* image, const int row, const int rows, const int stride) {
  return image + (size_t)clamp(row, 0, rows - 1) * stride + LEFT;
}

// --- statistics -----------------------------------------------------------------------------------------------------

// The sum over a work-group, in work-item 0. All of the group's `items` work-items, a power of two, must call it.
float2 sum_over_group(local float2* cells, const float2 value, const int item, const int items) {
  if (items == 1) return value;
  cells[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = items / 2; half_size > 0; half_size /= 2) {
    if (item < half_size) cells[item] += cells[item + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return cells[0];
}

// Independent sums per work-item: enough for a CPU's vectors, and for loads in flight on a GPU.
#define LANES 16

// Group g sums the rows g, g + groups, ... of the region, row by row, so that no chain of additions is long.
// `region`: its first row, the row behind its last, its first column, the column behind its last.
kernel void region_sums(global const float* restrict image, global float2* restrict sums, const int rows,
                        const int stride, const int4 region, const float shift) {
  local float2 cells[STATISTICS_GROUP];
  const int item = get_local_id(0);
  float2 total = (float2)(0);
  for (int row = region.x + (int)get_group_id(0); row < region.y; row += (int)get_num_groups(0)) {
    global const float* const pixels = row_of(image, row, rows, stride);
    float lane_sums[LANES];
    float lane_squares[LANES];
    for (int lane = 0; lane < LANES; ++lane) lane_sums[lane] = lane_squares[lane] = 0;
    int column = region.z + item;
    for (; column + (LANES - 1) * STATISTICS_GROUP < region.w; column += LANES * STATISTICS_GROUP) {
      for (int lane = 0; lane < LANES; ++lane) {
        const float deviation = pixels[column + lane * STATISTICS_GROUP] - shift;
        lane_sums[lane] += deviation;
        lane_squares[lane] = MULTIPLY_ADD(deviation, deviation, lane_squares[lane]);
      }
    }
    for (; column < region.w; column += STATISTICS_GROUP) {
      const float deviation = pixels[column] - shift;
      lane_sums[0] += deviation;
      lane_squares[0] = MULTIPLY_ADD(deviation, deviation, lane_squares[0]);
    }
    for (int half_size = LANES / 2; half_size > 0; half_size /= 2) {
      for (int lane = 0; lane < half_size; ++lane) {
        lane_sums[lane] += lane_sums[lane + half_size];
        lane_squares[lane] += lane_squares[lane + half_size];
      }
    }
    total += (float2)(lane_sums[0], lane_squares[0]);
  }
  total = sum_over_group(cells, total, item, STATISTICS_GROUP);
  if (item == 0) sums[get_group_id(0)] = total;
}

// As many chains of additions whatever the group's width, so that none is long where it is narrow.
#define SPECKLE_CHAINS 256

// One group. speckle: q0^2, and for `coefficient` q0^2 (1 + q0^2) and q0^4.
kernel void region_speckle(global const float2* restrict sums, global float* restrict speckle, const int count,
                           const float pixels, const float shift) {
  local float2 cells[SPECKLE_GROUP];
  const int item = get_local_id(0);
  float2 total = (float2)(0);
  for (int chain = item; chain < SPECKLE_CHAINS; chain += SPECKLE_GROUP) {
    float2 part = (float2)(0);
    for (int i = chain; i < count; i += SPECKLE_CHAINS) part += sums[i];
    total += part;
  }
  total = sum_over_group(cells, total, item, SPECKLE_GROUP) / pixels;
  if (item == 0) {
    const float mean = total.x + shift;
    const float variance = total.y - total.x * total.x;
    const float q0_squared = fmax(variance / (mean * mean), SMALLEST_SPECKLE);
    speckle[0] = q0_squared;
    speckle[1] = q0_squared * (1 + q0_squared);
    speckle[2] = q0_squared * q0_squared;
  }
}

// --- what the variants share ----------------------------------------------------------------------------------------

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
// q^2 = v / m^2 and c = q0^2 (1 + q0^2) m^2 / (q0^4 m^2 + v).
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
  const pixel_t mean = 0.25f * ((north + south) + (west + east));
  const pixel_t off = mean - centre;
  const pixel_t mean_squared = mean * mean;
  const pixel_t variation = MULTIPLY_ADD(-off, off, 0.5f * squares);
  return min(speckle[1] * mean_squared / MULTIPLY_ADD((pixel_t)(speckle[2]), mean_squared, variation), (pixel_t)(1));
}

// Stores pixels at `column` of the row that begins at `row`. Where the row ends, its padding is kept: lanes beyond the
// image become its last pixel, and so do the cells behind them.
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
  OWN(row + column) = value;
}

#if VARIANT == VARIANT_BRANCHES || VARIANT == VARIANT_HALO

#define TILE WORK_GROUP
#define ITEM_STEP (TILE / GRANULARITY)

// Where the differences to the four neighbours are kept between the passes, one after the other.
enum { NORTH, SOUTH, WEST, EAST };

#endif

#if VARIANT == VARIANT_BRANCHES

// `plane` is the size of one of the four arrays of differences.
kernel void branches_diffusion_1(global const float* restrict image, global float* restrict differences,
                                 global float* restrict coefficients, global const float* restrict speckle,
                                 const int rows, const int cols, const int stride, const ulong plane) {
  local float tile[TILE][TILE];
  local float north[TILE];
  local float south[TILE];
  local float west[TILE];
  local float east[TILE];
  const int first_row = (int)get_group_id(1) * TILE;
  const int first_column = (int)get_group_id(0) * TILE;
  const int x = get_local_id(0);
  const int column = first_column + x;
  const int last_column = cols - 1;

  UNROLL_LOOP(UNROLL)
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    const int row = first_row + y;
    global const float* const own = row_of(image, row, rows, stride);
    tile[y][x] = own[min(column, last_column)];
    if (y == 0) north[x] = row_of(image, row - 1, rows, stride)[min(column, last_column)];
    if (y == TILE - 1) south[x] = row_of(image, row + 1, rows, stride)[min(column, last_column)];
    if (x == 0) west[y] = own[max(column - 1, 0)];
    if (x == TILE - 1) east[y] = own[min(column + 1, last_column)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  UNROLL_LOOP(UNROLL)
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    const int row = first_row + y;
    if (row < rows && column < cols) {
      const float centre = tile[y][x];
      float difference[4];
      if (y == 0) {
        difference[NORTH] = north[x] - centre;
      } else {
        difference[NORTH] = tile[y - 1][x] - centre;
      }
      if (y == TILE - 1) {
        difference[SOUTH] = south[x] - centre;
      } else {
        difference[SOUTH] = tile[y + 1][x] - centre;
      }
      if (x == 0) {
        difference[WEST] = west[y] - centre;
      } else {
        difference[WEST] = tile[y][x - 1] - centre;
      }
      if (x == TILE - 1) {
        difference[EAST] = east[y] - centre;
      } else {
        difference[EAST] = tile[y][x + 1] - centre;
      }
      const size_t at = (size_t)row * stride + column;
      for (int side = 0; side < 4; ++side) differences[side * plane + at] = difference[side];
      coefficients[at] = coefficient_of_differences(centre, difference[NORTH], difference[SOUTH], difference[WEST],
                                                    difference[EAST], speckle[0]);
    }
  }
}

// `gain` is lambda / 4.
kernel void branches_diffusion_2(global float* restrict image, global const float* restrict differences,
                                 global const float* restrict coefficients, const int rows, const int cols,
                                 const int stride, const ulong plane, const float gain) {
  local float tile[TILE][TILE];
  local float south[TILE];
  local float east[TILE];
  const int first_row = (int)get_group_id(1) * TILE;
  const int first_column = (int)get_group_id(0) * TILE;
  const int x = get_local_id(0);
  const int column = first_column + x;
  const int last_column = cols - 1;

  UNROLL_LOOP(UNROLL)
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    global const float* const own = row_of(coefficients, first_row + y, rows, stride);
    tile[y][x] = own[min(column, last_column)];
    if (y == TILE - 1) south[x] = row_of(coefficients, first_row + TILE, rows, stride)[min(column, last_column)];
    if (x == TILE - 1) east[y] = own[min(column + 1, last_column)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  UNROLL_LOOP(UNROLL)
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    const int row = first_row + y;
    if (row < rows && column < cols) {
      const float here = tile[y][x];
      float below;
      float right;
      if (y == TILE - 1) {
        below = south[x];
      } else {
        below = tile[y + 1][x];
      }
      if (x == TILE - 1) {
        right = east[y];
      } else {
        right = tile[y][x + 1];
      }
      const size_t at = (size_t)row * stride + column;
      image[at] += gain * (here * differences[NORTH * plane + at] + below * differences[SOUTH * plane + at] +
                           here * differences[WEST * plane + at] + right * differences[EAST * plane + at]);
    }
  }
}

#endif

#if VARIANT == VARIANT_HALO

// A row of a local array: up to TILE + 2 cells, in whole vectors.
#define TILE_ROW ((TILE + 2 + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH)

// The cells from `column` on, which may lie outside the image.
realv load_beside(global const float* row, const int column, const int cols) {
  return LOADV(PADDING ? column : clamp(column, 0, cols - 1), row);
}

kernel void halo_diffusion_1(global const float* restrict image, global float* restrict differences,
                             global float* restrict coefficients, global const float* restrict speckle,
                             const int rows, const int cols, const int stride, const ulong plane) {
  local float tile[TILE + 2][TILE_ROW];
  const int first_row = (int)get_group_id(1) * TILE;
  const int first_column = (int)get_group_id(0) * TILE;
  const int x = (int)get_local_id(0) * VECTOR_WIDTH;

  for (int y = get_local_id(1); y < TILE + 2; y += ITEM_STEP) {
    global const float* const row = row_of(image, first_row + y - 1, rows, stride);
    for (int i = x; i < TILE + 2; i += TILE) STOREV(load_beside(row, first_column + i - 1, cols), i, tile[y]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  UNROLL_LOOP(UNROLL)
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    const int row = first_row + y;
    const int column = first_column + x;
    const realv centre = LOADV(x + 1, tile[y + 1]);
    const realv north = LOADV(x + 1, tile[y]) - centre;
    const realv south = LOADV(x + 1, tile[y + 2]) - centre;
    const realv west = LOADV(x, tile[y + 1]) - centre;
    const realv east = LOADV(x + 2, tile[y + 1]) - centre;
    const realv own = coefficient_of_differences(centre, north, south, west, east, speckle[0]);
    if (row < rows && column < cols) {
      const size_t row_start = (size_t)row * stride + LEFT;
      const size_t at = row_start + column;
      OWN(differences + NORTH * plane + at) = north;
      OWN(differences + SOUTH * plane + at) = south;
      OWN(differences + WEST * plane + at) = west;
      OWN(differences + EAST * plane + at) = east;
      store_with_padding(coefficients + row_start, column, cols, own);
    }
  }
}

// `gain` is lambda / 4.
kernel void halo_diffusion_2(global float* restrict image, global const float* restrict differences,
                             global const float* restrict coefficients, const int rows, const int cols,
                             const int stride, const ulong plane, const float gain) {
  local float tile[TILE + 1][TILE_ROW];
  const int first_row = (int)get_group_id(1) * TILE;
  const int first_column = (int)get_group_id(0) * TILE;
  const int x = (int)get_local_id(0) * VECTOR_WIDTH;

  for (int y = get_local_id(1); y < TILE + 1; y += ITEM_STEP) {
    global const float* const row = row_of(coefficients, first_row + y, rows, stride);
    for (int i = x; i < TILE + 1; i += TILE) STOREV(load_beside(row, first_column + i, cols), i, tile[y]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  UNROLL_LOOP(UNROLL)
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    const int row = first_row + y;
    const int column = first_column + x;
    if (row < rows && column < cols) {
      const realv here = LOADV(x, tile[y]);
      const realv below = LOADV(x, tile[y + 1]);
      const realv right = LOADV(x + 1, tile[y]);
      const size_t row_start = (size_t)row * stride + LEFT;
      const size_t at = row_start + column;
      const realv change =
          here * OWN_CONST(differences + NORTH * plane + at) + below * OWN_CONST(differences + SOUTH * plane + at) +
          here * OWN_CONST(differences + WEST * plane + at) + right * OWN_CONST(differences + EAST * plane + at);
      store_with_padding(image + row_start, column, cols, OWN_CONST(image + at) + gain * change);
    }
  }
}

#endif

#if VARIANT == VARIANT_FUSED || VARIANT == VARIANT_FUSED_ROWS

#define GROUP_ITEMS (WORK_GROUP * WORK_GROUP)

// Writes the group's sums for `region_speckle`; all of its work-items must call it.
void store_sums(global float2* restrict sums, local float2* cells, const float2 value, const int item) {
  const float2 total = sum_over_group(cells, value, item, GROUP_ITEMS);
  if (item == 0) sums[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = total;
}

#endif

#if VARIANT == VARIANT_FUSED

// A vector and an array of its components. Stores to private memory by vstore are beyond what some compilers see through.
#if VECTOR_WIDTH == 1
#define UNPACK(v, to) ((to)[0] = (v))
#define PACK(from) ((from)[0])
#elif VECTOR_WIDTH == 2
#define UNPACK(v, to) UNPACK_2(v, to)
#define PACK(from) (float2)(LIST_2(from))
#elif VECTOR_WIDTH == 4
#define UNPACK(v, to) UNPACK_4(v, to)
#define PACK(from) (float4)(LIST_4(from))
#elif VECTOR_WIDTH == 8
#define UNPACK(v, to) UNPACK_8(v, to)
#define PACK(from) (float8)(LIST_4(from), LIST_4((from) + 4))
#else
#define UNPACK(v, to) UNPACK_8((v).lo, to), UNPACK_8((v).hi, (to) + 8)
#define PACK(from) (float16)(LIST_4(from), LIST_4((from) + 4), LIST_4((from) + 8), LIST_4((from) + 12))
#endif
#define UNPACK_2(v, to) ((to)[0] = (v).x, (to)[1] = (v).y)
#define UNPACK_4(v, to) UNPACK_2((v).lo, to), UNPACK_2((v).hi, (to) + 2)
#define UNPACK_8(v, to) UNPACK_4((v).lo, to), UNPACK_4((v).hi, (to) + 4)
#define LIST_2(from) (from)[0], (from)[1]
#define LIST_4(from) LIST_2(from), LIST_2((from) + 2)

// Pixels of one row from the work-item's column - 1 to its column + VECTOR_WIDTH + 1.
#define CELLS (VECTOR_WIDTH + 3)

INLINED void load_cells(global const float* at, float* cells) {
  const realv own = OWN_CONST(at);
  cells[0] = at[-1];
  UNPACK(own, cells + 1);
  cells[VECTOR_WIDTH + 1] = at[VECTOR_WIDTH];
  cells[VECTOR_WIDTH + 2] = at[VECTOR_WIDTH + 1];
}

// c of the work-item's columns and of the one behind them.
INLINED void coefficients_of(const float* above, const float* here, const float* below,
                            global const float* speckle, float* result) {
  UNROLL_WHOLE
  for (int k = 0; k <= VECTOR_WIDTH; ++k) {
    result[k] = coefficient(here[k + 1], above[k + 1], below[k + 1], here[k], here[k + 2], speckle);
  }
}

// The deviations of the first `inside` of a vector's pixels, and their squares.
INLINED float2 sums_of(const float* pixels, const int inside, const float shift) {
  float2 result = (float2)(0);
  UNROLL_WHOLE
  for (int k = 0; k < VECTOR_WIDTH; ++k) {
    const float deviation = k < inside ? pixels[k] - shift : 0;
    result.x += deviation;
    result.y = MULTIPLY_ADD(deviation, deviation, result.y);
  }
  return result;
}

// `gain` is lambda / 4. With SUM_NEXT `sums` gets one pair per work-group.
kernel void fused_columns(global const float* restrict image, global float* restrict next_image,
                          global const float* restrict speckle, global float2* restrict sums, const int rows,
                          const int cols, const int stride, const float gain, const float shift) {
  local float2 group_cells[GROUP_ITEMS];
  const int column = (int)get_global_id(0) * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, rows);
  float2 total = (float2)(0);
  if (column < cols) {
    float here[CELLS];
    float below[CELLS];
    float own[VECTOR_WIDTH + 1];     // c of `here`
    float from_north[VECTOR_WIDTH];  // what row - 1 gains from this row
    {
      float above[CELLS];
      load_cells(row_of(image, first - 1, rows, stride) + column, above);
      load_cells(row_of(image, first, rows, stride) + column, here);
      load_cells(row_of(image, first + 1, rows, stride) + column, below);
      coefficients_of(above, here, below, speckle, own);
      UNROLL_WHOLE
      for (int k = 0; k < VECTOR_WIDTH; ++k) from_north[k] = own[k] * (here[k + 1] - above[k + 1]);
    }
    for (int block = first; block < end; block += UNROLL) {
      // Rows beyond the end are computed and not stored: so loads wait for no branch and can run ahead.
      UNROLL_WHOLE
      for (int row = block; row < block + UNROLL; ++row) {
        float after[CELLS];
        float next[VECTOR_WIDTH + 1];
        float pixels[VECTOR_WIDTH];
        load_cells(row_of(image, row + 2, rows, stride) + column, after);
        coefficients_of(here, below, after, speckle, next);
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          const float centre = here[k + 1];
          const float from_south = next[k] * (below[k + 1] - centre);
          const float from_east = own[k + 1] * (here[k + 2] - centre);
          const float from_west = own[k] * (here[k] - centre);
          pixels[k] = MULTIPLY_ADD(gain, (from_south - from_north[k]) + (from_east + from_west), centre);
          from_north[k] = from_south;
        }
        if (row < end) {
          if (SUM_NEXT) total += sums_of(pixels, cols - column, shift);
          store_with_padding(next_image + (size_t)row * stride + LEFT, column, cols, PACK(pixels));
        }
        UNROLL_WHOLE
        for (int k = 0; k < CELLS; ++k) {
          here[k] = below[k];
          below[k] = after[k];
        }
        UNROLL_WHOLE
        for (int k = 0; k <= VECTOR_WIDTH; ++k) own[k] = next[k];
      }
    }
  }
  if (SUM_NEXT) store_sums(sums, group_cells, total, get_local_id(0));
}

#endif

#if VARIANT == VARIANT_FUSED_ROWS

// c of the pixels at `column` of the row `here`.
INLINED realv coefficient_at(global const float* above, global const float* here, global const float* below,
                            const int column, global const float* speckle) {
  return coefficient(LOADV(column, here), LOADV(column, above), LOADV(column, below), LOADV(column - 1, here),
                     LOADV(column + 1, here), speckle);
}

// The deviations of the first `inside` of a vector's pixels; 0 for the others.
INLINED realv deviations_of(const realv pixels, const int inside, const float shift) {
  const realv deviations = pixels - (realv)(shift);
  if (inside >= VECTOR_WIDTH) return deviations;
  float lanes[VECTOR_WIDTH];
  STOREV(deviations, 0, lanes);
  for (int k = 1; k < VECTOR_WIDTH; ++k) lanes[k] = k < inside ? lanes[k] : 0;
  return LOADV(0, lanes);
}

// `gain` is lambda / 4. With SUM_NEXT `sums` gets one pair per work-group.
kernel void fused_rows(global const float* restrict image, global float* restrict next_image,
                       global const float* restrict speckle, global float2* restrict sums, const int rows,
                       const int cols, const int stride, const float gain, const float shift) {
  local float2 group_cells[GROUP_ITEMS];
  const int first_column = (int)get_global_id(0) * STRIP;
  const int first = (int)get_global_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, rows);
  float2 total = (float2)(0);
  if (first < end) {
    // c of one row of the strip, and of the vector behind it: at the turn of each vector those up to it are of the
    // row below already.
    float own[STRIP + VECTOR_WIDTH];
    const int width = (min(STRIP, cols - first_column) + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH;
    {
      global const float* const above = row_of(image, first - 1, rows, stride) + first_column;
      global const float* const here = row_of(image, first, rows, stride) + first_column;
      global const float* const below = row_of(image, first + 1, rows, stride) + first_column;
      for (int x = 0; x <= width; x += VECTOR_WIDTH) {
        STOREV(coefficient_at(above, here, below, x, speckle), x, own);
      }
    }
    for (int row = first; row < end; ++row) {
      global const float* const above = row_of(image, row - 1, rows, stride) + first_column;
      global const float* const here = row_of(image, row, rows, stride) + first_column;
      global const float* const below = row_of(image, row + 1, rows, stride) + first_column;
      global const float* const after = row_of(image, row + 2, rows, stride) + first_column;
      global float* const target = next_image + (size_t)row * stride + LEFT;
      realv row_sum = (realv)(0);
      realv row_squares = (realv)(0);
      for (int block = 0; block < width; block += UNROLL * VECTOR_WIDTH) {
        UNROLL_WHOLE
        for (int x = block; x < block + UNROLL * VECTOR_WIDTH; x += VECTOR_WIDTH) {
          if (x < width) {
            const realv centre = LOADV(x, here);
            const realv c = LOADV(x, own);
            const realv c_east = LOADV(x + 1, own);
            const realv c_south = coefficient_at(here, below, after, x, speckle);
            STOREV(c_south, x, own);
            const realv from_own = c * ((LOADV(x, above) - centre) + (LOADV(x - 1, here) - centre));
            const realv from_east = MULTIPLY_ADD(c_east, LOADV(x + 1, here) - centre, from_own);
            const realv change = MULTIPLY_ADD(c_south, LOADV(x, below) - centre, from_east);
            const realv pixels = MULTIPLY_ADD((realv)(gain), change, centre);
            store_with_padding(target, first_column + x, cols, pixels);
            if (SUM_NEXT) {
              const realv deviation = deviations_of(pixels, cols - first_column - x, shift);
              row_sum += deviation;
              row_squares = MULTIPLY_ADD(deviation, deviation, row_squares);
            }
          }
        }
      }
      STOREV(coefficient_at(here, below, after, width, speckle), width, own);
      if (SUM_NEXT) total += (float2)(SUMV(row_sum), SUMV(row_squares));
    }
  }
  if (SUM_NEXT) store_sums(sums, group_cells, total, get_local_id(1));
}

#endif
