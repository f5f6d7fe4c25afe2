// The paper's variants of stencil_3d.cl: a plane of the tile and its halo in local memory, each point's column along z in
// registers of the work-item that computes it.

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

// Loads vectors of the rows from `row` on, `rows` of them, and columns from `column` on, as many as `cols`, both
// relative to the tile; this is `lane` of `lanes`. Columns and rows beyond the grid are clamped to values that no
// result depends on.
INLINED void load_region(local float* to, const int line, global const float* from, const grid_shape shape,
                         const tile_place tile, const int z, const int row, const int rows, const int column,
                         const int cols, const int lane, const int lanes) {
  const int vectors = cols / VECTOR_WIDTH;
  for (int i = lane; i < rows * vectors; i += lanes) {
    const int r = i / vectors;
    const int c = (i - r * vectors) * VECTOR_WIDTH;
    const int y = min(tile.y + row + r, shape.ny - 1);
    const int x = min(tile.x + column + c, RADIUS + (shape.nx - RADIUS) / VECTOR_WIDTH * VECTOR_WIDTH);
    STOREV(load_vector(from + row_begin(shape, y, z), x), r * line + c, to);
  }
}

// The halo of a plane, by loader `lane` of HALO_LOADERS.
INLINED void load_halo(local float* plane, global const float* from, const grid_shape shape, const tile_place tile,
                       const int z, const int lane) {
  const int warp = lane / WARP;
  const int in_warp = lane % WARP;
  if (warp < 2) {
    const int row = warp == 0 ? -RADIUS : TILE_ROWS;
    load_region(plane + (row + RADIUS) * LINE + RADIUS, LINE, from, shape, tile, z, row, RADIUS, 0, TILE_COLS, in_warp,
                WARP);
  } else {
    const int row = (warp - 2) * 16;
    const int rows = min(16, TILE_ROWS - row);
    const int right = in_warp / (WARP / 2);  // half of the warp loads the left side, half the right one
    const int column = right ? TILE_COLS : -RADIUS;
    load_region(plane + (row + RADIUS) * LINE + column + RADIUS, LINE, from, shape, tile, z, row, rows, column, RADIUS,
                in_warp % (WARP / 2), WARP / 2);
  }
}

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
  // The columns are one plane behind where the loop begins, which moves them first.
  barrier(CLK_LOCAL_MEM_FENCE);  // PoCL 5.0 compiles some loops with barriers wrongly where none stands before them
  UNROLL_LOOP(UNROLL)
  for (int z = first - lead; z < end; ++z) {
    // At the head of the loop: PoCL 5.0 cannot compile one whose only barrier is its end.
    if (BUFFERS == 2) barrier(CLK_LOCAL_MEM_FENCE);
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
    } else if (incoming < end) {
      const int set = LOADER_SETS == 2 ? incoming % 2 : 0;
      const int lane = loader - set * HALO_LOADERS;
      if (lane >= 0 && lane < HALO_LOADERS) load_halo(target, from, shape, tile, incoming, lane);
#if LOADS_BLOCK
      if (lane >= HALO_LOADERS) {
        load_region(leading, TILE_COLS, from, shape, tile, z + RADIUS, 0, TILE_ROWS, 0, TILE_COLS, lane - HALO_LOADERS,
                    LOADERS);
      }
#endif
    }
    if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
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
    if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
  }
}
