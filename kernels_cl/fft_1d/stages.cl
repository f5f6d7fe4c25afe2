// Transforms of the R numbers of a column by R / POINTS work-items, in stages: what fft_1d's groups.cl and staged.cl share.
// Work-item t has the numbers t + w R / POINTS in its registers; between stages they go through local memory, where number
// i of a column is at LOCAL_PLACE(column, i). POINTS and LOCAL_PLACE are defined before.

#define POINTS_BITS (POINTS == 16 ? 4 : POINTS == 8 ? 3 : POINTS == 4 ? 2 : 1)
#define COLUMN_ITEMS (R / POINTS)
#define STAGES ((PASS_BITS + POINTS_BITS - 1) / POINTS_BITS)
// All stages but the last one have radix POINTS.
#define EARLY_BITS ((STAGES - 1) * POINTS_BITS)
#define LAST_BITS (PASS_BITS - EARLY_BITS)
// Place of a number of a column in local memory.
#define PADDED(i) ((i) + ((i) >> 4) * PADDING)
// What a column takes there, one behind the other. Behind the first stage the work-items that store at once are in
// neighbouring columns, or neighbours in one; with 16 POINTS and PADDING, their places in a column are 17 t + m. An odd
// multiple of the number of such t leaves those of each column banks of their own; elsewhere any odd number does for
// neighbouring columns. BANKS is how many numbers local memory stores at once.
#ifndef BANKS
#define BANKS 16
#endif
#define STORED_TOGETHER (ACROSS ? COLUMNS < BANKS ? BANKS / COLUMNS : 1 : COLUMN_ITEMS < BANKS ? COLUMN_ITEMS : BANKS)
#define LINE_STEP (POINTS == 16 ? (STORED_TOGETHER) : 1)
#define LINE (((PADDED(R - 1) / LINE_STEP + 1) | 1) * LINE_STEP)
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

// The column's k, on which its roots depend.
INLINED uint column_roots(const pass_shape pass, const size_t column) {
  return (uint)column & ((1u << pass.log_columns) - 1) & ((1u << pass.log_before) - 1);
}

// Tables of roots of unity, with ROOTS_TABLE, in one array:
//   exp(-2 pi i m k / 2^(bits + before_bits)) at number 2^(before_bits + 1) + (m << before_bits) + k
//       of each stage of 2^bits behind stages that make up 2^before_bits, for m < 2^bits and k < 2^before_bits;
//   exp(-2 pi i 2^b k / (POINTS before)) at number 2 R + (b << log_before) + k
//   exp(-2 pi i t k / (R before)) at number 2 R + ((POINTS_BITS + t) << log_before) + k
//       of a pass behind another one, for b < POINTS_BITS, t < COLUMN_ITEMS and k < before.
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

// A place in a column is a sum of what the work-item, the butterfly and its output decide. No bit is in two of them, so
// that PADDED and LOCAL_PLACE of the sum are sums as well, whose terms are constants except for the work-item's.

// Of the work-item's or the butterfly's number: its k in a stage, by which its roots go; and where its output 0 comes to.
INLINED int number_in_stage(const int number, const int before_bits) { return number & ((1 << before_bits) - 1); }
INLINED int output_place(const int number, const int bits, const int before_bits) {
  const int k = number_in_stage(number, before_bits);
  return ((number - k) << bits) + k;
}

// Butterfly u of work-item t is number t + u COLUMN_ITEMS; with PAIRED, those of the last stage are by twos neighbours, so
// that they store their outputs together.
#define PAIRED (VARIANT == VARIANT_STOCKHAM && VECTOR_WIDTH == 2 && !WRITES_ACROSS && STAGES > 1 && LAST_BITS < POINTS_BITS)
#define OF_ITEM(t, is_last) (PAIRED && (is_last) ? 2 * (t) : (t))
#define OF_BUTTERFLY(u, is_last) \
  (PAIRED && (is_last) ? (u) % 2 + (u) / 2 * 2 * COLUMN_ITEMS : (u) * COLUMN_ITEMS)

// The butterflies of a stage, each of 2^bits numbers; the stages before it make up 2^before_bits.
INLINED void make_stage(float* re, float* im, global const float2* roots, const int bits, const int before_bits,
                        const int t, const bool is_last) {
  const int t_k = number_in_stage(OF_ITEM(t, is_last), before_bits);
  UNROLL_WHOLE
  for (int u = 0; u < POINTS >> bits; ++u) {
    const int u_k = number_in_stage(OF_BUTTERFLY(u, is_last), before_bits);
    UNROLL_WHOLE
    for (int m = 1; m < POINTS; ++m) {
      const int at = u + m * (POINTS >> bits);
      if (m >= 1 << bits || before_bits == 0) continue;
      if (ROOTS == ROOTS_TABLE) {
        turn_by_root(&re[at], &im[at], (roots + t_k)[(2 << before_bits) + (m << before_bits) + u_k]);
      } else {
        turn(&re[at], &im[at], (uint)(m * (t_k + u_k)), bits + before_bits);
      }
    }
    DFT(re, im, bits, u, POINTS >> bits);
  }
}

