// RC5-32/12/9: a search for the 72-bit key of a known pair of blocks. A key takes 542 operations on 32-bit words: 78
// steps of four additions and two rotations mix it into 26 subkeys, and 12 rounds of six operations encrypt the block.
// 180 of them are rotations, 102 of these by an amount that is data. Memory is not used.
//
// Source: R. L. Rivest, "The RC5 Encryption Algorithm", FSE 1994. The RC5-72 of S. Ryoo et al., "Optimization principles
// and application performance evaluation of a multithreaded GPU using CUDA", PPoPP 2008.
//
// A key is the bytes K0 to K8, read as a number of 72 bits whose lowest byte is K8. Key number n of a search is
// `prefix` * 256 + `last` + n. Its words are little-endian: L0 is K0 to K3, L1 is K4 to K7, L2 is K8 alone.
// pair: the two words of the plaintext, XORed with the initialisation vector, and those of the ciphertext.
//
// The ceiling on an NVIDIA GPU. With additions of three operands a key takes 464 instructions: per step 3 additions and 2
// rotations, per half-round an XOR, a rotation and an addition, and 2 additions. shared_prefix saves 2.5 steps and the last
// half-round: 448.5. They go to two pipes of 64 lanes per clock and multiprocessor:
//   integer       174 rotations, 23 XORs, 75.5 additions of three operands: 272.5
//   multiply-add  151 + 25 additions of two operands: 176
// The former is the bound: on an H100, 132 x 64 x 1.98 GHz / 272.5 = 61 G keys/s. We measured 57 G keys/s there, 93 % of it.
//
// Variants, and where they are:
//   per_key        here: one key per work-item, all subkeys first, then the block
//   pipes          pipes.cl: GRANULARITY vectors of keys per work-item, whose operations alternate. The third pass over the
//                  subkeys encrypts at the same time and stops at the first word of the result; a key whose first word
//                  matches is tried again as in per_key
//   shared_prefix  pipes.cl: the same, and keys that differ in K8 alone share what depends on L0 and L1 alone: two
//                  steps and a half
//
// Index map. per_key: work-item n has key n. pipes: pipe p of item i of m has VECTOR_WIDTH keys from (p * m + i) *
// VECTOR_WIDTH on. shared_prefix: an item has KEYS_PER_PREFIX keys, from a multiple of it on: those of the first and of
// the last one that the search does not have are tried, and not reported.
//
// Parameters:
//   VARIANT          VARIANT_PER_KEY, VARIANT_PIPES or VARIANT_SHARED_PREFIX
//   WORK_GROUP       work-items of a work-group
//   GRANULARITY      pipes, shared_prefix: vectors of keys that a work-item has at a time
//   VECTOR_WIDTH     pipes, shared_prefix: keys in a vector
//   UNROLL           steps per iteration of the loop over the 26 subkeys; with 26 they are in registers
//   ROTATION         ROTATION_BUILTIN: rotate(), or NVIDIA's funnel shift; ROTATION_SHIFTS: two shifts and an or, as the
//                    paper's device needs it; ROTATION_MULTIPLY: the two halves of a product with a power of two, added
//   KEYS_PER_PREFIX  shared_prefix: keys per work-item, one vector of each pipe after the other
//
// counts[0]: keys whose first word matches; counts[1]: keys that match. Their numbers are in `halves` and `matches`. What
// exceeds a list is counted, not listed.

#define MAX_HALVES 4096u
#define MAX_MATCHES 64u

#define SUBKEYS 26
#define FIRST_SUBKEY 0xB7E15163u  // P of the paper
#define NEXT_SUBKEY 0x9E3779B9u   // Q

// 32, which no compiler knows: with a constant it would recognise the rotation.
#define WORD_BITS (31u + get_work_dim())

INLINED wordv rotated(const wordv x, const wordv by) {
#if ROTATION == ROTATION_MULTIPLY
  const wordv power = (wordv)(1u) << (by & 31u);
  return mul_hi(x, power) + x * power;
#elif ROTATION == ROTATION_SHIFTS
  return (x << (by & 31u)) | (x >> ((WORD_BITS - by) & 31u));
#elif HAS_INLINE_PTX && VECTOR_WIDTH == 1
  uint result;
  asm("shf.l.wrap.b32 %0, %1, %1, %2;" : "=r"(result) : "r"(x), "r"(by));
  return result;
#else
  return rotate(x, by);
#endif
}

// What tries a single key: all of per_key, and the keys that the other variants try again.
#if VECTOR_WIDTH == 1
#define rotated_word rotated
#else
#define rotated_word rotate
#endif
#if VARIANT == VARIANT_PER_KEY
#define SINGLE_UNROLL UNROLL
#else
#define SINGLE_UNROLL 1
#endif

INLINED uint reversed_bytes(const uint word) { return as_uint(as_uchar4(word).s3210); }

INLINED uint2 encrypted(const ulong prefix, const uint k8, const uint2 plain) {
  uint s[SUBKEYS];
  UNROLL_LOOP(SINGLE_UNROLL)
  for (uint i = 0; i < SUBKEYS; ++i) s[i] = FIRST_SUBKEY + i * NEXT_SUBKEY;
  uint a = 0, b = 0;
  uint l0 = reversed_bytes((uint)(prefix >> 32)), l1 = reversed_bytes((uint)prefix), l2 = k8;
  for (uint pass = 0; pass < 3; ++pass) {
    UNROLL_LOOP(SINGLE_UNROLL)
    for (uint i = 0; i < SUBKEYS; ++i) {
      s[i] = a = rotated_word(s[i] + a + b, 3u);
      b = rotated_word(l0 + (a + b), a + b);
      l0 = l1;
      l1 = l2;
      l2 = b;
    }
  }
  a = plain.x + s[0];
  b = plain.y + s[1];
  UNROLL_LOOP(SINGLE_UNROLL)
  for (uint i = 2; i < SUBKEYS; i += 2) {
    a = rotated_word(a ^ b, b) + s[i];
    b = rotated_word(b ^ a, a) + s[i + 1];
  }
  return (uint2)(a, b);
}

INLINED void append(global uint* count, global ulong* list, const uint most, const ulong number) {
  const uint slot = atomic_inc(count);
  if (slot < most) list[slot] = number;
}

// Tries key `number`, if the search has it.
INLINED void try_key(const ulong prefix, const uint last, const ulong keys, const uint4 pair, const ulong number,
                     global uint* counts, global ulong* halves, global ulong* matches) {
  if (number >= keys) return;
  const ulong sum = last + number;
  const uint2 found = encrypted(prefix + (sum >> 8), (uint)sum & 255u, pair.xy);
  if (found.x != pair.z) return;
  append(&counts[0], halves, MAX_HALVES, number);
  if (found.y == pair.w) append(&counts[1], matches, MAX_MATCHES, number);
}

#if VARIANT == VARIANT_PER_KEY
kernel GROUP_OF(WORK_GROUP, 1) void search(const ulong prefix, const uint last, const ulong keys, const uint4 pair,
                                           const ulong items, global uint* restrict counts,
                                           global ulong* restrict halves, global ulong* restrict matches) {
  try_key(prefix, last, keys, pair, get_global_id(0), counts, halves, matches);
}
#else
#include "rc5_72/pipes.cl"
#endif
