// lud, variant `blocked`: subtracts the product of the packed panels from the trailing matrix. Part of blocked.cl.

#define TILE_VECTORS (TILE_X / VECTOR_WIDTH)
#if STAGED
#define OPERAND_SPACE local
#define CHUNK 16
#define STAGE_FLOATS (CHUNK * (GROUP_X + GROUP_Y))
#else
#define OPERAND_SPACE global
#define CHUNK PANEL
#define STAGE_FLOATS 0
#endif
#define SCRATCH_STAGED (2 * STAGE_FLOATS)
#define SCRATCH_FACTOR (2 * STEP + BLOCK_FLOATS)
#define SCRATCH (SCRATCH_STAGED > SCRATCH_FACTOR ? SCRATCH_STAGED : SCRATCH_FACTOR)

typedef struct {
  realv sums[TILE_Y][TILE_VECTORS];
} tile_sums;

// Adds CHUNK terms of the product. `below` and `right` point to the work-item's first row and column in packed tiles.
void add_products(tile_sums* tile, const OPERAND_SPACE float* below, const OPERAND_SPACE float* right) {
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < CHUNK; ++k) {
    realv top[TILE_VECTORS];
    UNROLL_LOOP(16)
    for (int v = 0; v < TILE_VECTORS; ++v) {
      top[v] = VECTOR_AT(const OPERAND_SPACE, right + k * GROUP_X + v * WORK_GROUP * VECTOR_WIDTH);
    }
    UNROLL_LOOP(4)
    for (int q = 0; q < TILE_Y; q += 4) {
      // In local memory one load fetches four rows; in global memory the loads are broadcasts, one per row.
#if STAGED
      const float4 four = *(const OPERAND_SPACE float4*)(below + k * GROUP_Y + q);
      const float left[4] = {four.x, four.y, four.z, four.w};
#else
      const OPERAND_SPACE float* left = below + k * GROUP_Y + q;
#endif
      UNROLL_LOOP(4)
      for (int r = 0; r < 4; ++r) {
        UNROLL_LOOP(16)
        for (int v = 0; v < TILE_VECTORS; ++v) {
          tile->sums[q + r][v] = MULTIPLY_ADD((realv)(left[r]), top[v], tile->sums[q + r][v]);
        }
      }
    }
  }
}

#if STAGED
// Vectors of an operand, `edge` wide, that a work-item copies per chunk.
#define VECTORS_OF_CHUNK(edge) ((CHUNK * (edge) + ITEMS * VECTOR_WIDTH - 1) / (ITEMS * VECTOR_WIDTH))
typedef struct {
  realv below[VECTORS_OF_CHUNK(GROUP_Y)];
  realv right[VECTORS_OF_CHUNK(GROUP_X)];
} chunk_part;

// From the packed panels to registers.
void load_chunk(chunk_part* part, const global float* below, const global float* right, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < VECTORS_OF_CHUNK(GROUP_Y); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_Y) part->below[i] = VECTOR_AT(const global, below + at);
  }
  UNROLL_LOOP(16)
  for (int i = 0; i < VECTORS_OF_CHUNK(GROUP_X); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_X) part->right[i] = VECTOR_AT(const global, right + at);
  }
}

// From registers to local memory: CHUNK x GROUP_Y of `below`, then CHUNK x GROUP_X of `right`.
void store_chunk(const chunk_part* part, local float* stage, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < VECTORS_OF_CHUNK(GROUP_Y); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_Y) VECTOR_AT(local, stage + at) = part->below[i];
  }
  UNROLL_LOOP(16)
  for (int i = 0; i < VECTORS_OF_CHUNK(GROUP_X); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_X) VECTOR_AT(local, stage + CHUNK * GROUP_Y + at) = part->right[i];
  }
}
#endif

// A CPU's hardware prefetcher does not foresee the next tile, a few cache lines in each of many rows. Prefetching
// beyond the last row is harmless: nothing is read there.
#if !STAGED && (defined(__x86_64__) || defined(__aarch64__))
#define PREFETCH(pointer) __builtin_prefetch((const void*)(size_t)(pointer), 1)
#else
#define PREFETCH(pointer)
#endif
#define LINE_FLOATS 16

