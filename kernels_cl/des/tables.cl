// des: the variants `lut` and `split`, permutations and S-boxes by tables.

// In words of 64 bits: sixteen tables of sixteen for the nibbles of a block in memory, lowest first, that make the
// initial permutation of it; as many for those of the halves after round 16, highest first, that make the block in
// memory; eight tables of 64 words of 32 bits, each an S-box and P; fourteen of sixteen for the nibbles of a key,
// highest first, that make permuted choice 2.
#define FINAL_TABLES 256
#define BOX_TABLES 512
#define CHOICE_TABLES 768
#define TABLE_WORDS 992

#include "table_memory.cl"

// Declares `tables`. To be used where all work-items of a group pass.
#if MEMORY == MEMORY_LOCAL
#define PLACE_TABLES(given_tables)                                                                     \
  local ulong tables[TABLE_WORDS];                                                                     \
  for (uint i = get_local_id(0); i < TABLE_WORDS; i += WORK_GROUP) tables[i] = (given_tables)[i];      \
  barrier(CLK_LOCAL_MEM_FENCE);
#else
#define PLACE_TABLES(given_tables) TABLE_SPACE const ulong* const tables = (given_tables);
#endif

INLINED ulong initial_by_tables(TABLE_SPACE const ulong* tables, const ulong memory) {
  ulong block = 0;
  UNROLL_LOOP(16)
  for (uint i = 0; i < 16; ++i) block |= tables[16 * i + ((memory >> (4 * i)) & 15)];
  return block;
}

INLINED ulong final_by_tables(TABLE_SPACE const ulong* tables, const ulong block) {
  ulong memory = 0;
  UNROLL_LOOP(16)
  for (uint i = 0; i < 16; ++i) memory |= tables[FINAL_TABLES + 16 * i + ((block >> (60 - 4 * i)) & 15)];
  return memory;
}

INLINED uint round_by_tables(TABLE_SPACE const ulong* tables, const uint right, const ulong round_key) {
  TABLE_SPACE const uint* const boxes = (TABLE_SPACE const uint*)(tables + BOX_TABLES);
  uint result = 0;
  UNROLL_LOOP(8)
  for (uint box = 0; box < 8; ++box) {
    // The last of the six bits is bit 4 * box + 5 of the half, or again bit 1.
    const uint six = (rotate(right, 4 * box + 5) ^ (uint)(round_key >> (42 - 6 * box))) & 63;
    result ^= boxes[64 * box + six];
  }
  return result;
}

INLINED ulong rounds_by_tables(TABLE_SPACE const ulong* tables, const ulong block, constant const ulong* round_keys,
                              const uint rounds) {
  uint left = (uint)(block >> 32);
  uint right = (uint)block;
  UNROLL_LOOP(UNROLL)
  for (uint round = 0; round < rounds; ++round) {
    const uint next = left ^ round_by_tables(tables, right, round_keys[round]);
    left = right;
    right = next;
  }
  return ((ulong)left << 32) | right;
}

#define SWAPPED_HALVES(block) rotate((block), 32ul)

#if SEARCH
INLINED ulong choice_by_tables(TABLE_SPACE const ulong* tables, const ulong bits) {
  ulong chosen = 0;
  UNROLL_LOOP(14)
  for (uint i = 0; i < 14; ++i) chosen |= tables[CHOICE_TABLES + 16 * i + ((bits >> (52 - 4 * i)) & 15)];
  return chosen;
}

kernel GROUP_OF(WORK_GROUP, 1) void search_lut(GIVEN_SPACE const ulong* restrict given_tables, const ulong plain,
                                               const ulong cipher, const ulong base, const ulong keys,
                                               global uint* restrict counts, global ulong* restrict found) {
  PLACE_TABLES(given_tables)
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong number = block_of_turn(turn);
    if (number < keys) {
      ulong key_bits = searched_bits(base, number);
      uint left = (uint)(plain >> 32);
      uint right = (uint)plain;
      UNROLL_LOOP(UNROLL)
      for (uint round = 0; round < 16; ++round) {
        key_bits = rotated_key(key_bits, SHIFTS_BY_TWO(round));
        const uint next = left ^ round_by_tables(tables, right, choice_by_tables(tables, key_bits));
        left = right;
        right = next;
      }
      if ((((ulong)right << 32) | left) == cipher) append(counts + 1, found, MAX_FOUND, number);
    }
  }
}
#elif VARIANT == VARIANT_LUT
kernel GROUP_OF(WORK_GROUP, 1) void crypt_lut(global const ulong* restrict given,
                                              GIVEN_SPACE const ulong* restrict given_tables,
                                              constant ulong* restrict round_keys, global ulong* restrict result,
                                              const ulong blocks) {
  PLACE_TABLES(given_tables)
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_turn(turn);
    if (PADDING || index < blocks) {
      const ulong block = rounds_by_tables(tables, initial_by_tables(tables, given[index]), round_keys, 16);
      result[index] = final_by_tables(tables, SWAPPED_HALVES(block));
    }
  }
}
#else
kernel GROUP_OF(WORK_GROUP, 1) void split_first(global const ulong* restrict given,
                                                GIVEN_SPACE const ulong* restrict given_tables,
                                                global ulong* restrict state, const ulong blocks) {
  PLACE_TABLES(given_tables)
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_turn(turn);
    if (PADDING || index < blocks) state[index] = initial_by_tables(tables, given[index]);
  }
}

kernel GROUP_OF(WORK_GROUP, 1) void split_rounds(global ulong* restrict state,
                                                 GIVEN_SPACE const ulong* restrict given_tables,
                                                 constant ulong* restrict round_keys, const uint first_round,
                                                 const ulong blocks) {
  PLACE_TABLES(given_tables)
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_turn(turn);
    if (PADDING || index < blocks)
      state[index] = rounds_by_tables(tables, state[index], round_keys + first_round, KERNEL_ROUNDS);
  }
}

kernel GROUP_OF(WORK_GROUP, 1) void split_last(global const ulong* restrict state,
                                               GIVEN_SPACE const ulong* restrict given_tables,
                                               global ulong* restrict result, const ulong blocks) {
  PLACE_TABLES(given_tables)
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_turn(turn);
    if (PADDING || index < blocks) result[index] = final_by_tables(tables, SWAPPED_HALVES(state[index]));
  }
}
#endif
