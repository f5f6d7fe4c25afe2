// crc, variant interleaved: the kernels `compute_interleaved` and `combine_states`.

#include "crc/division.cl"

// The macros below are parts of `compute_interleaved` and use its variables.

// This work-item's words of row `i` of its segment; zeros beyond the end of the stream.
#define STREAM_ROW(i) (PADDING || (i) * LANES < readable ? source[(i) * LANES] : zero)

#if DIVISOR == DIVISOR_SPARSE
// Division by S(y) = y^300 + y^155 + y^117 + y^89 + 1, the multiple of P(y) of lowest degree with five terms; with
// four, the lowest degree is 3006. The quotients are a ring buffer in private memory, over which a pass goes for each
// 300 rows: 300 vectors of 8 words leave the stream room in a first-level cache, of 16 words they do not.
#define SPARSE_ROWS 300
// The remainder follows 20 rows of zeros, so that a multiple of 32 rows is left.
#define LEFT_ROWS 320
// The quotient `lag` rows before row i of a pass: computed in this pass, or in the one before. The rows of the last
// pass are the remainder and have no quotients.
#define QUOTIENT_OF_PASS(lag) ring[i - (lag)]
#define QUOTIENT_OF_LAST_PASS(lag) zero
#define QUOTIENT_OF_PASS_BEFORE(lag) ring[i + SPARSE_ROWS - (lag)]
#define DIVIDE_ROWS(begin, end, quotients) \
  for (uint i = begin; i < end; ++i) ring[i] ^= STREAM_ROW(row + i) ^ (quotients);
// Divides 300 rows from `row` on. The lags are 300 less the powers of y in S: 145, 183 and 211, each of which reaches
// into the pass before as far as row `lag`, and 300, whose quotient is in place. GET is for those of this pass.
#define DIVIDE_PASS(GET)                                                                                       \
  DIVIDE_ROWS(0, 145, QUOTIENT_OF_PASS_BEFORE(145) ^ QUOTIENT_OF_PASS_BEFORE(183) ^ QUOTIENT_OF_PASS_BEFORE(211)) \
  DIVIDE_ROWS(145, 183, GET(145) ^ QUOTIENT_OF_PASS_BEFORE(183) ^ QUOTIENT_OF_PASS_BEFORE(211))                 \
  DIVIDE_ROWS(183, 211, GET(145) ^ GET(183) ^ QUOTIENT_OF_PASS_BEFORE(211))                                     \
  DIVIDE_ROWS(211, SPARSE_ROWS, GET(145) ^ GET(183) ^ GET(211))
#define DIVIDEND(i) left[i]
#else
#define DIVIDEND(i) STREAM_ROW(i)
#endif

// Rows loaded ahead are in a ring buffer of PREFETCH rows, where row t is ahead[t % PREFETCH].
#if PREFETCH > 0
#define AHEAD_ROWS PREFETCH
#else
#define AHEAD_ROWS 1
#endif
#define AHEAD(j) ahead[(j) & (AHEAD_ROWS - 1)]
#define LOAD_FIRST_ROWS(j) \
  if ((j) < PREFETCH) AHEAD(j) = DIVIDEND((j));
// Row `row` + j; the row PREFETCH further on takes its place.
#define ROW(j) (PREFETCH > 0 ? AHEAD(j) : DIVIDEND(row + (j)))
#define LOAD_AHEAD(j) \
  if (PREFETCH > 0) AHEAD(j) = DIVIDEND(row + (j) + PREFETCH);

#define CLEAR_QUOTIENT(j) q[j] = 0;
#define DIVIDE_ROW(j)                                \
  if ((j) < UNROLL) {                                \
    q[j] = ROW(j) ^ SUM_OF_QUOTIENTS(QUOTIENT, j);   \
    LOAD_AHEAD(j)                                    \
  }
#define DIVIDE_LAST_ROW(j)                                          \
  q[j] = ROW(j) ^ SUM_OF_QUOTIENTS(QUOTIENT_BEFORE_REMAINDER, j);   \
  if ((j) + PREFETCH < 32) {                                        \
    LOAD_AHEAD(j)                                                   \
  }

// After an iteration of UNROLL rows both rings are rotated by as many, so that the next one uses the same indices.
#define TAKE_ROTATED_QUOTIENT(j) rotated[j] = q[((j) + UNROLL) & 31];
#define PUT_ROTATED_QUOTIENT(j) q[j] = rotated[j];
#define TAKE_ROTATED_ROW(j) \
  if ((j) < AHEAD_ROWS) rotated[j] = ahead[((j) + UNROLL) & (AHEAD_ROWS - 1)];
