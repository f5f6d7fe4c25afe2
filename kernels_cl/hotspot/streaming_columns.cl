// hotspot: `streaming` in groups, whose work-items keep their columns of each level in registers.
//
// What bounds it: issuing instructions. On an H200, at 8192 x 8192 with 12 levels, 24 steps take 0.92 ms, 1.75 T cell steps/s.
// One more multiply-add for each cell and step makes that 9 % longer, a second one as much again, and one more shuffle for
// each vector 4 %. A cell step costs 11 instructions for the 6 of its arithmetic, and halos make 1.46 of each: 2.0 T would need
// less than 10. Fewer levels repeat less and read more often.

#include "lanes.cl"

// Rows in the loop's body: a multiple of PREFETCH, so that no row that is still being loaded must be moved.
#define ROWS_AT_ONCE ((UNROLL + PREFETCH - 1) / PREFETCH * PREFETCH)

// A position in the sequence of rows of a grid that continues mirrored; the next row is `step` away.
struct row_cursor {
  int row;
  int step;
};

INLINED struct row_cursor cursor_at(const int index, const int rows) {
  struct row_cursor cursor;
  cursor.row = mirrored(index, rows);
  cursor.step = (index - cursor.row) % (2 * rows) == 0 ? 1 : -1;  // the mirrored grid is in reversed order
  return cursor;
}

INLINED struct row_cursor advanced(struct row_cursor cursor, const int rows) {
  const int next = cursor.row + cursor.step;
  const bool inside = (uint)next < (uint)rows;
  cursor.row = inside ? next : cursor.row;
  cursor.step = inside ? cursor.step : -cursor.step;
  return cursor;
}

// Level t + 1 of a row is computed in two parts, so that only two rows of level t are kept: `partial` holds the terms
// of source, north and own once the row is the middle one; west, east and south are added with the next row.
kernel GROUP_OF(WORK_GROUP, 1) LANES_OF_SUB_GROUP
void streaming_columns(global const float* restrict temperature, global const float* restrict power,
                       global float* restrict next, const int rows, const int cols, const int stride,
                       const float4 weights, const float offset) {
#if !SHUFFLE
  // First and last column of each work-item; one more cell at the strip's ends. Two copies that alternate between rows,
  // so that one barrier per row is enough.
  local float firsts[2][LEVELS][WORK_GROUP + 1];
  local float lasts[2][LEVELS][WORK_GROUP + 1];
#endif
#if SHUFFLE
  const int item = lane_number();
  const int strip = (int)get_group_id(0) * (WORK_GROUP / STRIP_ITEMS) + lanes_number();
#else
  const int item = (int)get_local_id(0);
  const int strip = (int)get_group_id(0);
#endif
  const int column = strip * STORED - HALO + item * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, rows);
#if SHUFFLE
  if (strip * STORED >= cols) return;
#endif
  const bool stores = item * VECTOR_WIDTH >= HALO && item * VECTOR_WIDTH < HALO + STORED && column < cols;
  const int from = PADDING ? min(column, stride - LEFT - VECTOR_WIDTH) : column;

  float middle[LEVELS][VECTOR_WIDTH];
  float partial[LEVELS][VECTOR_WIDTH];
  realv sources[LEVELS];
  UNROLL_WHOLE
  for (int level = 0; level < LEVELS; ++level) {
    sources[level] = (realv)(0);
    UNROLL_WHOLE
    for (int k = 0; k < VECTOR_WIDTH; ++k) middle[level][k] = partial[level][k] = 0;
#if !SHUFFLE
    if (item == 0) lasts[0][level][0] = lasts[1][level][0] = 0;
    if (item == 0) firsts[0][level][WORK_GROUP] = firsts[1][level][WORK_GROUP] = 0;
#endif
  }
  realv ahead[PREFETCH];
  realv power_ahead[PREFETCH];
  struct row_cursor cursor = cursor_at(first - LEVELS, rows);
  UNROLL_WHOLE
  for (int i = 0; i < PREFETCH; ++i) {
    const size_t begin = row_begin(cursor.row, stride);
    ahead[i] = load_vector(temperature + begin, from, cols);
    power_ahead[i] = load_vector(power + begin, from, cols);
    cursor = advanced(cursor, rows);
  }

  for (int block = first - LEVELS; block < end + LEVELS; block += ROWS_AT_ONCE) {
    UNROLL_WHOLE
    for (int j = 0; j < ROWS_AT_ONCE; ++j) {
      float value[VECTOR_WIDTH];
      STOREV(ahead[j % PREFETCH], 0, value);
      UNROLL_WHOLE
      for (int level = LEVELS - 1; level > 0; --level) sources[level] = sources[level - 1];
      sources[0] = source_term(power_ahead[j % PREFETCH], weights, offset);
      const size_t begin = row_begin(cursor.row, stride);
      ahead[j % PREFETCH] = load_vector(temperature + begin, from, cols);
      power_ahead[j % PREFETCH] = load_vector(power + begin, from, cols);
      cursor = advanced(cursor, rows);

#if !SHUFFLE
      const int turn = (block + j - first + LEVELS) % 2;
      UNROLL_WHOLE
      for (int level = 0; level < LEVELS; ++level) {
        firsts[turn][level][item] = middle[level][0];
        lasts[turn][level][item + 1] = middle[level][VECTOR_WIDTH - 1];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      UNROLL_WHOLE
      for (int level = 0; level < LEVELS; ++level) {
#if !SHUFFLE
        const float west = lasts[turn][level][item];
        const float east = firsts[turn][level][item + 1];
#else
        const float west = lane_before(middle[level][VECTOR_WIDTH - 1]);
        const float east = lane_behind(middle[level][0]);
#endif
        float source[VECTOR_WIDTH];
        STOREV(sources[level], 0, source);
        float made[VECTOR_WIDTH];
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          const float beside =
              (k == 0 ? west : middle[level][max(k - 1, 0)]) +
              (k == VECTOR_WIDTH - 1 ? east : middle[level][min(k + 1, VECTOR_WIDTH - 1)]);
          const float but_south = MULTIPLY_ADD(weights.z, beside, partial[level][k]);
          made[k] = middle[level][k] + MULTIPLY_ADD(weights.y, value[k], but_south);
          const float from_north = MULTIPLY_ADD(weights.y, middle[level][k], source[k]);
          partial[level][k] = MULTIPLY_ADD(weights.x, value[k], from_north);
        }
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          middle[level][k] = value[k];
          value[k] = made[k];
        }
      }
      const int target = block + j - LEVELS;
      if (stores && target >= first && target < end) {
        store_vector(next + row_begin(target, stride), column, cols, LOADV(0, value));
      }
    }
    if (stores && is_mirrored(column, cols)) {
      for (int target = max(block - LEVELS, first); target < min(block - LEVELS + ROWS_AT_ONCE, end); ++target) {
        store_mirrored(next + row_begin(target, stride), column, cols);
      }
    }
  }
}
