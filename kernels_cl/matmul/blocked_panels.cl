// blocked.cl with MEMORY_GLOBAL: work-items read the operands in place, packed or as they are. A group takes TILE_K terms
// at a time, for which its panel of B stays in the first-level cache while it goes down the tiles of its stack; between
// them the sums are in C.

typedef float stages;  // none

// Adds `count` terms. `left` is at the first row's first of them, `right` at the first column's.
INLINED void add_products(tile_sums* tile, const operands* from, const global float* left, const global float* right,
                          const int count) {
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < count; ++k) {
    realv top[TILE_VECTORS];
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) {
      top[v] = VECTOR_AT(const global, right + k * from->stride_b + v * WORK_GROUP * VECTOR_WIDTH);
    }
    UNROLL_WHOLE
    for (int r = 0; r < TILE_Y; ++r) {
      const realv one = PACKS_A ? left[k * from->stride_a + r] : left[r * from->stride_a + k];
      UNROLL_WHOLE
      for (int v = 0; v < TILE_VECTORS; ++v) tile->sums[r][v] = MULTIPLY_ADD(one, top[v], tile->sums[r][v]);
    }
  }
}

INLINED void multiply_stack(const global float* a, const global float* b, global float* c, const int x, const int first,
                            const int last, const int cols, const int terms, const int begin, const int end,
                            local stages* unused) {
  const int2 place = place_of_item((int)get_local_id(0));
  const int column = place.x * VECTOR_WIDTH;
  const int row = place.y * TILE_Y;
  for (int k = begin; k < end; k += TILE_K) {
    const int count = min(TILE_K, end - k);
    for (int y = first; y < last; ++y) {
      const operands from = operands_of(a, b, x, y, cols, terms);
      const global float* const left = from.below + (PACKS_A ? k * from.stride_a + row : row * from.stride_a + k);
      global float* const target = c + ((size_t)y * GROUP_Y + row) * cols + x * GROUP_X + column;
      tile_sums tile;
      if (k == begin) {
        clear_sums(&tile);
      } else {
        load_sums(&tile, target, cols);
      }
      add_products(&tile, &from, left, from.right + k * from.stride_b + column, count);
      store_sums(&tile, target, cols);
    }
  }
}
