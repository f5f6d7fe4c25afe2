// CRC-32 as zlib computes it, of a stream of any length.
//
// A stream is a polynomial over GF(2), its first bit the highest power; its CRC is stream * x^32 mod P plus a constant
// that depends on the length alone (from the ones before and after), with which the host fills `result`. What is left
// is linear: `compute` turns parts of the stream into words, `combine` shifts each word to its place, that is,
// multiplies it by a power of x, and adds (XORs) it to `result`. Words are reflected as in zlib: the lowest bit is the
// highest power, x^31. Zeros in front of a stream change nothing; zeros behind it are undone by a shift by so many
// bytes less. Since P is primitive, x^8 has order 2^32 - 1, and shifts are taken modulo that: negative ones become
// positive, and those beyond 4 GiB fit into 32 bits.
//
// Variants and their index maps:
//   per_byte     work-item i takes bytes [i, i + 1) * GRANULARITY and shifts each by its distance to the end, one table
//                look-up per bit of the distance. After K. Theocharidis and C. Kalogirou, Master thesis, University of
//                Thessaly 2013, section 6.2, whose CRC has 8 bits; ours needs four tables per power instead of one.
//   slicing      work-item i reduces chunk i, of GRANULARITY blocks of 64 bytes, SLICES bytes at a time by as many
//                tables. After M. E. Kounavis and F. L. Berry, "Novel table lookup-based algorithms for
//                high-performance CRC generation", IEEE Transactions on Computers 57(11), 2008.
//   interleaved  No tables. A segment is `rows` rows of LANES * VECTOR_WIDTH words, work-item `lane` of LANES has the
//                words [lane, lane + 1) * VECTOR_WIDTH of each row. Words at the same place of successive rows are a
//                power of two of bits apart; call that D. As squaring is linear over GF(2), P(x)^D = P(x^D): modulo P
//                the rows obey the recurrence of P in y = x^D. Dividing by P(y), 14 XORs of whole words per row,
//                leaves 32 rows. These are a short message of the same segment; seen as 64 rows of half the width they
//                are divided again, until 32 words are left, which `combine` weighs.
//
// Macro            meaning
// VARIANT          VARIANT_PER_BYTE, VARIANT_SLICING, VARIANT_INTERLEAVED
// WORK_GROUP       work-items of a group in `compute`, a power of two
// GRANULARITY      per_byte: bytes per work-item; slicing: blocks of 64 bytes per work-item; interleaved: rows per
//                  work-item, as a multiple of what fills the device (by the host alone, in `rows`; here 1)
// VECTOR_WIDTH     slicing: words per load; interleaved: neighbouring words, each a stream, per work-item
// UNROLL           per_byte: of the loop over powers; slicing: of the loop over blocks; interleaved: rows per iteration
//                  (below 32 the 32 words of history move on after each iteration)
// PADDING          0: loads behind the stream's end are guarded; 1: zeros follow it up to a whole number of launched
//                  work-items, and nothing is guarded
// MEMORY           slicing: where the tables are, MEMORY_GLOBAL, MEMORY_CONSTANT or MEMORY_LOCAL
// SLICES           slicing: bytes per step, 4, 8 or 16
// STREAMS          interleaved: STREAMS_ITEM: each work-item has a segment of its own, LANES is 1; STREAMS_SHARED: LANES
//                  work-items share one, so that a row is read as a whole; STREAMS_AUTO: the host takes the first on CPUs
// PREFETCH         interleaved: rows that each work-item has loaded ahead of the one it divides; 0: loads when due
// LANES            work-items per segment, chosen by the host; a power of two that divides WORK_GROUP
// CHUNK_POWER      slicing: log2 of a chunk's bytes
// RUN              partial results per work-item in `combine` (per_byte, slicing)
// COMBINE_GROUP    work-items of a group in `combine`, a power of two; 64, or what the device allows
//
// Preconditions: `stream` is aligned to 64 bytes and zero from its last byte up to a multiple of 64 bytes (of more with
// PADDING); the device is little-endian. Local memory: a table (MEMORY_LOCAL) or 32 words per work-item (LANES > 1) in
// `compute`, a word per work-item in `combine`.

