// The paper's variants of stencil_3d.cl: a plane of the tile and its halo in local memory, each point's column along z in
// registers of the work-item that computes it.

#include "named_barriers.cl"

#define COMPUTE_ITEMS (WORK_GROUP * ROWS)
#define TILE_COLS WORK_GROUP
#define TILE_ROWS (ROWS * GRANULARITY)
#define LINE (TILE_COLS + 2 * RADIUS)
#define BUFFERS (VARIANT == VARIANT_HALO_ONLY_DOUBLE || VARIANT == VARIANT_HALO_ONLY_MANUAL ? 2 : 1)
#define LOADER_SETS (VARIANT == VARIANT_HALO_ONLY_DOUBLE ? 2 : 1)
// Work-items that load the halo, in warps of 32: above, below, and one for every 16 rows of the sides.
#define WARP 32
#define SIDE_WARPS ((TILE_ROWS + 15) / 16)
#define HALO_LOADERS (IS_REFERENCE ? 0 : (2 + SIDE_WARPS) * WARP)
#define BLOCK_LOADERS (LOADS_BLOCK ? LOADERS : 0)
#define GROUP_ITEMS (COMPUTE_ITEMS + LOADER_SETS * HALO_LOADERS + BLOCK_LOADERS)

// A tile: where its points begin in the grid.
typedef struct {
  int x, y;
} tile_place;

// What `lane` of `lanes` loads: vectors of the rows from `row` on, `rows` of them, and columns from `column` on, as many as
// `cols`, both relative to the tile.
typedef struct {
  int row, rows, column, cols;
  int lane, lanes;
} region;

// Vector `i` of a region. Columns and rows beyond the grid are clamped to values that no result depends on.
INLINED realv region_vector(const region part, global const float* from, const grid_shape shape, const tile_place tile,
                            const int z, const int i) {
  const int vectors = part.cols / VECTOR_WIDTH;
  const int r = i / vectors;
  const int c = (i - r * vectors) * VECTOR_WIDTH;
  const int y = min(tile.y + part.row + r, shape.ny - 1);
  const int x = min(tile.x + part.column + c, RADIUS + (shape.nx - RADIUS) / VECTOR_WIDTH * VECTOR_WIDTH);
  return load_vector(from + row_begin(shape, y, z), x);
}

// Where that vector goes; `to` is the region's first element in local memory.
INLINED void store_vector(local float* to, const int line, const region part, const realv vector, const int i) {
  const int vectors = part.cols / VECTOR_WIDTH;
  const int r = i / vectors;
  STOREV(vector, r * line + (i - r * vectors) * VECTOR_WIDTH, to);
}

INLINED void load_region(local float* to, const int line, const region part, global const float* from,
                         const grid_shape shape, const tile_place tile, const int z) {
  for (int i = part.lane; i < part.rows * (part.cols / VECTOR_WIDTH); i += part.lanes) {
    store_vector(to, line, part, region_vector(part, from, shape, tile, z, i), i);
  }
}

// The same in two steps, through `count` registers; the loops run as far as the longest region needs.
INLINED void fetch_region(realv* held, const int count, const region part, global const float* from,
                          const grid_shape shape, const tile_place tile, const int z) {
  UNROLL_WHOLE
  for (int k = 0; k < count; ++k) {
    const int i = part.lane + k * part.lanes;
    if (i < part.rows * (part.cols / VECTOR_WIDTH)) held[k] = region_vector(part, from, shape, tile, z, i);
  }
}
INLINED void store_region(local float* to, const int line, const realv* held, const int count, const region part) {
  UNROLL_WHOLE
  for (int k = 0; k < count; ++k) {
    const int i = part.lane + k * part.lanes;
    if (i < part.rows * (part.cols / VECTOR_WIDTH)) store_vector(to, line, part, held[k], i);
  }
}

// The part of the halo that loader `lane` of HALO_LOADERS loads.
INLINED region halo_part(const int lane) {
  const int warp = lane / WARP;
  const int in_warp = lane % WARP;
  if (warp < 2) {
    const region part = {warp == 0 ? -RADIUS : TILE_ROWS, RADIUS, 0, TILE_COLS, in_warp, WARP};
    return part;
  }
  const int row = (warp - 2) * 16;
  const int right = in_warp / (WARP / 2);  // half of the warp loads the left side, half the right one
  const region part = {row, min(16, TILE_ROWS - row), right ? TILE_COLS : -RADIUS, RADIUS, in_warp % (WARP / 2), WARP / 2};
  return part;
}
// Where it goes in a plane.
INLINED local float* halo_place(local float* plane, const region part) {
  return plane + (part.row + RADIUS) * LINE + part.column + RADIUS;
}

