// srad: the variant `branches`, two passes; a branch for each side of a tile.

// Lines of an array of neighbours: the one that an edge of the tile needs, or as many as the tile has.
#define BESIDE (WHOLE_ARRAYS ? TILE : 1)
#define IN_LINE(whole, line) (WHOLE_ARRAYS ? (whole) : (line))

// `plane` is the size of one of the four arrays of differences.
kernel void branches_diffusion_1(global const float* restrict image, global float* restrict differences,
                                 global float* restrict coefficients, global const float* restrict speckle,
                                 const int rows, const int cols, const int stride, const ulong plane) {
  local float tile[TILE][TILE];
  local float north[BESIDE][TILE];
  local float south[BESIDE][TILE];
  local float west[BESIDE][TILE];
  local float east[BESIDE][TILE];
#if WHOLE_ARRAYS
  local float results[TILE][TILE];
#endif
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
    if (WHOLE_ARRAYS || y == 0)
      north[IN_LINE(y, 0)][x] = row_of(image, first_row - 1, rows, stride)[min(column, last_column)];
    if (WHOLE_ARRAYS || y == TILE - 1)
      south[IN_LINE(y, 0)][x] = row_of(image, first_row + TILE, rows, stride)[min(column, last_column)];
    if (WHOLE_ARRAYS || x == 0) west[IN_LINE(y, 0)][IN_LINE(x, y)] = own[clamp(first_column - 1, 0, last_column)];
    if (WHOLE_ARRAYS || x == TILE - 1)
      east[IN_LINE(y, 0)][IN_LINE(x, y)] = own[min(first_column + TILE, last_column)];
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
        difference[NORTH] = north[IN_LINE(y, 0)][x] - centre;
      } else {
        difference[NORTH] = tile[y - 1][x] - centre;
      }
      if (y == TILE - 1) {
        difference[SOUTH] = south[IN_LINE(y, 0)][x] - centre;
      } else {
        difference[SOUTH] = tile[y + 1][x] - centre;
      }
      if (x == 0) {
        difference[WEST] = west[IN_LINE(y, 0)][IN_LINE(x, y)] - centre;
      } else {
        difference[WEST] = tile[y][x - 1] - centre;
      }
      if (x == TILE - 1) {
        difference[EAST] = east[IN_LINE(y, 0)][IN_LINE(x, y)] - centre;
      } else {
        difference[EAST] = tile[y][x + 1] - centre;
      }
      const size_t at = (size_t)row * stride + column;
      for (int side = 0; side < 4; ++side) differences[side * plane + at] = difference[side];
      const float own = coefficient_of_differences(centre, difference[NORTH], difference[SOUTH], difference[WEST],
                                                   difference[EAST], speckle[0]);
#if WHOLE_ARRAYS
      results[y][x] = own;
#else
      coefficients[at] = own;
#endif
    }
  }
#if WHOLE_ARRAYS
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < GRANULARITY; ++j) {
    const int y = (int)get_local_id(1) + j * ITEM_STEP;
    const int row = first_row + y;
    if (row < rows && column < cols) coefficients[(size_t)row * stride + column] = results[y][x];
  }
#endif
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
