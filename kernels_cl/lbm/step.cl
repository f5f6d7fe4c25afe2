// The variants two_arrays and in_place of lbm.cl: from global memory to registers and back.

#if STORAGE == STORAGE_HALF
#define SCALE 0x1p15f
#define LOAD_ONE(from) (vload_half(0, (from)) * (1.0f / SCALE))
#define STORE_ONE(value, to) vstore_half_rte((value) * SCALE, 0, (to))
#if VECTOR_WIDTH == 1
#define LOAD_CELLS(from) LOAD_ONE(from)
#define STORE_CELLS(value, to) STORE_ONE(value, to)
#else
#define LOAD_CELLS(from) (JOIN(vload_half, VECTOR_WIDTH)(0, (from)) * (1.0f / SCALE))
#define STORE_CELLS(value, to) JOIN(JOIN(vstore_half, VECTOR_WIDTH), _rte)((value) * SCALE, 0, (to))
#endif
#else
#define LOAD_ONE(from) (*(from))
#define STORE_ONE(value, to) (*(to) = (value))
#define LOAD_CELLS(from) LOADV(0, from)
#if STORES == STORES_STREAMED
#define STORE_CELLS(value, to) STREAM(value, (global realv*)(to))
#else
#define STORE_CELLS(value, to) STOREV(value, 0, to)
#endif
#endif

// The flags of a work-item's cells. Behind those of the last row lie as many as a vector reads.
INLINED intv flags_of(global const STORED* f, global const uchar* bytes, const uint row, const int x, const int y,
                      const int z, const int nx, const int ny, const int nz, const int pitch, const uint cells) {
#if FLAGS == FLAGS_COMPUTED
  int flags[VECTOR_WIDTH];
  UNROLL_WHOLE
  for (int k = 0; k < VECTOR_WIDTH; ++k) flags[k] = computed_flag(x + k, y, z, nx, ny, nz);
  return LOADV(0, flags);
#elif FLAGS == FLAGS_BYTES && VECTOR_WIDTH == 1
  return bytes[row + x];
#elif FLAGS == FLAGS_BYTES
  return JOIN(convert_int, VECTOR_WIDTH)(LOADV(row + x, bytes));
#elif VECTOR_WIDTH == 1
  return (int)LOAD_ONE(f + place(CELL_FIELDS - 1, row, x, pitch, cells));
#else
  return JOIN(convert_int, VECTOR_WIDTH)(LOAD_CELLS(f + place(CELL_FIELDS - 1, row, x, pitch, cells)));
#endif
}

