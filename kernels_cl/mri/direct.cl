// The variant direct of mri.cl: phases in radians, whatever their size, into the library's sine and cosine.

#if FUNCTIONS == FUNCTIONS_NATIVE
#define COSINE native_cos
#define SINE native_sin
#else
#define COSINE cos
#define SINE sin
#endif

kernel GROUP_OF(WORK_GROUP, 1) void mri(SAMPLES samples, const int count, const ulong voxel_count, const ulong voxels_pitch,
                                        const ulong results_pitch, const int add, global const float* restrict voxels,
                                        global float* restrict results) {
  const size_t voxel = get_global_id(0);
  const float x = voxels[voxel];
  const float y = voxels[voxels_pitch + voxel];
  const float z = voxels[2 * voxels_pitch + voxel];
  float re = 0.0f;
  float im = 0.0f;
  UNROLL_LOOP(UNROLL)
  for (int i = 0; i < count; ++i) {
    const float turns = MULTIPLY_ADD(SAMPLE(i, 0), x, MULTIPLY_ADD(SAMPLE(i, 1), y, SAMPLE(i, 2) * z));
    const float phase = 6.2831853f * turns;
    const float cosine = COSINE(phase);
    const float sine = SINE(phase);
    ADD_SAMPLE(i, cosine, sine, re, im);
  }
  const long left = (long)voxel_count - (long)voxel;
  store_voxels(results + voxel, re, left, add);
  store_voxels(results + results_pitch + voxel, im, left, add);
}
