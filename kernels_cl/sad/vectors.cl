// The variant vectors of sad.cl: neighbouring offsets in the lanes of a vector, a work-item for rows of offsets of a block.

#if VECTOR_WIDTH == 1
typedef uchar bytev;
typedef ushort sumv;
#define TO_SUMS(v) ((ushort)(v))
#else
typedef JOIN(uchar, VECTOR_WIDTH) bytev;
typedef JOIN(ushort, VECTOR_WIDTH) sumv;
#define TO_SUMS(v) JOIN(convert_ushort, VECTOR_WIDTH)(v)
#endif

// `current` and `reference` are expanded, without and with the margin; their rows are `cols` and `pitch` bytes apart.
kernel GROUP_OF(WORK_GROUP, 1) void sad(global const uchar* restrict current, global const uchar* restrict reference,
                                        const int rows, const int cols, const int block_cols, const int block_count,
                                        const int search, const int pitch, global ushort* restrict result) {
  const size_t runs = (search + GRANULARITY - 1) / GRANULARITY;
  const size_t block = get_global_id(0) / runs;
  if (block >= block_count) return;
  const size_t block_y = block / block_cols * 4;
  const size_t block_x = block % block_cols * 4;
  const int first = (int)(get_global_id(0) % runs) * GRANULARITY;
  bytev pixels[16];
  UNROLL_WHOLE
  for (int i = 0; i < 16; ++i) pixels[i] = (bytev)(current[(block_y + i / 4) * cols + block_x + i % 4]);
  for (int dy = first; dy < min(first + GRANULARITY, search); ++dy) {
    global ushort* to = result + (block * search + dy) * search;
    const global uchar* from = reference + (block_y + dy) * pitch + block_x;
    for (int begin = 0; begin < search; begin += VECTOR_WIDTH) {
      // The last vector of a row overlaps the one before it.
      const int dx = max(0, min(begin, search - VECTOR_WIDTH));
      sumv sums = 0;
      UNROLL_WHOLE
      for (int i = 0; i < 16; ++i) sums += TO_SUMS(abs_diff(LOADV((size_t)(i / 4) * pitch + dx + i % 4, from), pixels[i]));
      if (search >= VECTOR_WIDTH) {
        STOREV(sums, dx, to);
      } else {
        ushort single[VECTOR_WIDTH];
        STOREV(sums, 0, single);
        for (int i = 0; i < search; ++i) to[i] = single[i];
      }
    }
  }
}
