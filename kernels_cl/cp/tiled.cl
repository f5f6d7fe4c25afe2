// The variant tiled of cp.cl: of a tile of points the squares of dx are computed once per column, those of dy once per row,
// which leaves an addition, the reciprocal square root and a multiply-add for each point and atom.

kernel GROUP_OF(GROUP_X, GROUP_Y) void cp(ATOMS atoms, const int count, const int nx, const int ny, const int pitch,
                                          const float spacing, const int add, global float* restrict potential) {
  const int first_row = (int)get_group_id(1) * (GROUP_Y * ROWS) + (int)get_local_id(1);
  realv x[GRANULARITY];
  float y[ROWS];
  realv sums[ROWS][GRANULARITY];
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) {
    float columns[VECTOR_WIDTH];
    UNROLL_WHOLE
    for (int i = 0; i < VECTOR_WIDTH; ++i) columns[i] = (column_of(g) + i) * spacing;
    x[g] = LOADV(0, columns);
  }
  UNROLL_WHOLE
  for (int r = 0; r < ROWS; ++r) {
    y[r] = (first_row + r * GROUP_Y) * spacing;
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) sums[r][g] = 0.0f;
  }
  UNROLL_LOOP(UNROLL)
  for (int i = 0; i < count; ++i) {
    const float4 atom = atoms[i];
    realv across[GRANULARITY];
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      const realv dx = x[g] - atom.x;
      across[g] = dx * dx;
    }
    UNROLL_WHOLE
    for (int r = 0; r < ROWS; ++r) {
      const float dy = y[r] - atom.y;
      const float along = MULTIPLY_ADD(dy, dy, atom.z);
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        const realv root = reciprocal_root(across[g] + along, r * GRANULARITY + g);
        sums[r][g] = MULTIPLY_ADD((realv)(atom.w), root, sums[r][g]);
      }
    }
  }
  UNROLL_WHOLE
  for (int r = 0; r < ROWS; ++r) {
    const int row = first_row + r * GROUP_Y;
    if (!PADDING && row >= ny) continue;
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      store_points(potential + (size_t)row * pitch + column_of(g), sums[r][g], nx - column_of(g), add);
    }
  }
}
