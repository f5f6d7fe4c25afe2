// The variant fused of h264.cl. Local memory holds the part of the reference that the offsets reach. Each column has a word
// of the four pixels from there on, so that work-items with neighbouring dx read neighbouring words.

#define WINDOW (16 + SEARCH - 1)                     // rows and columns that offsets reach
#define LEFT (MARGIN - SEARCH / 2)                   // the first of these columns, from the margin's first on
#define SHIFT (LEFT % 4)                             // words of global memory are aligned
#define WORDS_ACROSS ((SHIFT + WINDOW + 3) / 4)
#define RUNS ((SEARCH + GRANULARITY - 1) / GRANULARITY)
#define WINDOW_ROWS (RUNS * GRANULARITY + 15)

#include "byte_differences.cl"

kernel GROUP_OF(WORK_GROUP, 1) void search(global const uint* restrict frames, const int first_frame, const int across,
                                           const int macroblocks, const int lambda, global short2* vectors,
                                           global int* restrict costs) {
  local uint window[WINDOW_ROWS][4 * WORDS_ACROSS];
  local uint current[16][4];
  local uint keys[PARTITIONS][WORK_GROUP];
  const int item = (int)get_local_id(0);
  const int macroblock = (int)get_group_id(0) % macroblocks;
  const int frame = first_frame + (int)get_group_id(0) / macroblocks;
  const int y = macroblock / across * 16;
  const int x = macroblock % across * 16;
  global const uint* pixels = frames + (size_t)frame * FRAME_ROWS * (FRAME_PITCH / 4);
  global const uint* reference = pixels - (size_t)FRAME_ROWS * (FRAME_PITCH / 4);
  for (int i = item; i < 64; i += WORK_GROUP)
    current[i / 4][i % 4] = pixels[(size_t)(y + MARGIN + i / 4) * (FRAME_PITCH / 4) + (x + MARGIN) / 4 + i % 4];
  for (int i = item; i < WINDOW_ROWS * WORDS_ACROSS; i += WORK_GROUP) {
    const int row = i / WORDS_ACROSS;
    const int word = i % WORDS_ACROSS;
    // Rows beyond the last offset only fill the last run; they repeat the last row.
    const size_t from = (size_t)(y + LEFT + min(row, WINDOW - 1)) * (FRAME_PITCH / 4) + (x + LEFT) / 4 + word;
    // A shift of 64 bits, because Oclgrind 21.10 does not know the instruction that compilers make of two shifts of 32.
    const ulong two = upsample(reference[from + 1], reference[from]);
    UNROLL_WHOLE
    for (int k = 0; k < 4; ++k) window[row][4 * word + k] = (uint)(two >> 8 * k);
  }
  const int2 predictor = predictor_of(vectors, frame, macroblock, macroblocks);
  uint best[PARTITIONS];
  UNROLL_WHOLE
  for (int i = 0; i < PARTITIONS; ++i) best[i] = UINT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < RUNS * SEARCH; i += WORK_GROUP) {
    const int dx = i % SEARCH;
    const int dy = i / SEARCH * GRANULARITY;
    uint sums[GRANULARITY][PARTITIONS];
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      UNROLL_WHOLE
      for (int b = 0; b < 16; ++b) sums[g][b] = 0;
    }
    UNROLL_WHOLE
    for (int row = 0; row < 16 + GRANULARITY - 1; ++row) {
      UNROLL_WHOLE
      for (int c = 0; c < 4; ++c) {
        const uint word = window[dy + row][SHIFT + dx + 4 * c];
        UNROLL_WHOLE
        for (int g = 0; g < GRANULARITY; ++g) {
          if (row >= g && row - g < 16) {
            sums[g][(row - g) / 4 * 4 + c] = add_differences(word, current[row - g][c], sums[g][(row - g) / 4 * 4 + c]);
          }
        }
      }
    }
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      if (dy + g < SEARCH) {
        ADD_LARGER(sums[g]);
        const uint key = key_of((dy + g) * SEARCH + dx, predictor, lambda);
        UNROLL_WHOLE
        for (int p = 0; p < PARTITIONS; ++p) best[p] = min(best[p], (sums[g][p] << POSITION_BITS) + key);
      }
    }
  }
  UNROLL_WHOLE
  for (int p = 0; p < PARTITIONS; ++p) keys[p][item] = best[p];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int p = item; p < PARTITIONS; p += WORK_GROUP) {
    uint least = UINT_MAX;
    // Each work-item begins at a different key, and so at a different bank.
    for (int j = 0; j < WORK_GROUP; ++j) least = min(least, keys[p][(j + p) % WORK_GROUP]);
    store_best(least, ((size_t)(frame - 1) * macroblocks + macroblock) * PARTITIONS + p, vectors, costs);
  }
}
