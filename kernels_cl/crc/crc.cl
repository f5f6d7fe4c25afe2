// CRC-32 as zlib computes it, of a stream of any length.
//
// A stream is a polynomial over GF(2), its first bit the highest power; its CRC is stream * x^32 mod P plus a constant
// that depends on the length alone (from the inversions before and after), to which the host sets `result`. The rest is
// linear: `compute` reduces parts of the stream to words, `combine` shifts each word to its place, that is, multiplies
// it by a power of x, and adds (XORs) it to `result`. Words are reflected as in zlib: the lowest bit is the highest
// power, x^31. Zeros in front of a stream change nothing; zeros behind it are undone by a shift by as many bytes less. Since P
// is primitive, x^8 has order 2^32 - 1, and shifts are taken modulo that: negative ones become positive, and those
// beyond 4 GiB fit into 32 bits.
//
// Variants and their index maps:
//   per_byte     work-item i takes bytes [i, i + 1) * GRANULARITY and shifts each by its distance to the end, one table
//                look-up per bit of the distance. After K. Theocharidis and C. Kalogirou, Master thesis, University of
//                Thessaly 2013, section 6.2, whose CRC has 8 bits (CODE_BITS 8: x^8 + x^2 + x + 1, the highest bit
//                first): its table of a power has 256 bytes; CRC-32 needs four tables of 256 words.
//   slicing      work-item i reduces chunk i, of GRANULARITY blocks of 64 bytes, SLICES bytes at a time by as many
//                tables. After M. E. Kounavis and F. L. Berry, "Novel table lookup-based algorithms for
//                high-performance CRC generation", IEEE Transactions on Computers 57(11), 2008.
//   interleaved  No tables. A segment is `rows` rows of LANES * VECTOR_WIDTH words, work-item `lane` of LANES has the
//                words [lane, lane + 1) * VECTOR_WIDTH of each row. Words at the same place of successive rows are a
//                power of two of bits apart; call that D. As squaring is linear over GF(2), P(x)^D = P(x^D): modulo P
//                the rows obey the recurrence of P in y = x^D. Dividing by P(y), 14 XORs of whole words per row,
//                leaves 32 rows. These are a short message equivalent to the segment; as 64 rows of half the width they
//                are divided again, until 32 words are left, which `combine` multiplies by their weights.
//
// Macro            meaning
// VARIANT          VARIANT_PER_BYTE, VARIANT_SLICING, VARIANT_INTERLEAVED
// WORK_GROUP       work-items of a work-group in `compute`, a power of two
// GRANULARITY      per_byte: bytes per work-item; slicing: blocks of 64 bytes per work-item; interleaved: rows per
//                  work-item, as a multiple of what occupies the device (used by the host alone, in `rows`; here 1)
// VECTOR_WIDTH     slicing: words per load; interleaved: neighbouring words, each a stream, per work-item
// UNROLL           per_byte: of the loop over powers; slicing: of the loop over blocks; interleaved: rows per iteration
//                  (below 32 the 32 words of history move on after each iteration)
// PADDING          0: loads behind the stream's end are guarded; 1: zeros follow it up to a whole number of launched
//                  work-items, and nothing is guarded
// MEMORY           slicing: where the tables are, MEMORY_GLOBAL, MEMORY_CONSTANT or MEMORY_LOCAL
// SLICES           slicing: bytes per step, 4, 8 or 16
// STREAMS          interleaved: STREAMS_ITEM: each work-item has a segment of its own, LANES is 1; STREAMS_SHARED:
//                  LANES work-items share one, so that a row is read as a whole; STREAMS_AUTO: the host chooses the
//                  second on GPUs, else the first
// PREFETCH         interleaved: rows that each work-item has loaded ahead of the one it divides; 0: loads when due
// DIVISOR          interleaved: what rows are divided by: DIVISOR_PLAIN: P; DIVISOR_SPARSE: first a multiple of P with
//                  few terms, 4 XORs per row, and then by P the 300 rows which that leaves
// ANSWERS          per_byte: ANSWERS_COMBINED: a work-item stores the sum of its bytes' answers; ANSWERS_EACH: it stores
//                  the answer of every byte, as one vector, as the thesis does
// LANES            work-items per segment, chosen by the host; a power of two that divides WORK_GROUP
// CODE_BITS        32: CRC-32; 8: per_byte: the CRC of the thesis
// CHUNK_POWER      slicing: log2 of a chunk's bytes
// RUN              partial results per work-item in `combine` (per_byte, slicing)
// COMBINE_GROUP    work-items of a work-group in `combine`, a power of two; 64, or what the device allows
//
// Preconditions: `stream` is aligned to 64 bytes and zero from its last byte up to a multiple of 64 bytes (of more with
// PADDING); the device is little-endian. Local memory: a table (MEMORY_LOCAL) or 32 words per work-item (LANES > 1) in
// `compute`, a word per work-item in `combine`.

#if WORK_GROUP % LANES != 0
#error "crc.cl: LANES must divide WORK_GROUP"
#endif
#ifndef __ENDIAN_LITTLE__
#error "crc.cl: the device must be little-endian"
#endif

#define COMPUTE kernel GROUP_OF(WORK_GROUP, 1)
#define COMBINE kernel GROUP_OF(COMBINE_GROUP, 1)


// `bytes` modulo 2^32 - 1, in 32 bits: 2^32 is congruent to 1.
INLINED uint reduced_shift(const ulong bytes) {
  const ulong once = (bytes & 0xFFFFFFFFul) + (bytes >> 32);
  return (uint)((once & 0xFFFFFFFFul) + (once >> 32));
}

#if CODE_BITS == 8
typedef uchar code_t;
#define DISTANCE(bytes) ((uint)(bytes))

// value * x^(8 * 2^power).
INLINED code_t times_power(global const code_t* powers, const uint power, const code_t value) {
  return powers[power * 256 + value];
}
#else
typedef uint code_t;
#define DISTANCE(bytes) reduced_shift(bytes)

// value * x^(8 * 2^power); the tables of one power hold the products of the four bytes of a word.
INLINED code_t times_power(global const code_t* powers, const uint power, const code_t value) {
  global const code_t* const table = powers + power * 1024;
  return table[value & 255u] ^ table[256u + ((value >> 8) & 255u)] ^ table[512u + ((value >> 16) & 255u)] ^
         table[768u + (value >> 24)];
}
#endif

// XORs the `value` of every work-item of a work-group of `combine` into the result.
INLINED void add_to_result(global uint* result, local uint* partial, const uint value) {
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
#include "crc/per_byte.cl"
#elif VARIANT == VARIANT_SLICING
#include "crc/slicing.cl"
#else
#include "crc/interleaved.cl"
#endif
