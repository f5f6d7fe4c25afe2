// fdtd: `streaming` in groups, whose work-items keep a row of each level in registers.

#include "lanes.cl"

// Rows in the loop's body: a multiple of PREFETCH, so that no row that is still being loaded must be moved.
#define ROWS_AT_ONCE ((UNROLL + PREFETCH - 1) / PREFETCH * PREFETCH)

// A row of one level, and Hy of the next level in the row above.
struct level_row {
  realv ez;
  realv hx;
  realv hy;
  realv next_hy_north;
  struct media media;
};

kernel GROUP_OF(WORK_GROUP, 1) LANES_OF_SUB_GROUP
void streaming_columns(global const float* restrict from, global float* restrict to, MEDIUM_AND_SOURCE, const int nx,
                       const int ny, const int stride, const float d, const int2 at, const int step) {
#if SHUFFLE
  const int item = lane_number();
  const int strip = (int)get_group_id(0) * (WORK_GROUP / STRIP_ITEMS) + lanes_number();
#else
  // The columns at the ends of each work-item; one more cell at the strip's ends. Two copies that alternate between rows,
  // so that one barrier per row is enough.
  local float first_ez[2][LEVELS][WORK_GROUP + 1];
  local float last_ez[2][LEVELS][WORK_GROUP + 1];
  local float last_hx[2][LEVELS][WORK_GROUP + 1];
  const int item = (int)get_local_id(0);
  const int strip = (int)get_group_id(0);
  UNROLL_WHOLE
  for (int level = 0; level < LEVELS; ++level) {
    UNROLL_WHOLE
    for (int copy = 0; copy < 2; ++copy) {
      if (item == 0) first_ez[copy][level][WORK_GROUP] = last_ez[copy][level][0] = last_hx[copy][level][0] = 0;
    }
  }
#endif
  const size_t plane = (size_t)nx * (size_t)stride;
  const int column = strip * STORED - HALO + item * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, nx);
#if SHUFFLE
  if (strip * STORED >= ny) return;
#endif
  const bool stores = item * VECTOR_WIDTH >= HALO && item * VECTOR_WIDTH < HALO + STORED && column < ny;
  const int inside = PADDING ? min(column, stride - LEFT - VECTOR_WIDTH) : column;

  struct level_row rows[LEVELS];
  UNROLL_WHOLE
  for (int level = 0; level < LEVELS; ++level) {
    rows[level].ez = rows[level].hx = rows[level].hy = rows[level].next_hy_north = (realv)(0);
    rows[level].media.ca = rows[level].media.cb = (realv)(0);
  }
  realv ez_ahead[PREFETCH];
  realv hx_ahead[PREFETCH];
  realv hy_ahead[PREFETCH];
  struct media media_ahead[PREFETCH];
  UNROLL_WHOLE
  for (int i = 0; i < PREFETCH; ++i) {
    const size_t begin = (size_t)clamp(first - LEVELS + i, 0, nx - 1) * (size_t)stride + LEFT;
    ez_ahead[i] = load_cells(from + begin, inside, ny);
    hx_ahead[i] = load_cells(from + plane + begin, inside, ny);
    hy_ahead[i] = load_cells(from + 2 * plane + begin, inside, ny);
    media_ahead[i] = load_media(coefficients, index, table, begin, plane, inside, ny);
  }

  for (int block = first - LEVELS; block < end + LEVELS; block += ROWS_AT_ONCE) {
    UNROLL_WHOLE
    for (int j = 0; j < ROWS_AT_ONCE; ++j) {
      // Level by level, the row that came in last.
      realv ez = ez_ahead[j % PREFETCH];
      realv hx = hx_ahead[j % PREFETCH];
      realv hy = hy_ahead[j % PREFETCH];
      const struct media media = media_ahead[j % PREFETCH];
      const size_t begin = (size_t)clamp(block + j + PREFETCH, 0, nx - 1) * (size_t)stride + LEFT;
      ez_ahead[j % PREFETCH] = load_cells(from + begin, inside, ny);
      hx_ahead[j % PREFETCH] = load_cells(from + plane + begin, inside, ny);
      hy_ahead[j % PREFETCH] = load_cells(from + 2 * plane + begin, inside, ny);
      media_ahead[j % PREFETCH] = load_media(coefficients, index, table, begin, plane, inside, ny);

#if !SHUFFLE
      const int turn = (block + j - first + LEVELS) % 2;
      UNROLL_WHOLE
      for (int level = 0; level < LEVELS; ++level) {
        first_ez[turn][level][item] = FIRST_OF(rows[level].ez);
        last_ez[turn][level][item + 1] = LAST_OF(rows[level].ez);
        last_hx[turn][level][item + 1] = LAST_OF(rows[level].hx);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      UNROLL_WHOLE
      for (int level = 0; level < LEVELS; ++level) {
        const struct level_row row = rows[level];
#if SHUFFLE
        const float east = lane_behind(FIRST_OF(row.ez));
        const float west = lane_before(LAST_OF(row.ez));
        const float old_hx_west = lane_before(LAST_OF(row.hx));
#else
        const float east = first_ez[turn][level][item + 1];
        const float west = last_ez[turn][level][item];
        const float old_hx_west = last_hx[turn][level][item];
#endif
        const float hx_west = MULTIPLY_ADD(-d, FIRST_OF(row.ez) - west, old_hx_west);
        const realv new_hx = next_hx(row.hx, row.ez, from_east(row.ez, east), d);
        const realv new_hy = next_hy(row.hy, row.ez, ez, d);
        const realv new_ez =
            next_ez(row.ez, row.media, new_hy, row.next_hy_north, new_hx, from_west(new_hx, hx_west));
        rows[level].ez = ez;
        rows[level].hx = hx;
        rows[level].hy = hy;
        rows[level].next_hy_north = new_hy;
        ez = with_source(new_ez, source, step + level, block + j - level - 1, column, at);
        hx = new_hx;
        hy = new_hy;
      }
      UNROLL_WHOLE
      for (int level = LEVELS - 1; level > 0; --level) rows[level].media = rows[level - 1].media;
      rows[0].media = media;
      const int target = block + j - LEVELS;
      if (stores && target >= first && target < end) {
        const size_t target_begin = (size_t)target * (size_t)stride + LEFT;
        store_cells(to + target_begin, column, ny, ez);
        store_cells(to + plane + target_begin, column, ny, hx);
        store_cells(to + 2 * plane + target_begin, column, ny, hy);
      }
    }
  }
}
