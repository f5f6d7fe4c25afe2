// crc, variant interleaved: division of rows by P, and the folding of the 32 rows that it leaves into 32 words.
//
// With q the quotient of a division by P(y), q[t] = row[t] + the sum of q[t - lag] over 14 lags, which are 32 less the
// powers of y in P below 32 (26 23 22 16 12 11 10 8 7 5 4 2 1 0). Additions are XORs. The array `q` is a ring buffer of
// the last 32 quotients, that of row t in q[t % 32]. Rows are divided 32 at a time by macros that EACH_32 repeats,
// since `q` must live in registers.

#include "each.cl"

// Of 14 quotients, GET(j, lag) being that of `lag` rows before row j. The newest comes last: it is the one that the row
// before has to compute first.
#define SUM_OF_QUOTIENTS(GET, j)                                                                             \
  (GET(j, 32) ^ GET(j, 31) ^ GET(j, 30) ^ GET(j, 28) ^ GET(j, 27) ^ GET(j, 25) ^ GET(j, 24) ^ GET(j, 22) ^ \
   GET(j, 21) ^ GET(j, 20) ^ GET(j, 16) ^ GET(j, 10) ^ GET(j, 9) ^ GET(j, 6))

// GET for rows in the middle of a message.
#define QUOTIENT(j, lag) q[((j) + 32 - (lag)) & 31]
// GET for the first 32 rows of a message: no quotients before them.
#define QUOTIENT_FROM_START(j, lag) ((lag) <= (j) ? QUOTIENT(j, lag) : zero)
// GET for the last 32 rows: they are the remainder and have no quotients themselves.
#define QUOTIENT_BEFORE_REMAINDER(j, lag) ((lag) > (j) ? QUOTIENT(j, lag) : zero)

// Divides a message of 64 rows: the remainder is in `q`. ROW_OF_64(t) is row t.
#define DIVIDE_FIRST_OF_64(j) q[j] = ROW_OF_64(j) ^ SUM_OF_QUOTIENTS(QUOTIENT_FROM_START, j);
#define DIVIDE_LAST_OF_64(j) q[j] = ROW_OF_64(32 + (j)) ^ SUM_OF_QUOTIENTS(QUOTIENT_BEFORE_REMAINDER, j);
#define DIVIDE_64 EACH_32(DIVIDE_FIRST_OF_64) EACH_32(DIVIDE_LAST_OF_64)

#define STATE_WORDS 32
#define COPY_WORD(j) to[j] = from[j];

#if LANES == 1

// fold_n: from 32 rows of n words to 32 words, halving the width: 32 rows of n words are 64 rows of n / 2 words, which
// are divided to 32.
INLINED void fold_1(const uint* from, uint* to) { EACH_32(COPY_WORD) }
#define ROW_OF_64(t) ((t) % 2 == 0 ? from[(t) / 2].lo : from[(t) / 2].hi)
#define DEFINE_FOLD(name, row_type, half_row_type, fold_half) \
  INLINED void name(const row_type* from, uint* to) {         \
    const half_row_type zero = 0;                             \
    half_row_type q[32];                                      \
    DIVIDE_64                                                 \
    fold_half(q, to);                                         \
  }
DEFINE_FOLD(fold_2, uint2, uint, fold_1)
DEFINE_FOLD(fold_4, uint4, uint2, fold_2)
DEFINE_FOLD(fold_8, uint8, uint4, fold_4)
DEFINE_FOLD(fold_16, uint16, uint8, fold_8)

#else

// Rows per batch of the exchange between work-items: each stores 32 words and loads 32 words.
#define BATCH_ROWS (32 / VECTOR_WIDTH)
#define STORE_ROW(i) \
  if ((i) < BATCH_ROWS) exchange[(i) * WORK_GROUP + item] = from[(batch * BATCH_ROWS + (i)) & 31];
#define NARROW_ROW(t) loaded[((t) / VECTOR_WIDTH) * (WORK_GROUP * VECTOR_WIDTH) + ((t) % VECTOR_WIDTH) * LANES]
#define DIVIDE_NARROW_ROW(j) q[j] = NARROW_ROW(j) ^ SUM_OF_QUOTIENTS(QUOTIENT, j);
#define DIVIDE_LAST_NARROW_ROW(j) q[j] = NARROW_ROW(j) ^ SUM_OF_QUOTIENTS(QUOTIENT_BEFORE_REMAINDER, j);

// A row of LANES * VECTOR_WIDTH words is VECTOR_WIDTH rows of LANES words. The work-items exchange words through local
// memory, so that each has one word of every narrow row, and divide 32 narrow rows.
INLINED void narrow_batch(const wordv* from, local uint* space, uint* q, const int batch) {
  const uint zero = 0;
  const uint item = get_local_id(0);
  local wordv* const exchange = (local wordv*)space;
  const local uint* const loaded = space + (item / LANES) * (LANES * VECTOR_WIDTH) + item % LANES;
  EACH_32(STORE_ROW)
  barrier(CLK_LOCAL_MEM_FENCE);
  if (batch < VECTOR_WIDTH - 1) {
    EACH_32(DIVIDE_NARROW_ROW)
  } else {
    EACH_32(DIVIDE_LAST_NARROW_ROW)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// From 32 rows of LANES * VECTOR_WIDTH words to 32 rows of LANES words.
#define NARROW_BATCH(batch) \
  if ((batch) < VECTOR_WIDTH) narrow_batch(from, space, to, batch);
#define CLEAR_WORD(j) to[j] = 0;
INLINED void narrow(const wordv* from, local uint* space, uint* to) {
#if VECTOR_WIDTH == 1
  EACH_32(COPY_WORD)
#else
  EACH_32(CLEAR_WORD)
  EACH_8(NARROW_BATCH, 0)
  EACH_8(NARROW_BATCH, 8)
#endif
}

// From LANES words per row to one, in lane 0 of each segment. A row of 2 * `lanes` words is two rows of `lanes` words:
// the upper half of the work-items passes its words on to the lower half, which divides.
#define ROW_OF_64(t) ((t) % 2 == 0 ? rows[(t) / 2] : space[((t) / 2) * WORK_GROUP + item + lanes])
#define PASS_ON(j) space[(j) * WORK_GROUP + item] = rows[j];
#define KEEP_REMAINDER(j) rows[j] = q[j];
INLINED void join_lanes(uint* rows, local uint* space) {
  const uint zero = 0;
  const uint item = get_local_id(0);
  const uint lane = item % LANES;
  for (uint lanes = LANES / 2; lanes > 0; lanes /= 2) {
    if (lane >= lanes && lane < 2 * lanes) {
      EACH_32(PASS_ON)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < lanes) {
      uint q[32];
      DIVIDE_64
      EACH_32(KEEP_REMAINDER)
    }
  }
}

#endif
