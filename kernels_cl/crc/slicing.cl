// crc: the variant slicing.

#define BLOCK_WORDS 16
#include "table_memory.cl"

// The residue after SLICES more bytes. Table k holds every byte shifted by k + 1 bytes.
INLINED uint after_step(TABLE_SPACE const uint* tables, const uint residue, const uint* words) {
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

INLINED uint after_block(TABLE_SPACE const uint* tables, uint residue, global const wordv* block) {
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

// A work-item combines RUN neighbouring chunks and shifts the result to its place. `shift` is the shift of the last
// run: it undoes the padding.
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
