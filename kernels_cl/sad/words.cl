// The variant words of sad.cl: a word holds four neighbouring pixels of a row, the first in its lowest byte.

#include "byte_differences.cl"

// `current` and `reference` are expanded, without and with the margin; rows of the reference are `pitch` words apart, of the
// current frame `cols`, which is a multiple of 4 here.
kernel GROUP_OF(WORK_GROUP, 1) void sad(global const uint* restrict current, global const uint* restrict reference,
                                        const int rows, const int cols, const int block_cols, const int block_count,
                                        const int search, const int pitch, global ushort* restrict result) {
  const int runs = (search + GRANULARITY - 1) / GRANULARITY;
  for (int b = 0; b < BLOCKS; ++b) {
    const int block = (int)get_group_id(0) * BLOCKS + b;
    if (block >= block_count) return;
    const size_t block_y = block / block_cols * 4;
    const size_t block_x = block % block_cols * 4;
    uint pixels[4];
    UNROLL_WHOLE
    for (int r = 0; r < 4; ++r) pixels[r] = current[(block_y + r) * cols + block_x];
    for (int i = (int)get_local_id(0); i < runs * search; i += WORK_GROUP) {
      const int dx = i % search;
      const int dy = i / search * GRANULARITY;
      const global uint* from = reference + (block_y + dy) * pitch + block_x + dx;
      uint sums[GRANULARITY];
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) sums[g] = 0;
      UNROLL_WHOLE
      for (int row = 0; row < GRANULARITY + 3; ++row) {
        const uint word = from[(size_t)row * pitch];
        UNROLL_WHOLE
        for (int r = 0; r < 4; ++r) {
          if (row >= r && row - r < GRANULARITY) sums[row - r] = add_differences(word, pixels[r], sums[row - r]);
        }
      }
      global ushort* to = result + ((size_t)block * search + dy) * search + dx;
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        if (dy + g < search) to[g * search] = (ushort)sums[g];
      }
    }
  }
}
