// The Data Encryption Standard (FIPS 46-3, 1999) over a buffer of blocks in ECB, and a search for the key of a known
// pair. Bits, tables and round numbers are the standard's; where words are indexed from 0, index 0 is its bit 1.
//
// A block is 64 bits, in a register with the standard's bit 1 highest, in memory with its first byte first. Decryption
// is encryption with the round keys in reverse: the host passes them in order of use, and one kernel does both.
//
// Variants, and where they are:
//   ifs        ifs.cl: permutations move a bit where it is set, S-boxes are found by comparing. The initial code of
//              S. Che et al., "A performance study of general-purpose applications on graphics processors using CUDA",
//              JPDC 68(10), 2008, section 6.3.
//   lut        tables.cl: the same with tables, 16 for the nibbles of a block at either end, eight of S-box and P
//              together.
//   split      tables.cl: as in the paper, several kernels: initial permutation, KERNEL_ROUNDS rounds at a time,
//              final permutation, the blocks in global memory between them; tables as in lut.
//   per_bit    per_bit.cl: the paper's mapping of data to work-items ("64-thread blocks", intermediate data in shared
//              memory): one work-item per bit, permutations and S-boxes by tables, in several kernels as split.
//   bitslice   bitslice.cl: bit b of word w is bit w of block b, and S-boxes are circuits (gates.cl).
//
// Index map. ifs, lut, split: work-item i of group g takes blocks (g * GRANULARITY + k) * WORK_GROUP + i. bitslice: a
// work-item has 32 * VECTOR_WIDTH blocks at once: those of row k (of 32) and element j are
// (t * 32 + k) * WORK_GROUP * VECTOR_WIDTH + i * VECTOR_WIDTH + j in tile t = g * GRANULARITY + n.
//
// Key search: key number n is `base` (56 bits as permuted choice 1 puts them, its first bit highest) XOR the bits of n,
// in the order of EACH_KEY_BIT (keys.cl). ifs and lut encrypt with one key after the other, bitslice with
// 32 * VECTOR_WIDTH at once (bitslice_search.cl). `padding` has no meaning in a search, and bitslice unrolls
// all its rounds.
//
// Macro          meaning
// VARIANT        VARIANT_IFS, VARIANT_LUT, VARIANT_SPLIT, VARIANT_PER_BIT, VARIANT_BITSLICE
// WORK_GROUP     work-items of a work-group
// GRANULARITY    blocks (keys) per work-item, one after the other; bitslice: times 32 * VECTOR_WIDTH
// VECTOR_WIDTH   bitslice: 32-bit words in a vector
// UNROLL         rounds per iteration of the loop over rounds
// PADDING        0: loads and stores behind the last block are guarded; 1: the buffers are padded up to a whole number
//                of work-groups, and nothing is guarded
// MEMORY         lut, split, per_bit: where the tables are, MEMORY_GLOBAL, MEMORY_CONSTANT or MEMORY_LOCAL
// PERMUTATIONS   per_bit: PERMUTATIONS_TABLES: permutations and S-boxes are tables; PERMUTATIONS_IFS: a work-item finds
//                its bit's source by conditions, as in the paper's first version
// KERNEL_ROUNDS  split, per_bit: rounds per kernel
// GATES          bitslice: what the circuits of the S-boxes are made of. GATES_SELECT: XOR, OR, NOT and selection of
//                one of two by a third (32.9 on average per S-box); GATES_THREE_INPUT: any function of three (22.1);
//                GATES_AUTO: three-input where the device has an instruction for it, else select
// SEARCH         1: key search, 0: blocks; chosen by the host
//
// Preconditions: the device is little-endian; buffers are aligned to 128 bytes.
// Local memory: with MEMORY_LOCAL 7936 bytes of tables, in per_bit 720 plus 7 bytes per work-item.

#ifndef __ENDIAN_LITTLE__
#error "des.cl: the device must be little-endian"
#endif

// From memory to the standard's order, and back.
INLINED ulong reversed_bytes(const ulong word) { return as_ulong(as_uchar8(word).s76543210); }

INLINED ulong block_of_turn(const uint turn) {
  return (get_group_id(0) * (ulong)GRANULARITY + turn) * WORK_GROUP + get_local_id(0);
}

#include "each.cl"
#include "des/keys.cl"
#include "des/ifs.cl"
#if VARIANT == VARIANT_LUT || VARIANT == VARIANT_SPLIT
#include "des/tables.cl"
#elif VARIANT == VARIANT_PER_BIT
#include "des/per_bit.cl"
#elif VARIANT == VARIANT_BITSLICE
#include "des/gates.cl"
#if SEARCH
#include "des/bitslice_search.cl"
#else
#include "des/bitslice.cl"
#endif
#endif
