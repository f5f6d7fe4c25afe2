// fdtd: the variant `fused`, a step in one launch. A work-item goes down its rows and keeps Ez of the row and Hy of the
// row above in registers; the adjacent columns come through the caches.

kernel GROUP_OF(WORK_GROUP, 1)
void fused(global const float* restrict from, global float* restrict to, MEDIUM_AND_SOURCE, const int nx, const int ny,
           const int stride, const float d, const int2 at, const int step) {
  const size_t plane = (size_t)nx * (size_t)stride;
  const int column = (int)get_global_id(0) * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, nx);
  if (column >= ny) return;
  size_t begin = (size_t)max(first - 1, 0) * (size_t)stride + LEFT;
  realv ez = load_cells(from + (size_t)first * (size_t)stride + LEFT, column, ny);
  realv hy_north = next_hy(load_cells(from + 2 * plane + begin, column, ny), load_cells(from + begin, column, ny), ez, d);
  begin = (size_t)first * (size_t)stride + LEFT;
  for (int block = first; block < end; block += UNROLL) {
    UNROLL_WHOLE
    for (int row = block; row < block + UNROLL; ++row) {
      if (row < end) {
        const size_t next = row + 1 < nx ? begin + (size_t)stride : begin;
        const realv south = load_cells(from + next, column, ny);
        const realv old_hx = load_cells(from + plane + begin, column, ny);
        const float ez_west = load_cell(from + begin, column - 1, ny);
        const float hx_west = load_cell(from + plane + begin, column - 1, ny);
        const realv east = from_east(ez, load_cell(from + begin, column + VECTOR_WIDTH, ny));
        const realv hx = next_hx(old_hx, ez, east, d);
        const realv hy = next_hy(load_cells(from + 2 * plane + begin, column, ny), ez, south, d);
        const struct media media = load_media(coefficients, index, table, begin, plane, column, ny);
        const realv new_hx_west = from_west(hx, MULTIPLY_ADD(-d, FIRST_OF(ez) - ez_west, hx_west));
        const realv new_ez = next_ez(ez, media, hy, hy_north, hx, new_hx_west);
        store_cells(to + begin, column, ny, with_source(new_ez, source, step, row, column, at));
        store_cells(to + plane + begin, column, ny, hx);
        store_cells(to + 2 * plane + begin, column, ny, hy);
        ez = south;
        hy_north = hy;
        begin = next;
      }
    }
  }
}
