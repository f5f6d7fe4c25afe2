// fdtd: `streaming` with one work-item per group, which keeps the rows between its first and its last level in private
// memory, and updates each of them in place, level by level.

// Columns of a strip with those at its sides.
#define WIDTH (STORED + 2 * HALO)

// Rows that are kept: LEVELS + 2, rounded up to a power of two.
#define KEPT (LEVELS <= 2 ? 4 : LEVELS <= 6 ? 8 : 16)

// Where lanes are scalars, Intel's compiler (2025.3) vectorises the loops itself, and reads from an array that is known to
// be aligned as if every offset in it were: so it is not.
#if VECTOR_WIDTH > 1
#define ALIGNED_ROWS __attribute__((aligned(64)))
#else
#define ALIGNED_ROWS
#endif

// With one more vector before and behind it: read, but no stored cell depends on it.
struct kept_row {
  float ez[VECTOR_WIDTH + WIDTH + VECTOR_WIDTH] ALIGNED_ROWS;
  float hx[VECTOR_WIDTH + WIDTH + VECTOR_WIDTH] ALIGNED_ROWS;
  float hy[VECTOR_WIDTH + WIDTH + VECTOR_WIDTH] ALIGNED_ROWS;
  float ca[WIDTH] ALIGNED_ROWS;
  float cb[WIDTH] ALIGNED_ROWS;
};

#define AT(pointer) (*(packed_realv*)(pointer))

kernel GROUP_OF(1, 1)
void streaming_rows(global const float* restrict from, global float* restrict to, MEDIUM_AND_SOURCE, const int nx,
                    const int ny, const int stride, const float d, const int2 at, const int step) {
  struct kept_row rows[KEPT];
  const size_t plane = (size_t)nx * (size_t)stride;
  const int first_column = (int)get_group_id(0) * STORED;
  const int column = first_column - HALO;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, nx);
  const int stored = (min(STORED, ny - first_column) + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH;
  const int width = stored + 2 * HALO;
  for (int slot = 0; slot < KEPT; ++slot) {
    AT(rows[slot].ez) = AT(rows[slot].hx) = (realv)(0);
    AT(rows[slot].ez + VECTOR_WIDTH + width) = (realv)(0);
  }
  const int turns = end - first + 2 * LEVELS;
  for (int turn = 0; turn < turns; ++turn) {
    {
      const size_t begin = (size_t)clamp(first - LEVELS + turn, 0, nx - 1) * (size_t)stride + LEFT;
      struct kept_row* const row = rows + turn % KEPT;
      for (int x = 0; x < width; x += VECTOR_WIDTH) {
        AT(row->ez + VECTOR_WIDTH + x) = load_cells(from + begin, column + x, ny);
        AT(row->hx + VECTOR_WIDTH + x) = load_cells(from + plane + begin, column + x, ny);
        AT(row->hy + VECTOR_WIDTH + x) = load_cells(from + 2 * plane + begin, column + x, ny);
        const struct media media = load_media(coefficients, index, table, begin, plane, column + x, ny);
        AT(row->ca + x) = media.ca;
        AT(row->cb + x) = media.cb;
      }
    }
    // Level t of a row needs the row above at level t, and the row below at level t - 1, which was updated just before.
    for (int level = 1; level <= LEVELS && 2 * level - 1 <= turn; ++level) {
      const int here = turn - level;
      float* const ez = rows[here % KEPT].ez + VECTOR_WIDTH;
      float* const hx = rows[here % KEPT].hx + VECTOR_WIDTH;
      float* const hy = rows[here % KEPT].hy + VECTOR_WIDTH;
      const float* const south = rows[(here + 1) % KEPT].ez + VECTOR_WIDTH;
      UNROLL_LOOP(UNROLL)
      for (int x = 0; x < width; x += VECTOR_WIDTH) {
        const realv own = AT(ez + x);
        AT(hx + x) = next_hx(AT(hx + x), own, AT(ez + x + 1), d);
        AT(hy + x) = next_hy(AT(hy + x), own, AT(south + x), d);
      }
      if (2 * level <= turn) {
        const float* const hy_north = rows[(here - 1) % KEPT].hy + VECTOR_WIDTH;
        const float* const ca = rows[here % KEPT].ca;
        const float* const cb = rows[here % KEPT].cb;
        UNROLL_LOOP(UNROLL)
        for (int x = 0; x < width; x += VECTOR_WIDTH) {
          struct media media;
          media.ca = AT(ca + x);
          media.cb = AT(cb + x);
          AT(ez + x) = next_ez(AT(ez + x), media, AT(hy + x), AT(hy_north + x), AT(hx + x), AT(hx + x - 1));
        }
        const bool has_source = first - LEVELS + here == at.x && (uint)(at.y - column) < (uint)width;
        if (POINT_SOURCE && has_source) ez[at.y - column] += source[step + level - 1];
      }
    }
    if (turn >= 2 * LEVELS) {
      const struct kept_row* const row = rows + (turn - LEVELS) % KEPT;
      const size_t begin = (size_t)(first + turn - 2 * LEVELS) * (size_t)stride + LEFT;
      for (int x = 0; x < stored; x += VECTOR_WIDTH) {
        store_cells(to + begin, first_column + x, ny, AT(row->ez + VECTOR_WIDTH + HALO + x));
        store_cells(to + plane + begin, first_column + x, ny, AT(row->hx + VECTOR_WIDTH + HALO + x));
        store_cells(to + 2 * plane + begin, first_column + x, ny, AT(row->hy + VECTOR_WIDTH + HALO + x));
      }
    }
  }
}
