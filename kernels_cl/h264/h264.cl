// The search for motion of an H.264 encoder. For each macroblock of 16 x 16 pixels and each of its 41 partitions it finds
// the offset into the previous frame with the least cost. Its cost is the sum of absolute differences plus `lambda` for
// each bit of the vector.
// Offsets are SEARCH x SEARCH whole pixels from -(SEARCH / 2) on. If costs are equal, the first offset by rows wins. An
// offset of a macroblock takes 130 operations: 64 differences of four bytes, 25 sums and 41 comparisons. The host does
// everything after the search, up to the stream (dwarfs/h264/encoder.hpp).
//
// Variants:
//   three_kernels  one kernel stores the sums of the 4 x 4 blocks, one those of the larger partitions, and one finds the
//                  least cost (stored.cl)
//   fused          a group processes a macroblock and stores only the minima (fused.cl)
//   vectors        a work-item does the same, with neighbouring offsets in the lanes of a vector (vectors.cl)
// Not built: the reference frame as an image whose sampler clamps, the paper's texture. Frames on the device continue beyond
// their borders instead, so no access needs to be clamped.
// Source: S. Ryoo et al., "Optimization principles ...", PPoPP 2008, section 5 and table 3, for three_kernels; ITU-T H.264.
//
// Index map: macroblocks are numbered by rows, continuously over the frames of a launch.
//   sad4    a group for each 4 x 4 block
//   larger  a work-item for each macroblock and offset
//   choose  a group for each macroblock and partition
//   search  in fused a group, in vectors a work-item, for each macroblock
//
// Parameters:
//   VARIANT            VARIANT_THREE_KERNELS, VARIANT_FUSED or VARIANT_VECTORS
//   WORK_GROUP         work-items of a group
//   GRANULARITY        three_kernels: neighbouring offsets of a work-item; fused: offsets below each other
//   VECTOR_WIDTH       vectors: offsets in a vector
//   UNROLL             three_kernels: of the loop over the rows of a block
//   DIFFERENCE         fused: DIFFERENCE_BYTES subtracts four bytes, DIFFERENCE_PTX is an instruction for them (inline PTX)
//   FRAMES_PER_LAUNCH  frames that a launch searches (only the host uses it)
// and from the host:
//   SEARCH             offsets in each direction
//   PREDICTS           1: a vector's bits are those of its difference from the vector of the same macroblock in the previous
//                      frame; 0: those of the vector itself
//   FRAME_PITCH        bytes of a row of a frame on the device
//   FRAME_ROWS         rows of a frame on the device
//   MARGIN             rows above, and bytes to the left of, the first pixel of a frame
//
// Partitions: 16 of 4 x 4, 8 of 8 wide and 4 high, 8 of 4 wide and 8 high, 4 of 8 x 8, 2 of 16 wide and 8 high, 2 of 8 wide and
// 16 high, 1 of 16 x 16; each kind by rows. Vectors (dy, dx) and costs are [frame - 1][macroblock][41].
//
// Preconditions: SEARCH is at most 64, a cost less than 2^20.

#define PARTITIONS 41
#define WHOLE 40
#define OFFSETS (SEARCH * SEARCH)
#define POSITION_BITS 12
#define POSITION_MASK 0xfffu

// Bits of a component of a vector, in quarters of a pixel, as a signed Exp-Golomb code.
INLINED int bits_of(const int pixels) {
  const uint number = pixels > 0 ? (uint)(8 * pixels - 1) : (uint)(-8 * pixels);
  return 2 * (31 - (int)clz(number + 1)) + 1;
}

// The vector (dy, dx) from which the vectors of a macroblock are coded as differences.
INLINED int2 predictor_of(global const short2* vectors, const int frame, const int macroblock, const int macroblocks) {
  if (!PREDICTS || frame < 2) return (int2)(0, 0);
  return convert_int2(vectors[((size_t)(frame - 2) * macroblocks + macroblock) * PARTITIONS + WHOLE]);
}

// An offset's key: the cost of its bits in the upper bits, its number in the lower ones. If the sum of differences is added
// to the upper bits, keys compare like costs, and at equal costs like the offsets' order.
INLINED uint key_of(const int position, const int2 predictor, const int lambda) {
  const int dy = position / SEARCH - SEARCH / 2;
  const int dx = position % SEARCH - SEARCH / 2;
  return (uint)(lambda * (bits_of(dy - predictor.x) + bits_of(dx - predictor.y))) << POSITION_BITS | (uint)position;
}

INLINED void store_best(const uint key, const size_t to, global short2* vectors, global int* costs) {
  const int position = (int)(key & POSITION_MASK);
  vectors[to] = (short2)((short)(position / SEARCH - SEARCH / 2), (short)(position % SEARCH - SEARCH / 2));
  costs[to] = (int)(key >> POSITION_BITS);
}

// Computes the sums of the larger partitions from those of the sixteen 4 x 4 blocks.
#define ADD_LARGER(s)                                                                          \
  do {                                                                                         \
    UNROLL_WHOLE                                                                               \
    for (int i = 0; i < 8; ++i) s[16 + i] = s[2 * i] + s[2 * i + 1];                           \
    UNROLL_WHOLE                                                                               \
    for (int i = 0; i < 8; ++i) s[24 + i] = s[i / 4 * 8 + i % 4] + s[i / 4 * 8 + 4 + i % 4];   \
    UNROLL_WHOLE                                                                               \
    for (int i = 0; i < 4; ++i) s[32 + i] = s[16 + i / 2 * 4 + i % 2] + s[18 + i / 2 * 4 + i % 2]; \
    s[36] = s[32] + s[33];                                                                     \
    s[37] = s[34] + s[35];                                                                     \
    s[38] = s[32] + s[34];                                                                     \
    s[39] = s[33] + s[35];                                                                     \
    s[WHOLE] = s[36] + s[37];                                                                  \
  } while (0)

#if VARIANT == VARIANT_THREE_KERNELS
#include "h264/stored.cl"
#elif VARIANT == VARIANT_FUSED
#include "h264/fused.cl"
#else
#include "h264/vectors.cl"
#endif