#if !defined(VARIANT) || VARIANT < 1 || VARIANT > 3
#error "crc.cl: VARIANT must be VARIANT_PER_BYTE, VARIANT_SLICING or VARIANT_INTERLEAVED"
#endif
#if !defined(WORK_GROUP) || WORK_GROUP < 1 || (WORK_GROUP & (WORK_GROUP - 1))
#error "crc.cl: WORK_GROUP must be a power of two"
#endif
#if !defined(GRANULARITY) || GRANULARITY < 1 || (GRANULARITY & (GRANULARITY - 1))
#error "crc.cl: GRANULARITY must be a power of two"
#endif
#if !defined(VECTOR_WIDTH)
#error "crc.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#if !defined(UNROLL) || UNROLL < 1 || UNROLL > 32 || (UNROLL & (UNROLL - 1))
#error "crc.cl: UNROLL must be a power of two up to 32"
#endif
#if !defined(PADDING) || PADDING < 0 || PADDING > 1
#error "crc.cl: PADDING must be 0 or 1"
#endif
#if !defined(MEMORY) || MEMORY < 1 || MEMORY > 3
#error "crc.cl: MEMORY must be MEMORY_GLOBAL, MEMORY_CONSTANT or MEMORY_LOCAL"
#endif
#if !defined(SLICES) || (SLICES != 4 && SLICES != 8 && SLICES != 16)
#error "crc.cl: SLICES must be 4, 8 or 16"
#endif
#if !defined(STREAMS) || STREAMS < 1 || STREAMS > 3
#error "crc.cl: STREAMS must be STREAMS_AUTO, STREAMS_ITEM or STREAMS_SHARED"
#endif
#if !defined(PREFETCH) || PREFETCH < 0 || PREFETCH > 32 || (PREFETCH & (PREFETCH - 1))
#error "crc.cl: PREFETCH must be 0 or a power of two up to 32"
#endif
#if !defined(LANES) || LANES < 1 || (LANES & (LANES - 1)) || WORK_GROUP % LANES != 0
#error "crc.cl: LANES must be a power of two that divides WORK_GROUP"
#endif
#if !defined(CHUNK_POWER) || CHUNK_POWER < 6 || CHUNK_POWER > 31
#error "crc.cl: CHUNK_POWER must be log2 of a chunk's bytes, from 6 to 31"
#endif
#if !defined(RUN) || RUN < 1
#error "crc.cl: RUN must be at least 1"
#endif
#if !defined(COMBINE_GROUP) || COMBINE_GROUP < 1 || (COMBINE_GROUP & (COMBINE_GROUP - 1))
#error "crc.cl: COMBINE_GROUP must be a power of two"
#endif
#ifndef __ENDIAN_LITTLE__
#error "crc.cl: the device must be little-endian"
#endif

// `inline` alone leaves it to the compiler, and arrays of registers passed by pointer must not become memory. No `restrict`
// in these: inlined, it becomes a scope that Oclgrind 21.10 does not know.
#define INLINE static inline __attribute__((always_inline))

// The group's size is known, so that a compiler may give each work-item all the registers there are for it.
#define COMPUTE kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1)))
#define COMBINE kernel __attribute__((reqd_work_group_size(COMBINE_GROUP, 1, 1)))

#define POWER_WORDS 1024

// The same modulo 2^32 - 1, in 32 bits: 2^32 is 1 there.
INLINE uint reduced_shift(const ulong bytes) {
  const ulong once = (bytes & 0xFFFFFFFFul) + (bytes >> 32);
  return (uint)((once & 0xFFFFFFFFul) + (once >> 32));
}

// value * x^(8 * 2^power); the tables of one power hold the products of the four bytes of a word.
INLINE uint times_power(global const uint* powers, const uint power, const uint value) {
  global const uint* const table = powers + power * POWER_WORDS;
  return table[value & 255u] ^ table[256u + ((value >> 8) & 255u)] ^ table[512u + ((value >> 16) & 255u)] ^
         table[768u + (value >> 24)];
}

