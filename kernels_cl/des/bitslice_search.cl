// des: the key search of the variant `bitslice`. A work-item has 32 * VECTOR_WIDTH keys in words (bits 0 to 4 of n
// within words, the next in the elements), GRANULARITY in a loop over bits 9 to 13, and 14 rounds instead of 16: R14
// has to be R16 XOR f(R15, K16), all known for a key, and is compared box by box. The bits of the loop are no part of
// K1, two of them enter one S-box in round 2, the next two another, so that round 1 and most of round 2 are done once
// per work-item, and so are the boxes 1, 2, 4 and 6 of round 16. Keys that match in 32 bits go to `confirm`, which
// encrypts with each.

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
INLINED ulong placed(const ulong item) {
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
                                                    global uint* restrict counts,
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
                append(counts, candidates, MAX_CANDIDATES, of_group | of_item | (turn << 9) | (element << 5) | bit);
            }
          }
        }
      }
    }
  }
}

// Encrypts with each candidate, and lists the keys.
kernel void confirm(const ulong plain, const ulong cipher, const ulong base, const ulong keys,
                    global uint* restrict counts, global const ulong* restrict candidates,
                    global ulong* restrict found) {
  const uint count = min(counts[0], MAX_CANDIDATES);
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
    const ulong number = candidates[i];
    if (number < keys && searched_by_ifs(plain, searched_bits(base, number)) == cipher)
      append(counts + 1, found, MAX_FOUND, number);
  }
}
