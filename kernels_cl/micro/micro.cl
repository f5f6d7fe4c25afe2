// Micro-benchmarks of three access and control-flow patterns that are slow on GPUs, each compared with a fast one. One
// launch runs all three kernels; a variant changes one of them, and the times of the other two are the control.
// VARIANT_LATENCY adds a fourth kernel.
//
//   traverse   Each work-item visits the words of its own line of a 32 x 32 tile in local memory: a column of the tile
//              (the 32 work-items read a row at a time: 32 banks), or a row (VARIANT_COLUMNS: they read a column at a
//              time, and without PADDING all its words are in one bank).
//              Word k of item i starts as seed + k * 0x9E3779B9; every visit of a word v does
//              sum = (sum ^ v) * 0x01000193, v = 5 v + 1. The result is the sum, which starts as the seed.
//   diverge    Work-items iterate x = x * A + B, x ^= x >> 9, with the constants of path 0. In VARIANT_DIVERGENCE the
//              first DIVERGENT of every 32 work-items each run a loop of their own, with constants of their own.
//   permute    64 work-items hold a block of 64 words, a word for each bit of 32 DES blocks, and apply the initial
//              permutation of DES (FIPS 46-3) to the first BITS positions, again and again. Each work-item finds its
//              source by an `if` for each position, or in a table (VARIANT_TABLES). Each round it has another position.
//   chase      One work-item follows a chain of loads: each load returns the address of the next (VARIANT_LATENCY). The
//              chain is a single cycle in pseudo-random order. Time divided by loads is the latency of MEMORY.
//
// After S. Che et al., "A performance study of general-purpose applications on graphics processors using CUDA", Journal
// of Parallel and Distributed Computing 68(10), 2008: sections 5.2 (16 x 16 blocks for 16 banks; here 32 x 32 for 32),
// 5.3 and 6.3. A compiler may undo a pattern: a chain of `if`s may become a table again. `chase` measures what table 1 of
// S. Ryoo et al., "Optimization principles and application performance evaluation of a multithreaded GPU using CUDA",
// PPoPP 2008, states for each kind of memory.
//
// Index map: work-group g has the results from g * GRANULARITY * WORK_GROUP * VECTOR_WIDTH on; of these, work-item i
// has in turn j those from (j * WORK_GROUP + i) * VECTOR_WIDTH on: VECTOR_WIDTH neighbours at once, which share a path
// and a position in a block.
//
// Macro            meaning
// VARIANT          VARIANT_INITIAL, VARIANT_COLUMNS, VARIANT_DIVERGENCE, VARIANT_TABLES, VARIANT_LATENCY
// WORK_GROUP       work-items of a work-group, a multiple of 32; permute has at least 64
// GRANULARITY      results (vectors of them) per work-item, one after the other
// VECTOR_WIDTH     words that a work-item handles at once
// UNROLL           iterations of the innermost loops (permute has none)
// PADDING          unused columns of the tile (VARIANT_COLUMNS; else 0)
// DIVERGENT        work-items of 32 that have a path of their own, 0 to 32 (VARIANT_DIVERGENCE; else 0)
// MEMORY           MEMORY_GLOBAL, MEMORY_CACHED, MEMORY_CONSTANT, MEMORY_LOCAL, MEMORY_IMAGE: where the chain is
//                  (VARIANT_LATENCY; cached: global memory that fits in caches)
// BITS             positions that are permuted, 0 to 64; a key of the problem
// and from the host CHAIN_SLOTS, the loads of one cycle (VARIANT_LATENCY)
//
// Preconditions: arrays hold the results of all launched work-groups.

#define EDGE 32
#define BLOCK 64
#define MICRO_KERNEL kernel GROUP_OF(WORK_GROUP, 1)

// Where this work-item's results of turn `turn` begin, in groups of `items`.
static inline size_t place_in(const uint items, const uint turn) {
  return ((get_group_id(0) * GRANULARITY + turn) * items + get_local_id(0)) * VECTOR_WIDTH;
}
static inline size_t place_of(const uint turn) { return place_in(WORK_GROUP, turn); }

// --- bank conflicts ---

#define ELEMENT(k) \
  tiles[item / EDGE][VARIANT == VARIANT_COLUMNS ? lane : (k)][VARIANT == VARIANT_COLUMNS ? (k) : lane]

MICRO_KERNEL void traverse(global const uint* restrict seeds, global uint* restrict results, const uint rounds) {
  local wordv tiles[WORK_GROUP / EDGE][EDGE][EDGE + PADDING];
  const uint item = get_local_id(0);
  const uint lane = item % EDGE;
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    wordv sum = LOADV(place_of(turn), seeds);
    for (uint k = 0; k < EDGE; ++k) ELEMENT(k) = sum + k * 0x9E3779B9u;
    for (uint round = 0; round < rounds; ++round) {
      // Only the measurement needs this barrier: lines must not move into registers.
      barrier(CLK_LOCAL_MEM_FENCE);
      UNROLL_LOOP(UNROLL)
      for (uint k = 0; k < EDGE; ++k) {
        const wordv word = ELEMENT(k);
        sum = (sum ^ word) * 0x01000193u;
        ELEMENT(k) = word * 5u + 1u;
      }
    }
    STOREV(sum, place_of(turn), results);
  }
}

// --- divergence ---

