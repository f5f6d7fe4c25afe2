// The variant direct of sad.cl.

INLINED uint reference_pixel(const global uchar* reference, const int y, const int x, const int rows, const int cols,
                             const int pitch, const int margin) {
#if PADDING
  return reference[(size_t)(y + margin) * pitch + x + margin];
#else
  return reference[(size_t)clamp(y, 0, rows - 1) * cols + clamp(x, 0, cols - 1)];
#endif
}

kernel GROUP_OF(WORK_GROUP, 1) void sad(global const uchar* restrict current, global const uchar* restrict reference,
                                        const int rows, const int cols, const int block_cols, const int block_count,
                                        const int search, const int pitch, global ushort* restrict result) {
  local uchar pixels[BLOCKS][16];
  const int first_block = (int)get_group_id(0) * BLOCKS;
  const int item = (int)get_local_id(0);
  for (int i = item; i < BLOCKS * 16; i += WORK_GROUP) {
    const int block = min(first_block + i / 16, block_count - 1);
    const int y = min(block / block_cols * 4 + i % 16 / 4, rows - 1);
    const int x = min(block % block_cols * 4 + i % 4, cols - 1);
    pixels[i / 16][i % 16] = current[(size_t)y * cols + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int offsets = search * search;
  const int margin = search / 2;
  for (int b = 0; b < BLOCKS && first_block + b < block_count; ++b) {
    const int block_y = (first_block + b) / block_cols * 4;
    const int block_x = (first_block + b) % block_cols * 4;
    for (int first = item * GRANULARITY; first < offsets; first += WORK_GROUP * GRANULARITY) {
      int y[GRANULARITY], x[GRANULARITY];
      uint sums[GRANULARITY];
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        const int offset = min(first + g, offsets - 1);
        y[g] = block_y + offset / search - margin;
        x[g] = block_x + offset % search - margin;
        sums[g] = 0;
      }
      UNROLL_LOOP(UNROLL)
      for (int r = 0; r < 4; ++r) {
        UNROLL_LOOP(UNROLL_COLUMNS)
        for (int c = 0; c < 4; ++c) {
          const uint pixel = pixels[b][4 * r + c];
          UNROLL_LOOP(UNROLL_OFFSETS)
          for (int g = 0; g < GRANULARITY; ++g) {
            sums[g] += abs_diff(pixel, reference_pixel(reference, y[g] + r, x[g] + c, rows, cols, pitch, margin));
          }
        }
      }
      const size_t to = (size_t)(first_block + b) * offsets + first;
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        if (first + g < offsets) result[to + g] = (ushort)sums[g];
      }
    }
  }
}
