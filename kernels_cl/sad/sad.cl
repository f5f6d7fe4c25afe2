// Sums of absolute differences, as motion estimation of H.264 wants them: for each block of 4 x 4 pixels of the current
// frame and each offset (dy, dx) of a square of `search` x `search` offsets, from -(search / 2) on, the sum of
// |current - reference| over the block's pixels, with the reference moved by the offset. Pixels beyond the border of a
// frame are those of its border. Result: ushort [block][dy][dx], blocks row by row.
//
// Variants:
//   direct   a group has BLOCKS blocks in local memory, a work-item GRANULARITY neighbouring offsets at a time, which go
//            over the 16 pixels together (direct.cl)
//   words    four pixels at a time: the reference is expanded to a word of the four pixels from each pixel on, so that
//            work-items of neighbouring dx read neighbouring words; a work-item has GRANULARITY offsets below each other,
//            whose rows are read once (words.cl)
//   vectors  VECTOR_WIDTH neighbouring dx in a vector of bytes, a work-item has GRANULARITY rows of offsets (vectors.cl)
// Source: S. Ryoo et al., "Program optimization carving for GPU computing", JPDC 68(10), 2008, table 3, and "Optimization
// principles ...", PPoPP 2008, section 5, for the method of `direct` (SAD in H.264). Its table 3 has 41 work-items with 27
// neighbouring offsets each, and the sums of a block in local memory; texture memory and the register tile of three
// offsets are as in the public code of Parboil.
//
// Parameters:
//   VARIANT          VARIANT_DIRECT, VARIANT_WORDS or VARIANT_VECTORS
//   WORK_GROUP       work-items of a group
//   GRANULARITY      offsets (vectors: rows of offsets) per work-item at a time
//   VECTOR_WIDTH     vectors: offsets in a vector
//   UNROLL           direct: of the loop over the rows of a block
//   UNROLL_COLUMNS   direct: of the loop over the columns of a block
//   UNROLL_OFFSETS   direct: of the loop over the work-item's offsets
//   PADDING          direct: 1 reads a reference that the kernel `expand` has continued beyond its border, as the other
//                    variants do; 0 clamps each access
//   SOURCE           direct: SOURCE_BUFFER, or SOURCE_IMAGE reads the reference through an image
//   REGISTER_TILE    direct: neighbouring dx whose pixels a work-item loads together, 1 or a divisor of GRANULARITY and search
//   RESULTS          direct: RESULTS_GLOBAL stores sums where they are made, RESULTS_LOCAL gathers those of a group first
//   BLOCKS           blocks of a group, one after the other (1 in vectors)
//   DIFFERENCE       words: DIFFERENCE_BYTES subtracts four bytes, DIFFERENCE_PTX is an instruction for them (inline PTX)
// and from the host EXPAND_RUN, pixels that a work-item of `expand` copies, and EXPAND_GROUP, its group.

#if VARIANT == VARIANT_WORDS
typedef uint expanded;
#else
typedef uchar expanded;
#endif

// Continues a frame by `margin` pixels above and left of it, to height x pitch pixels; in words, each is followed by its three
// neighbours.
kernel GROUP_OF(EXPAND_GROUP, 1) void expand(global const uchar* restrict frame, const int rows, const int cols,
                                             const int margin, const int height, const int pitch,
                                             global expanded* restrict result) {
  const int y = (int)get_global_id(1);
  const size_t line = (size_t)clamp(y - margin, 0, rows - 1) * cols;
  const int begin = (int)get_global_id(0) * EXPAND_RUN;
  for (int x = begin; x < min(begin + EXPAND_RUN, pitch); ++x) {
    expanded value = frame[line + clamp(x - margin, 0, cols - 1)];
#if VARIANT == VARIANT_WORDS
    UNROLL_WHOLE
    for (int i = 1; i < 4; ++i) value |= (uint)frame[line + clamp(x + i - margin, 0, cols - 1)] << 8 * i;
#endif
    result[(size_t)y * pitch + x] = value;
  }
}

#if VARIANT == VARIANT_DIRECT
#include "sad/direct.cl"
#elif VARIANT == VARIANT_WORDS
#include "sad/words.cl"
#else
#include "sad/vectors.cl"
#endif
