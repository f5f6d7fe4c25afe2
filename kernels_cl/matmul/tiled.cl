// The variant tiled of matmul.cl: tiles of A and B in local memory.

#define TILE WORK_GROUP

// What a work-item copies of a tile of A and of one of B.
typedef struct {
  float a;
  float b[GRANULARITY];
} elements;

INLINED void load_elements(elements* loaded, global const float* a, global const float* b) {
  loaded->a = *a;
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) loaded->b[g] = b[g * TILE];
}

kernel GROUP_OF(TILE, TILE) void matmul(global const float* restrict a, global const float* restrict b,
                                        global float* restrict c, const int cols, const int terms) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE * GRANULARITY];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const size_t row = get_group_id(1) * TILE + y;
  const size_t col = get_group_id(0) * (TILE * GRANULARITY) + x;
  size_t index_a = row * terms + x;
  size_t index_b = (size_t)y * cols + col;
#if SPILL
  // Volatile, so that no register keeps what is stored here.
  local volatile ulong spilled_a[TILE][TILE];
  local volatile ulong spilled_b[TILE][TILE];
#endif
  float sums[GRANULARITY];
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) sums[g] = 0.0f;
  elements next;
  if (BUFFERING == BUFFERING_PREFETCH) load_elements(&next, a + index_a, b + index_b);
  // Nothing needs this barrier but PoCL 5.0, which in some builds compiles a loop with barriers wrongly where none stands
  // before it.
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int begin = 0; begin < terms; begin += TILE) {
    if (BUFFERING != BUFFERING_PREFETCH) load_elements(&next, a + index_a, b + index_b);
    tile_a[y][x] = next.a;
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) tile_b[y][x + g * TILE] = next.b[g];
    index_a += TILE;
    index_b += (size_t)TILE * cols;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (BUFFERING == BUFFERING_PREFETCH && begin + TILE < terms) load_elements(&next, a + index_a, b + index_b);
#if SPILL
    spilled_a[y][x] = index_a;
    spilled_b[y][x] = index_b;
#endif
    UNROLL_LOOP(UNROLL)
    for (int i = 0; i < TILE; ++i) {
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) sums[g] = MULTIPLY_ADD(tile_a[y][i], tile_b[i][x + g * TILE], sums[g]);
    }
#if SPILL
    index_a = spilled_a[y][x];
    index_b = spilled_b[y][x];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) c[row * cols + col + g * TILE] = sums[g];
}
