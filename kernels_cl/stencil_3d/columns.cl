// The variant streaming of stencil_3d.cl in groups: a work-item keeps the columns along z of VECTOR_WIDTH x GRANULARITY
// neighbours in registers, and loads the next plane's while it computes.

#define STAGES_PLANE (MEMORY == MEMORY_LOCAL)

// The halo of a tile as a sequence of vectors: the rows above and below it, then the columns on both sides of each row.
#define VECTORS_OF_ROW WORK_GROUP
#define HALO_ABOVE (2 * RADIUS * VECTORS_OF_ROW)
#define HALO_VECTORS (HALO_ABOVE + TILE_ROWS * VECTORS_BESIDE)
#define HALO_OF_ITEM ((HALO_VECTORS + ITEMS - 1) / ITEMS)

// The vector number `index` of the halo: its column and row relative to the tile.
INLINED int2 place_in_halo(const int index) {
  if (index < HALO_ABOVE) {
    const int row = index / VECTORS_OF_ROW;
    return (int2)((index % VECTORS_OF_ROW) * VECTOR_WIDTH, row < RADIUS ? row - RADIUS : row - RADIUS + TILE_ROWS);
  }
  return place_beside(index - HALO_ABOVE);
}

// The plane z of what this work-item computes: GRANULARITY rows, `begins` elements from the beginning of a plane.
INLINED void load_own(float values[GRANULARITY][VECTOR_WIDTH], global const float* from, const size_t plane, const int z,
                      const int* begins) {
  UNROLL_WHOLE
  for (int r = 0; r < GRANULARITY; ++r) STOREV(load_vector(from + plane * z, begins[r]), 0, values[r]);
}