#define PUT_ROTATED_ROW(j) \
  if ((j) < AHEAD_ROWS) AHEAD(j) = rotated[j];

#define STORE_WORD(j) states[segment * STATE_WORDS + (j)] = state[j];

// `rows` is a multiple of 32, or of SPARSE_ROWS with DIVISOR_SPARSE; `vectors` is the length of the stream in vectors
// of VECTOR_WIDTH words. One state of 32 words per segment.
COMPUTE void compute_interleaved(global const uint* restrict stream, const ulong vectors, const uint rows,
                                 global uint* restrict states) {
  const wordv zero = 0;
  const ulong segment = get_global_id(0) / LANES;
  const uint lane = get_local_id(0) % LANES;
  const ulong first = segment * rows * LANES + lane;
  const uint segment_vectors = rows * LANES;  // below 2^26: the host limits `rows` to 32768
  const uint readable = first >= vectors ? 0u : (uint)min((ulong)segment_vectors, vectors - first);
  global const wordv* const source = (global const wordv*)stream + first;
  uint row = 0;
#if DIVISOR == DIVISOR_SPARSE
  wordv left[LEFT_ROWS];
  wordv* const ring = left + (LEFT_ROWS - SPARSE_ROWS);
  for (uint i = 0; i < LEFT_ROWS; ++i) left[i] = zero;
  for (; row + SPARSE_ROWS < rows; row += SPARSE_ROWS) {
    DIVIDE_PASS(QUOTIENT_OF_PASS)
  }
  DIVIDE_PASS(QUOTIENT_OF_LAST_PASS)
  row = 0;
  const uint end = LEFT_ROWS;
#else
  const uint end = PADDING || readable > 0 ? rows : 32u;
#endif

  wordv q[32];
  wordv ahead[AHEAD_ROWS];
  EACH_32(CLEAR_QUOTIENT)
  EACH_32(LOAD_FIRST_ROWS)
  for (; row + 32 < end; row += UNROLL) {
    EACH_32(DIVIDE_ROW)
    if (UNROLL < 32) {
      wordv rotated[32];
      EACH_32(TAKE_ROTATED_QUOTIENT)
      EACH_32(PUT_ROTATED_QUOTIENT)
      if (UNROLL < PREFETCH) {
        EACH_32(TAKE_ROTATED_ROW)
        EACH_32(PUT_ROTATED_ROW)
      }
    }
  }
  EACH_32(DIVIDE_LAST_ROW)

  uint state[STATE_WORDS];
#if LANES == 1
  JOIN(fold_, VECTOR_WIDTH)(q, state);
#else
  local uint space[STATE_WORDS * WORK_GROUP] __attribute__((aligned(64)));
  narrow(q, space, state);
  join_lanes(state, space);
#endif
  if (lane == 0) {
    EACH_32(STORE_WORD)
  }
}

// The product modulo P, reflected: bit 0 of `a` is x^31, so this is Horner's rule from the highest power down.
#define DEFINE_PRODUCT(name, type)                          \
  INLINED type name(const type a, const type b) {           \
    type sum = 0;                                           \
    UNROLL_LOOP(32)                                         \
    for (uint i = 0; i < 32; ++i) {                         \
      sum = (sum >> 1) ^ (0xEDB88320u & (0u - (sum & 1u))); \
      sum ^= b & (0u - ((a >> i) & 1u));                    \
    }                                                       \
    return sum;                                             \
  }
DEFINE_PRODUCT(product, uint)
DEFINE_PRODUCT(products, wordv)

// A work-item multiplies VECTOR_WIDTH words of a segment's state, each by the weight of its place in the state
// (`word_weights`), and their sum by the weight of the segment's place in the stream. `count` is in work-items.
COMBINE void combine_states(global const uint* restrict states, const ulong count,
                            global const uint* restrict word_weights, global const uint* restrict segment_weights,
                            global uint* restrict result) {
  local uint partial[COMBINE_GROUP];
  const ulong i = get_global_id(0);
  uint value = 0;
  if (i < count) {
    const uint place = i % (STATE_WORDS / VECTOR_WIDTH);
    const wordv weighted =
        products(((global const wordv*)states)[i], ((global const wordv*)word_weights)[place]);
    uint words[VECTOR_WIDTH];
    STOREV(weighted, 0, words);
    UNROLL_LOOP(16)
    for (uint k = 0; k < VECTOR_WIDTH; ++k) value ^= words[k];
    value = product(value, segment_weights[i / (STATE_WORDS / VECTOR_WIDTH)]);
  }
  add_to_result(result, partial, value);
}