// Updates the tile of one work-item: matrix -= below * right. `below` and `right` are the group's packed tiles.
void update_tile(global float* target, const int stride, const global float* below, const global float* right,
                 local float* scratch, const int item) {
  const int column = item % WORK_GROUP * VECTOR_WIDTH;
  const int row = item / WORK_GROUP * TILE_Y;
  tile_sums tile;
#if STAGED
  chunk_part part;
  load_chunk(&part, below, right, item);
#endif
  UNROLL_LOOP(16)
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_LOOP(16)
    for (int v = 0; v < TILE_VECTORS; ++v) {
      tile.sums[r][v] =
          VECTOR_AT(global, target + element(row + r, column + v * WORK_GROUP * VECTOR_WIDTH, stride));
    }
  }
#if STAGED
  store_chunk(&part, scratch, item);
  GROUP_BARRIER();
  UNROLL_LOOP(1)
  for (int k = 0; k < PANEL; k += CHUNK) {
    local float* stage = scratch + k / CHUNK % 2 * STAGE_FLOATS;
    const int next = k + CHUNK;
    if (next < PANEL) load_chunk(&part, below + next * GROUP_Y, right + next * GROUP_X, item);
    add_products(&tile, stage + row, stage + CHUNK * GROUP_Y + column);
    if (next < PANEL) store_chunk(&part, scratch + next / CHUNK % 2 * STAGE_FLOATS, item);
    GROUP_BARRIER();
  }
#else
  for (int r = 0; r < TILE_Y; ++r) {
    for (int x = 0; x < TILE_X; x += LINE_FLOATS) PREFETCH(target + element(GROUP_Y + row + r, column + x, stride));
  }
  add_products(&tile, below + row, right + column);
#endif
  UNROLL_LOOP(16)
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_LOOP(16)
    for (int v = 0; v < TILE_VECTORS; ++v) {
      VECTOR_AT(global, target + element(row + r, column + v * WORK_GROUP * VECTOR_WIDTH, stride)) = tile.sums[r][v];
    }
  }
}

// `rest`: order of the trailing matrix, which begins PANEL beyond `offset`.
kernel GROUP_OF(ITEMS, 1) void blocked_internal(
    global float* matrix, global float* restrict factors, const global float* restrict right_panel,
    const global float* restrict below_panel, const int stride, const int offset, const int rest) {
  local float scratch[SCRATCH] __attribute__((aligned(64)));
  const int item = get_local_id(0);
  const int group = get_group_id(0);
  global float* trailing = matrix + element(offset + PANEL, offset + PANEL, stride);

  // The trailing matrix is a grid of stacks of GRANULARITY tiles. Group 0 has all those of the next block on the
  // diagonal, which is corner_y x corner_x of them; the next groups have those to its right, the rest those below.
  const int corner_x = PANEL / GROUP_X;
  const int corner_y = PANEL / (GROUP_Y * GRANULARITY);
  const int stacks_x = rest / GROUP_X;
  const int stacks_y = rest / (GROUP_Y * GRANULARITY);
  const int beside = corner_y * (stacks_x - corner_x);
  const int is_corner = group == 0;
  const int is_beside = group <= beside;
  const int number = is_corner ? 0 : is_beside ? group - 1 : group - 1 - beside;
  const int height = is_corner || is_beside ? corner_y : stacks_y - corner_y;
  const int first_x = is_beside && !is_corner ? corner_x : 0;
  const int first_y = is_corner || is_beside ? 0 : corner_y;
  const int count = is_corner ? corner_x * corner_y : 1;

  for (int i = number; i < number + count; ++i) {
    const int x = first_x + i / height;
    for (int g = 0; g < GRANULARITY; ++g) {
      const int y = (first_y + i % height) * GRANULARITY + g;
      update_tile(trailing + element(y * GROUP_Y, x * GROUP_X, stride), stride,
                  below_panel + (size_t)y * (PANEL * GROUP_Y), right_panel + (size_t)x * (PANEL * GROUP_X), scratch,
                  item);
    }
  }
  if (is_corner) {
    GROUP_BARRIER();
    factor_block(trailing, stride, factors, scratch, item);
  }
}
