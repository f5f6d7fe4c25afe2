// The variant stockham of fft_1d.cl in groups: COLUMNS neighbouring columns, each of R / POINTS work-items, so that what a
// group reads and writes is contiguous in pieces of COLUMNS numbers or more.

#define POINTS (GRANULARITY < R ? GRANULARITY : R)
#include "fft_1d/stages.cl"

#define ITEMS (COLUMNS * COLUMN_ITEMS)
// Work-items of neighbouring number are in neighbouring columns, where these are neighbours in the array; else in the
// same one. In the first of several passes that changes between reading and writing.
#define WRITES_ACROSS (!IS_FIRST)
#define EXCHANGES (STAGES > 1 || ACROSS != WRITES_ACROSS)
// Neighbouring columns lie side by side in local memory where work-items go through them so all the time.
#define LOCAL_PLACE(column, i) (WRITES_ACROSS ? PADDED(i) * COLUMNS + (column) : (column) * LINE + PADDED(i))

kernel GROUP_OF(ITEMS, 1)
void fft(global const float2* restrict from, global float2* restrict to, const ulong columns, const int log_n,
         const int log_before, const float scale) {
#if EXCHANGES
  local float2 exchange[LINE * COLUMNS];
#endif
  const int item = (int)get_local_id(0);
  const int log_columns = log_n - PASS_BITS;  // of one transform
  const size_t group_column = (size_t)get_group_id(0) * COLUMNS;
  const ulong last = columns - 1;
  int column = ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
  int t = ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;

  float re[POINTS];
  float im[POINTS];
  {
    const size_t at = min(group_column + column, (size_t)last);
    const size_t i = at & (((size_t)1 << log_columns) - 1);
    global const float2* const begin = from + ((at >> log_columns << log_n) + i);
    const uint k = (uint)i & ((1u << log_before) - 1);
    UNROLL_WHOLE
    for (int w = 0; w < POINTS; ++w) {
      const float2 number = begin[(size_t)input_place(t, w) << log_columns];
      re[w] = INVERSE ? number.y : number.x;
      im[w] = INVERSE ? number.x : number.y;
    }
    if (!IS_FIRST) {
      UNROLL_WHOLE
      for (int w = 0; w < POINTS; ++w) turn(&re[w], &im[w], (uint)input_place(t, w) * k, log_before + PASS_BITS);
    }
  }

#if EXCHANGES
  if (STAGES > 2) barrier(CLK_LOCAL_MEM_FENCE);  // PoCL 5.0 wants one before a loop with barriers
  UNROLL_WHOLE
  for (int stage = 0; stage < (STAGES > 1 ? STAGES - 1 : 1); ++stage) {
    const int bits = STAGES > 1 ? POINTS_BITS : 0;
    make_stage(re, im, bits, stage * POINTS_BITS, t);
    UNROLL_WHOLE
    for (int m = 0; m < POINTS; ++m) {
      const int place = STAGES > 1 ? output_place(t, 0, m, POINTS_BITS, stage * POINTS_BITS) : input_place(t, m);
      const int w = STAGES > 1 ? PLACE(POINTS_BITS, m) : m;
      exchange[LOCAL_PLACE(column, place)] = (float2)(re[w], im[w]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (stage == 0 && ACROSS != WRITES_ACROSS) {
      column = WRITES_ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;
      t = WRITES_ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;
    }
    UNROLL_WHOLE
    for (int w = 0; w < POINTS; ++w) {
      const float2 number = exchange[LOCAL_PLACE(column, input_place(t, w))];
      re[w] = number.x;
      im[w] = number.y;
    }
    if (STAGES > 2) barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
  make_stage(re, im, LAST_BITS, EARLY_BITS, t);

  const size_t at = group_column + column;
  if (at <= last) {
    const size_t i = at & (((size_t)1 << log_columns) - 1);
    const size_t k = i & (((size_t)1 << log_before) - 1);
    global float2* const begin = to + ((at >> log_columns << log_n) + ((i - k) << PASS_BITS) + k);
    UNROLL_WHOLE
    for (int u = 0; u < POINTS >> LAST_BITS; ++u) {
      UNROLL_WHOLE
      for (int m = 0; m < 1 << LAST_BITS; ++m) {
        const int w = u + PLACE(LAST_BITS, m) * (POINTS >> LAST_BITS);
        const float real = re[w] * scale;
        const float imaginary = im[w] * scale;
        begin[(size_t)output_place(t, u, m, LAST_BITS, EARLY_BITS) << log_before] =
            (float2)(INVERSE ? imaginary : real, INVERSE ? real : imaginary);
      }
    }
  }
}
