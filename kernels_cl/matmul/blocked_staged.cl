// blocked.cl with MEMORY_LOCAL: a group copies TILE_K terms of its operands at a time to local memory, A as [term][row] and
// B as [term][column], and each work-item multiplies its rows by its columns.

#define STAGES (BUFFERING == BUFFERING_DOUBLE ? 2 : 1)
// Rows of a stage of A: PADDING elements more, for the copies that turn it.
#define LINE_Y (GROUP_Y + PADDING)

typedef struct {
  float below[STAGES][TILE_K][LINE_Y];
  float right[STAGES][TILE_K][GROUP_X];
} stages;

// Vectors of an operand, `edge` wide, that a work-item copies per stage.
#define VECTORS_OF_STAGE(edge) ((TILE_K * (edge) + ITEMS * VECTOR_WIDTH - 1) / (ITEMS * VECTOR_WIDTH))
#define IN_STAGE(at, edge) (TILE_K * (edge) % (ITEMS * VECTOR_WIDTH) == 0 || (at) < TILE_K * (edge))
typedef struct {
  realv below[VECTORS_OF_STAGE(GROUP_Y)];
  realv right[VECTORS_OF_STAGE(GROUP_X)];
} stage_part;

// The stage from term k on, from global memory to registers. Of A as it is, a vector is of neighbouring terms.
INLINED void load_stage(stage_part* part, const operands* from, const int k, const int item) {
  UNROLL_WHOLE
  for (int i = 0; i < VECTORS_OF_STAGE(GROUP_Y); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (IN_STAGE(at, GROUP_Y)) {
      part->below[i] = PACKS_A ? VECTOR_AT(const global, from->below + (size_t)k * GROUP_Y + at)
                               : VECTOR_AT(const global, from->below + at / TILE_K * from->stride_a + k + at % TILE_K);
    }
  }
  UNROLL_WHOLE
  for (int i = 0; i < VECTORS_OF_STAGE(GROUP_X); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (IN_STAGE(at, GROUP_X)) {
      part->right[i] = VECTOR_AT(const global, from->right + (k + at / GROUP_X) * from->stride_b + at % GROUP_X);
    }
  }
}

// From registers to local memory.
INLINED void store_stage(const stage_part* part, local stages* to, const int stage, const int item) {
  UNROLL_WHOLE
  for (int i = 0; i < VECTORS_OF_STAGE(GROUP_Y); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (IN_STAGE(at, GROUP_Y)) {
      if (PACKS_A) {
        VECTOR_AT(local, &to->below[stage][at / GROUP_Y][at % GROUP_Y]) = part->below[i];
      } else {
        float lanes[VECTOR_WIDTH];
        STOREV(part->below[i], 0, lanes);
        UNROLL_WHOLE
        for (int lane = 0; lane < VECTOR_WIDTH; ++lane) {
          to->below[stage][at % TILE_K + lane][at / TILE_K] = lanes[lane];
        }
      }
    }
  }
  UNROLL_WHOLE
  for (int i = 0; i < VECTORS_OF_STAGE(GROUP_X); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (IN_STAGE(at, GROUP_X)) VECTOR_AT(local, &to->right[stage][at / GROUP_X][at % GROUP_X]) = part->right[i];
  }
}

// Adds the terms of a stage. `row` and `column` are the work-item's first.
INLINED void add_products(tile_sums* tile, const local stages* from, const int stage, const int row, const int column) {
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < TILE_K; ++k) {
    realv top[TILE_VECTORS];
    float left[TILE_Y];
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) {
      top[v] = VECTOR_AT(const local, &from->right[stage][k][column + v * WORK_GROUP * VECTOR_WIDTH]);
    }
    UNROLL_WHOLE
    for (int r = 0; r < TILE_Y; r += 4) {
      const float4 four = *(const local float4*)&from->below[stage][k][row + r];
      left[r] = four.x;
      left[r + 1] = four.y;
      left[r + 2] = four.z;
      left[r + 3] = four.w;
    }
    UNROLL_WHOLE
    for (int r = 0; r < TILE_Y; ++r) {
      UNROLL_WHOLE
      for (int v = 0; v < TILE_VECTORS; ++v) tile->sums[r][v] = MULTIPLY_ADD((realv)(left[r]), top[v], tile->sums[r][v]);
    }
  }
}

// Adds a tile's terms from `begin` to `end`, which are multiples of TILE_K.
INLINED void add_terms(tile_sums* tile, const operands* from, const int begin, const int end, local stages* stage,
                       const int item, const int row, const int column) {
  stage_part part;
  load_stage(&part, from, begin, item);
  store_stage(&part, stage, 0, item);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = begin; k < end; k += TILE_K) {
    const int now = STAGES == 2 ? (k - begin) / TILE_K % 2 : 0;
    const int next = STAGES == 2 ? 1 - now : 0;
    const int more = k + TILE_K < end;
    if (BUFFERING != BUFFERING_NONE && more) load_stage(&part, from, k + TILE_K, item);
    add_products(tile, stage, now, row, column);
    if (STAGES == 1) barrier(CLK_LOCAL_MEM_FENCE);
    if (BUFFERING == BUFFERING_NONE && more) load_stage(&part, from, k + TILE_K, item);
    if (more) store_stage(&part, stage, next, item);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

INLINED void multiply_stack(const global float* a, const global float* b, global float* c, const int x, const int first,
                            const int last, const int cols, const int terms, const int begin, const int end,
                            local stages* stage) {
  const int item = (int)get_local_id(0);
  const int2 place = place_of_item(item);
  const int column = place.x * VECTOR_WIDTH;
  const int row = place.y * TILE_Y;
  for (int y = first; y < last; ++y) {
    const operands from = operands_of(a, b, x, y, cols, terms);
    tile_sums tile;
    clear_sums(&tile);
    add_terms(&tile, &from, begin, end, stage, item, row, column);
    store_sums(&tile, c + ((size_t)y * GROUP_Y + row) * cols + x * GROUP_X + column, cols);
  }
}
