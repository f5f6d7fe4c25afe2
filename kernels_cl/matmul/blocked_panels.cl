// blocked.cl with MEMORY_GLOBAL: work-items read both packed panels in place. A group takes TILE_K terms at a time, for
// which its panel of B stays in the first-level cache while it goes down the tiles of its stack; between them the sums
// are in C.

typedef float stages;  // none

// Adds `count` terms. Panels have GROUP_Y and GROUP_X elements for each term.
INLINED void add_products(tile_sums* tile, const global float* below, const global float* right, const int count) {
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < count; ++k) {
    realv top[TILE_VECTORS];
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) {
      top[v] = VECTOR_AT(const global, right + k * GROUP_X + v * WORK_GROUP * VECTOR_WIDTH);
    }
    UNROLL_WHOLE
    for (int r = 0; r < TILE_Y; ++r) {
      const realv left = below[k * GROUP_Y + r];
      UNROLL_WHOLE
      for (int v = 0; v < TILE_VECTORS; ++v) tile->sums[r][v] = MULTIPLY_ADD(left, top[v], tile->sums[r][v]);
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
    const global float* right = b + ((size_t)x * terms + k) * GROUP_X + column;
    for (int y = first; y < last; ++y) {
      global float* const target = c + ((size_t)y * GROUP_Y + row) * cols + x * GROUP_X + column;
      tile_sums tile;
      if (k == begin) {
        clear_sums(&tile);
      } else {
        load_sums(&tile, target, cols);
      }
      add_products(&tile, a + ((size_t)y * terms + k) * GROUP_Y + row, right, count);
      store_sums(&tile, target, cols);
    }
  }
}
