// The variant streaming of stencil_3d.cl in groups, with a ring of RING planes in local memory: copies fill it ahead of
// the plane that is computed with, halo and all, and need no registers where the device copies asynchronously. A plane
// adds what it can to each of the nine planes of results that depend on it: so it is needed once, and a work-item keeps
// sums of VECTOR_WIDTH x GRANULARITY columns in registers instead of values.

#include "copies.cl"

#define PLANE_ROWS (TILE_ROWS + 2 * RADIUS)
#define PLANE_FLOATS (PLANE_ROWS * LINE)
// A plane in vectors: its rows, then the columns on both sides of the tile.
#define ROW_VECTORS (PLANE_ROWS * WORK_GROUP)
#define PLANE_VECTORS (ROW_VECTORS + TILE_ROWS * VECTORS_BESIDE)
#define COPIES ((PLANE_VECTORS + ITEMS - 1) / ITEMS)

// What a compiler must not know, so that two groups of 256 work-items find room on a multiprocessor, with 128 registers
// at most for each work-item, and not all 255 (NVIDIA, sm_90). ADDED: by here the sum is up to date; else additions are
// put off until it is stored, planes later, and all that is to be added stays in registers. NARROW: the offset is a new
// one; else it is kept as an address of 64 bits.
#if HAS_INLINE_PTX
#define ADDED(sum) asm volatile("" : "+f"(sum))
#define NARROW(offset) asm volatile("" : "+r"(offset))
#else
#define ADDED(sum)
#define NARROW(offset)
#endif

// The vector number `index` of a plane: its column and row relative to the tile.
INLINED int2 place_in_plane(const int index) {
  if (index < ROW_VECTORS) return (int2)(index % WORK_GROUP * VECTOR_WIDTH, index / WORK_GROUP - RADIUS);
  return place_beside(index - ROW_VECTORS);
}

// Begins the copies of a plane to its place in the ring: what of it comes from where in a plane, and goes where.
INLINED void copy_plane(local float* to, global const float* from, const int item, int* copy_from, int* copy_to) {
  UNROLL_WHOLE
  for (int i = 0; i < COPIES; ++i) {
    if ((i + 1) * ITEMS <= PLANE_VECTORS || item + i * ITEMS < PLANE_VECTORS) {
      NARROW(copy_from[i]);
      NARROW(copy_to[i]);
      COPY_ASYNC(to + copy_to[i], from + copy_from[i]);
    }
  }
  COPIES_TOLD();
}

// Stores `rows` rows of `cols` results, fewer than a work-item computes.
INLINED void store_part(global float* to, const int stride, float results[GRANULARITY][VECTOR_WIDTH], const int rows,
                        const int cols) {
  UNROLL_WHOLE
  for (int r = 0; r < GRANULARITY; ++r) {
    UNROLL_WHOLE
    for (int k = 0; k < VECTOR_WIDTH; ++k) {
      if (r < rows && k < cols) to[r * stride + k] = results[r][k];
    }
  }
}

