// The variant direct of sad.cl.
//
// With SOURCE_IMAGE the reference is an image, whose sampler continues it beyond its border. With REGISTER_TILE above 1 a
// work-item loads the pixels of so many neighbouring dx once per row. With RESULTS_LOCAL the sums of a group gather in local
// memory, and its work-items store neighbouring ones.

#if SOURCE == SOURCE_IMAGE
#define REFERENCE read_only image2d_t
#define REFERENCE_ARGUMENT REFERENCE
constant sampler_t at_border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#else
#define REFERENCE const global uchar*
#define REFERENCE_ARGUMENT const global uchar* restrict
#endif

INLINED uint reference_pixel(REFERENCE reference, const int y, const int x, const int rows, const int cols, const int pitch,
                             const int margin) {
#if SOURCE == SOURCE_IMAGE
  return read_imageui(reference, at_border, (int2)(x, y)).x;
#elif PADDING
  return reference[(size_t)(y + margin) * pitch + x + margin];
#else
  return reference[(size_t)clamp(y, 0, rows - 1) * cols + clamp(x, 0, cols - 1)];
#endif
}

kernel GROUP_OF(WORK_GROUP, 1) void sad(global const uchar* restrict current, REFERENCE_ARGUMENT reference,
                                        const int rows, const int cols, const int block_cols, const int block_count,
                                        const int search, const int pitch, global ushort* restrict result) {
  local uchar pixels[BLOCKS][16];
  local ushort gathered[RESULTS == RESULTS_LOCAL ? WORK_GROUP * GRANULARITY : 1];
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
    const size_t results = (size_t)(first_block + b) * offsets;
    // Where they gather sums, all work-items stay to the end.
    const int end = RESULTS == RESULTS_LOCAL ? offsets + item * GRANULARITY : offsets;
    for (int first = item * GRANULARITY; first < end; first += WORK_GROUP * GRANULARITY) {
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
        if (REGISTER_TILE == 1) {
          UNROLL_LOOP(UNROLL_COLUMNS)
          for (int c = 0; c < 4; ++c) {
            const uint pixel = pixels[b][4 * r + c];
            UNROLL_LOOP(UNROLL_OFFSETS)
            for (int g = 0; g < GRANULARITY; ++g) {
              sums[g] += abs_diff(pixel, reference_pixel(reference, y[g] + r, x[g] + c, rows, cols, pitch, margin));
            }
          }
        } else {
          UNROLL_LOOP(UNROLL_OFFSETS)
          for (int g = 0; g < GRANULARITY; g += REGISTER_TILE) {
            uint row[REGISTER_TILE + 3];
            UNROLL_WHOLE
            for (int c = 0; c < REGISTER_TILE + 3; ++c)
              row[c] = reference_pixel(reference, y[g] + r, x[g] + c, rows, cols, pitch, margin);
            UNROLL_WHOLE
            for (int c = 0; c < 4; ++c) {
              UNROLL_WHOLE
              for (int t = 0; t < REGISTER_TILE; ++t) sums[g + t] += abs_diff((uint)pixels[b][4 * r + c], row[t + c]);
            }
          }
        }
      }
      if (RESULTS == RESULTS_LOCAL) {
        UNROLL_WHOLE
        for (int g = 0; g < GRANULARITY; ++g) gathered[item * GRANULARITY + g] = (ushort)sums[g];
        barrier(CLK_LOCAL_MEM_FENCE);
        const int begin = first - item * GRANULARITY;
        const int count = min(offsets - begin, WORK_GROUP * GRANULARITY);
        for (int i = item; i < count; i += WORK_GROUP) result[results + begin + i] = gathered[i];
        barrier(CLK_LOCAL_MEM_FENCE);
      } else {
        UNROLL_WHOLE
        for (int g = 0; g < GRANULARITY; ++g) {
          if (first + g < offsets) result[results + first + g] = (ushort)sums[g];
        }
      }
    }
  }
}
