// des: the variant `bitslice` over blocks, after E. Biham, "A fast new DES implementation in software", FSE 1997. Words
// are transposed in registers on the way in and out. Key words are all ones or all zeros.
//
// Words are kept with the round key that meets them first already added. Of the 48 bits that a round key adds to, 32
// are then right as they are and 16 need the difference of two round keys; the 32 new words take the difference to the
// next but one round key in the same XOR of three: 48 operations, not 80.

// Words 0 to 31 are the bits of the first four bytes in memory, lowest bit of the lowest byte first, the rest follow.
// Where the initial permutation finds bits 1 to 32 of either half (`i` from 0).
#define LEFT(i) words[8 * (7 - (i) % 8) + 6 - 2 * ((i) / 8)]
#define RIGHT(i) words[8 * (7 - (i) % 8) + 7 - 2 * ((i) / 8)]

// S-box n (from 0): its bits go to places p to s (from 1) of the other half.
#define ADD_BOX(IN, OUT, n, circuit, p, q, r, s) \
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

// The square of bits in 32 words from `base` on is mirrored on its diagonal: halves of words change places, then
// quarters within them, down to single bits. (H. S. Warren, Hacker's Delight, section 7-3.)
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