// Which number of the column value w of work-item t is before the first stage.
INLINED int input_place(const int t, const int w) { return t + w * COLUMN_ITEMS; }

// The value that output m of butterfly u is.
INLINED int output_value(const int u, const int m, const int bits) { return u + PLACE(bits, m) * (POINTS >> bits); }

// To local memory, the outputs of a stage that is not the last: whole numbers; or their real or imaginary parts.
#define STORE_STAGE(places, column, t, bits, before_bits, value)                                          \
  do {                                                                                                    \
    const int t_place = LOCAL_PLACE(column, output_place(t, bits, before_bits));                          \
    UNROLL_WHOLE                                                                                          \
    for (int u = 0; u < POINTS >> (bits); ++u) {                                                          \
      UNROLL_WHOLE                                                                                        \
      for (int m = 0; m < 1 << (bits); ++m) {                                                             \
        const int u_place = output_place(u * COLUMN_ITEMS, bits, before_bits) + (m << (before_bits));     \
        const int w = output_value(u, m, bits);                                                           \
        (places + t_place)[LOCAL_PLACE(0, u_place)] = (value);                                            \
      }                                                                                                   \
    }                                                                                                     \
  } while (0)

INLINED void store_stage(local float2* numbers, const float* re, const float* im, const int bits, const int before_bits,
                         const int column, const int t) {
  STORE_STAGE(numbers, column, t, bits, before_bits, (float2)(re[w], im[w]));
}
INLINED void store_parts(local float* places, const float* parts, const int bits, const int before_bits,
                         const int column, const int t) {
  STORE_STAGE(places, column, t, bits, before_bits, parts[w]);
}

// Where value w of the inputs of a stage is in local memory, without what OF_ITEM adds.
INLINED int value_place(const int w, const bool is_last) {
  const int butterflies = POINTS >> LAST_BITS;
  if (!PAIRED || !is_last) return LOCAL_PLACE(0, w * COLUMN_ITEMS);
  return LOCAL_PLACE(0, OF_BUTTERFLY(w % butterflies, true) + (w / butterflies << EARLY_BITS));
}

// From local memory, the inputs of a stage.
INLINED void load_stage(local const float2* numbers, float* re, float* im, const int column, const int t,
                        const bool is_last) {
  local const float2* const begin = numbers + LOCAL_PLACE(column, OF_ITEM(t, is_last));
  UNROLL_WHOLE
  for (int w = 0; w < POINTS; ++w) {
    const float2 number = begin[value_place(w, is_last)];
    re[w] = number.x;
    im[w] = number.y;
  }
}
INLINED void load_parts(local const float* places, float* parts, const int column, const int t, const bool is_last) {
  local const float* const begin = places + LOCAL_PLACE(column, OF_ITEM(t, is_last));
  UNROLL_WHOLE
  for (int w = 0; w < POINTS; ++w) parts[w] = begin[value_place(w, is_last)];
}

// One number or two neighbours to the array. On an H200 stores past the caches (st.cs) made no clear difference.
INLINED void store_number(global float2* to, const float2 number) { *to = number; }
INLINED void store_both(global float2* to, const float2 first, const float2 second) {
  *(global float4*)to = (float4)(first.x, first.y, second.x, second.y);
}

INLINED float2 scaled(const float re, const float im, const float scale) {
  return scale * (INVERSE ? (float2)(im, re) : (float2)(re, im));
}

// To the array, the outputs of the last stage of a column: number t + u COLUMN_ITEMS + (m << EARLY_BITS) of those, with
// PAIRED as OF_ITEM and OF_BUTTERFLY say.
INLINED void store_column(global float2* to, const float* re, const float* im, const pass_shape pass,
                          const size_t column, const int t, const float scale) {
  const size_t i = column & (((size_t)1 << pass.log_columns) - 1);
  const size_t k = i & (((size_t)1 << pass.log_before) - 1);
  const uint apart = 1u << pass.log_before;
  global float2* const begin = to + ((column >> pass.log_columns << pass.log_n) + ((i - k) << PASS_BITS) + k) +
                               ((size_t)OF_ITEM(t, true) << pass.log_before);
  UNROLL_WHOLE
  for (int m = 0; m < 1 << LAST_BITS; ++m) {
    UNROLL_WHOLE
    for (int u = 0; u < POINTS >> LAST_BITS; u += PAIRED ? 2 : 1) {
      const int w = output_value(u, m, LAST_BITS);
      const size_t place = (uint)(OF_BUTTERFLY(u, true) + (m << EARLY_BITS));
      if (PAIRED) {
        store_both(begin + place, scaled(re[w], im[w], scale), scaled(re[w + 1], im[w + 1], scale));
      } else {
        store_number(begin + place * apart, scaled(re[w], im[w], scale));
      }
    }
  }
}
