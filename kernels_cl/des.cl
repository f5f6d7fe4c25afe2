// The Data Encryption Standard (FIPS 46-3, 1999) over a buffer of blocks in ECB, and a search for the key of a known
// pair. Bits, tables and round numbers are the standard's; where words are indexed from 0, index 0 is its bit 1.
//
// A block is 64 bits, in a register with the standard's bit 1 highest, in memory with its first byte first. Decryption is
// encryption with the round keys in reverse: the host passes them in order of use, and one kernel does both.
//
// Variants and their index maps:
//   ifs        Permutations move a bit where it is set, S-boxes are found by comparing: the initial code of S. Che et al.,
//              "A performance study of general-purpose applications on graphics processors using CUDA", JPDC 68(10),
//              2008, section 6.3. Work-item i of group g takes blocks (g * GRANULARITY + k) * WORK_GROUP + i.
//   lut        The same with tables: 16 for the nibbles of a block at either end, eight of S-box and P together. Same map.
//   split      As in the paper, several kernels: initial permutation, KERNEL_ROUNDS rounds at a time, final permutation, the
//              blocks in global memory between them; tables as in lut. Same map.
//   bitslice   E. Biham, "A fast new DES implementation in software", FSE 1997: bit b of word w is bit w of block b, and
//              S-boxes are circuits. A work-item has 32 * VECTOR_WIDTH blocks at once: those of row k (of 32) and element
//              j are (t * 32 + k) * WORK_GROUP * VECTOR_WIDTH + i * VECTOR_WIDTH + j in tile t = g * GRANULARITY + n. Words
//              are transposed in registers on the way in and out. Key words are all ones or all zeros.
//              Words are kept with the round key that meets them first already added. Of the 48 bits that a round key
//              adds to, 32 are then right as they are and 16 need the difference of two round keys; the 32 new words take
//              the difference to the next but one round key in the same XOR of three: 48 operations, not 80.
//
// Key search: key number n is `base` (56 bits as permuted choice 1 puts them, its first bit highest) XOR the bits of n,
// dealt out by EACH_KEY_BIT. ifs and lut encrypt with one key after the other. bitslice has 32 * VECTOR_WIDTH keys in
// words (bits 0 to 4 of n within words, the next in the elements), GRANULARITY in a loop over bits 9 to 13, and 14 rounds
// instead of 16: R14 has to be R16 XOR f(R15, K16), all known for a key, and is compared box by box. The bits of the loop
// are no part of K1, two of them enter one S-box in round 2, the next two another, so that round 1 and most of round 2
// are done once per work-item, and so are the boxes 1, 2, 4 and 6 of round 16. Keys that match in 32 bits go to
// `confirm`, which encrypts with each. `padding` has no meaning in a search, and bitslice unrolls all its rounds.
//
// Macro          meaning
// VARIANT        VARIANT_IFS, VARIANT_LUT, VARIANT_SPLIT, VARIANT_BITSLICE
// WORK_GROUP     work-items of a group
// GRANULARITY    blocks (keys) per work-item, one after the other; bitslice: times 32 * VECTOR_WIDTH
// VECTOR_WIDTH   bitslice: 32-bit words in a vector
// UNROLL         rounds per iteration of the loop over rounds
// PADDING        0: loads and stores behind the last block are guarded; 1: the buffers are padded up to a whole number of
//                work-groups, and nothing is guarded
// MEMORY         lut, split: where the tables are, MEMORY_GLOBAL, MEMORY_CONSTANT or MEMORY_LOCAL
// KERNEL_ROUNDS  split: rounds per kernel
// GATES          bitslice: what the circuits of the S-boxes are made of. GATES_SELECT: XOR, OR, NOT and selection of one of
//                two by a third (32.9 on average per S-box); GATES_THREE_INPUT: any function of three (22.1);
//                GATES_AUTO: three-input where the device has an instruction for it, else select
// SEARCH         1: key search, 0: blocks; chosen by the host
//
// Preconditions: the device is little-endian; buffers are aligned to 128 bytes.
// Local memory: 7936 bytes of tables with MEMORY_LOCAL.

#if !defined(VARIANT) || VARIANT < 1 || VARIANT > 4
#error "des.cl: VARIANT must be VARIANT_IFS, VARIANT_LUT, VARIANT_SPLIT or VARIANT_BITSLICE"
#endif
#if !defined(WORK_GROUP) || WORK_GROUP < 1
#error "des.cl: WORK_GROUP must be at least 1"
#endif
#if !defined(GRANULARITY) || GRANULARITY < 1 || GRANULARITY > 32 || (GRANULARITY & (GRANULARITY - 1))
#error "des.cl: GRANULARITY must be a power of two up to 32"
#endif
#if !defined(VECTOR_WIDTH)
#error "des.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#if !defined(UNROLL) || UNROLL < 1 || UNROLL > 16 || (UNROLL & (UNROLL - 1))
#error "des.cl: UNROLL must be a power of two up to 16"
#endif
#if !defined(PADDING) || PADDING < 0 || PADDING > 1
#error "des.cl: PADDING must be 0 or 1"
#endif
#if !defined(MEMORY) || MEMORY < 1 || MEMORY > 3
#error "des.cl: MEMORY must be MEMORY_GLOBAL, MEMORY_CONSTANT or MEMORY_LOCAL"
#endif
#if !defined(KERNEL_ROUNDS) || KERNEL_ROUNDS < 1 || KERNEL_ROUNDS > 16 || (KERNEL_ROUNDS & (KERNEL_ROUNDS - 1))
#error "des.cl: KERNEL_ROUNDS must be a power of two up to 16"
#endif
#if !defined(GATES) || GATES < 1 || GATES > 3
#error "des.cl: GATES must be GATES_AUTO, GATES_SELECT or GATES_THREE_INPUT"
#endif
#if !defined(SEARCH) || SEARCH < 0 || SEARCH > 1
#error "des.cl: SEARCH must be 0 or 1"
#endif
#ifndef __ENDIAN_LITTLE__
#error "des.cl: the device must be little-endian"
#endif

// `inline` alone leaves it to the compiler, and words passed by pointer must not become memory. No `restrict` in these:
// inlined, it becomes a scope that Oclgrind 21.10 does not know.
#define INLINE static inline __attribute__((always_inline))

// From memory to the standard's order, and back.
INLINE ulong reversed_bytes(const ulong word) { return as_ulong(as_uchar8(word).s76543210); }

INLINE ulong block_of_turn(const uint turn) {
  return (get_group_id(0) * (ulong)GRANULARITY + turn) * WORK_GROUP + get_local_id(0);
}

// --- bit by bit, with conditions ---------------------------------------------------------------------------------------

// Bit `from` of `word`, of so many bits, becomes bit `to` of `moved`.
#define MOVE(word, bits, from, moved, moved_bits, to)                                        \
  if (((word) >> ((bits) - (from))) & 1) (moved) |= (ulong)1 << ((moved_bits) - (to));

// Rows of the initial permutation: eight bits, eight apart.
#define EACH_IN_ROW(F, from, to)                                                                       \
  F(from, to) F((from) - 8, (to) + 1) F((from) - 16, (to) + 2) F((from) - 24, (to) + 3)                \
  F((from) - 32, (to) + 4) F((from) - 40, (to) + 5) F((from) - 48, (to) + 6) F((from) - 56, (to) + 7)
#define EACH_INITIAL(F)                                                                                \
  EACH_IN_ROW(F, 58, 1) EACH_IN_ROW(F, 60, 9) EACH_IN_ROW(F, 62, 17) EACH_IN_ROW(F, 64, 25)            \
  EACH_IN_ROW(F, 57, 33) EACH_IN_ROW(F, 59, 41) EACH_IN_ROW(F, 61, 49) EACH_IN_ROW(F, 63, 57)

INLINE ulong initial_by_ifs(const ulong block) {
  ulong moved = 0;
#define MOVE_INITIAL(from, to) MOVE(block, 64, from, moved, 64, to)
  EACH_INITIAL(MOVE_INITIAL)
  return moved;
}

INLINE ulong final_by_ifs(const ulong block) {
  ulong moved = 0;
#define MOVE_FINAL(from, to) MOVE(block, 64, to, moved, 64, from)
  EACH_INITIAL(MOVE_FINAL)
  return moved;
}