kernel GROUP_OF(ITEMS, 1)
void stencil(global const float* restrict from, global float* restrict to, const int nx, const int ny, const int nz,
          const int stride, const int planes, const float c0, const float4 c) {
  local float ring[RING * PLANE_FLOATS] __attribute__((aligned(16)));
  const float coefficients[RADIUS] = {c.x, c.y, c.z, c.w};
  const int item = (int)get_local_id(0);
  const int x = RADIUS + ((int)get_group_id(0) * WORK_GROUP + item % WORK_GROUP) * VECTOR_WIDTH;
  const int y = RADIUS + ((int)get_group_id(1) * ROWS + item / WORK_GROUP) * GRANULARITY;
  const int first = RADIUS + (int)get_group_id(2) * planes;
  const int end = min(first + planes, nz - RADIUS);
  const size_t plane = (size_t)ny * stride;
  int target = y * stride + LEFT + x;
  int own = (RADIUS + item / WORK_GROUP * GRANULARITY) * LINE + RADIUS + item % WORK_GROUP * VECTOR_WIDTH;

  // Rows whose results are stored as vectors, or else those of them that are on the grid.
  const int own_rows = ny - RADIUS - y;
  const int whole_rows = x + VECTOR_WIDTH <= nx - RADIUS ? own_rows : 0;
  const int part_rows = x + VECTOR_WIDTH > nx - RADIUS ? own_rows : 0;

  // What this work-item copies: from where in a plane, to where in the ring's.
  int copy_from[COPIES];
  int copy_to[COPIES];
  UNROLL_WHOLE
  for (int h = 0; h < COPIES; ++h) {
    const int2 place = place_in_plane(min(item + h * ITEMS, PLANE_VECTORS - 1));
    const int column = clamped_column(RADIUS + (int)get_group_id(0) * TILE_COLS + place.x, nx);
    const int row = min(RADIUS + (int)get_group_id(1) * TILE_ROWS + place.y, ny - 1);
    copy_from[h] = row * stride + LEFT + column;
    copy_to[h] = (RADIUS + place.y) * LINE + RADIUS + place.x;
  }
  const int begin = first - RADIUS;
  UNROLL_WHOLE
  for (int i = 0; i < RING - 1; ++i) {
    copy_plane(ring + i * PLANE_FLOATS, from + plane * min(begin + i, nz - 1), item, copy_from, copy_to);
  }

  // Of the nine planes around the one computed with.
  float sums[COLUMN][GRANULARITY][VECTOR_WIDTH];
  UNROLL_WHOLE
  for (int i = 0; i < COLUMN; ++i) {
    UNROLL_WHOLE
    for (int r = 0; r < GRANULARITY; ++r) {
      UNROLL_WHOLE
      for (int k = 0; k < VECTOR_WIDTH; ++k) sums[i][r][k] = 0.0f;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // PoCL 5.0 compiles some loops with barriers wrongly where none stands before them
  for (int block = 0; block < end + RADIUS - begin; block += UNROLL) {
    UNROLL_WHOLE
    for (int j = 0; j < UNROLL; ++j) {
      // Where the sums of the plane i - RADIUS from this one are, and where they have been before this one.
#define PLACE(i) (UNROLL == 1 ? (i) : (j + (i)) % COLUMN)
#define PLACE_BEFORE(i) (UNROLL == 1 ? (i) + 1 : PLACE(i))
      const int z = begin + block + j;
      const int ahead = UNROLL % RING == 0 ? j : block + j;
      // All copies of this plane have ended, and all use of the plane that the next copies replace.
      WAIT_FOR_COPIES(RING - 2);
      barrier(CLK_LOCAL_MEM_FENCE);
      copy_plane(ring + (ahead + RING - 1) % RING * PLANE_FLOATS, from + plane * min(z + RING - 1, nz - 1), item,
                 copy_from, copy_to);
      NARROW(own);
      NARROW(target);
      local const float* const tile = ring + ahead % RING * PLANE_FLOATS + own;

      // Along z: a plane's own values go to the sums of all nine planes, which move where they do not stay in place.
      UNROLL_WHOLE
      for (int r = 0; r < GRANULARITY; ++r) {
        float values[VECTOR_WIDTH];
        STOREV(*(local const realv*)(tile + r * LINE), 0, values);
        UNROLL_WHOLE
        for (int i = 0; i < COLUMN; ++i) {
          const float factor = i == RADIUS ? c0 : coefficients[(i < RADIUS ? RADIUS - i : i - RADIUS) - 1];
          UNROLL_WHOLE
          for (int k = 0; k < VECTOR_WIDTH; ++k) {
            if (i == COLUMN - 1) {
              sums[PLACE(i)][r][k] = factor * values[k];
            } else {
              sums[PLACE(i)][r][k] = MULTIPLY_ADD(factor, values[k], sums[PLACE_BEFORE(i)][r][k]);
            }
          }
        }
      }
      // Along x and y, to this plane's sums.
      UNROLL_WHOLE
      for (int r = 0; r < GRANULARITY; ++r) {
        float window[WINDOW];
        UNROLL_WHOLE
        for (int i = -RADIUS; i < VECTOR_WIDTH + RADIUS; i += VECTOR_WIDTH) {
          STOREV(*(local const realv*)(tile + r * LINE + i), 0, window + RADIUS + i);
        }
        add_along_y(sums[PLACE(RADIUS)], window + RADIUS, r, coefficients);
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          float* const sum = &sums[PLACE(RADIUS)][r][k];
          UNROLL_WHOLE
          for (int d = 1; d <= RADIUS; ++d) {
            *sum = MULTIPLY_ADD(coefficients[d - 1], window[RADIUS + k - d], *sum);
            *sum = MULTIPLY_ADD(coefficients[d - 1], window[RADIUS + k + d], *sum);
          }
        }
      }
      UNROLL_WHOLE
      for (int from_row = 0; from_row < GRANULARITY + 2 * RADIUS; ++from_row) {
        const int own_row = from_row - RADIUS;
        if (own_row >= 0 && own_row < GRANULARITY) continue;
        float row[VECTOR_WIDTH];
        STOREV(*(local const realv*)(tile + own_row * LINE), 0, row);
        add_along_y(sums[PLACE(RADIUS)], row, own_row, coefficients);
      }
      if (z - RADIUS >= first && z - RADIUS < end) {
        global float* const at = to + plane * (z - RADIUS) + target;
        UNROLL_WHOLE
        for (int r = 0; r < GRANULARITY; ++r) {
          if (r < whole_rows) store_vector(at + r * stride, LOADV(0, sums[PLACE(0)][r]));
        }
        if (part_rows > 0) store_part(at, stride, sums[PLACE(0)], part_rows, nx - RADIUS - x);
      }
      UNROLL_WHOLE
      for (int i = 0; i < COLUMN; ++i) {
        UNROLL_WHOLE
        for (int r = 0; r < GRANULARITY; ++r) {
          UNROLL_WHOLE
          for (int k = 0; k < VECTOR_WIDTH; ++k) ADDED(sums[i][r][k]);
        }
      }
#undef PLACE
#undef PLACE_BEFORE
    }
  }
}