// Collides the cells x .. x + VECTOR_WIDTH - 1 of a row. `fetches`: f comes from the neighbours; `sends`: f' goes to them.
// `turns`: f is fetched from, or else f' is left at, the place of the opposite direction. All three are constants.
INLINED void update(global const STORED* from, global STORED* to, global const uchar* bytes, const int x, const int y,
                    const int z, const int nx, const int ny, const int nz, const int pitch, const uint cells,
                    const float omega, const int fetches, const int sends, const int turns) {
  const uint ys[3] = {y == 0 ? ny - 1 : y - 1, y, y == ny - 1 ? 0 : y + 1};
  const uint zs[3] = {z == 0 ? nz - 1 : z - 1, z, z == nz - 1 ? 0 : z + 1};
  const uint row = (zs[1] * ny + ys[1]) * pitch;
  // A vector whose neighbours are all in the row, side by side; a single cell only needs to exist.
  const bool inside = VECTOR_WIDTH == 1 || ((x > 0 || !(fetches || sends)) && x + VECTOR_WIDTH + (fetches || sends) <= nx);
  const uint beside[3] = {VECTOR_WIDTH == 1 && x == 0 ? nx - 1 : x - 1, x, VECTOR_WIDTH == 1 && x == nx - 1 ? 0 : x + 1};
#define ROW_AT(cy, cz) ((zs[1 + (cz)] * ny + ys[1 + (cy)]) * pitch)
#define SOURCE(xs, i, opposite, cx, cy, cz)                                                                     \
  (fetches ? from + place(turns ? opposite : i, ROW_AT(-(cy), -(cz)), (xs)[1 - (cx)], pitch, cells) \
           : from + place(i, row, (xs)[1], pitch, cells))
#define TARGET(xs, i, opposite, cx, cy, cz)                                                  \
  (sends ? to + place(i, ROW_AT(cy, cz), (xs)[1 + (cx)], pitch, cells) \
         : to + place(turns ? opposite : i, row, (xs)[1], pitch, cells))
  realv f[19];
#if VECTOR_WIDTH > 1
  float lanes[19][VECTOR_WIDTH];
  if (!inside) {
    UNROLL_LOOP(1)
    for (int k = 0; k < VECTOR_WIDTH; ++k) {
      const int at = min(x + k, nx - 1);
      const uint xs[3] = {at == 0 ? nx - 1 : at - 1, at, at == nx - 1 ? 0 : at + 1};
#define LOAD_LANE(i, opposite, cx, cy, cz) lanes[i][k] = LOAD_ONE(SOURCE(xs, i, opposite, cx, cy, cz));
      EACH_DIRECTION(LOAD_LANE)
    }
#define FROM_LANES(i, opposite, cx, cy, cz) f[i] = LOADV(0, lanes[i]);
    EACH_DIRECTION(FROM_LANES)
  } else
#endif
  {
#define LOAD(i, opposite, cx, cy, cz) f[i] = LOAD_CELLS(SOURCE(beside, i, opposite, cx, cy, cz));
    EACH_DIRECTION(LOAD)
  }
  collide(f, flags_of(from, bytes, row, x, y, z, nx, ny, nz, pitch, cells), omega);
#if VECTOR_WIDTH > 1
  if (!inside) {
#define TO_LANES(i, opposite, cx, cy, cz) STOREV(f[i], 0, lanes[i]);
    EACH_DIRECTION(TO_LANES)
    UNROLL_LOOP(1)
    for (int k = 0; k < VECTOR_WIDTH && x + k < nx; ++k) {
      const int at = x + k;
      const uint xs[3] = {at == 0 ? nx - 1 : at - 1, at, at == nx - 1 ? 0 : at + 1};
#define STORE_LANE(i, opposite, cx, cy, cz) STORE_ONE(lanes[i][k], TARGET(xs, i, opposite, cx, cy, cz));
      EACH_DIRECTION(STORE_LANE)
    }
  } else
#endif
  {
#define STORE(i, opposite, cx, cy, cz) STORE_CELLS(f[i], TARGET(beside, i, opposite, cx, cy, cz));
    EACH_DIRECTION(STORE)
  }
}

INLINED void update_all(global const STORED* from, global STORED* to, global const uchar* bytes, const int nx, const int ny,
                        const int nz, const int pitch, const uint cells, const float omega, const int fetches,
                        const int sends, const int turns) {
  const int y = (int)get_global_id(1);
  const int z = (int)get_global_id(2);
  if (ROWS > 1 && y >= ny) return;
  for (int g = 0; g < GRANULARITY; ++g) {
    const int vector = ((int)get_group_id(0) * GRANULARITY + g) * WORK_GROUP + (int)get_local_id(0);
    const int x = vector * VECTOR_WIDTH;
    if (x < nx) update(from, to, bytes, x, y, z, nx, ny, nz, pitch, cells, omega, fetches, sends, turns);
  }
}

#if VARIANT == VARIANT_TWO_ARRAYS
kernel GROUP_OF(WORK_GROUP, ROWS)
void collide_and_move(global const STORED* restrict from, global STORED* restrict to, global const uchar* restrict bytes,
               const int nx, const int ny, const int nz, const int pitch, const uint cells, const float omega) {
  const int pulls = DIRECTION == DIRECTION_PULL;
  update_all(from, to, bytes, nx, ny, nz, pitch, cells, omega, pulls, !pulls, 0);
}
#else
kernel GROUP_OF(WORK_GROUP, ROWS)
void even_step(global STORED* f, global const uchar* restrict bytes, const int nx, const int ny, const int nz,
               const int pitch, const uint cells, const float omega) {
  update_all(f, f, bytes, nx, ny, nz, pitch, cells, omega, 0, 0, 1);
}

kernel GROUP_OF(WORK_GROUP, ROWS)
void odd_step(global STORED* f, global const uchar* restrict bytes, const int nx, const int ny, const int nz,
              const int pitch, const uint cells, const float omega) {
  update_all(f, f, bytes, nx, ny, nz, pitch, cells, omega, 1, 1, 1);
}
#endif
