// hotspot: the variant `pyramid`, several steps of a square tile in local memory.

#define TILE WORK_GROUP
#define ROW_STEP (TILE / GRANULARITY)

// One more cell at each end of a tile's row: it is read, but no stored cell depends on it.
#define TILE_STRIDE (TILE + 2)

kernel GROUP_OF(TILE / VECTOR_WIDTH, ROW_STEP)
void pyramid(global const float* restrict temperature, global const float* restrict power, global float* restrict next,
             const int rows, const int cols, const int stride, const float4 weights, const float offset) {
  local float tile[2][TILE][TILE_STRIDE];
  const int x = (int)get_local_id(0) * VECTOR_WIDTH;
  const int y = get_local_id(1);
  const int column = (int)get_group_id(0) * STORED - HALO + x;
  const int first = (int)get_group_id(1) * STORED - HALO + y;
  realv source[GRANULARITY];
  for (int j = 0; j < GRANULARITY; ++j) {
    const size_t begin = (size_t)mirrored(first + j * ROW_STEP, rows) * stride + LEFT;
    local float* const cells = tile[0][y + j * ROW_STEP] + 1;
    STOREV(load_mirrored(temperature + begin, column, cols), x, cells);
    source[j] = source_term(load_mirrored(power + begin, column, cols), weights, offset);
    if (x == 0) cells[-1] = tile[1][y + j * ROW_STEP][0] = 0;
    if (x + VECTOR_WIDTH == TILE) cells[TILE] = tile[1][y + j * ROW_STEP][TILE + 1] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int level = 0; level < LEVELS; ++level) {
    for (int block = 0; block < GRANULARITY; block += UNROLL) {
      UNROLL_WHOLE
      for (int j = block; j < block + UNROLL; ++j) {
        const int row = y + j * ROW_STEP;
        local const float* const here = tile[level % 2][row] + 1;
        local const float* const above = row > 0 ? here - TILE_STRIDE : here;
        local const float* const below = row + 1 < TILE ? here + TILE_STRIDE : here;
        const realv vertical_sum = LOADV(x, above) + LOADV(x, below);
        const realv horizontal_sum = LOADV(x - 1, here) + LOADV(x + 1, here);
        STOREV(next_temperature(LOADV(x, here), vertical_sum, horizontal_sum, source[j], weights), x,
               tile[(level + 1) % 2][row] + 1);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int stored_end = min(TILE - HALO, cols - (column - x));  // in columns of the tile
  for (int j = 0; j < GRANULARITY; ++j) {
    const int row = y + j * ROW_STEP;
    if (row >= HALO && row < TILE - HALO && first + j * ROW_STEP < rows) {
      global float* const target = next + (size_t)(first + j * ROW_STEP) * stride + LEFT + column;
      local const float* const cells = tile[LEVELS % 2][row] + 1 + x;
      for (int k = 0; k < VECTOR_WIDTH; ++k) {
        if (x + k >= HALO && x + k < stored_end) target[k] = cells[k];
      }
    }
  }
}
