// The packing of blocked.cl: A as [tile of rows][term][GROUP_Y], B as [tile of columns][term][GROUP_X].

#if PACKS_A && WORK_GROUP == 1
// Work-item (t, y) packs PACK_TERMS terms from t * PACK_TERMS on, of the tile y: a vector of each row, then turned.
kernel GROUP_OF(1, 1) void pack_a(const global float* restrict a, global float* restrict packed, const int terms) {
  const int y = (int)get_global_id(1);
  const int begin = (int)get_global_id(0) * PACK_TERMS;
  const int end = min(begin + PACK_TERMS, terms);
  const global float* from = a + (size_t)y * GROUP_Y * terms;
  global float* to = packed + (size_t)y * GROUP_Y * terms;
  for (int k = begin; k < end; k += VECTOR_WIDTH) {
    float lanes[GROUP_Y][VECTOR_WIDTH];
    UNROLL_WHOLE
    for (int r = 0; r < GROUP_Y; ++r) STOREV(LOADV((size_t)r * terms + k, from), 0, lanes[r]);
    UNROLL_WHOLE
    for (int lane = 0; lane < VECTOR_WIDTH; ++lane) {
      UNROLL_WHOLE
      for (int r = 0; r < GROUP_Y; ++r) to[(size_t)(k + lane) * GROUP_Y + r] = lanes[r][lane];
    }
  }
}
#elif PACKS_A
// Group (t, y) turns a square of PACK_EDGE rows and terms by way of local memory. PACK_EDGE divides the padded rows and
// terms.
kernel GROUP_OF(PACK_EDGE, PACK_EDGE) void pack_a(const global float* restrict a, global float* restrict packed,
                                                  const int terms) {
  local float square[PACK_EDGE][PACK_EDGE + 1];
  const int x = (int)get_local_id(0);
  const int y = (int)get_local_id(1);
  const int term = (int)get_group_id(0) * PACK_EDGE;
  const int row = (int)get_group_id(1) * PACK_EDGE;
  square[y][x] = a[(size_t)(row + y) * terms + term + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  packed[((size_t)((row + x) / GROUP_Y) * terms + term + y) * GROUP_Y + (row + x) % GROUP_Y] = square[x][y];
}
#endif

#if PACKS_B
// A work-item copies PACK_TERMS terms of a tile's columns if it is alone in its group, else one vector.
#if WORK_GROUP == 1
kernel GROUP_OF(1, 1) void pack_b(const global float* restrict b, global float* restrict packed, const int cols,
                                  const int terms) {
  const int x = (int)get_global_id(1);
  const int begin = (int)get_global_id(0) * PACK_TERMS;
  const int end = min(begin + PACK_TERMS, terms);
  for (int k = begin; k < end; ++k) {
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) {
      VECTOR_AT(global, packed + ((size_t)x * terms + k) * GROUP_X + v * VECTOR_WIDTH) =
          VECTOR_AT(const global, b + (size_t)k * cols + x * GROUP_X + v * VECTOR_WIDTH);
    }
  }
}
#else
kernel GROUP_OF(PACK_EDGE, PACK_EDGE) void pack_b(const global float* restrict b, global float* restrict packed, const int cols,
                                                  const int terms) {
  const int column = (int)get_global_id(0) * VECTOR_WIDTH;
  const int k = (int)get_global_id(1);
  if (column >= cols) return;
  VECTOR_AT(global, packed + ((size_t)(column / GROUP_X) * terms + k) * GROUP_X + column % GROUP_X) =
      VECTOR_AT(const global, b + (size_t)k * cols + column);
}
#endif
#endif