// Vectors that a loader has in registers, with PREFETCH: of the halo the longer of a row's and a side's, and of the block.
#define ROW_VECTORS ((RADIUS * (TILE_COLS / VECTOR_WIDTH) + WARP - 1) / WARP)
#define SIDE_VECTORS ((16 * (RADIUS / VECTOR_WIDTH) + WARP / 2 - 1) / (WARP / 2))
#define BLOCK_VECTORS (LOADS_BLOCK ? (TILE_ROWS * (TILE_COLS / VECTOR_WIDTH) + LOADERS - 1) / LOADERS : 1)
#define HALO_VECTORS (ROW_VECTORS < SIDE_VECTORS ? SIDE_VECTORS : ROW_VECTORS)
#define HELD (!PREFETCH ? 1 : HALO_VECTORS < BLOCK_VECTORS ? BLOCK_VECTORS : HALO_VECTORS)

// What the computing work-item (x, y) loads of the halo in `reference`.
INLINED void load_own_halo(local float* plane, global const float* from, const grid_shape shape, const tile_place tile,
                           const int z, const int x, const int y) {
  const int column = min(tile.x + x, shape.nx - 1);
  if (y < RADIUS) {
    const int below = min(tile.y + TILE_ROWS + y, shape.ny - 1);
    const int above = min(tile.y - RADIUS + y, shape.ny - 1);
    plane[y * LINE + RADIUS + x] = from[row_begin(shape, above, z) + column];
    plane[(RADIUS + TILE_ROWS + y) * LINE + RADIUS + x] = from[row_begin(shape, below, z) + column];
  }
  if (x < RADIUS) {
    const int right = min(tile.x + TILE_COLS + x, shape.nx - 1);
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      const int row = g * ROWS + y;
      const size_t begin = row_begin(shape, min(tile.y + row, shape.ny - 1), z);
      plane[(RADIUS + row) * LINE + x] = from[begin + column - RADIUS];
      plane[(RADIUS + row) * LINE + RADIUS + TILE_COLS + x] = from[begin + right];
    }
  }
}

// The next value of the point at `centre` of a plane, whose column along z is `column`.
INLINED float next_value(local const float* centre, const float* column, const float c0, const float4 c) {
  const float coefficients[RADIUS] = {c.x, c.y, c.z, c.w};
  float sum = c0 * column[RADIUS];
  UNROLL_WHOLE
  for (int k = 1; k <= RADIUS; ++k) {
    const float neighbours = ((centre[-k] + centre[k]) + (centre[-k * LINE] + centre[k * LINE])) +
                             (column[RADIUS - k] + column[RADIUS + k]);
    sum = MULTIPLY_ADD(coefficients[k - 1], neighbours, sum);
  }
  return sum;
}

#if LOADS_BLOCK
#define LEADING , local float* leading
#define LEADING_TILE , leading
#else
#define LEADING
#define LEADING_TILE
#endif

// What loading work-item `lane` of a set loads when plane z comes to local memory: a part of its halo, or of the block four
// planes ahead.
INLINED region part_of(const int lane) {
#if LOADS_BLOCK
  if (lane >= HALO_LOADERS) {
    const region part = {0, TILE_ROWS, 0, TILE_COLS, lane - HALO_LOADERS, LOADERS};
    return part;
  }
#endif
  return halo_part(lane);
}
INLINED void fetch_part(realv* held, global const float* from, const grid_shape shape, const tile_place tile, const int z,
                        const int lane) {
  fetch_region(held, HELD, part_of(lane), from, shape, tile, lane < HALO_LOADERS ? z : z + RADIUS);
}
// Loads it, with PREFETCH from `held`.
INLINED void load_part(local float* plane LEADING, const realv* held, global const float* from, const grid_shape shape,
                       const tile_place tile, const int z, const int lane) {
  const region part = part_of(lane);
#if LOADS_BLOCK
  if (lane >= HALO_LOADERS) {
    if (PREFETCH) {
      store_region(leading, TILE_COLS, held, HELD, part);
    } else {
      load_region(leading, TILE_COLS, part, from, shape, tile, z + RADIUS);
    }
    return;
  }
#endif
  if (PREFETCH) {
    store_region(halo_place(plane, part), LINE, held, HELD, part);
  } else {
    load_region(halo_place(plane, part), LINE, part, from, shape, tile, z);
  }
}

#define SET_LOADERS (HALO_LOADERS + BLOCK_LOADERS)

kernel GROUP_OF(GROUP_ITEMS, 1)
void stencil(global const float* restrict from, global float* restrict to, const int nx, const int ny, const int nz,
          const int stride, const int planes, const float c0, const float4 c) {
  local float tiles[BUFFERS][(TILE_ROWS + 2 * RADIUS) * LINE] __attribute__((aligned(16)));
#if LOADS_BLOCK
  local float leading[TILE_ROWS * TILE_COLS] __attribute__((aligned(16)));
#endif
  const grid_shape shape = {nx, ny, nz, stride};
  const int item = (int)get_local_id(0);
  const int x = item % WORK_GROUP;
  const int y = item / WORK_GROUP;
  const bool computes = item < COMPUTE_ITEMS;
  const int loader = item - COMPUTE_ITEMS;
  const tile_place tile = {RADIUS + (int)get_group_id(0) * TILE_COLS, RADIUS + (int)get_group_id(1) * TILE_ROWS};
  const int first = RADIUS + (int)get_group_id(2) * planes;
  const int end = min(first + planes, nz - RADIUS);
  const int lead = BUFFERS - 1;  // planes that loads are ahead
  const int column_x = min(tile.x + x, nx - 1);

  float column[GRANULARITY][COLUMN];  // [i] is i - RADIUS planes from the one computed
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) {
    const int row = min(tile.y + g * ROWS + (computes ? y : 0), ny - 1);
    column[g][0] = 0.0f;
    UNROLL_WHOLE
    for (int i = 1; i < COLUMN; ++i) {
      const int z = clamp(first - lead - 1 + i - RADIUS, 0, nz - 1);
      column[g][i] = computes ? from[row_begin(shape, row, z) + column_x] : 0.0f;
    }
  }
  const int set = LOADER_SETS == 2 && !computes ? loader / (SET_LOADERS + IS_REFERENCE) : 0;
  const int lane = loader - set * SET_LOADERS;
  realv held[HELD];
