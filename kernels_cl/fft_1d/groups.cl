// The variant stockham of fft_1d.cl in groups: COLUMNS neighbouring columns, each of R / POINTS work-items, so that what a
// group reads and writes is contiguous in pieces of COLUMNS numbers or more.

#define POINTS (GRANULARITY < R ? GRANULARITY : R)
// Neighbouring columns lie side by side in local memory where work-items go through them so all the time.
#define LOCAL_PLACE(column, i) (WRITES_ACROSS ? PADDED(i) * COLUMNS + (column) : (column) * LINE + PADDED(i))
#include "fft_1d/stages.cl"

#define ITEMS (COLUMNS * COLUMN_ITEMS)

// Multiplies the inputs of a column by the pass's roots. Those of r = t + w COLUMN_ITEMS are products of two from tables,
// so that the tables are smaller than the array by the square root of R.
INLINED void turn_inputs(float* re, float* im, global const float2* roots, const int log_before, const uint k,
                         const int t) {
  float2 root_of_t = (float2)(1.0f, 0.0f);
  if (ROOTS == ROOTS_TABLE && COLUMN_ITEMS > 1) root_of_t = roots[2 * R + ((uint)(POINTS + t) << log_before) + k];
  UNROLL_WHOLE
  for (int w = 0; w < POINTS; ++w) {
    if (ROOTS == ROOTS_TABLE) {
      float2 root = root_of_t;
      if (w > 0) root = product(root, roots[2 * R + ((uint)w << log_before) + k]);
      turn_by_root(&re[w], &im[w], root);
    } else {
      turn(&re[w], &im[w], (uint)input_place(t, w) * k, log_before + PASS_BITS);
    }
  }
}

// The inputs of column `at`.
INLINED void load_column(global const float2* from, float* re, float* im, const pass_shape pass, const size_t at,
                         const int t) {
  global const float2* const begin = from + column_begin(pass, at);
  UNROLL_WHOLE
  for (int w = 0; w < POINTS; ++w) {
    const float2 number = begin[(uint)input_place(t, w) << pass.log_columns];
    re[w] = INVERSE ? number.y : number.x;
    im[w] = INVERSE ? number.x : number.y;
  }
}

kernel GROUP_OF(ITEMS, 1)
void fft(global const float2* restrict from, global float2* restrict to, const ulong columns, const int log_n,
         const int log_before, const float scale, global const float2* restrict roots) {
#if STAGES > 1
  local float2 exchange[LINE * COLUMNS];
#endif
  const int item = (int)get_local_id(0);
  const pass_shape pass = {(size_t)columns - 1, log_n, log_n - PASS_BITS, log_before};
  const size_t group_column = (size_t)get_group_id(0) * COLUMNS;
  int column = ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
  int t = ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;

  float re[POINTS];
  float im[POINTS];
  {
    const size_t at = min(group_column + column, pass.last);
    load_column(from, re, im, pass, at, t);
    if (!IS_FIRST) turn_inputs(re, im, roots, log_before, column_roots(pass, at), t);
  }

#if STAGES > 1
  if (STAGES > 2) barrier(CLK_LOCAL_MEM_FENCE);  // PoCL 5.0 wants one before a loop with barriers
  UNROLL_WHOLE
  for (int stage = 0; stage < STAGES - 1; ++stage) {
    make_stage(re, im, roots, POINTS_BITS, stage * POINTS_BITS, t);
    store_stage(exchange, re, im, POINTS_BITS, stage * POINTS_BITS, column, t);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (stage == 0 && ACROSS != WRITES_ACROSS) {
      column = WRITES_ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
      t = WRITES_ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;
    }
    load_stage(exchange, re, im, column, t);
    if (STAGES > 2) barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
  make_stage(re, im, roots, LAST_BITS, EARLY_BITS, t);
  if (group_column + column <= pass.last) store_column(to, re, im, pass, group_column + column, t, scale);
}
