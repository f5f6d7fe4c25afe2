// des: the cipher bit by bit, with conditions. All variants have it, since the key search by bitslice confirms its
// candidates with it; the kernels are those of the variant `ifs`.

// Bit `from` of `word`, which has `bits` bits, becomes bit `to` of `moved`.
#define MOVE(word, bits, from, moved, moved_bits, to)                                        \
  if (((word) >> ((bits) - (from))) & 1) (moved) |= (ulong)1 << ((moved_bits) - (to));

// Rows of the initial permutation: eight bits, eight apart.
#define EACH_IN_ROW(F, from, to)                                                                       \
  F(from, to) F((from) - 8, (to) + 1) F((from) - 16, (to) + 2) F((from) - 24, (to) + 3)                \
  F((from) - 32, (to) + 4) F((from) - 40, (to) + 5) F((from) - 48, (to) + 6) F((from) - 56, (to) + 7)
#define EACH_INITIAL(F)                                                                                \
  EACH_IN_ROW(F, 58, 1) EACH_IN_ROW(F, 60, 9) EACH_IN_ROW(F, 62, 17) EACH_IN_ROW(F, 64, 25)            \
  EACH_IN_ROW(F, 57, 33) EACH_IN_ROW(F, 59, 41) EACH_IN_ROW(F, 61, 49) EACH_IN_ROW(F, 63, 57)

INLINED ulong initial_by_ifs(const ulong block) {
  ulong moved = 0;
#define MOVE_INITIAL(from, to) MOVE(block, 64, from, moved, 64, to)
  EACH_INITIAL(MOVE_INITIAL)
  return moved;
}

INLINED ulong final_by_ifs(const ulong block) {
  ulong moved = 0;
#define MOVE_FINAL(from, to) MOVE(block, 64, to, moved, 64, from)
  EACH_INITIAL(MOVE_FINAL)
  return moved;
}

// The six bits that expansion gives an S-box (0 to 7).
INLINED uint expanded_by_ifs(const uint right, const uint box) {
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

INLINED uint substituted_by_ifs(const uint box, const uint six) {
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

INLINED uint round_by_ifs(const uint right, const ulong round_key) {
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

// Permuted choice 2: where its bits come from.
#define EACH_CHOICE(F)                                                                                              \
  F(14, 1) F(17, 2) F(11, 3) F(24, 4) F(1, 5) F(5, 6) F(3, 7) F(28, 8) F(15, 9) F(6, 10) F(21, 11) F(10, 12)        \
  F(23, 13) F(19, 14) F(12, 15) F(4, 16) F(26, 17) F(8, 18) F(16, 19) F(7, 20) F(27, 21) F(20, 22) F(13, 23)        \
  F(2, 24) F(41, 25) F(52, 26) F(31, 27) F(37, 28) F(47, 29) F(55, 30) F(30, 31) F(40, 32) F(51, 33) F(45, 34)      \
  F(33, 35) F(48, 36) F(44, 37) F(49, 38) F(39, 39) F(56, 40) F(34, 41) F(53, 42) F(46, 43) F(42, 44) F(50, 45)     \
  F(36, 46) F(29, 47) F(32, 48)

INLINED ulong choice_by_ifs(const ulong bits) {
  ulong chosen = 0;
#define MOVE_CHOICE(from, to) MOVE(bits, 56, from, chosen, 48, to)
  EACH_CHOICE(MOVE_CHOICE)
  return chosen;
}

// `block` as the initial permutation leaves it; the result is what the final permutation takes.
INLINED ulong searched_by_ifs(const ulong block, ulong key_bits) {
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

#if VARIANT == VARIANT_IFS && !SEARCH
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
#elif VARIANT == VARIANT_IFS
kernel GROUP_OF(WORK_GROUP, 1) void search_ifs(const ulong plain, const ulong cipher, const ulong base,
                                               const ulong keys, global uint* restrict counts,
                                               global ulong* restrict found) {
  for (uint turn = 0; turn < GRANULARITY; ++turn) {
    const ulong number = block_of_turn(turn);
    if (number < keys && searched_by_ifs(plain, searched_bits(base, number)) == cipher)
      append(counts + 1, found, MAX_FOUND, number);
  }
}
#endif
