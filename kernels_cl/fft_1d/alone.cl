// The variant stockham of fft_1d.cl by a work-item alone: VECTOR_WIDTH columns at a time, a column in each lane of its
// vectors, in private memory that a cache holds. UNROLL such tiles, one after the other.

#define STAGE_BITS (GRANULARITY == 16 ? 4 : GRANULARITY == 8 ? 3 : GRANULARITY == 4 ? 2 : 1)
// Stages of radix GRANULARITY, and one of what is left.
#define FULL_STAGES (PASS_BITS / STAGE_BITS)
#define LAST_BITS (PASS_BITS % STAGE_BITS)
#define RESULT ((FULL_STAGES + (LAST_BITS > 0)) % 2)
#define ROOT_COUNT (R > VECTOR_WIDTH ? R : VECTOR_WIDTH)
// The pass's roots, of r = t + w ITEMS, are products of two from tables (stages.cl), which begin here with those of w.
#define POINTS (1 << (PASS_BITS + 1) / 2)
#define ITEMS (R / POINTS)

#include "fft_1d/columns.cl"

#if VECTOR_WIDTH == 1
#define LANE_NUMBERS 0
#elif VECTOR_WIDTH == 2
#define LANE_NUMBERS (uint2)(0, 1)
#elif VECTOR_WIDTH == 4
#define LANE_NUMBERS (uint4)(0, 1, 2, 3)
#elif VECTOR_WIDTH == 8
#define LANE_NUMBERS (uint8)(0, 1, 2, 3, 4, 5, 6, 7)
#else
#define LANE_NUMBERS (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif

// re + i im times a root.
INLINED void turn_by_root(numbers* re, numbers* im, const numbers root_re, const numbers root_im) {
  const numbers real = *re;
  *re = MULTIPLY_ADD(real, root_re, -*im * root_im);
  *im = MULTIPLY_ADD(real, root_im, *im * root_re);
}

// Multiplies the inputs of VECTOR_WIDTH columns, neighbours in their k, by the pass's roots.
INLINED void turn_inputs(numbers* re, numbers* im, global const float* roots, const int log_before, const uint k) {
  numbers w_re[POINTS];
  numbers w_im[POINTS];
  for (int w = 1; w < POINTS; ++w) load_pairs(roots + 2 * (((size_t)w << log_before) + k), &w_re[w], &w_im[w]);
  UNROLL_LOOP(1)
  for (int t = 0; t < ITEMS; ++t) {
    numbers t_re;
    numbers t_im;
    load_pairs(roots + 2 * (((size_t)(POINTS + t) << log_before) + k), &t_re, &t_im);
    if (t > 0) turn_by_root(&re[t], &im[t], t_re, t_im);
    for (int w = 1; w < POINTS; ++w) {
      numbers root_re = w_re[w];
      numbers root_im = w_im[w];
      if (t > 0) turn_by_root(&root_re, &root_im, t_re, t_im);
      turn_by_root(&re[t + w * ITEMS], &im[t + w * ITEMS], root_re, root_im);
    }
  }
}

// Butterflies of 2^bits numbers from one pair of arrays to another; the stages before make up 2^before_bits.
INLINED void make_stage(const numbers* from_re, const numbers* from_im, numbers* to_re, numbers* to_im,
                        const float* root_re, const float* root_im, const int bits, const int before_bits) {
  UNROLL_LOOP(1)
  for (int j = 0; j < R >> bits; ++j) {
    const int k = j & ((1 << before_bits) - 1);
    numbers re[16];
    numbers im[16];
    UNROLL_WHOLE
    for (int m = 0; m < 16; ++m) {
      if (m >= 1 << bits) continue;
      re[m] = from_re[j + (m << (PASS_BITS - bits))];
      im[m] = from_im[j + (m << (PASS_BITS - bits))];
      if (m > 0 && before_bits > 0) {
        const int at = (m * k) << (PASS_BITS - bits - before_bits);
        const numbers real = re[m];
        re[m] = real * root_re[at] - im[m] * root_im[at];
        im[m] = real * root_im[at] + im[m] * root_re[at];
      }
    }
    DFT(re, im, bits, 0, 1);
    UNROLL_WHOLE
    for (int m = 0; m < 16; ++m) {
      if (m >= 1 << bits) continue;
      const int to = ((j - k) << bits) + k + (m << before_bits);
      to_re[to] = re[PLACE(bits, m)];
      to_im[to] = im[PLACE(bits, m)];
    }
  }
}

