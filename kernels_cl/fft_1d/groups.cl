// The variant stockham of fft_1d.cl in groups: COLUMNS neighbouring columns, each of R / POINTS work-items, so that what a
// group reads and writes is contiguous in pieces of COLUMNS numbers or more. Of UNROLL such tiles the next one is on its
// way while one is transformed; those of a time are neighbours.

#define POINTS (GRANULARITY < R ? GRANULARITY : R)
// Neighbouring columns lie side by side in local memory where work-items go through them so all the time.
#define LOCAL_PLACE(column, i) (WRITES_ACROSS ? PADDED(i) * COLUMNS + (column) : (column) * LINE + PADDED(i))
#if EXCHANGE == EXCHANGE_PARTS
#define BANKS 32
typedef float exchanged;
#else
typedef float2 exchanged;
#endif
#include "fft_1d/stages.cl"

#define ITEMS (COLUMNS * COLUMN_ITEMS)

// The lowest bit that is set in a number from 1 to 15.
#define LOWEST_BIT(w) ((w) % 2 ? 0 : (w) % 4 ? 1 : (w) % 8 ? 2 : 3)

// Multiplies the inputs of a column by the pass's roots. Those of r = t + w COLUMN_ITEMS are products of t's and of those
// of the bits of w, from tables: few are read, and with radices from 128 on the tables have a tenth of the array.
INLINED void turn_inputs(float* re, float* im, global const float2* roots, const int log_before, const uint k,
                         const int t) {
#if ROOTS == ROOTS_TABLE
  global const float2* const of_k = roots + 2 * R + k;
  const uint apart = 1u << log_before;
  float2 bit_root[POINTS_BITS];
  float2 product_from[POINTS_BITS + 1];  // of t's root and those of the bits of w from this one on
  UNROLL_WHOLE
  for (int bit = 0; bit < POINTS_BITS; ++bit) bit_root[bit] = of_k[(size_t)bit * apart];
  UNROLL_WHOLE
  for (int bit = 0; bit <= POINTS_BITS; ++bit) product_from[bit] = of_k[(size_t)(POINTS_BITS + t) * apart];
#endif
  UNROLL_WHOLE
  for (int w = 0; w < POINTS; ++w) {
#if ROOTS == ROOTS_TABLE
    if (w > 0) {
      const float2 root = product(product_from[LOWEST_BIT(w) + 1], bit_root[LOWEST_BIT(w)]);
      UNROLL_WHOLE
      for (int bit = 0; bit <= LOWEST_BIT(w); ++bit) product_from[bit] = root;
    }
    turn_by_root(&re[w], &im[w], product_from[0]);
#else
    turn(&re[w], &im[w], (uint)input_place(t, w) * k, log_before + PASS_BITS);
#endif
  }
}

// The inputs of column `at`.
INLINED void load_column(global const float2* from, float* re, float* im, const pass_shape pass, const size_t at,
                         const int t) {
  const uint apart = (uint)COLUMN_ITEMS << pass.log_columns;
  global const float2* const begin = from + column_begin(pass, at) + ((size_t)t << pass.log_columns);
  UNROLL_WHOLE
  for (int w = 0; w < POINTS; ++w) {
    const float2 number = begin[(size_t)w * apart];
    re[w] = INVERSE ? number.y : number.x;
    im[w] = INVERSE ? number.x : number.y;
  }
}

kernel GROUP_OF(ITEMS, 1)
void fft(global const float2* restrict from, global float2* restrict to, const ulong columns, const int log_n,
         const int log_before, const float scale, global const float2* restrict roots) {
#if STAGES > 1
  local exchanged exchange[LINE * COLUMNS];
#endif
  const int item = (int)get_local_id(0);
  const pass_shape pass = {(size_t)columns - 1, log_n, log_n - PASS_BITS, log_before};
  const size_t last_tile = pass.last / COLUMNS;
  const int in_column = ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
  const int in_t = ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;
  const int out_column = WRITES_ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
  const int out_t = WRITES_ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;

  float next_re[POINTS];
  float next_im[POINTS];
  load_column(from, next_re, next_im, pass, min(get_group_id(0) * COLUMNS + in_column, pass.last), in_t);
#if STAGES > 1
  if (STAGES > 2 || UNROLL > 1) barrier(CLK_LOCAL_MEM_FENCE);  // PoCL 5.0 wants one before a loop with barriers
#endif
  for (int n = 0; n < UNROLL; ++n) {
    const size_t tile = get_group_id(0) + n * get_num_groups(0);
    const size_t group_column = min(tile, last_tile) * COLUMNS;
    float re[POINTS];
    float im[POINTS];
    UNROLL_WHOLE
    for (int w = 0; w < POINTS; ++w) {
      re[w] = next_re[w];
      im[w] = next_im[w];
    }
    if (n + 1 < UNROLL) {
      const size_t next = min(tile + get_num_groups(0), last_tile) * COLUMNS;
      load_column(from, next_re, next_im, pass, min(next + in_column, pass.last), in_t);
    }
    if (!IS_FIRST) {
      turn_inputs(re, im, roots, log_before, column_roots(pass, min(group_column + in_column, pass.last)), in_t);
    }
#if STAGES > 1
    UNROLL_WHOLE
    for (int stage = 0; stage < STAGES - 1; ++stage) {
      const bool is_next_last = stage == STAGES - 2;
      const int bits = stage * POINTS_BITS;
      const int column = stage == 0 ? in_column : out_column;
      const int t = stage == 0 ? in_t : out_t;
      make_stage(re, im, roots, POINTS_BITS, bits, t, false);
#if EXCHANGE == EXCHANGE_PARTS
      store_parts(exchange, re, POINTS_BITS, bits, column, t);
      barrier(CLK_LOCAL_MEM_FENCE);
      load_parts(exchange, re, out_column, out_t, is_next_last);
      barrier(CLK_LOCAL_MEM_FENCE);
      store_parts(exchange, im, POINTS_BITS, bits, column, t);
      barrier(CLK_LOCAL_MEM_FENCE);
      load_parts(exchange, im, out_column, out_t, is_next_last);
#else
      store_stage(exchange, re, im, POINTS_BITS, bits, column, t);
      barrier(CLK_LOCAL_MEM_FENCE);
      load_stage(exchange, re, im, out_column, out_t, is_next_last);
#endif
      if (STAGES > 2 || UNROLL > 1) barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    make_stage(re, im, roots, LAST_BITS, EARLY_BITS, out_t, true);
    const size_t at = group_column + out_column;
    if (tile <= last_tile && at <= pass.last) store_column(to, re, im, pass, at, out_t, scale);
  }
}