kernel GROUP_OF(ITEMS, 1)
void stencil(global const float* restrict from, global float* restrict to, const int nx, const int ny, const int nz,
          const int stride, const int planes, const float c0, const float4 c) {
  const float coefficients[RADIUS] = {c.x, c.y, c.z, c.w};
  const int item = (int)get_local_id(0);
  const int x = RADIUS + ((int)get_group_id(0) * WORK_GROUP + item % WORK_GROUP) * VECTOR_WIDTH;
  const int y = RADIUS + ((int)get_group_id(1) * ROWS + item / WORK_GROUP) * GRANULARITY;
  const int first = RADIUS + (int)get_group_id(2) * planes;
  const int end = min(first + planes, nz - RADIUS);
  const size_t plane = (size_t)ny * stride;

  // Where rows y - RADIUS .. y + GRANULARITY + RADIUS - 1 are in a plane, at this work-item's columns.
  int begins[GRANULARITY + 2 * RADIUS];
  UNROLL_WHOLE
  for (int r = 0; r < GRANULARITY + 2 * RADIUS; ++r) {
    begins[r] = min(y - RADIUS + r, ny - 1) * stride + LEFT + clamped_column(x, nx);
  }
#if STAGES_PLANE
  local float tiles[2][(TILE_ROWS + 2 * RADIUS) * LINE] __attribute__((aligned(16)));
  const int own = (RADIUS + item / WORK_GROUP * GRANULARITY) * LINE + RADIUS + item % WORK_GROUP * VECTOR_WIDTH;
  // What this work-item loads of the halo: from where in a plane, to where in the tile.
  int halo_from[HALO_OF_ITEM];
  int halo_to[HALO_OF_ITEM];
  realv halo[HALO_OF_ITEM];
  UNROLL_WHOLE
  for (int h = 0; h < HALO_OF_ITEM; ++h) {
    const int2 place = place_in_halo(min(item + h * ITEMS, HALO_VECTORS - 1));
    const int halo_x = clamped_column(RADIUS + (int)get_group_id(0) * TILE_COLS + place.x, nx);
    const int halo_y = min(RADIUS + (int)get_group_id(1) * TILE_ROWS + place.y, ny - 1);
    halo_from[h] = halo_y * stride + LEFT + halo_x;
    halo_to[h] = (RADIUS + place.y) * LINE + RADIUS + place.x;
    halo[h] = load_vector(from + plane * first, halo_from[h]);
  }
#else
  // Vectors left and right of this work-item's columns; the last ones of a row have none to the right that matter.
  int aside[VECTORS_BESIDE];
  UNROLL_WHOLE
  for (int i = 0; i < VECTORS_BESIDE; ++i) {
    const int left = i * VECTOR_WIDTH - RADIUS;
    aside[i] = clamped_column(x + (left < 0 ? left : left + VECTOR_WIDTH), nx) - clamped_column(x, nx);
  }
#endif

  float column[COLUMN][GRANULARITY][VECTOR_WIDTH];
  float next[GRANULARITY][VECTOR_WIDTH];
  UNROLL_WHOLE
  for (int i = 0; i < COLUMN; ++i) load_own(column[i], from, plane, first - RADIUS + i, begins + RADIUS);
#if STAGES_PLANE
  barrier(CLK_LOCAL_MEM_FENCE);  // PoCL 5.0 compiles some loops with barriers wrongly where none stands before them
#endif
  for (int block = first; block < end; block += UNROLL) {
    UNROLL_WHOLE
    for (int j = 0; j < UNROLL; ++j) {
      // PLACE(i): where the plane i - RADIUS from this one is in `column`.
#define PLACE(i) ((j + (i)) % COLUMN)
      const int z = block + j;
      load_own(next, from, plane, min(z + RADIUS + 1, nz - 1), begins + RADIUS);
#if STAGES_PLANE
      local float* const tile = tiles[z & 1];
      UNROLL_WHOLE
      for (int h = 0; h < HALO_OF_ITEM; ++h) {
        if ((h + 1) * ITEMS <= HALO_VECTORS || item + h * ITEMS < HALO_VECTORS) {
          *(local realv*)(tile + halo_to[h]) = halo[h];
        }
        halo[h] = load_vector(from + plane * min(z + 1, nz - 1), halo_from[h]);
      }
      UNROLL_WHOLE
      for (int r = 0; r < GRANULARITY; ++r) {
        *(local realv*)(tile + own + r * LINE) = LOADV(0, column[PLACE(RADIUS)][r]);
      }
      // Two tiles that alternate, so that one barrier a plane is enough.
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      // Every neighbour is multiplied where it is loaded, so that few of them are in registers at a time.
      float sums[GRANULARITY][VECTOR_WIDTH];
      UNROLL_WHOLE
      for (int r = 0; r < GRANULARITY; ++r) {
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          float sum = c0 * column[PLACE(RADIUS)][r][k];
          UNROLL_WHOLE
          for (int d = 1; d <= RADIUS; ++d) {
            sum = MULTIPLY_ADD(coefficients[d - 1], column[PLACE(RADIUS - d)][r][k], sum);
            sum = MULTIPLY_ADD(coefficients[d - 1], column[PLACE(RADIUS + d)][r][k], sum);
          }
          sums[r][k] = sum;
        }
      }
      // Rows of this plane from RADIUS above to RADIUS below; GRANULARITY of them are this work-item's own.
      UNROLL_WHOLE
      for (int from_row = 0; from_row < GRANULARITY + 2 * RADIUS; ++from_row) {
        const int own_row = from_row - RADIUS;
        const bool is_own = own_row >= 0 && own_row < GRANULARITY;
        float row[VECTOR_WIDTH];
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) row[k] = column[PLACE(RADIUS)][is_own ? own_row : 0][k];
#if STAGES_PLANE
        if (!is_own) STOREV(*(local const realv*)(tile + own + own_row * LINE), 0, row);
#else
        if (!is_own) STOREV(load_vector(from + plane * min(z, nz - 1), begins[from_row]), 0, row);
#endif
        add_along_y(sums, row, own_row, coefficients);
      }
      UNROLL_WHOLE
      for (int r = 0; r < GRANULARITY; ++r) {
        float window[WINDOW];
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) window[RADIUS + k] = column[PLACE(RADIUS)][r][k];
        UNROLL_WHOLE
        for (int i = 0; i < VECTORS_BESIDE; ++i) {
          const int left = i * VECTOR_WIDTH - RADIUS;
          const int beside = left < 0 ? left : left + VECTOR_WIDTH;
#if STAGES_PLANE
          STOREV(*(local const realv*)(tile + own + r * LINE + beside), 0, window + RADIUS + beside);
#else
          STOREV(load_vector(from + plane * min(z, nz - 1), begins[RADIUS + r] + aside[i]), 0, window + RADIUS + beside);
#endif
        }
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          UNROLL_WHOLE
          for (int d = 1; d <= RADIUS; ++d) {
            sums[r][k] = MULTIPLY_ADD(coefficients[d - 1], window[RADIUS + k - d], sums[r][k]);
            sums[r][k] = MULTIPLY_ADD(coefficients[d - 1], window[RADIUS + k + d], sums[r][k]);
          }
        }
        if (z < end && y + r < ny - RADIUS) {
          global float* const target = to + plane * z + begins[RADIUS + r];
          if (x + VECTOR_WIDTH <= nx - RADIUS) {
            store_vector(target, LOADV(0, sums[r]));
          } else {
            UNROLL_WHOLE
            for (int k = 0; k < VECTOR_WIDTH; ++k) {
              if (x + k < nx - RADIUS) target[k] = sums[r][k];
            }
          }
        }
      }
      UNROLL_WHOLE
      for (int r = 0; r < GRANULARITY; ++r) {
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          if (UNROLL == 1) {
            UNROLL_WHOLE
            for (int i = 0; i + 1 < COLUMN; ++i) column[i][r][k] = column[i + 1][r][k];
            column[COLUMN - 1][r][k] = next[r][k];
          } else {
            column[PLACE(0)][r][k] = next[r][k];
          }
        }
      }
#undef PLACE
    }
  }
}