// The six bits that expansion gives an S-box (0 to 7).
INLINE uint expanded_by_ifs(const uint right, const uint box) {
  uint six = 0;
  for (uint i = 0; i < 6; ++i) {
    uint from = 4 * box + i;
    if (from == 0) from = 32;
    if (from == 33) from = 1;
    if ((right >> (32 - from)) & 1) six |= 32u >> i;
  }
  return six;
}

// Each row of an S-box is a word of sixteen nibbles, column 0 highest.
#define ROW_OF(row, first, second, third, fourth) \
  if (row == 0) nibbles = first;                  \
  else if (row == 1) nibbles = second;            \
  else if (row == 2) nibbles = third;             \
  else nibbles = fourth;

INLINE uint substituted_by_ifs(const uint box, const uint six) {
  const uint row = ((six >> 4) & 2) | (six & 1);
  ulong nibbles = 0;
  if (box == 0) {
    ROW_OF(row, 0xE4D12FB83A6C5907ul, 0x0F74E2D1A6CB9538ul, 0x41E8D62BFC973A50ul,
           0xFC8249175B3EA06Dul)
  } else if (box == 1) {
    ROW_OF(row, 0xF18E6B34972DC05Aul, 0x3D47F28EC01A69B5ul, 0x0E7BA4D158C6932Ful, 0xD8A13F42B67C05E9ul)
  } else if (box == 2) {
    ROW_OF(row, 0xA09E63F51DC7B428ul, 0xD709346A285ECBF1ul, 0xD6498F30B12C5AE7ul, 0x1AD069874FE3B52Cul)
  } else if (box == 3) {
    ROW_OF(row, 0x7DE3069A1285BC4Ful, 0xD8B56F03472C1AE9ul, 0xA690CB7DF13E5284ul, 0x3F06A1D8945BC72Eul)
  } else if (box == 4) {
    ROW_OF(row, 0x2C417AB6853FD0E9ul, 0xEB2C47D150FA3986ul, 0x421BAD78F9C5630Eul, 0xB8C71E2D6F09A453ul)
  } else if (box == 5) {
    ROW_OF(row, 0xC1AF92680D34E75Bul, 0xAF427C9561DE0B38ul, 0x9EF528C3704A1DB6ul, 0x432C95FABE17608Dul)
  } else if (box == 6) {
    ROW_OF(row, 0x4B2EF08D3C975A61ul, 0xD0B7491AE35C2F86ul, 0x14BDC37EAF680592ul, 0x6BD814A7950FE23Cul)
  } else {
    ROW_OF(row, 0xD2846FB1A93E50C7ul, 0x1FD8A374C56B0E92ul, 0x7B419CE206ADF358ul, 0x21E74A8DFC90356Bul)
  }
  return (uint)(nibbles >> (60 - 4 * ((six >> 1) & 15))) & 15;
}

// Permutation P: where its bits come from.
#define EACH_P(F)                                                                                                   \
  F(16, 1) F(7, 2) F(20, 3) F(21, 4) F(29, 5) F(12, 6) F(28, 7) F(17, 8) F(1, 9) F(15, 10) F(23, 11) F(26, 12)      \
  F(5, 13) F(18, 14) F(31, 15) F(10, 16) F(2, 17) F(8, 18) F(24, 19) F(14, 20) F(32, 21) F(27, 22) F(3, 23)         \
  F(9, 24) F(19, 25) F(13, 26) F(30, 27) F(6, 28) F(22, 29) F(11, 30) F(4, 31) F(25, 32)

INLINE uint round_by_ifs(const uint right, const ulong round_key) {
  uint substitute = 0;
  UNROLL_LOOP(1)
  for (uint box = 0; box < 8; ++box) {
    const uint six = expanded_by_ifs(right, box) ^ ((uint)(round_key >> (42 - 6 * box)) & 63);
    substitute |= substituted_by_ifs(box, six) << (28 - 4 * box);
  }
  uint moved = 0;
#define MOVE_P(from, to) if ((substitute >> (32 - from)) & 1) moved |= 1u << (32 - to);
  EACH_P(MOVE_P)
  return moved;
}

// --- keys of a search --------------------------------------------------------------------------------------------------

// F(bit of the key's number, bit it changes: 0 is the first that permuted choice 1 takes).
#define EACH_KEY_BIT(F)                                                                                             \
  F(0, 0) F(1, 1) F(2, 2) F(3, 3) F(4, 4) F(5, 5) F(6, 6) F(7, 7) F(8, 8) F(9, 18) F(10, 25) F(11, 35) F(12, 54)    \
  F(13, 22) F(14, 9) F(15, 10) F(16, 11) F(17, 12) F(18, 13) F(19, 14) F(20, 15) F(21, 16) F(22, 17) F(23, 19)      \
  F(24, 20) F(25, 21) F(26, 23) F(27, 24) F(28, 26) F(29, 27) F(30, 28) F(31, 29) F(32, 30) F(33, 31) F(34, 32)     \
  F(35, 33) F(36, 34) F(37, 36) F(38, 37) F(39, 38) F(40, 39) F(41, 40) F(42, 41) F(43, 42) F(44, 43) F(45, 44)     \
  F(46, 45) F(47, 46) F(48, 47) F(49, 48) F(50, 49) F(51, 50) F(52, 51) F(53, 52) F(54, 53) F(55, 55)

INLINE ulong searched_bits(const ulong base, const ulong number) {
  ulong bits = base;
#define CHANGE_KEY_BIT(of_number, of_key) if ((number >> (of_number)) & 1) bits ^= 1ul << (55 - (of_key));
  EACH_KEY_BIT(CHANGE_KEY_BIT)
  return bits;
}

// Both halves rotated to the left by one, or by two.
INLINE ulong rotated_key(const ulong bits, const uint by_two) {
  const ulong once = ((bits << 1) & 0xFFFFFFEFFFFFFEul) | ((bits >> 27) & 0x00000010000001ul);
  const ulong twice = ((bits << 2) & 0xFFFFFFCFFFFFFCul) | ((bits >> 26) & 0x00000030000003ul);
  return by_two ? twice : once;
}

// Round 1 (index 0), 2, 9 and 16 shift by one.
#define SHIFTS_BY_TWO(round) ((0x7EFCu >> (round)) & 1u)

// Permuted choice 2: where its bits come from.
#define EACH_CHOICE(F)                                                                                              \
  F(14, 1) F(17, 2) F(11, 3) F(24, 4) F(1, 5) F(5, 6) F(3, 7) F(28, 8) F(15, 9) F(6, 10) F(21, 11) F(10, 12)        \
  F(23, 13) F(19, 14) F(12, 15) F(4, 16) F(26, 17) F(8, 18) F(16, 19) F(7, 20) F(27, 21) F(20, 22) F(13, 23)        \
  F(2, 24) F(41, 25) F(52, 26) F(31, 27) F(37, 28) F(47, 29) F(55, 30) F(30, 31) F(40, 32) F(51, 33) F(45, 34)      \
  F(33, 35) F(48, 36) F(44, 37) F(49, 38) F(39, 39) F(56, 40) F(34, 41) F(53, 42) F(46, 43) F(42, 44) F(50, 45)     \
  F(36, 46) F(29, 47) F(32, 48)

INLINE ulong choice_by_ifs(const ulong bits) {
  ulong chosen = 0;
#define MOVE_CHOICE(from, to) MOVE(bits, 56, from, chosen, 48, to)
  EACH_CHOICE(MOVE_CHOICE)
  return chosen;
}

// `block` as the initial permutation leaves it; the result is what the final permutation takes.
INLINE ulong searched_by_ifs(const ulong block, ulong key_bits) {
  uint left = (uint)(block >> 32);
  uint right = (uint)block;
  UNROLL_LOOP(1)
  for (uint round = 0; round < 16; ++round) {
    key_bits = rotated_key(key_bits, SHIFTS_BY_TWO(round));
    const uint next = left ^ round_by_ifs(right, choice_by_ifs(key_bits));
    left = right;
    right = next;
  }
  return ((ulong)right << 32) | left;
}

// counts[0]: keys that matched in part (bitslice), counts[1]: keys found. Both lists keep what fits.
#define MOST_CANDIDATES 65536u
#define MOST_FOUND 64u

INLINE void append(volatile global uint* count, global ulong* list, const uint most, const ulong number) {
  const uint slot = atomic_inc(count);
  if (slot < most) list[slot] = number;
}

#if VARIANT == VARIANT_IFS