kernel GROUP_OF(1, 1)
void fft(global const float* restrict from, global float* restrict to, const ulong columns, const int log_n,
         const int log_before, const float scale, global const float* restrict roots) {
  numbers re[2][R];
  numbers im[2][R];
  float root_re[ROOT_COUNT];  // exp(-2 pi i a / R)
  float root_im[ROOT_COUNT];
  for (int a = 0; a < R; a += VECTOR_WIDTH) {
    numbers real = (numbers)(1.0f);
    numbers imaginary = (numbers)(0.0f);
    turn(&real, &imaginary, ((indices)(a) + (indices)LANE_NUMBERS) % (indices)(R), PASS_BITS);
    STOREV(real, a, root_re);
    STOREV(imaginary, a, root_im);
  }
  const int log_columns = log_n - PASS_BITS;  // of one transform
  const size_t column_mask = ((size_t)1 << log_columns) - 1;
  const uint before_mask = (1u << log_before) - 1;
  // Whether the columns of a vector are neighbours in what is read, and in what is written.
  const bool reads_vectors = column_mask + 1 >= VECTOR_WIDTH;
  const bool writes_vectors = before_mask + 1 >= VECTOR_WIDTH;

  for (int tile = 0; tile < UNROLL; ++tile) {
    const size_t first = (get_global_id(0) * UNROLL + tile) * VECTOR_WIDTH;
    if (first >= columns) break;
    const int lanes = (int)min((size_t)VECTOR_WIDTH, (size_t)(columns - first));
    if (reads_vectors) {
      global const float* const begin = from + 2 * ((first >> log_columns << log_n) + (first & column_mask));
      for (int r = 0; r < R; ++r) load_pairs(begin + ((size_t)r << (log_columns + 1)), &re[0][r], &im[0][r]);
    } else if (IN_SQUARES && log_columns == 0) {
      load_columns(from + 2 * (first << PASS_BITS), re[0], im[0], lanes);
    } else {
      float* const lane_re = (float*)re[0];
      float* const lane_im = (float*)im[0];
      for (int lane = 0; lane < VECTOR_WIDTH; ++lane) {
        const size_t column = first + min(lane, lanes - 1);
        global const float* const begin = from + 2 * ((column >> log_columns << log_n) + (column & column_mask));
        for (int r = 0; r < R; ++r) {
          lane_re[r * VECTOR_WIDTH + lane] = begin[(size_t)r << (log_columns + 1)];
          lane_im[r * VECTOR_WIDTH + lane] = begin[((size_t)r << (log_columns + 1)) + 1];
        }
      }
    }
    // The inverse transform is the forward one of numbers with their parts swapped: im and re change places.
    numbers* const parts[2][2] = {{INVERSE ? im[0] : re[0], INVERSE ? re[0] : im[0]},
                                  {INVERSE ? im[1] : re[1], INVERSE ? re[1] : im[1]}};
    if (!IS_FIRST && ROOTS == ROOTS_TABLE && writes_vectors) {
      turn_inputs(parts[0][0], parts[0][1], roots, log_before, (uint)first & before_mask);
    } else if (!IS_FIRST) {
      const indices k = ((indices)((uint)(first & column_mask)) + (indices)LANE_NUMBERS) & (indices)(before_mask);
      for (int r = 1; r < R; ++r) turn(&parts[0][0][r], &parts[0][1][r], (indices)(r) * k, log_before + PASS_BITS);
    }
    UNROLL_LOOP(1)  // the stages are alike, and their code is large
    for (int stage = 0; stage < FULL_STAGES; ++stage) {
      const int now = stage % 2;
      make_stage(parts[now][0], parts[now][1], parts[1 - now][0], parts[1 - now][1], root_re, root_im, STAGE_BITS,
                 stage * STAGE_BITS);
    }
    if (LAST_BITS > 0) {
      make_stage(parts[FULL_STAGES % 2][0], parts[FULL_STAGES % 2][1], parts[RESULT][0], parts[RESULT][1], root_re,
                 root_im, LAST_BITS, FULL_STAGES * STAGE_BITS);
    }
    if (writes_vectors) {
      const size_t i = first & column_mask;
      const size_t k = i & before_mask;
      global float* const begin = to + 2 * ((first >> log_columns << log_n) + ((i - k) << PASS_BITS) + k);
      for (int o = 0; o < R; ++o) {
        store_pairs(begin + ((size_t)o << (log_before + 1)), re[RESULT][o] * scale, im[RESULT][o] * scale);
      }
    } else if (IN_SQUARES && IS_FIRST) {
      store_columns(to + 2 * (first << PASS_BITS), re[RESULT], im[RESULT], scale, lanes);
    } else {
      const float* const lane_re = (const float*)re[RESULT];
      const float* const lane_im = (const float*)im[RESULT];
      for (int lane = 0; lane < lanes; ++lane) {
        const size_t i = (first + lane) & column_mask;
        const size_t k = i & before_mask;
        global float* const begin = to + 2 * (((first + lane) >> log_columns << log_n) + ((i - k) << PASS_BITS) + k);
        for (int o = 0; o < R; ++o) {
          begin[(size_t)o << (log_before + 1)] = lane_re[o * VECTOR_WIDTH + lane] * scale;
          begin[((size_t)o << (log_before + 1)) + 1] = lane_im[o * VECTOR_WIDTH + lane] * scale;
        }
      }
    }
  }
}
