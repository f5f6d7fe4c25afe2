// des: the variant `per_bit`, a work-item for each bit of a block, the bits in local memory between the steps.
//
// A group has WORK_GROUP / 64 blocks at once; work-item i has bit i % 64 of block i / 64 (0 is the standard's bit 1).
// Between the kernels a block is 64 bytes in global memory, one for each bit.

// In bytes: where the bits of the initial permutation, of the expansion, of P and of the final permutation come from
// (from 0), then eight S-boxes of 64.
#define EXPANSION_TABLE 64
#define P_TABLE 112
#define FINAL_TABLE 144
#define BOX_TABLE 208
#define TABLE_ENTRIES 720

#include "table_memory.cl"

// PERMUTATIONS_IFS: where bit `bit` (from 0) comes from, by a condition for each bit.
#define FROM_INITIAL(source, target) if (bit == (target) - 1) from = (source) - 1;
#define FROM_FINAL(source, target) if (bit == (source) - 1) from = (target) - 1;
#define BY_IFS(name, EACH, FROM)              \
  INLINED uint name(const uint bit) {         \
    uint from = 0;                            \
    EACH(FROM)                                \
    return from;                              \
  }
BY_IFS(initial_bit_by_ifs, EACH_INITIAL, FROM_INITIAL)
BY_IFS(final_bit_by_ifs, EACH_INITIAL, FROM_FINAL)
BY_IFS(p_bit_by_ifs, EACH_P, FROM_INITIAL)

// The expansion repeats the last bit of a row of four, and the first of the next, next to each row.
INLINED uint expansion_bit_by_ifs(const uint bit) {
  uint from = bit / 6 * 4 + bit % 6;
  if (from == 0) from = 32;
  if (from == 33) from = 1;
  return from - 1;
}

#if PERMUTATIONS == PERMUTATIONS_IFS
#define INITIAL_BIT(bit) initial_bit_by_ifs(bit)
#define EXPANSION_BIT(bit) expansion_bit_by_ifs(bit)
#define P_BIT(bit) p_bit_by_ifs(bit)
#define FINAL_BIT(bit) final_bit_by_ifs(bit)
#define BOX_NIBBLE(box, six) substituted_by_ifs(box, six)
#else
#define INITIAL_BIT(bit) tables[bit]
#define EXPANSION_BIT(bit) tables[EXPANSION_TABLE + (bit)]
#define P_BIT(bit) tables[P_TABLE + (bit)]
#define FINAL_BIT(bit) tables[FINAL_TABLE + (bit)]
#define BOX_NIBBLE(box, six) tables[BOX_TABLE + (box)*64 + (six)]
#endif

#if MEMORY == MEMORY_LOCAL
#define PLACE_TABLES(given_tables)                                                                       \
  local uchar tables[TABLE_ENTRIES];                                                                     \
  for (uint entry = get_local_id(0); entry < TABLE_ENTRIES; entry += WORK_GROUP) tables[entry] = (given_tables)[entry];
#else
#define PLACE_TABLES(given_tables) TABLE_SPACE const uchar* const tables = (given_tables);
#endif

#define GROUP_BLOCKS (WORK_GROUP / 64)

INLINED ulong block_of_bit(const uint turn) {
  return (get_group_id(0) * (ulong)GRANULARITY + turn) * GROUP_BLOCKS + get_local_id(0) / 64;
}

kernel GROUP_OF(WORK_GROUP, 1) void bits_first(global const ulong* restrict given,
                                               GIVEN_SPACE const uchar* restrict given_tables,
                                               global uchar* restrict state, const ulong blocks) {
  PLACE_TABLES(given_tables)
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint bit = get_local_id(0) % 64;
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_bit(turn);
    if (PADDING || index < blocks) {
      state[index * 64 + bit] = (reversed_bytes(given[index]) >> (63 - INITIAL_BIT(bit))) & 1;
    }
  }
}

// All work-items pass all barriers: where there is no block they handle zeros, and store nothing.
kernel GROUP_OF(WORK_GROUP, 1) void bits_rounds(global uchar* restrict state,
                                                GIVEN_SPACE const uchar* restrict given_tables,
                                                constant ulong* restrict round_keys, const uint first_round,
                                                const ulong blocks) {
  local uint bits[GROUP_BLOCKS][64];
  local uint keyed[GROUP_BLOCKS][48];
  PLACE_TABLES(given_tables)
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint bit = get_local_id(0) % 64;
  const uint place = get_local_id(0) / 64;
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_bit(turn);
    const bool exists = PADDING || index < blocks;
    bits[place][bit] = exists ? state[index * 64 + bit] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL_LOOP(UNROLL)
    for (uint round = 0; round < KERNEL_ROUNDS; ++round) {
      if (bit < 48) {
        const uint key_bit = (uint)(round_keys[first_round + round] >> (47 - bit)) & 1;
        keyed[place][bit] = bits[place][32 + EXPANSION_BIT(bit)] ^ key_bit;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      // The left half becomes the old right one, the right one the left with the round's function added.
      uint next = bits[place][(bit + 32) % 64];
      if (bit >= 32) {
        const uint from = P_BIT(bit - 32);
        local const uint* const in = keyed[place] + from / 4 * 6;
        const uint six = in[0] << 5 | in[1] << 4 | in[2] << 3 | in[3] << 2 | in[4] << 1 | in[5];
        next ^= (BOX_NIBBLE(from / 4, six) >> (3 - from % 4)) & 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      bits[place][bit] = next;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (exists) state[index * 64 + bit] = (uchar)bits[place][bit];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// The first eight work-items of a block make a byte of it each.
kernel GROUP_OF(WORK_GROUP, 1) void bits_last(global const uchar* restrict state,
                                              GIVEN_SPACE const uchar* restrict given_tables,
                                              global uchar* restrict result, const ulong blocks) {
  PLACE_TABLES(given_tables)
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint byte = get_local_id(0) % 64;
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_bit(turn);
    if (byte < 8 && (PADDING || index < blocks)) {
      uint value = 0;
      for (uint i = 0; i < 8; ++i) {
        // The halves are exchanged after the last round.
        value = value << 1 | state[index * 64 + (FINAL_BIT(8 * byte + i) + 32) % 64];
      }
      result[index * 8 + byte] = (uchar)value;
    }
  }
}