#if !SEARCH
kernel GROUP_OF(WORK_GROUP, 1) void crypt_ifs(global const ulong* restrict given, constant ulong* restrict round_keys,
                                              global ulong* restrict result, const ulong blocks) {
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong index = block_of_turn(turn);
    if (PADDING || index < blocks) {
      const ulong block = initial_by_ifs(reversed_bytes(given[index]));
      uint left = (uint)(block >> 32);
      uint right = (uint)block;
      UNROLL_LOOP(UNROLL)
      for (uint round = 0; round < 16; ++round) {
        const uint next = left ^ round_by_ifs(right, round_keys[round]);
        left = right;
        right = next;
      }
      result[index] = reversed_bytes(final_by_ifs(((ulong)right << 32) | left));
    }
  }
}
#else
kernel GROUP_OF(WORK_GROUP, 1) void search_ifs(const ulong plain, const ulong cipher, const ulong base, const ulong keys,
                                               volatile global uint* restrict counts, global ulong* restrict found) {
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong number = block_of_turn(turn);
    if (number < keys && searched_by_ifs(plain, searched_bits(base, number)) == cipher)
      append(counts + 1, found, MOST_FOUND, number);
  }
}
#endif

#elif VARIANT == VARIANT_LUT || VARIANT == VARIANT_SPLIT

// --- tables --------------------------------------------------------------------------------------------------------------

// In words of 64 bits: sixteen tables of sixteen for the nibbles of a block in memory, lowest first, that make the initial
// permutation of it; as many for those of the halves after round 16, highest first, that make the block in memory; eight
// tables of 64 words of 32 bits, each an S-box and P; fourteen of sixteen for the nibbles of a key, highest first, that
// make permuted choice 2.
#define FINAL_TABLES 256
#define BOX_TABLES 512
#define CHOICE_TABLES 768
#define TABLE_WORDS 992

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

// Declares `tables`. To be used where all work-items of a group pass.
#if MEMORY == MEMORY_LOCAL
#define PLACE_TABLES(given_tables)                                                                     \
  local ulong tables[TABLE_WORDS];                                                                     \
  for (uint i = get_local_id(0); i < TABLE_WORDS; i += WORK_GROUP) tables[i] = (given_tables)[i];      \
  barrier(CLK_LOCAL_MEM_FENCE);
#else
#define PLACE_TABLES(given_tables) TABLE_SPACE const ulong* const tables = (given_tables);
#endif

INLINE ulong initial_by_tables(TABLE_SPACE const ulong* tables, const ulong memory) {
  ulong block = 0;
  UNROLL_LOOP(16)
  for (uint i = 0; i < 16; ++i) block |= tables[16 * i + ((memory >> (4 * i)) & 15)];
  return block;
}

INLINE ulong final_by_tables(TABLE_SPACE const ulong* tables, const ulong block) {
  ulong memory = 0;
  UNROLL_LOOP(16)
  for (uint i = 0; i < 16; ++i) memory |= tables[FINAL_TABLES + 16 * i + ((block >> (60 - 4 * i)) & 15)];
  return memory;
}

