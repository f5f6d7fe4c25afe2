// The variant tiled of mri.cl: each sample is loaded once for several vectors of voxels.

// Added and subtracted again, it leaves the nearest integer of what is far below 2^22, whose lowest bit is that of the sum.
#define ROUNDING 12582912.0f

typedef struct {
  realv cosine, sine;
} direction;

// Of the nearest half turn the parity turns both signs; what is left is at most a quarter of a turn, s. There
// s P(s s) and Q(s s), of degrees 9 and 10 in s, are within 4e-9 of sine and cosine of 2 pi s, and so within 3.4 * 2^-24 as
// rounded.
INLINED direction by_polynomial(const realv turns) {
  const realv shifted = MULTIPLY_ADD(turns, (realv)(2.0f), (realv)(ROUNDING));
  const realv s = MULTIPLY_ADD(shifted - ROUNDING, (realv)(-0.5f), turns);
  const wordv sign = WORDS_OF(shifted) << 31;
  const realv z = s * s;
  realv sine = MULTIPLY_ADD(z, (realv)(39.5367041f), (realv)(-76.549782f));
  sine = MULTIPLY_ADD(z, sine, (realv)(81.6010041f));
  sine = MULTIPLY_ADD(z, sine, (realv)(-41.341655f));
  sine = MULTIPLY_ADD(z, sine, (realv)(6.28318516f));
  realv cosine = MULTIPLY_ADD(z, (realv)(-24.9822379f), (realv)(60.1440151f));
  cosine = MULTIPLY_ADD(z, cosine, (realv)(-85.4535716f));
  cosine = MULTIPLY_ADD(z, cosine, (realv)(64.9393466f));
  cosine = MULTIPLY_ADD(z, cosine, (realv)(-19.7392085f));
  cosine = MULTIPLY_ADD(z, cosine, (realv)(1.0f));
  direction result;
  result.cosine = REALS_OF(WORDS_OF(cosine) ^ sign);
  result.sine = REALS_OF(WORDS_OF(s * sine) ^ sign);
  return result;
}

INLINED direction by_native(const realv turns) {
  const realv phase = (turns - ((turns + ROUNDING) - ROUNDING)) * 6.2831853f;
  direction result;
  result.cosine = native_cos(phase);
  result.sine = native_sin(phase);
  return result;
}

// For the work-item's vector number `index`.
INLINED direction direction_of(const realv turns, const int index) {
#if FUNCTIONS == FUNCTIONS_PRECISE
  direction result;
  result.cosine = cospi(turns * 2.0f);
  result.sine = sinpi(turns * 2.0f);
  return result;
#elif FUNCTIONS == FUNCTIONS_NATIVE
  return by_native(turns);
#elif FUNCTIONS == FUNCTIONS_POLYNOMIAL
  return by_polynomial(turns);
#else
  return index % 4 == 3 ? by_polynomial(turns) : by_native(turns);
#endif
}

INLINED size_t voxel_of(const int g) {
  return ((get_group_id(0) * GRANULARITY + g) * WORK_GROUP + get_local_id(0)) * VECTOR_WIDTH;
}

kernel GROUP_OF(WORK_GROUP, 1) void mri(SAMPLES samples, const int count, const ulong voxel_count, const ulong voxels_pitch,
                                        const ulong results_pitch, const int add, global const float* restrict voxels,
                                        global float* restrict results) {
  realv x[GRANULARITY], y[GRANULARITY], z[GRANULARITY];
  realv re[GRANULARITY], im[GRANULARITY];
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) {
    x[g] = LOADV(voxel_of(g), voxels);
    y[g] = LOADV(voxels_pitch + voxel_of(g), voxels);
    z[g] = LOADV(2 * voxels_pitch + voxel_of(g), voxels);
    re[g] = 0.0f;
    im[g] = 0.0f;
  }
  UNROLL_LOOP(UNROLL)
  for (int i = 0; i < count; ++i) {
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      const realv turns = MULTIPLY_ADD((realv)(SAMPLE(i, 0)), x[g], MULTIPLY_ADD((realv)(SAMPLE(i, 1)), y[g], SAMPLE(i, 2) * z[g]));
      const direction at = direction_of(turns, g);
      ADD_SAMPLE(i, at.cosine, at.sine, re[g], im[g]);
    }
  }
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) {
    const long left = (long)voxel_count - (long)voxel_of(g);
    store_voxels(results + voxel_of(g), re[g], left, add);
    store_voxels(results + results_pitch + voxel_of(g), im[g], left, add);
  }
}
