// hotspot: the variant `single_step`, a step per launch from global memory.

// The vector at `column`. Columns beyond the row's ends are read from the margin, or are the last cell inside.
INLINED realv load_clamped(global const float* row, const int column, const int cols) {
  if (PADDING || (column >= 0 && column + VECTOR_WIDTH <= cols)) return LOADV(column, row);
  float lanes[VECTOR_WIDTH];
  for (int k = 0; k < VECTOR_WIDTH; ++k) lanes[k] = row[clamp(column + k, 0, cols - 1)];
  return LOADV(0, lanes);
}

kernel GROUP_OF(WORK_GROUP / VECTOR_WIDTH, WORK_GROUP / GRANULARITY)
void single_step(global const float* restrict temperature, global const float* restrict power,
                 global float* restrict next, const int rows, const int cols, const int stride, const float4 weights,
                 const float offset) {
  const int column = (int)get_global_id(0) * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * WORK_GROUP + (int)get_local_id(1);
  if (column >= cols) return;
  for (int block = 0; block < GRANULARITY; block += UNROLL) {
    UNROLL_WHOLE
    for (int j = block; j < block + UNROLL; ++j) {
      const int row = first + j * (WORK_GROUP / GRANULARITY);
      if (row < rows) {
        const size_t begin = (size_t)row * stride + LEFT;
        global const float* const here = temperature + begin;
        global const float* const above = row > 0 ? here - stride : here;
        global const float* const below = row + 1 < rows ? here + stride : here;
        const realv vertical_sum = load_clamped(above, column, cols) + load_clamped(below, column, cols);
        const realv horizontal_sum = load_clamped(here, column - 1, cols) + load_clamped(here, column + 1, cols);
        const realv source = source_term(load_clamped(power + begin, column, cols), weights, offset);
        const realv own = load_clamped(here, column, cols);
        const realv value = next_temperature(own, vertical_sum, horizontal_sum, source, weights);
        global float* const target = next + begin;
        store_inside(target, column, cols, value);
        if (PADDING && (column == 0 || column + VECTOR_WIDTH >= cols)) {
          float lanes[VECTOR_WIDTH];
          STOREV(value, 0, lanes);
          if (column == 0) target[-1] = lanes[0];
          if (column + VECTOR_WIDTH >= cols) target[cols] = lanes[cols - 1 - column];
        }
      }
    }
  }
}
