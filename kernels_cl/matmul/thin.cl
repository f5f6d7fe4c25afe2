// The variant thin of matmul.cl: results of few rows, columns or terms, whose operands are read in place.
//
// Tiles of TILE_Y x TILE_X results follow each other along the rows of C with ALONG_ROWS, else down its columns, which are
// few then. A group has ACROSS of them side by side, and SLICES work-items for each tile, which share its terms by vectors:
// with ALONG_ROWS neighbouring work-items read neighbouring columns of B, else neighbouring terms of A. This is the operand
// that takes the time; the other one comes from the caches.

#include "ordering.cl"

#define ITEMS (WORK_GROUP * WORK_GROUP)
#define RESULTS (TILE_Y * TILE_X)
#define WHOLE_VECTORS (TILE_X % VECTOR_WIDTH == 0)
#define VECTOR_AT(space, pointer) (*(space realv*)(pointer))
#define FINISHES (PARTIAL && FINISH == FINISH_GROUP)

INLINED void add_share(float sums[TILE_Y][TILE_X], const global float* from, const int cols) {
  UNROLL_WHOLE
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_WHOLE
    for (int x = 0; x < TILE_X; x += WHOLE_VECTORS ? VECTOR_WIDTH : 1) {
      if (WHOLE_VECTORS) {
        STOREV(LOADV(x, sums[r]) + VECTOR_AT(const global, from + (size_t)r * cols + x), x, sums[r]);
      } else {
        sums[r][x] += from[(size_t)r * cols + x];
      }
    }
  }
}

INLINED void clear_sums(float sums[TILE_Y][TILE_X]) {
  UNROLL_WHOLE
  for (int i = 0; i < RESULTS; ++i) sums[i / TILE_X][i % TILE_X] = 0.0f;
}

INLINED void store_sums(float sums[TILE_Y][TILE_X], global float* to, const int cols) {
  UNROLL_WHOLE
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_WHOLE
    for (int x = 0; x < TILE_X; x += WHOLE_VECTORS ? VECTOR_WIDTH : 1) {
      if (WHOLE_VECTORS) {
        VECTOR_AT(global, to + (size_t)r * cols + x) = LOADV(x, sums[r]);
      } else {
        to[(size_t)r * cols + x] = sums[r][x];
      }
    }
  }
}

// Adds the sums of all slices of a tile, by halves: at the end slice 0 has them.
#if SLICES > 1
INLINED void add_slices(float sums[TILE_Y][TILE_X], local float (*shared)[ITEMS / 2], const int tile, const int slice) {
  for (int distance = SLICES / 2; distance > 0; distance /= 2) {
    const int place = ALONG_ROWS ? slice % distance * ACROSS + tile : tile * distance + slice % distance;
    if (slice >= distance && slice < 2 * distance) {
      UNROLL_WHOLE
      for (int i = 0; i < RESULTS; ++i) shared[i][place] = sums[i / TILE_X][i % TILE_X];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slice < distance) {
      UNROLL_WHOLE
      for (int i = 0; i < RESULTS; ++i) sums[i / TILE_X][i % TILE_X] += shared[i][place];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif

// Group (g, s) computes the terms from s * share on; with several s, `partial` has a matrix for each, and `counts` one for
// each g, of the groups that left their sums: 0 before and behind the launch. Tiles of the same columns of B, or rows of A,
// are neighbours in g. With SINGLE, B is one column: its terms are neighbours.
kernel GROUP_OF(ITEMS, 1) void matmul(const global float* restrict a, const global float* restrict b, global float* restrict c,
                                      global float* partial, global flag_t* counts, const int rows, const int cols,
                                      const int terms, const int share) {
  const int item = (int)get_local_id(0);
  const int tile = ALONG_ROWS ? item % ACROSS : item / SLICES;
  const int slice = ALONG_ROWS ? item / ACROSS : item % SLICES;
  const int tiles = ALONG_ROWS ? cols / TILE_X : rows / TILE_Y;
  const int layers = ALONG_ROWS ? rows / TILE_Y : cols / TILE_X;
  const int layer = (int)get_group_id(0) % layers;
  const int along = (int)get_group_id(0) / layers * ACROSS + tile;
  // Those beyond the last tile compute it too: they take part in barriers.
  const int inside = min(along, tiles - 1);
  const int row = TILE_Y * (ALONG_ROWS ? layer : inside);
  const int column = TILE_X * (ALONG_ROWS ? inside : layer);
  const int begin = (int)get_group_id(1) * share;
  const int end = min(begin + share, terms);
  const global float* left = a + (size_t)row * terms;
  const global float* right = b + column;
  float sums[TILE_Y][TILE_X];
  clear_sums(sums);
  UNROLL_LOOP(UNROLL)
  for (int k = begin + slice * VECTOR_WIDTH; k < end; k += SLICES * VECTOR_WIDTH) {
    float below[TILE_Y][VECTOR_WIDTH];
    float top[VECTOR_WIDTH][TILE_X];
    UNROLL_WHOLE
    for (int r = 0; r < TILE_Y; ++r) STOREV(VECTOR_AT(const global, left + (size_t)r * terms + k), 0, below[r]);
#if SINGLE
    float down[VECTOR_WIDTH];
    STOREV(VECTOR_AT(const global, right + k), 0, down);
    UNROLL_WHOLE
    for (int t = 0; t < VECTOR_WIDTH; ++t) top[t][0] = down[t];
#else
    UNROLL_WHOLE
    for (int t = 0; t < VECTOR_WIDTH; ++t) {
      const global float* from = right + (size_t)(k + t) * cols;
      UNROLL_WHOLE
      for (int x = 0; x < TILE_X; x += WHOLE_VECTORS ? VECTOR_WIDTH : 1) {
        if (WHOLE_VECTORS) {
          STOREV(VECTOR_AT(const global, from + x), 0, &top[t][x]);
        } else {
          top[t][x] = from[x];
        }
      }
    }
#endif
    UNROLL_WHOLE
    for (int t = 0; t < VECTOR_WIDTH; ++t) {
      UNROLL_WHOLE
      for (int i = 0; i < RESULTS; ++i) {
        sums[i / TILE_X][i % TILE_X] = MULTIPLY_ADD(below[i / TILE_X][t], top[t][i % TILE_X], sums[i / TILE_X][i % TILE_X]);
      }
    }
  }
#if SLICES > 1
  local float shared[RESULTS][ITEMS / 2];
  add_slices(sums, shared, tile, slice);
#endif
  const int stores = slice == 0 && along < tiles;
  const size_t results = (size_t)rows * cols;
  const size_t at = (size_t)row * cols + column;
  if (stores) store_sums(sums, PARTIAL ? partial + get_group_id(1) * results + at : c + at, cols);
#if FINISHES
  // Slices take the shares in turn, as they did the terms: the result does not depend on which group is last.
  local int is_last;
  if (!is_last_of((uint)get_num_groups(1), counts + get_group_id(0), &is_last)) return;
  clear_sums(sums);
  UNROLL_LOOP(UNROLL)
  for (int other = slice; other < (int)get_num_groups(1); other += SLICES) add_share(sums, partial + other * results + at, cols);
#if SLICES > 1
  add_slices(sums, shared, tile, slice);
#endif
  if (stores) store_sums(sums, c + at, cols);
#endif
}
