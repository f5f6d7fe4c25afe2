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
#if ACCUMULATE == ACCUMULATE_LOCAL
  // Volatile: a compiler would keep what only one work-item touches in registers again.
  local volatile float numbers[5][WORK_GROUP];
#define OWN_NUMBER(number) numbers[number][get_local_id(0)]
#else
  float numbers[5];
#define OWN_NUMBER(number) numbers[number]
#endif
#define X_OF_VOXEL OWN_NUMBER(0)
#define Y_OF_VOXEL OWN_NUMBER(1)
#define Z_OF_VOXEL OWN_NUMBER(2)
#define REAL_SUM OWN_NUMBER(3)
#define IMAGINARY_SUM OWN_NUMBER(4)
  X_OF_VOXEL = voxels[voxel];
  Y_OF_VOXEL = voxels[voxels_pitch + voxel];
  Z_OF_VOXEL = voxels[2 * voxels_pitch + voxel];
  REAL_SUM = 0.0f;
  IMAGINARY_SUM = 0.0f;
  UNROLL_LOOP(UNROLL)
  for (int i = 0; i < count; ++i) {
    const float turns = MULTIPLY_ADD(SAMPLE(i, 0), X_OF_VOXEL,
                                     MULTIPLY_ADD(SAMPLE(i, 1), Y_OF_VOXEL, SAMPLE(i, 2) * Z_OF_VOXEL));
    const float phase = 6.2831853f * turns;
    const float cosine = COSINE(phase);
    const float sine = SINE(phase);
    ADD_SAMPLE(i, cosine, sine, REAL_SUM, IMAGINARY_SUM);
  }
  const long left = (long)voxel_count - (long)voxel;
  store_voxels(results + voxel, REAL_SUM, left, add);
  store_voxels(results + results_pitch + voxel, IMAGINARY_SUM, left, add);
}
