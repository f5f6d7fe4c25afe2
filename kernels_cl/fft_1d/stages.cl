// Transforms of the R numbers of a column by R / POINTS work-items, in stages: fft_1d's groups.cl and staged.cl. Work-item
// t has the numbers t + w R / POINTS in its registers; between stages they go through local memory.

#define POINTS_BITS (POINTS == 16 ? 4 : POINTS == 8 ? 3 : POINTS == 4 ? 2 : 1)
#define COLUMN_ITEMS (R / POINTS)
#define STAGES ((PASS_BITS + POINTS_BITS - 1) / POINTS_BITS)
// All stages but the last one have radix POINTS.
#define EARLY_BITS ((STAGES - 1) * POINTS_BITS)
#define LAST_BITS (PASS_BITS - EARLY_BITS)
// Place of a number of a column in local memory, and what a column takes: an odd number, so that neighbouring columns
// begin in different banks.
#define PADDED(i) ((i) + (i) / 16 * PADDING)
#define LINE ((PADDED(R - 1) + 1) | 1)

// The butterflies of a stage, each of 2^bits numbers; the stages before it make up 2^before_bits.
INLINED void make_stage(float* re, float* im, const int bits, const int before_bits, const int t) {
  UNROLL_WHOLE
  for (int u = 0; u < POINTS >> bits; ++u) {
    const int k = (t + u * COLUMN_ITEMS) & ((1 << before_bits) - 1);
    UNROLL_WHOLE
    for (int m = 1; m < POINTS; ++m) {
      const int at = u + m * (POINTS >> bits);
      if (m < 1 << bits && before_bits > 0) turn(&re[at], &im[at], (uint)(m * k), bits + before_bits);
    }
    DFT(re, im, bits, u, POINTS >> bits);
  }
}

// Which number of the column value w of work-item t is before a stage of 2^bits.
INLINED int input_place(const int t, const int w) { return t + w * COLUMN_ITEMS; }

// Which number of the column output m of its butterfly u is after that stage.
INLINED int output_place(const int t, const int u, const int m, const int bits, const int before_bits) {
  const int j = t + u * COLUMN_ITEMS;
  const int k = j & ((1 << before_bits) - 1);
  return ((j - k) << bits) + k + (m << before_bits);
}
