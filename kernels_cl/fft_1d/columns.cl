// Loads and stores of VECTOR_WIDTH columns at a time, for fft_1d's alone.cl: a column in each lane.

// Numbers of a column in a square of VECTOR_WIDTH vectors.
#define SQUARE (VECTOR_WIDTH > 1 ? VECTOR_WIDTH / 2 : 1)
#define IN_SQUARES (VECTOR_WIDTH > 1 && R >= SQUARE)

// VECTOR_WIDTH adjacent complex numbers: one vector has the real and one the imaginary parts. Vectors are
// read through their type, for PoCL's vload16 is four loads.
#define PAIRS_1 float
#define PAIRS_2 float4
#define PAIRS_4 float8
#define PAIRS_8 float16
#define PAIRS_16 float16
typedef JOIN(PAIRS_, VECTOR_WIDTH) pairs;
typedef pairs packed_pairs __attribute__((aligned(4)));

typedef numbers packed_numbers __attribute__((aligned(4)));

INLINED void load_pairs(global const float* from, numbers* re, numbers* im) {
#if VECTOR_WIDTH == 1
  *re = from[0];
  *im = from[1];
#elif VECTOR_WIDTH == 16
  const float16 low = *(global const packed_pairs*)from;
  const float16 high = *(global const packed_pairs*)(from + 16);
  *re = (float16)(low.even, high.even);
  *im = (float16)(low.odd, high.odd);
#else
  const pairs both = *(global const packed_pairs*)from;
  *re = both.even;
  *im = both.odd;
#endif
}

// Stores a vector; a large array's past the caches: its begin and the vectors' places are multiples of them.
#define STORE_VECTOR(type, value, to)          \
  do {                                         \
    if (STREAMS) {                             \
      STREAM(value, (global type*)(to));       \
    } else {                                   \
      *(global packed_##type*)(to) = (value);  \
    }                                          \
  } while (0)

INLINED void store_pairs(global float* to, const numbers re, const numbers im) {
#if VECTOR_WIDTH == 1
  to[0] = re;
  to[1] = im;
#elif VECTOR_WIDTH == 16
  float16 low;
  float16 high;
  low.even = re.lo;
  low.odd = im.lo;
  high.even = re.hi;
  high.odd = im.hi;
  STORE_VECTOR(pairs, low, to);
  STORE_VECTOR(pairs, high, to + 16);
#else
  pairs both;
  both.even = re;
  both.odd = im;
  STORE_VECTOR(pairs, both, to);
#endif
}

// Transposes a square of VECTOR_WIDTH vectors. Each round merges the halves of the square, element by element.
INLINED void transpose(numbers* square) {
#if VECTOR_WIDTH > 1
  UNROLL_WHOLE
  for (int round = 1; round < VECTOR_WIDTH; round *= 2) {
    numbers merged[VECTOR_WIDTH];
    UNROLL_WHOLE
    for (int i = 0; i < SQUARE; ++i) {
      numbers low;
      numbers high;
      low.even = square[i].lo;
      low.odd = square[i + SQUARE].lo;
      high.even = square[i].hi;
      high.odd = square[i + SQUARE].hi;
      merged[2 * i] = low;
      merged[2 * i + 1] = high;
    }
    UNROLL_WHOLE
    for (int i = 0; i < VECTOR_WIDTH; ++i) square[i] = merged[i];
  }
#endif
}

// Of VECTOR_WIDTH columns, one behind the other from `begin` on; of the last one again where there are but `lanes`.
INLINED void load_columns(global const float* begin, numbers* re, numbers* im, const int lanes) {
  UNROLL_LOOP(1)
  for (int r = 0; r < R; r += SQUARE) {
    numbers square[2 * SQUARE];
    UNROLL_WHOLE
    for (int lane = 0; lane < VECTOR_WIDTH; ++lane) {
      square[lane] = *(global const packed_numbers*)(begin + 2 * (min(lane, lanes - 1) * R + r));
    }
    transpose(square);
    UNROLL_WHOLE
    for (int i = 0; i < SQUARE; ++i) {
      re[r + i] = square[2 * i];
      im[r + i] = square[2 * i + 1];
    }
  }
}

INLINED void store_columns(global float* begin, const numbers* re, const numbers* im, const float scale,
                           const int lanes) {
  UNROLL_LOOP(1)
  for (int o = 0; o < R; o += SQUARE) {
    numbers square[2 * SQUARE];
    UNROLL_WHOLE
    for (int i = 0; i < SQUARE; ++i) {
      square[2 * i] = re[o + i] * scale;
      square[2 * i + 1] = im[o + i] * scale;
    }
    transpose(square);
    UNROLL_WHOLE
    for (int lane = 0; lane < VECTOR_WIDTH; ++lane) {
      if (lane < lanes) STORE_VECTOR(numbers, square[lane], begin + 2 * (lane * R + o));
    }
  }
}
