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
//                are divided again, until 32 words are left, which `combine` weighs. In crc_interleaved.cl.
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
// DIVISOR          interleaved: what rows are divided by: DIVISOR_PLAIN: P; DIVISOR_SPARSE: first a multiple of P with
//                  few terms, 4 XORs per row, and then by P the 300 rows which that leaves
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
#if !defined(DIVISOR) || DIVISOR < 1 || DIVISOR > 2
#error "crc.cl: DIVISOR must be DIVISOR_PLAIN or DIVISOR_SPARSE"
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
#include "table_memory.cl"

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
#include "crc/interleaved.cl"
#endif
