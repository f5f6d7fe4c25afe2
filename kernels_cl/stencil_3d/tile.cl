// Tiles of the variant streaming of stencil_3d.cl in groups: a work-item has VECTOR_WIDTH x GRANULARITY neighbours.

#define TILE_COLS (WORK_GROUP * VECTOR_WIDTH)
#define TILE_ROWS (ROWS * GRANULARITY)
#define ITEMS (WORK_GROUP * ROWS)
#define LINE (TILE_COLS + 2 * RADIUS)
#define WINDOW (VECTOR_WIDTH + 2 * RADIUS)  // columns that a work-item's row depends on
#define VECTORS_BESIDE (2 * RADIUS / VECTOR_WIDTH)  // of a row, left and right of the tile or of a work-item

// Columns and rows beyond the grid are clamped to values that no result depends on.
INLINED int clamped_column(const int x, const int nx) {
  return min(x, RADIUS + (nx - RADIUS) / VECTOR_WIDTH * VECTOR_WIDTH);
}

INLINED void store_vector(global float* to, const realv value) {
  if (PADDING) {
    *(global realv*)to = value;
  } else {
    *(global packed_realv*)to = value;
  }
}

// The vector number `index` of the columns on both sides of the tile: its column and row relative to the tile.
INLINED int2 place_beside(const int index) {
  const int beside = index % VECTORS_BESIDE * VECTOR_WIDTH;
  return (int2)(beside < RADIUS ? beside - RADIUS : beside - RADIUS + TILE_COLS, index / VECTORS_BESIDE);
}

// Adds what a row of a plane gives to the sums of its own plane: along y to the work-item's rows around it.
INLINED void add_along_y(float sums[GRANULARITY][VECTOR_WIDTH], const float* row, const int own_row,
                         const float* coefficients) {
  UNROLL_WHOLE
  for (int r = 0; r < GRANULARITY; ++r) {
    const int distance = own_row < r ? r - own_row : own_row - r;
    if (distance == 0 || distance > RADIUS) continue;
    UNROLL_WHOLE
    for (int k = 0; k < VECTOR_WIDTH; ++k) {
      sums[r][k] = MULTIPLY_ADD(coefficients[(distance + RADIUS - 1) % RADIUS], row[k], sums[r][k]);
    }
  }
}
