// The variant three_kernels of h264.cl: sums [macroblock of the launch][41][OFFSETS], two bytes each.

kernel GROUP_OF(WORK_GROUP, 1) void sad4(global const uchar* restrict frames, const int first_frame, const int across,
                                         const int macroblocks, global ushort* restrict sums) {
  local uchar pixels[16];
  const int item = (int)get_local_id(0);
  const int group = (int)get_group_id(0);
  const int block = group % 16;
  const int macroblock = group / 16 % macroblocks;
  const int frame = first_frame + group / 16 / macroblocks;
  const int y = macroblock / across * 16 + block / 4 * 4 + MARGIN;
  const int x = macroblock % across * 16 + block % 4 * 4 + MARGIN;
  global const uchar* current = frames + (size_t)frame * FRAME_ROWS * FRAME_PITCH;
  global const uchar* reference = current - (size_t)FRAME_ROWS * FRAME_PITCH;
  for (int i = item; i < 16; i += WORK_GROUP) pixels[i] = current[(size_t)(y + i / 4) * FRAME_PITCH + x + i % 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  global ushort* to = sums + ((size_t)(group / 16) * PARTITIONS + block) * OFFSETS;
  for (int first = item * GRANULARITY; first < OFFSETS; first += WORK_GROUP * GRANULARITY) {
    uint sum[GRANULARITY];
    size_t from[GRANULARITY];
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      const int offset = min(first + g, OFFSETS - 1);
      from[g] = (size_t)(y + offset / SEARCH - SEARCH / 2) * FRAME_PITCH + x + offset % SEARCH - SEARCH / 2;
      sum[g] = 0;
    }
    UNROLL_LOOP(UNROLL)
    for (int r = 0; r < 4; ++r) {
      UNROLL_WHOLE
      for (int c = 0; c < 4; ++c) {
        const uint pixel = pixels[4 * r + c];
        UNROLL_WHOLE
        for (int g = 0; g < GRANULARITY; ++g) sum[g] += abs_diff(pixel, (uint)reference[from[g] + r * FRAME_PITCH + c]);
      }
    }
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      if (first + g < OFFSETS) to[first + g] = (ushort)sum[g];
    }
  }
}

kernel GROUP_OF(WORK_GROUP, 1) void larger(const int count, global ushort* restrict sums) {
  const int index = (int)get_global_id(0);
  if (index >= count) return;
  global ushort* at = sums + (size_t)(index / OFFSETS) * PARTITIONS * OFFSETS + index % OFFSETS;
  uint s[PARTITIONS];
  UNROLL_WHOLE
  for (int i = 0; i < 16; ++i) s[i] = at[i * OFFSETS];
  ADD_LARGER(s);
  UNROLL_WHOLE
  for (int i = 16; i < PARTITIONS; ++i) at[i * OFFSETS] = (ushort)s[i];
}

kernel GROUP_OF(WORK_GROUP, 1) void choose(global const ushort* restrict sums, const int first_frame, const int macroblocks,
                                           const int lambda, global short2* vectors, global int* restrict costs) {
  local uint best[WORK_GROUP];
  const int item = (int)get_local_id(0);
  const int group = (int)get_group_id(0);
  const int macroblock = group / PARTITIONS % macroblocks;
  const int frame = first_frame + group / PARTITIONS / macroblocks;
  const int2 predictor = predictor_of(vectors, frame, macroblock, macroblocks);
  uint least = UINT_MAX;
  for (int i = item; i < OFFSETS; i += WORK_GROUP) {
    const uint sum = sums[(size_t)group * OFFSETS + i];
    least = min(least, (sum << POSITION_BITS) + key_of(i, predictor, lambda));
  }
  best[item] = least;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    for (int i = 1; i < WORK_GROUP; ++i) least = min(least, best[i]);
    store_best(least, ((size_t)(frame - 1) * macroblocks + macroblock) * PARTITIONS + group % PARTITIONS, vectors, costs);
  }
}