#define PATH(number)                                         \
  UNROLL_LOOP(UNROLL)                                        \
  for (uint step = 0; step < steps; ++step) {                \
    x = x * (1664525u + 8u * number) + (1013904223u + 2u * number); \
    x ^= x >> 9;                                             \
  }
#define OWN_PATH(number) \
  case number:           \
    PATH(number) break;

static inline wordv iterated(wordv x, const uint path, const uint steps) {
  if (path == 0) {
    PATH(0)
    return x;
  }
  switch (path) {
    OWN_PATH(1) OWN_PATH(2) OWN_PATH(3) OWN_PATH(4) OWN_PATH(5) OWN_PATH(6) OWN_PATH(7) OWN_PATH(8)
    OWN_PATH(9) OWN_PATH(10) OWN_PATH(11) OWN_PATH(12) OWN_PATH(13) OWN_PATH(14) OWN_PATH(15) OWN_PATH(16)
    OWN_PATH(17) OWN_PATH(18) OWN_PATH(19) OWN_PATH(20) OWN_PATH(21) OWN_PATH(22) OWN_PATH(23) OWN_PATH(24)
    OWN_PATH(25) OWN_PATH(26) OWN_PATH(27) OWN_PATH(28) OWN_PATH(29) OWN_PATH(30) OWN_PATH(31) OWN_PATH(32)
  }
  return x;
}

// `lanes` is 32. As a constant it would let the compiler switch on 5 bits, which Oclgrind 21.10 evaluates wrongly.
MICRO_KERNEL void diverge(global const uint* restrict seeds, global uint* restrict results, const uint rounds,
                          const uint lanes) {
  const uint lane = get_local_id(0) % lanes;
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const wordv seed = LOADV(place_of(turn), seeds);
    STOREV(iterated(seed, lane < DIVERGENT ? lane + 1 : 0, rounds * EDGE), place_of(turn), results);
  }
}

// --- control flow against tables ---

// Row by row; each row of eight counts down in steps of eight.
constant uchar initial_permutation[BLOCK] = {
    57, 49, 41, 33, 25, 17, 9,  1, 59, 51, 43, 35, 27, 19, 11, 3, 61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
    56, 48, 40, 32, 24, 16, 8,  0, 58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6};

#define IF_AT(position, source) \
  if (position < BITS && at == position) from = source;
#define IF_IN_ROW(row, source)                                                                   \
  IF_AT(8 * row, source)                                                                         \
  IF_AT(8 * row + 1, source - 8) IF_AT(8 * row + 2, source - 16) IF_AT(8 * row + 3, source - 24) \
  IF_AT(8 * row + 4, source - 32) IF_AT(8 * row + 5, source - 40) IF_AT(8 * row + 6, source - 48) \
  IF_AT(8 * row + 7, source - 56)

static inline uint source_by_ifs(const uint at) {
  uint from = at;
  IF_IN_ROW(0, 57) IF_IN_ROW(1, 59) IF_IN_ROW(2, 61) IF_IN_ROW(3, 63)
  IF_IN_ROW(4, 56) IF_IN_ROW(5, 58) IF_IN_ROW(6, 60) IF_IN_ROW(7, 62)
  return from;
}

static inline uint source_by_table(const uint at) { return at < BITS ? initial_permutation[at] : at; }

// A block is held by 64 work-items, also where groups are smaller.
#define PERMUTE_GROUP (WORK_GROUP > BLOCK ? WORK_GROUP : BLOCK)

kernel GROUP_OF(PERMUTE_GROUP, 1) void permute(global const uint* restrict seeds, global uint* restrict results, const uint rounds) {
  // Each round reads one and writes the other.
  local wordv words[2][PERMUTE_GROUP];
  const uint lane = get_local_id(0) % BLOCK;
  const uint block = get_local_id(0) - lane;
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    words[0][block + lane] = LOADV(place_in(PERMUTE_GROUP, turn), seeds);
    for (uint round = 0; round < rounds; ++round) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint at = (lane + 21 * round) % BLOCK;
      const uint from = VARIANT == VARIANT_TABLES ? source_by_table(at) : source_by_ifs(at);
      words[(round + 1) % 2][block + at] = words[round % 2][block + from];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    STOREV(words[rounds % 2][block + lane], place_in(PERMUTE_GROUP, turn), results);
    // Other work-items may still read what the next turn overwrites.
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// --- latency ---

#if VARIANT == VARIANT_LATENCY
#if MEMORY == MEMORY_IMAGE
#define CHAIN read_only image1d_buffer_t
#define NEXT(at) read_imageui(chain, (int)(at)).x
#elif MEMORY == MEMORY_CONSTANT
#define CHAIN constant uint*
#define NEXT(at) chain[at]
#elif MEMORY == MEMORY_LOCAL
#define CHAIN global const uint* restrict
#define NEXT(at) copy[at]
#else
#define CHAIN global const uint* restrict
#define NEXT(at) chain[at]
#endif

kernel GROUP_OF(1, 1) void chase(CHAIN chain, global uint* restrict result, const ulong loads) {
#if MEMORY == MEMORY_LOCAL
  local uint copy[CHAIN_SLOTS];
  for (uint i = 0; i < CHAIN_SLOTS; ++i) copy[i] = chain[i];
#endif
  uint at = 0;
  UNROLL_LOOP(UNROLL)
  for (ulong i = 0; i < loads; ++i) at = NEXT(at);
  *result = at;
}
#endif
