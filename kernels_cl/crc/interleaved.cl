// The variant interleaved of crc.cl: division of rows, the folding of what is left into 32 words, and `combine_states`.

#define EACH_8(F, j) F(j) F((j) + 1) F((j) + 2) F((j) + 3) F((j) + 4) F((j) + 5) F((j) + 6) F((j) + 7)
#define EACH_32(F) EACH_8(F, 0) EACH_8(F, 8) EACH_8(F, 16) EACH_8(F, 24)

// Division of rows by P(y): with q the quotient, q[t] = row[t] + the sum of q[t - lag] over these lags, which are 32
// less the powers of P below 32 (26 23 22 16 12 11 10 8 7 5 4 2 1 0). `q` is a ring of the last 32, its index constant
// everywhere so that it lives in registers. Spelled out, because arrays survive in registers only without loops. The
// newest comes last: it is what the row before has to wait for.
#define SUM(TERM, j)                                                                                               \
  (TERM(j, 32) ^ TERM(j, 31) ^ TERM(j, 30) ^ TERM(j, 28) ^ TERM(j, 27) ^ TERM(j, 25) ^ TERM(j, 24) ^ TERM(j, 22) ^ \
   TERM(j, 21) ^ TERM(j, 20) ^ TERM(j, 16) ^ TERM(j, 10) ^ TERM(j, 9) ^ TERM(j, 6))
#define ANY(j, lag) q[((j) + 32 - (lag)) & 31]
// The first 32 rows of a message: nothing before them.
#define OF_THESE(j, lag) ((lag) <= (j) ? ANY(j, lag) : zero)
// The last 32 rows are the remainder: only the quotients before them count.
#define OF_BEFORE(j, lag) ((lag) > (j) ? ANY(j, lag) : zero)

// 32 rows seen as 64 rows of half the width, divided to 32: ROW_OF_64(t) is row t of the 64.
#define DIVIDE_FIRST(j) q[j] = ROW_OF_64(j) ^ SUM(OF_THESE, j);
#define DIVIDE_LAST(j) q[j] = ROW_OF_64(32 + (j)) ^ SUM(OF_BEFORE, j);
#define DIVIDE_64 EACH_32(DIVIDE_FIRST) EACH_32(DIVIDE_LAST)

#define STATE_WORDS 32
#define COPY_WORD(j) to[j] = from[j];

#if LANES == 1

// From n words per row down to one.
INLINE void fold_1(const uint* from, uint* to) { EACH_32(COPY_WORD) }
#define ROW_OF_64(t) ((t) % 2 == 0 ? from[(t) / 2].lo : from[(t) / 2].hi)
#define DEFINE_FOLD(name, whole, half_width, next) \
  INLINE void name(const whole* from, uint* to) {  \
    const half_width zero = 0;                     \
    half_width q[32];                              \
    DIVIDE_64                                      \
    next(q, to);                                   \
  }
DEFINE_FOLD(fold_2, uint2, uint, fold_1)
DEFINE_FOLD(fold_4, uint4, uint2, fold_2)
DEFINE_FOLD(fold_8, uint8, uint4, fold_4)
DEFINE_FOLD(fold_16, uint16, uint8, fold_8)

#else

// Rows per batch of the exchange: each work-item brings 32 words and takes 32 words.
#define BATCH_ROWS (32 / VECTOR_WIDTH)
#define PUT(i) \
  if ((i) < BATCH_ROWS) exchange[(i) * WORK_GROUP + item] = from[(batch * BATCH_ROWS + (i)) & 31];
#define TAKE(t) taken[((t) / VECTOR_WIDTH) * (WORK_GROUP * VECTOR_WIDTH) + ((t) % VECTOR_WIDTH) * LANES]
#define DIVIDE_ANY(j) q[j] = TAKE(j) ^ SUM(ANY, j);
#define DIVIDE_REST(j) q[j] = TAKE(j) ^ SUM(OF_BEFORE, j);

