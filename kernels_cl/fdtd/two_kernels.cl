// fdtd: the variants `two_kernels` and `tiled`, which update H and then Ez of one set of fields.

#define ROW_STEP (WORK_GROUP / GRANULARITY)
#define GROUP_ITEMS (WORK_GROUP / VECTOR_WIDTH * ROW_STEP)

// Fields of a cell, by number.
#define EZ 0
#define HX 1
#define HY 2

#if LAYOUT == LAYOUT_AOS
// One cell.
INLINED realv load_field(global const float* fields, const int field, const size_t begin, const size_t plane,
                         const int column, const int cols) {
  return fields[(begin + (size_t)clamp(column, 0, cols - 1)) * 5 + (size_t)field];
}
INLINED void store_field(global float* fields, const int field, const size_t begin, const size_t plane, const int column,
                         const int cols, const realv value) {
  if (column < cols) fields[(begin + (size_t)column) * 5 + (size_t)field] = value;
}
#else
INLINED realv load_field(global const float* fields, const int field, const size_t begin, const size_t plane,
                         const int column, const int cols) {
  return load_cells(fields + (size_t)field * plane + begin, column, cols);
}
INLINED void store_field(global float* fields, const int field, const size_t begin, const size_t plane, const int column,
                         const int cols, const realv value) {
  store_cells(fields + (size_t)field * plane + begin, column, cols, value);
}
#endif

// A field at one column, clamped to the grid.
INLINED float one_of_field(global const float* fields, const int field, const size_t begin, const size_t plane,
                           const int column, const int cols) {
  const size_t cell = begin + (size_t)clamp(column, 0, cols - 1);
  return LAYOUT == LAYOUT_AOS ? fields[cell * 5 + (size_t)field] : fields[(size_t)field * plane + cell];
}

INLINED size_t row_begin(const int row, const int rows, const int stride) {
  return (size_t)clamp(row, 0, rows - 1) * (size_t)stride + LEFT;
}

#if VARIANT == VARIANT_TILED
// Copies height x width cells of a field, from (top, left) on, clamped to the grid.
INLINED void fill_tile(local float* tile, const int height, const int width, global const float* fields, const int field,
                       const int top, const int left, const int nx, const int ny, const int stride) {
  const int item = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));
  for (int i = item; i < height * width; i += GROUP_ITEMS) {
    const int y = i / width;  // i % width in addition becomes an instruction that Oclgrind 21.10 does not know
    tile[i] = one_of_field(fields, field, row_begin(top + y, nx, stride), (size_t)nx * (size_t)stride,
                           left + i - y * width, ny);
  }
}
#endif

kernel GROUP_OF(WORK_GROUP / VECTOR_WIDTH, ROW_STEP)
void magnetic(global float* fields, const int nx, const int ny, const int stride, const float d) {
  const size_t plane = (size_t)nx * (size_t)stride;
  const int x = (int)get_local_id(0) * VECTOR_WIDTH;
  const int column = (int)get_group_id(0) * WORK_GROUP + x;
  const int top = (int)get_group_id(1) * WORK_GROUP;
#if VARIANT == VARIANT_TILED
  local float tile[(WORK_GROUP + 1) * (WORK_GROUP + 1)];
  fill_tile(tile, WORK_GROUP + 1, WORK_GROUP + 1, fields, EZ, top, column - x, nx, ny, stride);
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (int block = 0; block < GRANULARITY; block += UNROLL) {
    UNROLL_WHOLE
    for (int k = block; k < block + UNROLL; ++k) {
      const int y = (int)get_local_id(1) + k * ROW_STEP;
      const int row = top + y;
      if (row < nx && column < ny) {
        const size_t begin = row_begin(row, nx, stride);
#if VARIANT == VARIANT_TILED
        local const float* const cell = tile + y * (WORK_GROUP + 1) + x;
        const realv ez = cell[0];
        const realv east = cell[1];
        const realv south = cell[WORK_GROUP + 1];
#else
        const realv ez = load_field(fields, EZ, begin, plane, column, ny);
        const realv east = from_east(ez, one_of_field(fields, EZ, begin, plane, column + VECTOR_WIDTH, ny));
        const realv south = load_field(fields, EZ, row_begin(row + 1, nx, stride), plane, column, ny);
#endif
        const realv hx = load_field(fields, HX, begin, plane, column, ny);
        const realv hy = load_field(fields, HY, begin, plane, column, ny);
        store_field(fields, HX, begin, plane, column, ny, next_hx(hx, ez, east, d));
        store_field(fields, HY, begin, plane, column, ny, next_hy(hy, ez, south, d));
      }
    }
  }
}

kernel GROUP_OF(WORK_GROUP / VECTOR_WIDTH, ROW_STEP)
void electric(global float* fields, MEDIUM_AND_SOURCE, const int nx, const int ny, const int stride, const float d,
              const int2 at, const int step) {
  const size_t plane = (size_t)nx * (size_t)stride;
  const int x = (int)get_local_id(0) * VECTOR_WIDTH;
  const int column = (int)get_group_id(0) * WORK_GROUP + x;
  const int top = (int)get_group_id(1) * WORK_GROUP;
#if VARIANT == VARIANT_TILED
  local float hx_tile[WORK_GROUP * (WORK_GROUP + 1)];
  local float hy_tile[(WORK_GROUP + 1) * WORK_GROUP];
  fill_tile(hx_tile, WORK_GROUP, WORK_GROUP + 1, fields, HX, top, column - x - 1, nx, ny, stride);
  fill_tile(hy_tile, WORK_GROUP + 1, WORK_GROUP, fields, HY, top - 1, column - x, nx, ny, stride);
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (int block = 0; block < GRANULARITY; block += UNROLL) {
    UNROLL_WHOLE
    for (int k = block; k < block + UNROLL; ++k) {
      const int y = (int)get_local_id(1) + k * ROW_STEP;
      const int row = top + y;
      if (row < nx && column < ny) {
        const size_t begin = row_begin(row, nx, stride);
#if VARIANT == VARIANT_TILED
        const realv hx_west = hx_tile[y * (WORK_GROUP + 1) + x];
        const realv hx = hx_tile[y * (WORK_GROUP + 1) + x + 1];
        const realv hy_north = hy_tile[y * WORK_GROUP + x];
        const realv hy = hy_tile[(y + 1) * WORK_GROUP + x];
#else
        const realv hx = load_field(fields, HX, begin, plane, column, ny);
        const realv hx_west = from_west(hx, one_of_field(fields, HX, begin, plane, column - 1, ny));
        const realv hy = load_field(fields, HY, begin, plane, column, ny);
        const realv hy_north = load_field(fields, HY, row_begin(row - 1, nx, stride), plane, column, ny);
#endif
#if LAYOUT == LAYOUT_AOS
        struct media media;
        media.ca = load_field(fields, 3, begin, plane, column, ny);
        media.cb = load_field(fields, 4, begin, plane, column, ny);
#else
        const struct media media = load_media(coefficients, index, table, begin, plane, column, ny);
#endif
        const realv ez = next_ez(load_field(fields, EZ, begin, plane, column, ny), media, hy, hy_north, hx, hx_west);
        store_field(fields, EZ, begin, plane, column, ny, with_source(ez, source, step, row, column, at));
      }
    }
  }
}
