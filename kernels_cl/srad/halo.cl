// srad: the variant `halo`, two passes; tiles in local memory together with their neighbours.

// A row of a local array: up to TILE + 2 cells, in whole vectors.
#define TILE_ROW ((TILE + 2 + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH)

// The cells from `column` on, which may lie outside the image.
static inline realv load_beside(global const float* row, const int column, const int cols) {
  return LOADV(PADDING ? column : clamp(column, 0, cols - 1), row);
}

kernel void halo_diffusion_1(global const float* restrict image, global float* restrict differences,
                             global float* restrict coefficients, global const float* restrict speckle,
                             const int rows, const int cols, const int stride, const ulong plane) {
  local float tile[TILE + 2][TILE_ROW];
#if WHOLE_ARRAYS
  local float results[TILE][TILE];
#endif
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
#if WHOLE_ARRAYS
      STOREV(own, x, results[y]);
#else
      store_with_padding(coefficients + row_start, column, cols, own);
#endif
    }
  }
#if WHOLE_ARRAYS
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    const int row = first_row + y;
    const int column = first_column + x;
    if (row < rows && column < cols)
      store_with_padding(coefficients + (size_t)row * stride + LEFT, column, cols, LOADV(x, results[y]));
  }
#endif
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
