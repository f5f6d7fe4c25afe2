// The variant blocked of matmul.cl: register tiles, whose operands come from local memory or are read in place.
//
// A group has GROUP_Y x GROUP_X results at a time, a work-item TILE_Y x TILE_X of them: neighbouring rows, and columns in
// vectors that are WORK_GROUP vectors apart, so that work-items side by side read and write without gaps.

#define ITEMS (WORK_GROUP * WORK_GROUP)
#define GROUP_X (TILE_X * WORK_GROUP)
#define GROUP_Y (TILE_Y * WORK_GROUP)
#define TILE_VECTORS (TILE_X / VECTOR_WIDTH)
#define STAGED (MEMORY == MEMORY_LOCAL)
#define PACKS_A (PACKING == PACKING_A || PACKING == PACKING_BOTH)
#define PACKS_B (PACKING == PACKING_B || PACKING == PACKING_BOTH)

// A vector at an address that is a multiple of its size: without that guarantee a GPU compiler loads element by
// element.
#define VECTOR_AT(space, pointer) (*(space realv*)(pointer))

typedef struct {
  realv sums[TILE_Y][TILE_VECTORS];
} tile_sums;

INLINED void clear_sums(tile_sums* tile) {
  UNROLL_WHOLE
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) tile->sums[r][v] = 0.0f;
  }
}

INLINED void load_sums(tile_sums* tile, const global float* c, const int cols) {
  UNROLL_WHOLE
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) {
      tile->sums[r][v] = VECTOR_AT(const global, c + (size_t)r * cols + v * WORK_GROUP * VECTOR_WIDTH);
    }
  }
}

INLINED void store_sums(const tile_sums* tile, global float* c, const int cols) {
  UNROLL_WHOLE
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) {
      VECTOR_AT(global, c + (size_t)r * cols + v * WORK_GROUP * VECTOR_WIDTH) = tile->sums[r][v];
    }
  }
}

// The place of a work-item in its square: neighbours side by side in rows, or in blocks of LANES columns, 32 of them in
// each, which read less of a stage together.
INLINED int2 place_of_item(const int item) {
#if LANES == 0
  return (int2)(item % WORK_GROUP, item / WORK_GROUP);
#else
  const int block = item / 32;
  const int lane = item % 32;
  const int blocks = WORK_GROUP / LANES;
  return (int2)(block % blocks * LANES + lane % LANES, block / blocks * (32 / LANES) + lane / LANES);
#endif
}

// Where the operands of a group's tile begin.
typedef struct {
  const global float* below;
  const global float* right;
  size_t stride_a;  // from one row of A, or of a packed panel, to the next
  size_t stride_b;
} operands;

INLINED operands operands_of(const global float* a, const global float* b, const int x, const int y, const int cols,
                             const int terms) {
  operands from;
  from.stride_a = PACKS_A ? GROUP_Y : terms;
  from.stride_b = PACKS_B ? GROUP_X : cols;
  from.below = a + (size_t)y * terms * GROUP_Y;
  from.right = b + (PACKS_B ? (size_t)x * terms * GROUP_X : (size_t)x * GROUP_X);
  return from;
}

#if STAGED
#include "matmul/blocked_staged.cl"
#else
#include "matmul/blocked_panels.cl"
#endif
#include "matmul/blocked_pack.cl"

// Groups are numbered down a band of BAND tiles (stacks of tiles), then along: those that run at the same time share
// operands in the caches.
INLINED int2 place_of(const int number, const int tiles_x, const int tiles_y) {
  const int first = number / (BAND * tiles_x) * BAND;
  const int height = min(BAND, tiles_y - first);
  const int inside = number - first * tiles_x;
  return (int2)(inside / height, first + inside % height);
}

#if RESIDENT > 0
#include "matmul/blocked_even.cl"
#else
// `cols` and `terms` are padded. Group (g, s) computes the terms from s * share on, of a stack of GRANULARITY tiles below
// each other; with several s, `c` has a matrix for each.
kernel GROUP_OF(ITEMS, 1) void matmul(const global float* restrict a, const global float* restrict b, global float* restrict c,
                                      const int rows, const int cols, const int terms, const int share) {
#if STAGED
  local stages staged __attribute__((aligned(64)));
  local stages* const to = &staged;
#else
  local stages* const to = 0;
#endif
  const int tiles_x = cols / GROUP_X;
  const int tiles_y = rows / GROUP_Y;
  const int2 place = place_of((int)get_group_id(0), tiles_x, (tiles_y + GRANULARITY - 1) / GRANULARITY);
  const int first = place.y * GRANULARITY;
  const int begin = (int)get_group_id(1) * share;
  const int end = min(begin + share, terms);
  multiply_stack(a, b, c + get_group_id(1) * (size_t)rows * cols, place.x, first, min(first + GRANULARITY, tiles_y), cols,
                 terms, begin, end, to);
}
#endif
