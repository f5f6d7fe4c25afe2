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
