// Transforms of the R numbers of a column by R / POINTS work-items, in stages: what fft_1d's groups.cl and staged.cl share.
// Work-item t has the numbers t + w R / POINTS in its registers; between stages they go through local memory, where number
// i of a column is at LOCAL_PLACE(column, i). POINTS and LOCAL_PLACE are defined before.

#define POINTS_BITS (POINTS == 16 ? 4 : POINTS == 8 ? 3 : POINTS == 4 ? 2 : 1)
#define COLUMN_ITEMS (R / POINTS)
#define STAGES ((PASS_BITS + POINTS_BITS - 1) / POINTS_BITS)
// All stages but the last one have radix POINTS.
#define EARLY_BITS ((STAGES - 1) * POINTS_BITS)
#define LAST_BITS (PASS_BITS - EARLY_BITS)
// Place of a number of a column in local memory, and what a column takes: an odd number, so that neighbouring columns
// begin in different banks.
#define PADDED(i) ((i) + ((i) >> 4) * PADDING)
#define LINE ((PADDED(R - 1) + 1) | 1)
// Work-items of neighbouring number are in neighbouring columns, where these are neighbours in the array; else in the
// same one. In the first of several passes that changes between reading and writing.
#define WRITES_ACROSS (!IS_FIRST)

// Where the columns of a pass are in an array.
typedef struct {
  size_t last;      // column
  int log_n;
  int log_columns;  // of one transform
  int log_before;
} pass_shape;

// The first number of a column, in what is read.
INLINED size_t column_begin(const pass_shape pass, const size_t column) {
  return (column >> pass.log_columns << pass.log_n) + (column & (((size_t)1 << pass.log_columns) - 1));
}

// The column's k, of which its roots depend.
INLINED uint column_roots(const pass_shape pass, const size_t column) {
  return (uint)column & ((1u << pass.log_columns) - 1) & ((1u << pass.log_before) - 1);
}

// Tables of roots of unity, with ROOTS_TABLE, in one array:
//   exp(-2 pi i m k / 2^(bits + before_bits)) at number 2^(before_bits + 1) + (m << before_bits) + k
//       of each stage of 2^bits behind stages that make up 2^before_bits, for m < 2^bits and k < 2^before_bits;
//   exp(-2 pi i w k / (POINTS before)) at number 2 R + (w << log_before) + k
//   exp(-2 pi i t k / (R before)) at number 2 R + ((POINTS + t) << log_before) + k
//       of a pass behind another one, for w < POINTS, t < COLUMN_ITEMS and k < before.
// Neighbouring work-items have neighbouring k, or the same.
#define NO_ROOTS ((global const float2*)0)

// re + i im times a root.
INLINED void turn_by_root(float* re, float* im, const float2 root) {
  const float real = *re;
  *re = MULTIPLY_ADD(real, root.x, -*im * root.y);
  *im = MULTIPLY_ADD(real, root.y, *im * root.x);
}

INLINED float2 product(float2 a, const float2 b) {
  float re = a.x;
  float im = a.y;
  turn_by_root(&re, &im, b);
  return (float2)(re, im);
}

// The butterflies of a stage, each of 2^bits numbers; the stages before it make up 2^before_bits.
INLINED void make_stage(float* re, float* im, global const float2* roots, const int bits, const int before_bits,
                        const int t) {
  UNROLL_WHOLE
  for (int u = 0; u < POINTS >> bits; ++u) {
    const int k = (t + u * COLUMN_ITEMS) & ((1 << before_bits) - 1);
    UNROLL_WHOLE
    for (int m = 1; m < POINTS; ++m) {
      const int at = u + m * (POINTS >> bits);
      if (m >= 1 << bits || before_bits == 0) continue;
      if (ROOTS == ROOTS_TABLE) {
        turn_by_root(&re[at], &im[at], roots[(2 << before_bits) + (m << before_bits) + k]);
      } else {
        turn(&re[at], &im[at], (uint)(m * k), bits + before_bits);
      }
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

// The value that output m of butterfly u is.
INLINED int output_value(const int u, const int m, const int bits) { return u + PLACE(bits, m) * (POINTS >> bits); }

// To local memory, the outputs of a stage.
INLINED void store_stage(local float2* numbers, const float* re, const float* im, const int bits, const int before_bits,
                         const int column, const int t) {
  UNROLL_WHOLE
  for (int u = 0; u < POINTS >> bits; ++u) {
    UNROLL_WHOLE
    for (int m = 0; m < 1 << bits; ++m) {
      const int w = output_value(u, m, bits);
      numbers[LOCAL_PLACE(column, output_place(t, u, m, bits, before_bits))] = (float2)(re[w], im[w]);
    }
  }
}

// From local memory, the inputs of a stage.
INLINED void load_stage(local const float2* numbers, float* re, float* im, const int column, const int t) {
  UNROLL_WHOLE
  for (int w = 0; w < POINTS; ++w) {
    const float2 number = numbers[LOCAL_PLACE(column, input_place(t, w))];
    re[w] = number.x;
    im[w] = number.y;
  }
}

// To the array, the outputs of the last stage of a column.
INLINED void store_column(global float2* to, const float* re, const float* im, const pass_shape pass,
                          const size_t column, const int t, const float scale) {
  const size_t i = column & (((size_t)1 << pass.log_columns) - 1);
  const size_t k = i & (((size_t)1 << pass.log_before) - 1);
  global float2* const begin = to + ((column >> pass.log_columns << pass.log_n) + ((i - k) << PASS_BITS) + k);
  UNROLL_WHOLE
  for (int u = 0; u < POINTS >> LAST_BITS; ++u) {
    UNROLL_WHOLE
    for (int m = 0; m < 1 << LAST_BITS; ++m) {
      const int w = output_value(u, m, LAST_BITS);
      const float real = re[w] * scale;
      const float imaginary = im[w] * scale;
      begin[(uint)output_place(t, u, m, LAST_BITS, EARLY_BITS) << pass.log_before] =
          (float2)(INVERSE ? imaginary : real, INVERSE ? real : imaginary);
    }
  }
}