// A row of LANES * VECTOR_WIDTH words seen as VECTOR_WIDTH rows of LANES words; work-items exchange accordingly.
INLINE void narrow_batch(const wordv* from, local uint* space, uint* q, const int batch) {
  const uint zero = 0;
  const uint item = get_local_id(0);
  local wordv* const exchange = (local wordv*)space;
  const local uint* const taken = space + (item / LANES) * (LANES * VECTOR_WIDTH) + item % LANES;
  EACH_32(PUT)
  barrier(CLK_LOCAL_MEM_FENCE);
  if (batch < VECTOR_WIDTH - 1) {
    EACH_32(DIVIDE_ANY)
  } else {
    EACH_32(DIVIDE_REST)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

#define NARROW(batch) \
  if ((batch) < VECTOR_WIDTH) narrow_batch(from, space, to, batch);
#define CLEAR(j) to[j] = 0;
INLINE void narrow(const wordv* from, local uint* space, uint* to) {
#if VECTOR_WIDTH == 1
  EACH_32(COPY_WORD)
#else
  EACH_32(CLEAR)
  EACH_8(NARROW, 0)
  EACH_8(NARROW, 8)
#endif
}

// From LANES words per row down to one, in lane 0 of each segment: lane l takes over lane l + half the lanes.
#define ROW_OF_64(t) ((t) % 2 == 0 ? rows[(t) / 2] : space[((t) / 2) * WORK_GROUP + item + lanes])
#define HAND_OVER(j) space[(j) * WORK_GROUP + item] = rows[j];
#define TAKE_OVER(j) rows[j] = q[j];
INLINE void join_lanes(uint* rows, local uint* space) {
  const uint zero = 0;
  const uint item = get_local_id(0);
  const uint lane = item % LANES;
  for (uint lanes = LANES / 2; lanes > 0; lanes /= 2) {
    if (lane >= lanes && lane < 2 * lanes) {
      EACH_32(HAND_OVER)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < lanes) {
      uint q[32];
      DIVIDE_64
      EACH_32(TAKE_OVER)
    }
  }
}

#endif

#define GIVEN_ROW(row_of_segment) \
  (PADDING || (row_of_segment) * LANES < readable ? source[(row_of_segment) * LANES] : zero)

#if DIVISOR == DIVISOR_SPARSE
// Division by S(y) = y^300 + y^155 + y^117 + y^89 + 1, the least multiple of P(y) with five terms; with four, the least
// has degree 3006. The quotients are a ring in memory: 300 vectors of 8 words leave a first-level cache room for the
// stream, of 16 they do not.
#define SPARSE_ROWS 300
// The remainder behind a few rows of zeros, so that there are a multiple of 32.
#define LEFT_ROWS 320
// The quotient `lag` rows before row i of a pass over the ring: of this pass, or still of the one before. The last pass
// makes the remainder, and no quotients.
#define OF_PASS(lag) ring[i - (lag)]
#define OF_LAST_PASS(lag) zero
#define OF_PASS_BEFORE(lag) ring[i + SPARSE_ROWS - (lag)]
#define STRETCH(begin, end, older) \
  for (uint i = begin; i < end; ++i) ring[i] ^= GIVEN_ROW(row + i) ^ (older);
#define PASS(NEW)                                                              \
  STRETCH(0, 145, OF_PASS_BEFORE(145) ^ OF_PASS_BEFORE(183) ^ OF_PASS_BEFORE(211)) \
  STRETCH(145, 183, NEW(145) ^ OF_PASS_BEFORE(183) ^ OF_PASS_BEFORE(211))      \
  STRETCH(183, 211, NEW(145) ^ NEW(183) ^ OF_PASS_BEFORE(211))                 \
  STRETCH(211, SPARSE_ROWS, NEW(145) ^ NEW(183) ^ NEW(211))
#define LOAD(row_left) left[row_left]
#else
#define LOAD(row_of_segment) GIVEN_ROW(row_of_segment)
#endif

// Row `row` + j: from the ring of rows loaded ahead, where the row PREFETCH further on takes its place.
#define AHEAD(j) ahead[(j) & (RING - 1)]
#define ROW(j) (PREFETCH > 0 ? AHEAD(j) : LOAD(row + (j)))
#define REFILL(j) \
  if (PREFETCH > 0) AHEAD(j) = LOAD(row + (j) + PREFETCH);
#if PREFETCH > 0
#define RING PREFETCH
#else
#define RING 1
#endif

#define START(j) q[j] = 0;
#define FILL(j) \
  if ((j) < PREFETCH) AHEAD(j) = LOAD((j));
#define DIVIDE(j)                   \
  if ((j) < UNROLL) {               \
    q[j] = ROW(j) ^ SUM(ANY, j);    \
    REFILL(j)                       \
  }
#define FINISH(j)                   \
  q[j] = ROW(j) ^ SUM(OF_BEFORE, j); \
  if ((j) + PREFETCH < 32) {        \
    REFILL(j)                       \
  }
// After UNROLL rows the ring of history, and that of rows ahead, begin so many places further on.
#define MOVE_HISTORY(j) moved[j] = q[((j) + UNROLL) & 31];
#define HISTORY_MOVED(j) q[j] = moved[j];
#define MOVE_AHEAD(j) \
  if ((j) < RING) moved[j] = ahead[((j) + UNROLL) & (RING - 1)];
#define AHEAD_MOVED(j) \
  if ((j) < RING) AHEAD(j) = moved[j];
#define KEEP(j) states[segment * STATE_WORDS + (j)] = state[j];

// `rows` is a multiple of 32, or of SPARSE_ROWS where these are divided first; `vectors` is the length of the stream in
// vectors of VECTOR_WIDTH words. One state of 32 words per segment.
COMPUTE void compute_interleaved(global const uint* restrict stream, const ulong vectors, const uint rows,
                                 global uint* restrict states) {
  const wordv zero = 0;
  const ulong segment = get_global_id(0) / LANES;
  const uint lane = get_local_id(0) % LANES;
  const ulong first = segment * rows * LANES + lane;
  const uint whole = rows * LANES;  // below 2^26: the host keeps rows at 32768 or less
  const uint readable = first >= vectors ? 0u : (uint)min((ulong)whole, vectors - first);
  global const wordv* const source = (global const wordv*)stream + first;
  uint row = 0;
#if DIVISOR == DIVISOR_SPARSE
  wordv left[LEFT_ROWS];
  wordv* const ring = left + (LEFT_ROWS - SPARSE_ROWS);
  for (uint i = 0; i < LEFT_ROWS; ++i) left[i] = zero;
  for (; row + SPARSE_ROWS < rows; row += SPARSE_ROWS) {
    PASS(OF_PASS)
  }
  PASS(OF_LAST_PASS)
  row = 0;
  const uint end = LEFT_ROWS;
#else
  const uint end = PADDING || readable > 0 ? rows : 32u;
#endif

  wordv q[32];
  wordv ahead[RING];
  EACH_32(START)
  EACH_32(FILL)
  for (; row + 32 < end; row += UNROLL) {
    EACH_32(DIVIDE)
    if (UNROLL < 32) {
      wordv moved[32];
      EACH_32(MOVE_HISTORY)
      EACH_32(HISTORY_MOVED)
      if (UNROLL < PREFETCH) {
        EACH_32(MOVE_AHEAD)
        EACH_32(AHEAD_MOVED)
      }
    }
  }
  EACH_32(FINISH)

  uint state[STATE_WORDS];
#if LANES == 1
  JOIN(fold_, VECTOR_WIDTH)(q, state);
#else
  local uint space[STATE_WORDS * WORK_GROUP] __attribute__((aligned(64)));
  narrow(q, space, state);
  join_lanes(state, space);
#endif
  if (lane == 0) {
    EACH_32(KEEP)
  }
}

// The product modulo P, reflected: bit 0 of `a` is x^31, so this is Horner's rule from the highest power down.
#define DEFINE_PRODUCT(name, type)                        \
  INLINE type name(const type a, const type b) {          \
    type sum = 0;                                         \
    UNROLL_LOOP(32)                                       \
    for (uint i = 0; i < 32; ++i) {                       \
      sum = (sum >> 1) ^ (0xEDB88320u & (0u - (sum & 1u))); \
      sum ^= b & (0u - ((a >> i) & 1u));                  \
    }                                                     \
    return sum;                                           \
  }
DEFINE_PRODUCT(product, uint)
DEFINE_PRODUCT(products, wordv)

// A work-item weighs VECTOR_WIDTH words of the state of a segment, each by its place in the state (`word_weights`), and
// their sum by the segment's place in the stream. `count` is in work-items.
COMBINE void combine_states(global const uint* restrict states, const ulong count,
                            global const uint* restrict word_weights, global const uint* restrict segment_weights,
                            global uint* restrict result) {
  local uint partial[COMBINE_GROUP];
  const ulong i = get_global_id(0);
  uint value = 0;
  if (i < count) {
    const uint place = i % (STATE_WORDS / VECTOR_WIDTH);
    const wordv weighed =
        products(((global const wordv*)states)[i], ((global const wordv*)word_weights)[place]);
    uint words[VECTOR_WIDTH];
    STOREV(weighed, 0, words);
    UNROLL_LOOP(16)
    for (uint k = 0; k < VECTOR_WIDTH; ++k) value ^= words[k];
    value = product(value, segment_weights[i / (STATE_WORDS / VECTOR_WIDTH)]);
  }
  add_to_result(result, partial, value);
}
