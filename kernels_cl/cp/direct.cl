// The variant direct of cp.cl: each atom's distance from each point by itself; the atoms in constant memory, where all
// work-items read the same one at a time.

kernel GROUP_OF(GROUP_X, GROUP_Y) void cp(ATOMS atoms, const int count, const int nx, const int ny, const int pitch,
                                          const float spacing, const int add, global float* restrict potential) {
  const int row = (int)get_global_id(1);
  const float y = row * spacing;
  float x[GRANULARITY];
  float sums[GRANULARITY];
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) {
    x[g] = column_of(g) * spacing;
    sums[g] = 0.0f;
  }
  UNROLL_LOOP(UNROLL)
  for (int i = 0; i < count; ++i) {
    const float4 atom = atoms[i];
    const float dy = y - atom.y;
    const float plane = MULTIPLY_ADD(dy, dy, atom.z);
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      const float dx = x[g] - atom.x;
      sums[g] = MULTIPLY_ADD(atom.w, reciprocal_root(MULTIPLY_ADD(dx, dx, plane), g), sums[g]);
    }
  }
  if (!PADDING && row >= ny) return;
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) {
    store_points(potential + (size_t)row * pitch + column_of(g), sums[g], nx - column_of(g), add);
  }
}
