// The variant vectors of h264.cl: a work-item has a macroblock.

#if VECTOR_WIDTH == 1
typedef uchar bytev;
typedef ushort sumv;
#define TO_SUMS(v) ((ushort)(v))
#define TO_KEYS(v) ((uint)(v))
#else
typedef JOIN(uchar, VECTOR_WIDTH) bytev;
typedef JOIN(ushort, VECTOR_WIDTH) sumv;
#define TO_SUMS(v) JOIN(convert_ushort, VECTOR_WIDTH)(v)
#define TO_KEYS(v) JOIN(convert_uint, VECTOR_WIDTH)(v)
#endif
// Above every key, and with a sum of differences no overflow.
#define NO_OFFSET 0xf0000u

kernel GROUP_OF(WORK_GROUP, 1) void search(global const uchar* restrict frames, const int first_frame, const int across,
                                           const int macroblocks, const int frames_of_launch, const int lambda,
                                           global short2* vectors, global int* restrict costs) {
  const int index = (int)get_global_id(0);
  if (index >= macroblocks * frames_of_launch) return;
  const int macroblock = index % macroblocks;
  const int frame = first_frame + index / macroblocks;
  const int y = macroblock / across * 16 + MARGIN;
  const int x = macroblock % across * 16 + MARGIN;
  global const uchar* current = frames + (size_t)frame * FRAME_ROWS * FRAME_PITCH + (size_t)y * FRAME_PITCH + x;
  global const uchar* reference = current - (size_t)FRAME_ROWS * FRAME_PITCH;
  const int2 predictor = predictor_of(vectors, frame, macroblock, macroblocks);
  wordv best[PARTITIONS];
  for (int p = 0; p < PARTITIONS; ++p) best[p] = UINT_MAX;
  for (int dy = 0; dy < SEARCH; ++dy) {
    for (int dx = 0; dx < SEARCH; dx += VECTOR_WIDTH) {
      global const uchar* from = reference + (dy - SEARCH / 2) * FRAME_PITCH + dx - SEARCH / 2;
      sumv sums[PARTITIONS];
      for (int b = 0; b < 16; ++b) {
        sums[b] = 0;
        UNROLL_WHOLE
        for (int i = 0; i < 16; ++i) {
          const int at = (b / 4 * 4 + i / 4) * FRAME_PITCH + b % 4 * 4 + i % 4;
          sums[b] += TO_SUMS(abs_diff(LOADV(at, from), (bytev)(current[at])));
        }
      }
      ADD_LARGER(sums);
      uint lanes[VECTOR_WIDTH];
      for (int lane = 0; lane < VECTOR_WIDTH; ++lane) {
        lanes[lane] = dx + lane < SEARCH ? key_of(dy * SEARCH + dx + lane, predictor, lambda) : NO_OFFSET << POSITION_BITS;
      }
      const wordv keys = LOADV(0, lanes);
      for (int p = 0; p < PARTITIONS; ++p) best[p] = min(best[p], (TO_KEYS(sums[p]) << POSITION_BITS) + keys);
    }
  }
  for (int p = 0; p < PARTITIONS; ++p) {
    uint lanes[VECTOR_WIDTH];
    STOREV(best[p], 0, lanes);
    uint least = lanes[0];
    for (int lane = 1; lane < VECTOR_WIDTH; ++lane) least = min(least, lanes[lane]);
    store_best(least, ((size_t)(frame - 1) * macroblocks + macroblock) * PARTITIONS + p, vectors, costs);
  }
}