INLINE uint round_by_tables(TABLE_SPACE const ulong* tables, const uint right, const ulong round_key) {
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

INLINE ulong rounds_by_tables(TABLE_SPACE const ulong* tables, const ulong block, constant const ulong* round_keys,
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
INLINE ulong choice_by_tables(TABLE_SPACE const ulong* tables, const ulong bits) {
  ulong chosen = 0;
  UNROLL_LOOP(14)
  for (uint i = 0; i < 14; ++i) chosen |= tables[CHOICE_TABLES + 16 * i + ((bits >> (52 - 4 * i)) & 15)];
  return chosen;
}

kernel GROUP_OF(WORK_GROUP, 1) void search_lut(GIVEN_SPACE const ulong* restrict given_tables, const ulong plain,
                                               const ulong cipher, const ulong base, const ulong keys,
                                               volatile global uint* restrict counts, global ulong* restrict found) {
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
      if ((((ulong)right << 32) | left) == cipher) append(counts + 1, found, MOST_FOUND, number);
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

#else

// --- logic -----------------------------------------------------------------------------------------------------------------

// Compilers for x86 say themselves whether they have the instruction for vectors.
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_pternlogd512_mask)
#define HAS_VECTOR_LOGIC 1
#endif
#endif
#ifndef HAS_VECTOR_LOGIC
#define HAS_VECTOR_LOGIC 0
#endif

// Any function of three: bit 4 * a + 2 * b + c of the constant `table` is its value.
#if HAS_INLINE_PTX && VECTOR_WIDTH == 1
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  wordv d;                     \
  asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(d) : "r"(a), "r"(b), "r"(c));
#elif HAS_VECTOR_LOGIC && VECTOR_WIDTH == 16
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  const wordv d = as_uint16(__builtin_ia32_pternlogd512_mask(as_int16(a), as_int16(b), as_int16(c), table, 0xFFFF));
#elif HAS_VECTOR_LOGIC && VECTOR_WIDTH == 8
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  const wordv d = as_uint8(__builtin_ia32_pternlogd256_mask(as_int8(a), as_int8(b), as_int8(c), table, 0xFF));
#elif HAS_VECTOR_LOGIC && VECTOR_WIDTH == 4
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  const wordv d = as_uint4(__builtin_ia32_pternlogd128_mask(as_int4(a), as_int4(b), as_int4(c), table, 0xFF));
#else
#define HAS_THREE_INPUT 0
#define LUT(d, a, b, c, table) \
  const wordv d = bitselect(function_of_two(b, c, (table) & 15), function_of_two(b, c, (table) >> 4), a);

INLINE wordv function_of_two(const wordv b, const wordv c, const uint table) {
  if (table == 0) return (wordv)(0u);
  if (table == 1) return ~(b | c);
  if (table == 2) return ~b & c;
  if (table == 3) return ~b;
  if (table == 4) return b & ~c;
  if (table == 5) return ~c;
  if (table == 6) return b ^ c;
  if (table == 7) return ~(b & c);
  if (table == 8) return b & c;
  if (table == 9) return ~(b ^ c);
  if (table == 10) return c;
  if (table == 11) return ~b | c;
  if (table == 12) return b;
  if (table == 13) return b | ~c;
  if (table == 14) return b | c;
  return (wordv)(0xFFFFFFFFu);
}
#endif

#define AND(d, a, b) const wordv d = a & b;
#define OR(d, a, b) const wordv d = a | b;
#define XOR(d, a, b) const wordv d = a ^ b;
#define NOT(d, a) const wordv d = ~a;
// b where c is set, else a.
#define SEL(d, a, b, c) const wordv d = bitselect(a, b, c);

// --- S-boxes ---------------------------------------------------------------------------------------------------------------

// a1 to a6 are the six bits that go into an S-box, x1 to x4 those that come out, in the standard's order.
#define CIRCUIT(name)                                                                                                \
  INLINE void name(const wordv a1, const wordv a2, const wordv a3, const wordv a4, const wordv a5, const wordv a6, \
                   wordv* y1, wordv* y2, wordv* y3, wordv* y4) {
#define END_CIRCUIT \
  *y1 = x1;         \
  *y2 = x2;         \
  *y3 = x3;         \
  *y4 = x4;         \
  }

#if GATES == GATES_THREE_INPUT || (GATES == GATES_AUTO && HAS_THREE_INPUT)

// Gates found by Y. Sovyn, February 2024 (177 in all), as published in John the Ripper's opencl_sboxes.h, which says that
// the formulas are not copyrighted.
CIRCUIT(box_1)
  LUT(t1, a3, a2, a1, 0x29) LUT(t2, a6, a5, t1, 0x96) LUT(t3, a6, a5, a1, 0x35) LUT(t4, a4, a3, t3, 0x2E)
  LUT(t5, a5, a2, t2, 0x9C) LUT(t6, a4, t1, t5, 0x61) LUT(x1, t2, t4, t6, 0xD1) LUT(t7, a5, a1, t1, 0x94)
  LUT(t8, a4, t1, t2, 0x6B) LUT(t9, a1, t6, t8, 0xD8) LUT(t10, a6, a4, a3, 0x89) LUT(t11, t1, t2, t10, 0xE9)
  LUT(x2, t7, t9, t11, 0xC6) LUT(t12, a6, a2, t8, 0x88) LUT(t13, a6, a4, x1, 0x01) LUT(t14, a3, a1, t13, 0xB6)
  LUT(t15, a3, t1, t2, 0x7C) LUT(t16, a5, t6, t15, 0x79) LUT(x4, t12, t14, t16, 0xC6) LUT(t17, a4, a1, t3, 0xCD)
  LUT(t18, t9, t13, t17, 0xDA) LUT(t19, a6, t5, t16, 0x81) LUT(x3, t15, t18, t19, 0xE3)
END_CIRCUIT

CIRCUIT(box_2)
  LUT(t1, a5, a4, a1, 0x69) LUT(t2, a6, a3, a2, 0xC1) LUT(t3, a6, a5, a1, 0xC7) LUT(t4, a4, a3, t3, 0x28)
  LUT(t5, a6, a2, t4, 0x94) LUT(x2, t1, t2, t5, 0xD2) LUT(t6, a5, a1, t2, 0x19) LUT(t7, a5, a2, t1, 0x98)
  LUT(t8, a4, a2, t4, 0x21) LUT(t9, a6, a3, t8, 0x09) LUT(x1, t6, t7, t9, 0xC9) LUT(t10, a6, a1, x1, 0x74)
  LUT(t11, a4, t5, t10, 0x68) LUT(t12, a6, a5, x1, 0x4D) LUT(t13, a2, x2, t12, 0x69) LUT(x4, t10, t11, t13, 0xC5)
  LUT(t14, a5, x1, t11, 0x09) LUT(t15, t13, x4, t14, 0x69) LUT(t16, t2, t3, x2, 0xB7) LUT(t17, a2, t4, t10, 0xE2)
  LUT(t18, t5, t11, t16, 0x92) LUT(x3, t15, t17, t18, 0xF2)
END_CIRCUIT

CIRCUIT(box_3)
  LUT(t1, a5, a3, a1, 0x37) LUT(t2, a6, a2, t1, 0x96) LUT(t3, a6, a5, a4, 0x63) LUT(t4, a4, a1, t3, 0x68)
  LUT(t5, a2, a1, t3, 0x80) LUT(x4, t2, t4, t5, 0xC9) LUT(t6, a4, t1, t2, 0x62) LUT(t7, a4, a3, a2, 0x29)
  LUT(t8, a1, t3, t7, 0x69) LUT(t9, a3, a1, x4, 0xAE) LUT(t10, a4, a2, t9, 0x19) LUT(x1, t6, t8, t10, 0xC9)
  LUT(t11, a6, a5, a2, 0x06) LUT(t12, a4, t8, t11, 0x6C) LUT(t13, a4, a3, t12, 0xA9) LUT(t14, t7, x1, t12, 0x83)
  LUT(t15, a5, x4, t14, 0x26) LUT(x2, a3, t13, t15, 0x39) LUT(t16, a3, x1, t11, 0xA7) LUT(t17, t14, t15, t16, 0x56)
  LUT(t18, a1, t10, x2, 0x0D) LUT(t19, a5, x4, x2, 0x4E) LUT(t20, a2, x1, t19, 0x96) LUT(x3, t17, t18, t20, 0xB8)
END_CIRCUIT

CIRCUIT(box_4)
  LUT(t1, a5, a4, a1, 0xC9) LUT(t2, a3, a2, t1, 0x64) LUT(t3, a5, a4, a3, 0xDB) LUT(t4, a1, t2, t3, 0x6D)
  LUT(t5, a5, a4, a1, 0x93) LUT(t6, a3, a2, t5, 0x46) LUT(t7, a1, t3, t6, 0x49) LUT(t8, a1, t4, t6, 0x2C)
  LUT(t9, a5, t7, t8, 0x16) LUT(t10, a3, a2, t9, 0x6A) LUT(t11, t3, t4, t7, 0xE4) LUT(t12, a4, a2, t11, 0xD8)
  LUT(t13, t4, t10, t12, 0x96) LUT(x1, a6, t7, t13, 0xC6) LUT(x2, a6, t7, t13, 0x9C) LUT(x3, a6, t4, t10, 0xC6)
  LUT(x4, a6, t4, t10, 0x63)
END_CIRCUIT

CIRCUIT(box_5)
  LUT(t1, a6, a4, a3, 0x46) LUT(t2, a5, a1, t1, 0xE9) LUT(t3, a6, a2, t2, 0x69) LUT(t4, a6, a3, a1, 0x97)
  LUT(t5, a5, a2, t4, 0x27) LUT(x2, a4, t3, t5, 0xC9) LUT(t6, a6, a2, t4, 0x8C) LUT(t7, a5, a2, t1, 0x53)
  LUT(t8, a4, a1, t7, 0x94) LUT(t9, a3, a1, x2, 0x25) LUT(t10, a6, t2, t9, 0x6E) LUT(x3, t6, t8, t10, 0xC6)
  LUT(t11, a4, t1, t2, 0x29) LUT(t12, a4, a2, a1, 0x76) LUT(t13, a4, t4, t12, 0xB6) LUT(t14, a5, a2, a1, 0x1F)
  LUT(t15, a6, x2, t14, 0x6A) LUT(x1, t11, t13, t15, 0xC6) LUT(t16, a5, a2, x2, 0xB9) LUT(t17, a3, x1, t16, 0xE6)
  LUT(t18, t1, t2, t3, 0x6B) LUT(t19, t9, t13, t18, 0x24) LUT(x4, x3, t17, t19, 0xB4)
END_CIRCUIT

CIRCUIT(box_6)
  LUT(t1, a6, a5, a1, 0x36) LUT(t2, a4, a3, t1, 0x6C) LUT(t3, a2, a1, t1, 0x1E) LUT(t4, a6, a4, t3, 0x69)
  LUT(t5, a6, a1, t4, 0x3A) LUT(t6, t1, t3, t5, 0xD2) LUT(x4, t2, t4, t6, 0xC6) LUT(t7, a5, t2, t5, 0x96)
  LUT(t8, a4, t4, t6, 0xBA) LUT(t9, a6, a4, t7, 0x09) LUT(t10, t1, x4, t9, 0x9A) LUT(x3, t7, t8, t10, 0xB4)
  LUT(t11, a6, a5, t4, 0x4A) LUT(t12, a2, t2, t11, 0x9A) LUT(t13, a2, t4, t5, 0x24) LUT(t14, a5, t2, t13, 0xA9)
  LUT(x1, t8, t12, t14, 0xE1) LUT(t15, a6, a5, x4, 0x51) LUT(t16, a2, x3, t15, 0x69) LUT(t17, t4, t5, x3, 0x6B)
  LUT(t18, t3, t11, t17, 0x96) LUT(x2, x1, t16, t18, 0x3A)
END_CIRCUIT

CIRCUIT(box_7)
  LUT(t1, a5, a4, a2, 0x59) LUT(t2, a6, a5, a4, 0x49) LUT(t3, a3, a1, t2, 0x96) LUT(t4, a2, a1, t3, 0xB8)
  LUT(t5, a6, a3, t4, 0x9C) LUT(x4, t1, t3, t5, 0x36) LUT(t6, a1, t1, t5, 0x65) LUT(t7, a5, a2, a1, 0x74)
  LUT(t8, a6, t1, t2, 0x49) LUT(t9, a6, t3, t6, 0xC2) LUT(t10, a6, t8, t9, 0x61) LUT(x1, t6, t7, t10, 0x47)
  LUT(t11, a5, t1, t3, 0x69) LUT(t12, a4, a1, t8, 0xAB) LUT(t13, a4, t2, t4, 0x65) LUT(t14, a5, a1, t6, 0x25)
  LUT(t15, a6, t13, t14, 0xC6) LUT(x3, t11, t12, t15, 0x74) LUT(t16, x4, t6, t12, 0x96) LUT(t17, a4, a2, t13, 0xB9)
  LUT(t18, a6, a4, t17, 0x8A) LUT(t19, a1, t2, t5, 0x0E) LUT(x2, t16, t18, t19, 0x4B)
END_CIRCUIT

CIRCUIT(box_8)
  LUT(t1, a5, a4, a3, 0x56) LUT(t2, a5, a2, t1, 0x1B) LUT(t3, a6, a4, t2, 0x96) LUT(t4, a6, t1, t3, 0x06)
  LUT(t5, a2, t1, t4, 0xA4) LUT(t6, a5, a4, t5, 0xA6) LUT(x2, a1, t3, t6, 0x6C) LUT(t7, a4, t6, x2, 0xC5)
  LUT(t8, a1, t1, t7, 0x69) LUT(t9, a2, a1, t4, 0x17) LUT(t10, a5, t7, t9, 0xC9) LUT(t11, a4, a2, t10, 0xA6)
  LUT(x4, a6, t8, t11, 0x36) LUT(t12, t5, t6, x2, 0x76) LUT(t13, a3, a2, t8, 0x9A) LUT(t14, a3, t4, t9, 0x24)
  LUT(t15, t7, t11, t14, 0x6E) LUT(x1, t12, t13, t15, 0xD1) LUT(t16, a4, t2, x1, 0x91) LUT(t17, a3, t8, t16, 0x69)
  LUT(t18, t4, t12, t14, 0xBA) LUT(t19, t11, x1, t18, 0x5B) LUT(x3, t12, t17, t19, 0x47)
END_CIRCUIT
#else

// Gates found by R. Rusakov, 2011 (263 in all), as published in John the Ripper's sboxes-s.c, which says that the formulas
// are not copyrighted and free for reuse by anyone.
CIRCUIT(box_1)
  SEL(t1, a3, a2, a5) XOR(t2, a2, a3) OR(t3, a1, a4) XOR(t4, t2, t3) SEL(t5, a5, t1, t4) XOR(t6, a4, t5)
  XOR(t7, a1, t6) SEL(t8, t7, t3, t1) SEL(t9, t2, t4, a5) XOR(t10, t8, t9) SEL(t11, t3, t7, t10)
  SEL(t12, t6, t7, a5) SEL(t13, t11, t10, t12) XOR(t14, t1, t13) SEL(t15, t4, t6, t11) SEL(t16, t1, t4, t7)
  SEL(t17, a5, t16, t14) XOR(t18, t15, t17) SEL(t19, t7, t16, a3) SEL(t20, a4, t1, t14) SEL(t21, t18, t19, t20)
  NOT(t22, t21) SEL(x1, t22, t18, a6) SEL(t23, t22, a3, t17) SEL(t24, t19, a2, t4) SEL(t25, t23, a4, t24)
  XOR(t26, t14, t25) SEL(x2, t26, t7, a6) SEL(t27, t12, t9, t25) SEL(t28, t24, t7, t5) XOR(t29, t27, t28)
  SEL(x4, t29, t14, a6) SEL(t30, t22, t4, t13) SEL(t31, a3, t30, t23) SEL(t32, t31, t2, t28) SEL(x3, t32, t10, a6)
END_CIRCUIT

CIRCUIT(box_2)
  SEL(t1, a1, a3, a6) SEL(t2, a6, t1, a5) SEL(t3, a3, a4, t2) XOR(t4, a1, t3) XOR(t5, a5, a6) XOR(t6, t4, t5)
  SEL(t7, a4, t4, a6) NOT(t8, t7) XOR(t9, t1, t8) XOR(t10, t5, t9) SEL(x2, t10, t6, a2) XOR(t11, a4, t2)
  SEL(t12, t4, a6, t5) SEL(t13, t9, t11, t12) SEL(t14, t9, t11, a5) XOR(t15, a3, t11) SEL(t16, t14, t15, a1)
  SEL(t17, t4, t6, t9) SEL(t18, a4, t16, a5) XOR(t19, t17, t18) XOR(t20, t8, t19) SEL(x1, t20, t16, a2)
  SEL(t21, t16, t20, t5) SEL(t22, t6, t9, a1) SEL(t23, t21, t22, t12) SEL(t24, t17, t20, t16) SEL(t25, t22, a3, t2)
  SEL(t26, t24, t25, a5) SEL(x4, t13, t26, a2) SEL(t27, t22, t18, a6) SEL(t28, t7, t23, t27) XOR(t29, t25, t28)
  SEL(x3, t23, t29, a2)
END_CIRCUIT

CIRCUIT(box_3)
  SEL(t1, a4, a3, a5) XOR(t2, a6, t1) XOR(t3, a2, t2) SEL(t4, a3, a6, t3) SEL(t5, a5, a3, t2) SEL(t6, a5, t2, a2)
  SEL(t7, t5, a4, t6) XOR(t8, t4, t7) SEL(t9, t3, t6, a4) SEL(t10, t9, t8, a3) NOT(t11, t10) SEL(x2, t8, t11, a1)
  XOR(t12, t5, t8) SEL(t13, a2, t2, t7) SEL(t14, t10, a2, a5) SEL(t15, t12, t13, t14) XOR(t16, t5, t11)
  SEL(t17, t16, t9, t3) XOR(t18, t13, t17) XOR(t19, t14, t18) SEL(t20, t16, t18, t8) SEL(t21, t14, t6, a4)
  SEL(t22, a5, a6, t16) SEL(t23, t20, t21, t22) SEL(x1, t23, t19, a1) SEL(t24, t17, t14, t2) AND(t25, t1, t6)
  SEL(t26, t24, t22, t25) SEL(x4, t3, t26, a1) SEL(t27, t8, t14, t15) SEL(t28, t17, t25, a4) XOR(t29, t27, t28)
  SEL(x3, t29, t15, a1)
END_CIRCUIT

CIRCUIT(box_4)
  SEL(t1, a5, a3, a1) SEL(t2, t1, a1, a4) XOR(t3, a3, t2) SEL(t4, a1, t3, a2) SEL(t5, a3, a5, a1) XOR(t6, a4, t5)
  SEL(t7, t6, a3, a5) XOR(t8, t4, t7) NOT(t9, t8) SEL(t10, a4, a2, t2) XOR(t11, a1, t1) SEL(t12, t9, t10, t11)
  XOR(t13, t5, t12) NOT(t14, t13) SEL(t15, t11, t14, a4) SEL(t16, t7, t6, t5) SEL(t17, t9, t16, a2)
  XOR(t18, t15, t17) SEL(x3, t18, t8, a6) SEL(x4, t9, t18, a6) SEL(t19, a2, a4, t6) SEL(t20, t10, t19, t11)
  XOR(t21, t14, t20) XOR(t22, t18, t21) SEL(x1, t14, t22, a6) SEL(x2, t22, t13, a6)
END_CIRCUIT

CIRCUIT(box_5)
  SEL(t1, a1, a3, a5) NOT(t2, t1) SEL(t3, t2, a1, a3) XOR(t4, a2, t3) XOR(t5, a5, a6) XOR(t6, t4, t5)
  SEL(t7, a3, t2, a2) SEL(t8, a2, t6, t4) SEL(t9, a6, t1, t8) SEL(t10, t9, a5, a1) XOR(t11, t7, t10)
  SEL(t12, t5, t11, t4) SEL(t13, a6, a1, t12) SEL(t14, t8, a6, t13) XOR(t15, t11, t14) SEL(x3, t15, t11, a4)
  SEL(t16, t2, t9, t12) SEL(t17, t14, t1, a1) XOR(t18, t16, t17) SEL(x2, t18, t6, a4) SEL(t19, t18, t17, a6)
  SEL(t20, t19, t10, a2) SEL(t21, t7, a2, t6) SEL(t22, t20, t21, t18) SEL(t23, a5, t18, t6) SEL(t24, t4, t15, t16)
  SEL(t25, t23, t24, t20) SEL(t26, t7, t6, a6) SEL(t27, t4, t25, a1) SEL(t28, t26, t27, t18) SEL(x1, t28, t25, a4)
  SEL(t29, t14, t20, t21) SEL(t30, t17, t5, t23) XOR(t31, t29, t30) SEL(x4, t22, t31, a4)
END_CIRCUIT

CIRCUIT(box_6)
  SEL(t1, a1, a4, a5) XOR(t2, a2, t1) SEL(t3, t2, a4, a3) XOR(t4, a1, t3) XOR(t5, a5, t4) NOT(t6, t5)
  SEL(t7, t4, t5, a4) SEL(t8, a3, a4, t7) XOR(t9, t2, t8) XOR(t10, t5, t9) SEL(t11, a4, t4, t7) XOR(t12, a3, t11)
  SEL(t13, a4, a3, t5) SEL(t14, t12, t13, t9) SEL(t15, t6, t13, t9) SEL(t16, a5, t12, t14) SEL(t17, t15, t5, t16)
  SEL(x1, t6, t17, a6) SEL(t18, t4, t17, a2) SEL(t19, a1, t15, t18) XOR(t20, t10, t19) SEL(x4, t10, t20, a6)
  SEL(t21, t12, t3, t5) SEL(t22, t21, t13, t8) XOR(t23, t20, t22) XOR(t24, t1, t23) SEL(t25, a5, t17, t15)
  SEL(t26, t24, t23, t25) NOT(t27, t26) SEL(x2, t27, t24, a6) SEL(t28, t25, t20, t23) SEL(t29, t19, t21, t3)
  XOR(t30, t28, t29) SEL(x3, t14, t30, a6)
END_CIRCUIT

CIRCUIT(box_7)
  SEL(t1, a2, a6, a3) XOR(t2, a4, t1) SEL(t3, a3, a5, a2) SEL(t4, a6, a2, a4) SEL(t5, t3, t4, a5) XOR(t6, t2, t5)
  XOR(t7, a5, a6) XOR(t8, a2, a3) SEL(t9, a3, t5, a4) SEL(t10, t8, t9, t2) XOR(t11, t7, t10) SEL(x1, t11, t6, a1)
  XOR(t12, a2, t11) SEL(t13, t12, a5, t8) SEL(t14, t11, t13, a6) SEL(t15, t2, t12, a6) SEL(t16, t15, t8, t7)
  XOR(t17, t4, t16) SEL(t18, t2, t17, a2) NOT(t19, a5) SEL(t20, t19, t12, t9) XOR(t21, t18, t20)
  SEL(x2, t21, t14, a1) XOR(t22, t8, t21) SEL(t23, t14, t22, t18) SEL(t24, t23, t6, t20) SEL(x3, t24, t17, a1)
  SEL(t25, t12, t22, t2) XOR(t26, t12, t22) SEL(t27, t25, t26, a4) SEL(t28, t9, t25, t21) SEL(t29, t27, t28, a6)
  NOT(t30, t29) SEL(x4, t27, t30, a1)
END_CIRCUIT

CIRCUIT(box_8)
  SEL(t1, a5, a1, a3) XOR(t2, a4, t1) SEL(t3, a3, a4, a5) SEL(t4, a2, a5, a1) SEL(t5, t2, t3, t4) XOR(t6, a2, t5)
  SEL(t7, t2, a4, a3) SEL(t8, a5, t7, a2) SEL(t9, a1, t6, t8) SEL(t10, a3, a5, a2) XOR(t11, t9, t10)
  SEL(t12, t6, a5, t2) SEL(t13, t12, a1, t7) XOR(t14, t11, t13) SEL(x3, t14, t11, a6) SEL(t15, t10, t14, a5)
  XOR(t16, t8, t15) XOR(t17, t6, t16) NOT(t18, t17) SEL(t19, t5, a2, t15) SEL(t20, t18, t19, t13) XOR(t21, t16, t20)
  SEL(x2, t21, t6, a6) SEL(t22, t9, t10, t19) SEL(t23, t5, t22, t11) XOR(t24, t18, t23) SEL(x4, t18, t24, a6)
  SEL(t25, t5, a2, t11) OR(t26, a1, t13) XOR(t27, t25, t26) XOR(t28, t20, t27) SEL(x1, t28, t17, a6)
END_CIRCUIT
#endif

#if !SEARCH

// --- blocks ----------------------------------------------------------------------------------------------------------------

// Words 0 to 31 are the bits of the first four bytes in memory, lowest bit of the lowest byte first, the rest follow.
// Where the initial permutation finds bits 1 to 32 of either half (`i` from 0).
#define LEFT(i) words[8 * (7 - (i) % 8) + 6 - 2 * ((i) / 8)]
#define RIGHT(i) words[8 * (7 - (i) % 8) + 7 - 2 * ((i) / 8)]

// S-box n (from 0): its bits go to places p to s (from 1) of the other half.
#define ADD_BOX(IN, OUT, n, circuit, p, q, r, s)                                                                        \
  {                                                                                                                   \
    wordv y1, y2, y3, y4;                                                                                             \
    circuit(IN((4 * n + 31) % 32) ^ key[32 + 2 * n], IN(4 * n), IN(4 * n + 1), IN(4 * n + 2), IN(4 * n + 3),          \
            IN((4 * n + 4) % 32) ^ key[33 + 2 * n], &y1, &y2, &y3, &y4);                                              \
    OUT(p - 1) ^= y1 ^ key[p - 1];                                                                                    \
    OUT(q - 1) ^= y2 ^ key[q - 1];                                                                                    \
    OUT(r - 1) ^= y3 ^ key[r - 1];                                                                                    \
    OUT(s - 1) ^= y4 ^ key[s - 1];                                                                                    \
  }
#define ADD_ROUND(IN, OUT)                       \
  ADD_BOX(IN, OUT, 0, box_1, 9, 17, 23, 31)      \
  ADD_BOX(IN, OUT, 1, box_2, 13, 28, 2, 18)      \
  ADD_BOX(IN, OUT, 2, box_3, 24, 16, 30, 6)      \
  ADD_BOX(IN, OUT, 3, box_4, 26, 20, 10, 1)      \
  ADD_BOX(IN, OUT, 4, box_5, 8, 14, 25, 3)       \
  ADD_BOX(IN, OUT, 5, box_6, 4, 29, 11, 19)      \
  ADD_BOX(IN, OUT, 6, box_7, 32, 12, 22, 7)      \
  ADD_BOX(IN, OUT, 7, box_8, 5, 27, 15, 21)      \
  key += 48;
#define ADD_TWO_ROUNDS   \
  ADD_ROUND(RIGHT, LEFT) \
  ADD_ROUND(LEFT, RIGHT)

#define EACH_4(F, i) F(i) F((i) + 1) F((i) + 2) F((i) + 3)
#define EACH_32(F)                                                                                            \
  EACH_4(F, 0) EACH_4(F, 4) EACH_4(F, 8) EACH_4(F, 12) EACH_4(F, 16) EACH_4(F, 20) EACH_4(F, 24) EACH_4(F, 28)

// The square of bits in 32 words from `base` on is mirrored on its diagonal: halves of words change places, then quarters
// within them, down to single bits. (H. S. Warren, Hacker's Delight, section 7-3.)
#define EXCHANGE(k, distance, mask)                                                      \
  {                                                                                      \
    const wordv low = words[k];                                                          \
    const wordv high = words[(k) + (distance)];                                          \
    words[k] = bitselect(high << (distance), low, (wordv)(mask));                        \
    words[(k) + (distance)] = bitselect(high, low >> (distance), (wordv)(mask));         \
  }
#if HAS_INLINE_PTX && VECTOR_WIDTH == 1
// Whole bytes change places in one instruction.
#define EXCHANGE_BYTES(k, distance, first, second)                                                          \
  {                                                                                                         \
    const wordv low = words[k];                                                                             \
    const wordv high = words[(k) + (distance)];                                                             \
    asm("prmt.b32 %0, %1, %2, " #first ";" : "=r"(words[k]) : "r"(low), "r"(high));                         \
    asm("prmt.b32 %0, %1, %2, " #second ";" : "=r"(words[(k) + (distance)]) : "r"(low), "r"(high));         \
  }
#define EXCHANGE_16(k) EXCHANGE_BYTES(k, 16, 0x5410, 0x7632)
#define EXCHANGE_8(k) EXCHANGE_BYTES(k, 8, 0x6240, 0x7351)
#else
#define EXCHANGE_16(k) EXCHANGE(k, 16, 0x0000FFFFu)
#define EXCHANGE_8(k) EXCHANGE(k, 8, 0x00FF00FFu)
#endif
#define EXCHANGE_4(k) EXCHANGE(k, 4, 0x0F0F0F0Fu)
#define EXCHANGE_2(k) EXCHANGE(k, 2, 0x33333333u) EXCHANGE((k) + 1, 2, 0x33333333u)
#define EXCHANGE_1(k) EXCHANGE(k, 1, 0x55555555u)
#define TRANSPOSE(base)                                                                                     \
  EACH_4(EXCHANGE_16, base) EACH_4(EXCHANGE_16, base + 4) EACH_4(EXCHANGE_16, base + 8)                     \
  EACH_4(EXCHANGE_16, base + 12) EACH_4(EXCHANGE_8, base) EACH_4(EXCHANGE_8, base + 4)                      \
  EACH_4(EXCHANGE_8, base + 16) EACH_4(EXCHANGE_8, base + 20) EACH_4(EXCHANGE_4, base)                      \
  EACH_4(EXCHANGE_4, base + 8) EACH_4(EXCHANGE_4, base + 16) EACH_4(EXCHANGE_4, base + 24)                  \
  EXCHANGE_2(base) EXCHANGE_2(base + 4) EXCHANGE_2(base + 8) EXCHANGE_2(base + 12)                          \
  EXCHANGE_2(base + 16) EXCHANGE_2(base + 20) EXCHANGE_2(base + 24) EXCHANGE_2(base + 28)                   \
  EXCHANGE_1(base) EXCHANGE_1(base + 2) EXCHANGE_1(base + 4) EXCHANGE_1(base + 6) EXCHANGE_1(base + 8)      \
  EXCHANGE_1(base + 10) EXCHANGE_1(base + 12) EXCHANGE_1(base + 14) EXCHANGE_1(base + 16)                   \
  EXCHANGE_1(base + 18) EXCHANGE_1(base + 20) EXCHANGE_1(base + 22) EXCHANGE_1(base + 24)                   \
  EXCHANGE_1(base + 26) EXCHANGE_1(base + 28) EXCHANGE_1(base + 30)

#define ROW_BLOCKS (WORK_GROUP * VECTOR_WIDTH)
#if VECTOR_WIDTH == 1
#define LOAD_ROW(k)                                                                                     \
  {                                                                                                     \
    const ulong index = first + (k) * ROW_BLOCKS;                                                         \
    const uint2 block = PADDING || index < blocks ? vload2(index, given) : (uint2)(0u);                 \
    words[k] = block.x;                                                                                 \
    words[32 + (k)] = block.y;                                                                            \
  }
#define STORE_ROW(k)                                                                                    \
  {                                                                                                     \
    const ulong index = first + (k) * ROW_BLOCKS;                                                         \
    if (PADDING || index < blocks) vstore2((uint2)(words[k], words[32 + (k)]), index, result);            \
  }
#else
#define LOAD_ROW(k)                                                           \
  {                                                                           \
    const ulong index = 2 * (first + (k) * ROW_BLOCKS);                         \
    const wordv front = LOADV(index, given);                                  \
    const wordv back = LOADV(index + VECTOR_WIDTH, given);                    \
    words[k] = (wordv)(front.even, back.even);                                \
    words[32 + (k)] = (wordv)(front.odd, back.odd);                             \
  }
#define STORE_ROW(k)                                                          \
  {                                                                           \
    const ulong index = 2 * (first + (k) * ROW_BLOCKS);                         \
    wordv front, back;                                                        \
    front.even = words[k].lo;                                                 \
    front.odd = words[32 + (k)].lo;                                             \
    back.even = words[k].hi;                                                  \
    back.odd = words[32 + (k)].hi;                                              \
    STOREV(front, index, result);                                             \
    STOREV(back, index + VECTOR_WIDTH, result);                               \
  }
#endif

#define ADD_FIRST_KEY(i) RIGHT(i) ^= key[i];
#define TAKE_LAST_KEY(i) LEFT(i) ^= key[i];
#define SWAP_HALVES(i)              \
  {                                 \
    const wordv left = LEFT(i);     \
    LEFT(i) = RIGHT(i);             \
    RIGHT(i) = left;                \
  }

kernel GROUP_OF(WORK_GROUP, 1) void crypt_bitslice(global const uint* restrict given, constant uint* restrict key_words,
                                                   global uint* restrict result, const ulong blocks) {
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong tile = get_group_id(0) * (ulong)GRANULARITY + turn;
    const ulong first = tile * (32 * ROW_BLOCKS) + get_local_id(0) * VECTOR_WIDTH;
    wordv words[64];
    EACH_32(LOAD_ROW)
    TRANSPOSE(0)
    TRANSPOSE(32)
    constant const uint* key = key_words;
    EACH_32(ADD_FIRST_KEY)
    key += 32;
    for (uint round = 0; round < 16; round += UNROLL) {
      if (UNROLL == 1) {
        ADD_ROUND(RIGHT, LEFT)
        EACH_32(SWAP_HALVES)
      } else {
        ADD_TWO_ROUNDS
        if (UNROLL >= 4) { ADD_TWO_ROUNDS }
        if (UNROLL >= 8) { ADD_TWO_ROUNDS ADD_TWO_ROUNDS }
        if (UNROLL == 16) { ADD_TWO_ROUNDS ADD_TWO_ROUNDS ADD_TWO_ROUNDS ADD_TWO_ROUNDS }
      }
    }
    EACH_32(TAKE_LAST_KEY)
    // The final permutation takes R16 first.
    EACH_32(SWAP_HALVES)
    TRANSPOSE(0)
    TRANSPOSE(32)
    EACH_32(STORE_ROW)
  }
}

#else

// --- key search --------------------------------------------------------------------------------------------------------------

#define TURN_BITS ((GRANULARITY > 1) + (GRANULARITY > 2) + (GRANULARITY > 4) + (GRANULARITY > 8) + (GRANULARITY > 16))
#define VECTOR_BITS ((VECTOR_WIDTH > 1) + (VECTOR_WIDTH > 2) + (VECTOR_WIDTH > 4) + (VECTOR_WIDTH > 8))

// Where permuted choice 2 takes bit `from` (from 1) once the halves were rotated by `shift`.
#define KEY_LEFT(from, shift) key[((from) - 1 + (shift)) % 28]
#define KEY_RIGHT(from, shift) key[28 + ((from) - 29 + (shift)) % 28]

#define SEARCH_BOX(IN, OUT, KEY, shift, n, circuit, a, b, c, d, e, f, p, q, r, s)                                     \
  {                                                                                                                   \
    wordv y1, y2, y3, y4;                                                                                             \
    circuit(IN((4 * n + 31) % 32) ^ KEY(a, shift), IN(4 * n) ^ KEY(b, shift), IN(4 * n + 1) ^ KEY(c, shift),          \
            IN(4 * n + 2) ^ KEY(d, shift), IN(4 * n + 3) ^ KEY(e, shift), IN((4 * n + 4) % 32) ^ KEY(f, shift),       \
            &y1, &y2, &y3, &y4);                                                                                      \
    OUT(p - 1) ^= y1;                                                                                                 \
    OUT(q - 1) ^= y2;                                                                                                 \
    OUT(r - 1) ^= y3;                                                                                                 \
    OUT(s - 1) ^= y4;                                                                                                 \
  }
#define SEARCH_1(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_LEFT, shift, 0, box_1, 14, 17, 11, 24, 1, 5, 9, 17, 23, 31)
#define SEARCH_2(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_LEFT, shift, 1, box_2, 3, 28, 15, 6, 21, 10, 13, 28, 2, 18)
#define SEARCH_3(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_LEFT, shift, 2, box_3, 23, 19, 12, 4, 26, 8, 24, 16, 30, 6)
#define SEARCH_4(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_LEFT, shift, 3, box_4, 16, 7, 27, 20, 13, 2, 26, 20, 10, 1)
#define SEARCH_5(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_RIGHT, shift, 4, box_5, 41, 52, 31, 37, 47, 55, 8, 14, 25, 3)
#define SEARCH_6(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_RIGHT, shift, 5, box_6, 30, 40, 51, 45, 33, 48, 4, 29, 11, 19)
#define SEARCH_7(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_RIGHT, shift, 6, box_7, 44, 49, 39, 56, 34, 53, 32, 12, 22, 7)
#define SEARCH_8(IN, OUT, shift) SEARCH_BOX(IN, OUT, KEY_RIGHT, shift, 7, box_8, 46, 42, 50, 36, 29, 32, 5, 27, 15, 21)
#define SEARCH_ROUND(IN, OUT, shift)                                                              \
  SEARCH_1(IN, OUT, shift) SEARCH_2(IN, OUT, shift) SEARCH_3(IN, OUT, shift)                      \
  SEARCH_4(IN, OUT, shift) SEARCH_5(IN, OUT, shift) SEARCH_6(IN, OUT, shift)                      \
  SEARCH_7(IN, OUT, shift) SEARCH_8(IN, OUT, shift)
// Bits of R14 that boxes 1, 2, 4 and 6 make, and the other boxes.
#define EACH_EARLY(F)                                                                             \
  F(9) F(17) F(23) F(31) F(13) F(28) F(2) F(18) F(26) F(20) F(10) F(1) F(4) F(29) F(11) F(19)
#define EACH_LATE(F)                                                                              \
  F(24) F(16) F(30) F(6) F(8) F(14) F(25) F(3) F(32) F(12) F(22) F(7) F(5) F(27) F(15) F(21)

#define EACH_4(F, i) F(i) F((i) + 1) F((i) + 2) F((i) + 3)
#define EACH_32(F)                                                                                            \
  EACH_4(F, 0) EACH_4(F, 4) EACH_4(F, 8) EACH_4(F, 12) EACH_4(F, 16) EACH_4(F, 20) EACH_4(F, 24) EACH_4(F, 28)

#define GIVEN_RIGHT(i) (wordv)(pair[32 + (i)])
#define GIVEN_LAST(i) (wordv)(pair[96 + (i)])
#define FIRST_LEFT(i) first_left[i]
#define FIRST_RIGHT(i) first_right[i]
#define LEFT(i) left[i]
#define RIGHT(i) right[i]
#define WANTED(i) wanted[i]

// What bit `b` of numbers is within a word, and in the elements of a vector.
#if VECTOR_WIDTH == 1
#define ELEMENT_BITS(b) 0u
#else
#if VECTOR_WIDTH == 2
#define ELEMENTS (wordv)(0, 1)
#elif VECTOR_WIDTH == 4
#define ELEMENTS (wordv)(0, 1, 2, 3)
#elif VECTOR_WIDTH == 8
#define ELEMENTS (wordv)(0, 1, 2, 3, 4, 5, 6, 7)
#else
#define ELEMENTS (wordv)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif
#define ELEMENT_BITS(b) ((wordv)(0u) - ((ELEMENTS >> ((b) - 5)) & 1u))
#endif
#define WORD_BITS(b) \
  ((b) == 0 ? 0xAAAAAAAAu : (b) == 1 ? 0xCCCCCCCCu : (b) == 2 ? 0xF0F0F0F0u : (b) == 3 ? 0xFF00FF00u : 0xFFFF0000u)

// The bits of a work-item's number, where they belong in the number of a key.
INLINE ulong placed(const ulong item) {
  const ulong in_vector = item & ((1u << (4 - VECTOR_BITS)) - 1);
  const ulong in_turn = (item >> (4 - VECTOR_BITS)) & ((1u << (5 - TURN_BITS)) - 1);
  return (in_vector << (5 + VECTOR_BITS)) | (in_turn << (9 + TURN_BITS)) |
         ((item >> (9 - VECTOR_BITS - TURN_BITS)) << 14);
}

// Bits that are the same in a whole group come from the group's number alone, so that a compiler can see it: of local
// numbers no bit gets beyond 24.
#define SET_KEY(b, k)                                                                                       \
  key[k] = (wordv)(0u - (uint)(((of_group >> (b)) ^ (base >> (55 - (k)))) & 1));                            \
  if (b < 5) key[k] ^= WORD_BITS(b);                                                                        \
  else if (b < 5 + VECTOR_BITS) key[k] ^= ELEMENT_BITS(b);                                                  \
  else if (b < 24) key[k] ^= 0u - (uint)((of_item >> (b)) & 1);

#define TURN_KEY(k, t) \
  if (t < TURN_BITS) key[k] = first_key[t] ^ (0u - ((turn >> (t)) & 1u));

#define MISS(i) miss |= right[i - 1] ^ wanted[i - 1];
#define START(i)               \
  left[i] = first_left[i];     \
  right[i] = first_right[i];
#define GIVE(i)                                \
  first_left[i] = (wordv)(pair[i]);            \
  first_right[i] = (wordv)(pair[32 + (i)]);    \
  wanted[i] = (wordv)(pair[64 + (i)]);

kernel GROUP_OF(WORK_GROUP, 1) void search_bitslice(constant uint* restrict pair, const ulong base, const ulong items,
                                                    volatile global uint* restrict counts,
                                                    global ulong* restrict candidates) {
  if (get_global_id(0) < items) {
    const ulong of_group = placed(get_group_id(0) * (ulong)WORK_GROUP);
    const ulong of_item = placed(get_local_id(0));
    wordv key[56], first_left[32], first_right[32], wanted[32], left[32], right[32];
    EACH_KEY_BIT(SET_KEY)
    EACH_32(GIVE)
    SEARCH_ROUND(GIVEN_RIGHT, FIRST_LEFT, 1)
    SEARCH_3(FIRST_LEFT, FIRST_RIGHT, 2)
    SEARCH_4(FIRST_LEFT, FIRST_RIGHT, 2)
    SEARCH_5(FIRST_LEFT, FIRST_RIGHT, 2)
    SEARCH_6(FIRST_LEFT, FIRST_RIGHT, 2)
    SEARCH_8(FIRST_LEFT, FIRST_RIGHT, 2)
    if (TURN_BITS == 0) { SEARCH_1(FIRST_LEFT, FIRST_RIGHT, 2) }
    if (TURN_BITS <= 2) { SEARCH_7(FIRST_LEFT, FIRST_RIGHT, 2) }
    if (TURN_BITS <= 4) { SEARCH_2(FIRST_LEFT, FIRST_RIGHT, 2) }
    SEARCH_1(GIVEN_LAST, WANTED, 28)
    SEARCH_2(GIVEN_LAST, WANTED, 28)
    SEARCH_4(GIVEN_LAST, WANTED, 28)
    SEARCH_6(GIVEN_LAST, WANTED, 28)
    const wordv first_key[5] = {key[18], key[25], key[35], key[54], key[22]};

    for (uint turn = 0; turn < GRANULARITY; ++turn) {
      TURN_KEY(18, 0)
      TURN_KEY(25, 1)
      TURN_KEY(35, 2)
      TURN_KEY(54, 3)
      TURN_KEY(22, 4)
      EACH_32(START)
      if (TURN_BITS > 0) { SEARCH_1(LEFT, RIGHT, 2) }
      if (TURN_BITS > 2) { SEARCH_7(LEFT, RIGHT, 2) }
      if (TURN_BITS > 4) { SEARCH_2(LEFT, RIGHT, 2) }
      SEARCH_ROUND(RIGHT, LEFT, 4)
      SEARCH_ROUND(LEFT, RIGHT, 6)
      SEARCH_ROUND(RIGHT, LEFT, 8)
      SEARCH_ROUND(LEFT, RIGHT, 10)
      SEARCH_ROUND(RIGHT, LEFT, 12)
      SEARCH_ROUND(LEFT, RIGHT, 14)
      SEARCH_ROUND(RIGHT, LEFT, 15)
      SEARCH_ROUND(LEFT, RIGHT, 17)
      SEARCH_ROUND(RIGHT, LEFT, 19)
      SEARCH_ROUND(LEFT, RIGHT, 21)
      SEARCH_ROUND(RIGHT, LEFT, 23)
      SEARCH_1(LEFT, RIGHT, 25)
      SEARCH_2(LEFT, RIGHT, 25)
      SEARCH_4(LEFT, RIGHT, 25)
      SEARCH_6(LEFT, RIGHT, 25)
      wordv miss = (wordv)(0u);
      EACH_EARLY(MISS)
#if VECTOR_WIDTH == 1
#define ALL_MISSED (miss == 0xFFFFFFFFu)
#else
#define ALL_MISSED all(miss == (wordv)(0xFFFFFFFFu))
#endif
      // Sixteen bits agree by chance in one of 65536 keys.
      if (!ALL_MISSED) {
        SEARCH_3(GIVEN_LAST, WANTED, 28)
        SEARCH_5(GIVEN_LAST, WANTED, 28)
        SEARCH_7(GIVEN_LAST, WANTED, 28)
        SEARCH_8(GIVEN_LAST, WANTED, 28)
        SEARCH_3(LEFT, RIGHT, 25)
        SEARCH_5(LEFT, RIGHT, 25)
        SEARCH_7(LEFT, RIGHT, 25)
        SEARCH_8(LEFT, RIGHT, 25)
        EACH_LATE(MISS)
#define RESTORE(i) wanted[i - 1] = (wordv)(pair[63 + i]);
        EACH_LATE(RESTORE)
        if (!ALL_MISSED) {
          uint missed[VECTOR_WIDTH];
          STOREV(miss, 0, missed);
          for (uint element = 0; element < VECTOR_WIDTH; ++element) {
            for (uint bit = 0; bit < 32; ++bit) {
              if (((missed[element] >> bit) & 1) == 0)
                append(counts, candidates, MOST_CANDIDATES, of_group | of_item | (turn << 9) | (element << 5) | bit);
            }
          }
        }
      }
    }
  }
}

// Encrypts with each candidate, and lists the keys.
kernel void confirm(const ulong plain, const ulong cipher, const ulong base, const ulong keys,
                    volatile global uint* restrict counts, global const ulong* restrict candidates,
                    global ulong* restrict found) {
  const uint count = min(counts[0], MOST_CANDIDATES);
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
    const ulong number = candidates[i];
    if (number < keys && searched_by_ifs(plain, searched_bits(base, number)) == cipher)
      append(counts + 1, found, MOST_FOUND, number);
  }
}

#endif
#endif
