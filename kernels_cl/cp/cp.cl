// Coulomb potential of point charges on a plane: V(g) = sum over atoms j of q_j / |g - r_j|, summed directly. Grid point
// (column, row) lies at (column * spacing, row * spacing, 0). Of an atom the kernels read (x, y, z z, q): what is the
// same for all points of the plane is squared before.
//
// Variants:
//   direct  GRANULARITY points of a row per work-item, each with its whole distance (direct.cl)
//   tiled   ROWS rows of GRANULARITY vectors per work-item: what the points of a column or of a row have in common is
//           computed once for all of them (tiled.cl)
// Source: J. E. Stone et al., "Accelerating molecular modeling applications with graphics processors", J. Comput. Chem.
// 28(16), 2007, for the method of `direct` (the CP of S. Ryoo et al., "Program optimization carving for GPU computing",
// JPDC 68(10), 2008).
//
// Index map: a group is GROUP_X x GROUP_Y work-items, and has GROUP_X * GRANULARITY vectors of columns. With
// OUTPUT_COALESCED work-items side by side have vectors side by side, and one of them GRANULARITY vectors that are
// GROUP_X vectors apart; with OUTPUT_NEIGHBOURS its vectors are neighbours. Its rows are GROUP_Y rows apart.
//
// Parameters:
//   VARIANT       VARIANT_DIRECT or VARIANT_TILED
//   WORK_GROUP    work-items of a group, up to 16 of them in a row
//   GRANULARITY   vectors of points per work-item and row
//   VECTOR_WIDTH  neighbouring points in a vector (1 in direct)
//   UNROLL        of the loop over the atoms
//   PADDING       1: rows and columns are padded to whole groups, and no end is tested for
//   OUTPUT        OUTPUT_COALESCED or OUTPUT_NEIGHBOURS
//   FUNCTIONS     1 / sqrt by FUNCTIONS_PRECISE (rsqrt), FUNCTIONS_NATIVE (native_rsqrt), FUNCTIONS_NEWTON (integers and
//                 multiply-adds), FUNCTIONS_MIXED: every fourth vector of a work-item newton, all others native
//   ROWS          tiled: rows per work-item
//   MEMORY        tiled: where the atoms are, MEMORY_CONSTANT or MEMORY_GLOBAL
//   DATA_MEMORY   direct: the same, DATA_MEMORY_CONSTANT or DATA_MEMORY_GLOBAL
//
// A launch has `count` atoms; all but the first add to what the grid holds (`add`).

#define GROUP_X (WORK_GROUP < 16 ? WORK_GROUP : 16)
#define GROUP_Y (WORK_GROUP / GROUP_X)

#if VARIANT == VARIANT_TILED ? MEMORY == MEMORY_GLOBAL : DATA_MEMORY == DATA_MEMORY_GLOBAL
#define ATOMS global const float4* restrict
#else
#define ATOMS constant float4* restrict
#endif

// 1 / sqrt(x) for normal x. Halving the exponent by a shift of the whole word, and a Newton step with constants that
// balance the error, is right to 6.5e-4 (the constants are Jan Kadlec's); the step of third order behind it leaves
// 5/16 (1.3e-3)^3, so that only rounding is left: at most 1.8 * 2^-24 of all floats between 1 and 4.
INLINED realv newton_rsqrt(const realv x) {
  realv y = REALS_OF((wordv)(0x5f1ffff9u) - (WORDS_OF(x) >> 1));
  y *= MULTIPLY_ADD(x * -0.703952253f, y * y, (realv)(0.703952253f * 2.38924456f));
  const realv e = MULTIPLY_ADD(-x * y, y, (realv)(1.0f));
  return MULTIPLY_ADD(y * e, MULTIPLY_ADD(e, (realv)(0.375f), (realv)(0.5f)), y);
}

// native_rsqrt of a normal x: without what NVIDIA's compiler adds for subnormal ones, three instructions of eight.
INLINED realv estimated_rsqrt(const realv x) {
#if HAS_INLINE_PTX && VECTOR_WIDTH == 1
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return native_rsqrt(x);
#endif
}

// For the work-item's vector number `index`.
INLINED realv reciprocal_root(const realv x, const int index) {
#if FUNCTIONS == FUNCTIONS_PRECISE
  return rsqrt(x);
#elif FUNCTIONS == FUNCTIONS_NATIVE
  return estimated_rsqrt(x);
#elif FUNCTIONS == FUNCTIONS_NEWTON
  return newton_rsqrt(x);
#else
  return index % 4 == 3 ? newton_rsqrt(x) : estimated_rsqrt(x);
#endif
}

// The first column of a work-item's vector number `g`.
INLINED int column_of(const int g) {
  const int first = (int)get_group_id(0) * GROUP_X * GRANULARITY;
  const int item = (int)get_local_id(0);
  return (first + (OUTPUT == OUTPUT_COALESCED ? g * GROUP_X + item : item * GRANULARITY + g)) * VECTOR_WIDTH;
}

// Stores the sums of a vector of points, `left` columns of it exist if nothing is padded.
INLINED void store_points(global float* to, realv sums, const int left, const int add) {
  if (PADDING || left >= VECTOR_WIDTH) {
    if (add) sums += LOADV(0, to);
    STOREV(sums, 0, to);
  } else {
    float points[VECTOR_WIDTH];
    STOREV(sums, 0, points);
    for (int i = 0; i < left; ++i) to[i] = add ? to[i] + points[i] : points[i];
  }
}

#if VARIANT == VARIANT_DIRECT
#include "cp/direct.cl"
#else
#include "cp/tiled.cl"
#endif