#if BARRIER == BARRIER_NAMED
  const int meeting = COMPUTE_ITEMS + SET_LOADERS;  // work-items that share a buffer's barriers
  if (!computes) {
    // The set of a buffer loads the planes that come to it.
    for (int z = first + (LOADER_SETS == 2 && first % 2 != set ? 1 : 0); z < end; z += LOADER_SETS) {
      const int buffer = BUFFERS == 2 ? z % 2 : 0;
      if (PREFETCH) fetch_part(held, from, shape, tile, z, lane);
      wait_at(BUFFER_FREE(buffer), meeting);
      load_part(tiles[buffer] LEADING_TILE, held, from, shape, tile, z, lane);
      arrive_at(BUFFER_FULL(buffer), meeting);
    }
    return;
  }
  for (int z = first; z < min(first + BUFFERS, end); ++z) arrive_at(BUFFER_FREE(BUFFERS == 2 ? z % 2 : 0), meeting);
#else
  if (PREFETCH && !computes) {
    const int own = LOADER_SETS == 2 && first % 2 != set ? first + 1 : first;
    if (own < end) fetch_part(held, from, shape, tile, own, lane);
  }
#endif
  // The columns are one plane behind where the loop begins, which moves them first.
#if BARRIER == BARRIER_GROUP
  barrier(CLK_LOCAL_MEM_FENCE);  // PoCL 5.0 compiles some loops with barriers wrongly where none stands before them
#endif
  UNROLL_LOOP(UNROLL)
  for (int z = first - lead; z < end; ++z) {
#if BARRIER == BARRIER_NAMED
    // All that compute have left the plane before; with two buffers, what they wrote of this one is there as well.
    if (BUFFERS == 2 && z >= first) wait_at(BUFFER_FULL(z % 2), meeting);
    if (BUFFERS == 1 && z > first) wait_at(COMPUTING, COMPUTE_ITEMS);
#else
    // At the head of the loop: PoCL 5.0 cannot compile one whose only barrier is its end.
    if (BUFFERS == 2) barrier(CLK_LOCAL_MEM_FENCE);
#endif
    const int incoming = z + lead;  // the plane that comes to local memory
    local float* const target = tiles[BUFFERS == 2 ? incoming % 2 : 0];
    if (computes) {
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        const int row = min(tile.y + g * ROWS + y, ny - 1);
        UNROLL_WHOLE
        for (int i = 0; i + 1 < COLUMN; ++i) column[g][i] = column[g][i + 1];
        if (!LOADS_BLOCK) column[g][COLUMN - 1] = from[row_begin(shape, row, min(z + RADIUS, nz - 1)) + column_x];
        target[(RADIUS + g * ROWS + y) * LINE + RADIUS + x] = column[g][RADIUS + lead];
      }
      if (IS_REFERENCE) load_own_halo(target, from, shape, tile, incoming, x, y);
    } else if (incoming < end && (LOADER_SETS == 1 || incoming % 2 == set)) {
      load_part(target LEADING_TILE, held, from, shape, tile, incoming, lane);
      if (PREFETCH && incoming + LOADER_SETS < end) fetch_part(held, from, shape, tile, incoming + LOADER_SETS, lane);
    }
#if BARRIER == BARRIER_NAMED
    if (BUFFERS == 1) wait_at(BUFFER_FULL(0), meeting);
#else
    if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (computes) {
      local const float* const plane = tiles[BUFFERS == 2 ? z & 1 : 0];
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        const int in_tile = g * ROWS + y;
#if LOADS_BLOCK
        column[g][COLUMN - 1] = leading[in_tile * TILE_COLS + x];
#endif
        if (z >= first && tile.x + x < nx - RADIUS && tile.y + in_tile < ny - RADIUS) {
          to[row_begin(shape, tile.y + in_tile, z) + tile.x + x] =
              next_value(plane + (RADIUS + in_tile) * LINE + RADIUS + x, column[g], c0, c);
        }
      }
    }
#if BARRIER == BARRIER_NAMED
    if (z >= first && z + BUFFERS < end) arrive_at(BUFFER_FREE(BUFFERS == 2 ? z % 2 : 0), meeting);
#else
    if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
}
