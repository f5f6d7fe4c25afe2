// The variant staged of fft_1d.cl: some work-items of a group copy the numbers of the next tile, COLUMNS columns, to
// local memory, while the others transform those of this one.

#include "named_barriers.cl"

#define POINTS (16 < R ? 16 : R)
#define LOCAL_PLACE(column, i) \
  (LAYOUT == LAYOUT_ROWS ? PADDED(i) * COLUMNS + (column) : (column) * LINE + PADDED(i))
#include "fft_1d/stages.cl"

#define COMPUTE_ITEMS (COLUMNS * COLUMN_ITEMS)
#define TILE_NUMBERS (COLUMNS * R)
#define LOADERS ((TILE_NUMBERS + GRANULARITY - 1) / GRANULARITY)
// Numbers of a load: not more than are neighbours.
#define NEIGHBOURS (ACROSS ? COLUMNS : R)
#define LOAD_WIDTH (VECTOR_WIDTH < NEIGHBOURS ? VECTOR_WIDTH : NEIGHBOURS)

// The numbers of a loader: GRANULARITY / LOAD_WIDTH loads, of which the last may lie behind the tile.
INLINED void fetch_tile(float2* held, global const float2* from, const pass_shape pass, const size_t group_column,
                        const int loader) {
  UNROLL_WHOLE
  for (int n = 0; n < GRANULARITY / LOAD_WIDTH; ++n) {
    const int at = (loader + n * LOADERS) * LOAD_WIDTH;
    if (at < TILE_NUMBERS) {
      const int column = ACROSS ? at % COLUMNS : at / R;
      const int i = ACROSS ? at / COLUMNS : at % R;
      // Only columns that are no neighbours may lie behind the last one.
      const size_t begin = column_begin(pass, ACROSS ? group_column + column : min(group_column + column, pass.last));
      global const float2* const source = from + begin + ((size_t)i << pass.log_columns);
#if VECTOR_WIDTH == 2
      if (LOAD_WIDTH == 2) {
        const float4 both = *(global const float4*)source;
        held[2 * n] = both.lo;
        held[2 * n + 1] = both.hi;
        continue;
      }
#endif
      held[n] = *source;
    }
  }
}
INLINED void store_tile(local float2* tile, const float2* held, const int loader) {
  UNROLL_WHOLE
  for (int n = 0; n < GRANULARITY / LOAD_WIDTH; ++n) {
    const int at = (loader + n * LOADERS) * LOAD_WIDTH;
    if (at < TILE_NUMBERS) {
      const int column = ACROSS ? at % COLUMNS : at / R;
      const int i = ACROSS ? at / COLUMNS : at % R;
      tile[LOCAL_PLACE(column, i)] = held[n * LOAD_WIDTH];
      if (LOAD_WIDTH == 2)
        tile[ACROSS ? LOCAL_PLACE(column + 1, i) : LOCAL_PLACE(column, i + 1)] = held[n * LOAD_WIDTH + 1];
    }
  }
}

// Where the computing work-items have left a tile before they write to it, and the other way round.
#if BARRIER == BARRIER_NAMED
#define MEET_TO_COMPUTE wait_at(COMPUTING, COMPUTE_ITEMS)
#else
#define MEET_TO_COMPUTE barrier(CLK_LOCAL_MEM_FENCE)
#endif

kernel GROUP_OF(COMPUTE_ITEMS + LOADERS, 1)
void fft(global const float2* restrict from, global float2* restrict to, const ulong columns, const int log_n,
         const int log_before, const float scale) {
  local float2 tiles[2][LINE * COLUMNS] __attribute__((aligned(16)));
  const int item = (int)get_local_id(0);
  const bool computes = item < COMPUTE_ITEMS;
  const pass_shape pass = {(size_t)columns - 1, log_n, log_n - PASS_BITS, log_before};
  const size_t first_tile = (size_t)get_group_id(0) * UNROLL;
  const size_t last_tile = pass.last / COLUMNS;
  const int in_column = ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
  const int in_t = ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;
  const int out_column = WRITES_ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
  const int out_t = WRITES_ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;

  const int loader = item - COMPUTE_ITEMS;
  float2 held[GRANULARITY];
#if BARRIER == BARRIER_NAMED
  const int meeting = COMPUTE_ITEMS + (LOADERS + 31) / 32 * 32;  // a warp counts as a whole one
  if (!computes) {
    for (int n = 0; n < UNROLL; ++n) {
      const size_t column = min(first_tile + n, last_tile) * COLUMNS;
      if (PREFETCH) fetch_tile(held, from, pass, column, loader);
      wait_at(BUFFER_FREE(n % 2), meeting);
      if (!PREFETCH) fetch_tile(held, from, pass, column, loader);
      store_tile(tiles[n % 2], held, loader);
      arrive_at(BUFFER_FULL(n % 2), meeting);
    }
    return;
  }
  for (int n = 0; n < min(2, UNROLL); ++n) arrive_at(BUFFER_FREE(n), meeting);
#else
  if (!computes) {
    fetch_tile(held, from, pass, min(first_tile, last_tile) * COLUMNS, loader);
    store_tile(tiles[0], held, loader);
    if (PREFETCH && UNROLL > 1) fetch_tile(held, from, pass, min(first_tile + 1, last_tile) * COLUMNS, loader);
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // the first tile is there; and PoCL 5.0 wants one before a loop with barriers
#endif
  for (int n = 0; n < UNROLL; ++n) {
#if BARRIER == BARRIER_NAMED
    wait_at(BUFFER_FULL(n % 2), meeting);
#endif
    local float2* const tile = tiles[n % 2];
    const size_t group_column = min(first_tile + n, last_tile) * COLUMNS;
    float re[POINTS];
    float im[POINTS];
    if (computes) {
      const uint k = column_roots(pass, min(group_column + in_column, pass.last));
      UNROLL_WHOLE
      for (int w = 0; w < POINTS; ++w) {
        const int place = input_place(in_t, w);
        const float2 number = tile[LOCAL_PLACE(in_column, place)];
        re[w] = INVERSE ? number.y : number.x;
        im[w] = INVERSE ? number.x : number.y;
        if (!IS_FIRST) turn(&re[w], &im[w], (uint)place * k, log_before + PASS_BITS);
      }
      if (STAGES > 1) make_stage(re, im, NO_ROOTS, POINTS_BITS, 0, in_t, false);
    } else if (n + 1 < UNROLL) {
      if (!PREFETCH) fetch_tile(held, from, pass, min(first_tile + n + 1, last_tile) * COLUMNS, loader);
      store_tile(tiles[(n + 1) % 2], held, loader);
      if (PREFETCH && n + 2 < UNROLL) {
        fetch_tile(held, from, pass, min(first_tile + n + 2, last_tile) * COLUMNS, loader);
      }
    }
    MEET_TO_COMPUTE;
    if (computes && STAGES > 1) store_stage(tile, re, im, POINTS_BITS, 0, in_column, in_t);
    MEET_TO_COMPUTE;
    if (computes) {
      if (STAGES > 1) load_stage(tile, re, im, out_column, out_t, true);
#if BARRIER == BARRIER_NAMED
      if (n + 2 < UNROLL) arrive_at(BUFFER_FREE(n % 2), meeting);
#endif
      make_stage(re, im, NO_ROOTS, LAST_BITS, EARLY_BITS, out_t, true);
      const size_t column = group_column + out_column;
      if (first_tile + n <= last_tile && column <= pass.last) store_column(to, re, im, pass, column, out_t, scale);
    }
#if BARRIER == BARRIER_GROUP
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
}