// XORs the `value` of every work-item of a combine group into the result.
INLINE void add_to_result(global uint* result, local uint* partial, const uint value) {
  const uint item = get_local_id(0);
  partial[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = COMBINE_GROUP / 2; half_size > 0; half_size /= 2) {
    if (item < half_size) partial[item] ^= partial[item + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) atomic_xor(result, partial[0]);
}

#if VARIANT == VARIANT_PER_BYTE

// One answer per work-item, for the bytes from `first` on. `bytes` is the length of the whole stream.
COMPUTE void compute_per_byte(global const uchar* restrict stream, global const uint* restrict powers,
                             global uint* restrict answers, const ulong first, const ulong bytes) {
  uint answer = 0;
  for (uint k = 0; k < GRANULARITY; ++k) {
    const ulong position = first + get_global_id(0) * (ulong)GRANULARITY + k;
    if (PADDING || position < bytes) {
      // The byte at the lowest end of a word stands for itself times x^24: shifted by its distance to the end, the
      // last byte's being 1, it becomes itself * x^(8 * bytes behind it) * x^32.
      const uint distance = reduced_shift(bytes - position);
      uint value = stream[position];
      for (uint base = 0; base < 32; base += UNROLL) {
        UNROLL_LOOP(UNROLL)
        for (uint i = base; i < base + UNROLL; ++i) {
          if ((distance >> i) % 2 == 1) value = times_power(powers, i, value);
        }
      }
      answer ^= value;
    }
  }
  answers[get_global_id(0)] = answer;
}

// A group takes RUN * COMBINE_GROUP neighbouring answers.
COMBINE void combine_answers(global const uint* restrict answers, const ulong count, global uint* restrict result) {
  local uint partial[COMBINE_GROUP];
  const ulong begin = get_group_id(0) * (ulong)(RUN * COMBINE_GROUP) + get_local_id(0);
  uint value = 0;
  for (uint k = 0; k < RUN; ++k) {
    const ulong index = begin + k * COMBINE_GROUP;
    if (index < count) value ^= answers[index];
  }
  add_to_result(result, partial, value);
}

#elif VARIANT == VARIANT_SLICING

#define BLOCK_WORDS 16
#if MEMORY == MEMORY_CONSTANT
#define GIVEN_SPACE constant
#define TABLE_SPACE constant
#elif MEMORY == MEMORY_LOCAL
#define GIVEN_SPACE global
#define TABLE_SPACE local
#else
#define GIVEN_SPACE global
#define TABLE_SPACE global
#endif

// The residue after SLICES more bytes. Table k holds every byte shifted by k + 1 bytes.
INLINE uint after_step(TABLE_SPACE const uint* tables, const uint residue, const uint* words) {
  uint next = 0;
  UNROLL_LOOP(4)
  for (uint m = 0; m < SLICES / 4; ++m) {
    const uint word = m == 0 ? words[m] ^ residue : words[m];
    TABLE_SPACE const uint* const table = tables + (SLICES - 4 - 4 * m) * 256;
    next ^= table[768u + (word & 255u)] ^ table[512u + ((word >> 8) & 255u)] ^ table[256u + ((word >> 16) & 255u)] ^
            table[word >> 24];
  }
  return next;
}

INLINE uint after_block(TABLE_SPACE const uint* tables, uint residue, global const wordv* block) {
  uint words[BLOCK_WORDS];
  UNROLL_LOOP(16)
  for (uint i = 0; i < BLOCK_WORDS / VECTOR_WIDTH; ++i) {
    const wordv loaded = block[i];
    STOREV(loaded, i * VECTOR_WIDTH, words);
  }
  UNROLL_LOOP(16)
  for (uint i = 0; i < BLOCK_WORDS; i += SLICES / 4) residue = after_step(tables, residue, words + i);
  return residue;
}

COMPUTE void compute_slicing(global const uint* restrict stream, const ulong blocks,
                            GIVEN_SPACE const uint* restrict given_tables, global uint* restrict residues,
                            const ulong chunks) {
#if MEMORY == MEMORY_LOCAL
  local uint tables[SLICES * 256];
  for (uint i = get_local_id(0); i < SLICES * 256; i += WORK_GROUP) tables[i] = given_tables[i];
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  TABLE_SPACE const uint* const tables = given_tables;
#endif
  const ulong chunk = get_global_id(0);
  const wordv zeros = 0;
  uint residue = 0;
  UNROLL_LOOP(UNROLL)
  for (uint k = 0; k < GRANULARITY; ++k) {
    const ulong block = chunk * GRANULARITY + k;
    if (PADDING || block < blocks) {
      residue = after_block(tables, residue, (global const wordv*)(stream + block * BLOCK_WORDS));
    } else if (residue != 0) {
      // A block of zeros behind the end.
      const uint words[SLICES / 4] = {0};
      for (uint i = 0; i < BLOCK_WORDS; i += SLICES / 4) residue = after_step(tables, residue, words);
    }
  }
  if (chunk < chunks) residues[chunk] = residue;
}

// A work-item joins RUN neighbouring chunks, then shifts them to their place. `shift` is what the last run needs: the
// padding undone.
COMBINE void combine_residues(global const uint* restrict residues, const ulong chunks,
                             global const uint* restrict powers, const ulong runs, const uint shift,
                             global uint* restrict result) {
  local uint partial[COMBINE_GROUP];
  const ulong run = get_global_id(0);
  uint value = 0;
  if (run < runs) {
    for (uint k = 0; k < RUN; ++k) {
      const ulong chunk = run * RUN + k;
      value = times_power(powers, CHUNK_POWER, value) ^ (chunk < chunks ? residues[chunk] : 0u);
    }
    const uint distance = reduced_shift((((runs - 1 - run) * RUN) << CHUNK_POWER) + shift);
    for (uint i = 0; i < 32; ++i) {
      if ((distance >> i) % 2 == 1) value = times_power(powers, i, value);
    }
  }
  add_to_result(result, partial, value);
}

#else

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

#define LOAD(row_of_segment) \
  (PADDING || (row_of_segment) * LANES < readable ? source[(row_of_segment) * LANES] : zero)
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

// `rows` is a multiple of 32; `vectors` is the length of the stream in vectors of VECTOR_WIDTH words. One state of 32
// words per segment.
COMPUTE void compute_interleaved(global const uint* restrict stream, const ulong vectors, const uint rows,
                                 global uint* restrict states) {
  const wordv zero = 0;
  const ulong segment = get_global_id(0) / LANES;
  const uint lane = get_local_id(0) % LANES;
  const ulong first = segment * rows * LANES + lane;
  const uint whole = rows * LANES;  // below 2^26: the host keeps rows at 32768 or less
  const uint readable = first >= vectors ? 0u : (uint)min((ulong)whole, vectors - first);
  global const wordv* const source = (global const wordv*)stream + first;
  const uint end = PADDING || readable > 0 ? rows : 32u;

  wordv q[32];
  wordv ahead[RING];
  EACH_32(START)
  EACH_32(FILL)
  uint row = 0;
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

#endif
