// srad: the variant `fused`, a step in one kernel, from top to bottom.

// What bounds it: neither bytes nor instructions alone. On an H200, at 8192 x 8192, a step takes 0.24 ms (280 G pixels/s). Its
// bytes take 0.12 ms at the measured peak. Four more multiply-adds for each pixel make it 1.5 % longer and eight 3.6 %: half
// of what their issue takes. PTX's approximate division instead of OpenCL's saves 2.2 %.

// Converts between a vector and an array of its components. Some compilers keep an array in memory where vstore writes
// to it.
#if VECTOR_WIDTH == 1
#define UNPACK(v, to) ((to)[0] = (v))
#define PACK(from) ((from)[0])
#elif VECTOR_WIDTH == 2
#define UNPACK(v, to) UNPACK_2(v, to)
#define PACK(from) (float2)(LIST_2(from))
#elif VECTOR_WIDTH == 4
#define UNPACK(v, to) UNPACK_4(v, to)
#define PACK(from) (float4)(LIST_4(from))
#elif VECTOR_WIDTH == 8
#define UNPACK(v, to) UNPACK_8(v, to)
#define PACK(from) (float8)(LIST_4(from), LIST_4((from) + 4))
#else
#define UNPACK(v, to) UNPACK_8((v).lo, to), UNPACK_8((v).hi, (to) + 8)
#define PACK(from) (float16)(LIST_4(from), LIST_4((from) + 4), LIST_4((from) + 8), LIST_4((from) + 12))
#endif
#define UNPACK_2(v, to) ((to)[0] = (v).x, (to)[1] = (v).y)
#define UNPACK_4(v, to) UNPACK_2((v).lo, to), UNPACK_2((v).hi, (to) + 2)
#define UNPACK_8(v, to) UNPACK_4((v).lo, to), UNPACK_4((v).hi, (to) + 4)
#define LIST_2(from) (from)[0], (from)[1]
#define LIST_4(from) LIST_2(from), LIST_2((from) + 2)

// Pixels of one row from the work-item's column - 1 to its column + VECTOR_WIDTH + 1.
#define CELLS (VECTOR_WIDTH + 3)

INLINED void load_cells(global const float* at, float* cells) {
  const realv own = OWN_CONST(at);
  cells[0] = at[-1];
  UNPACK(own, cells + 1);
  cells[VECTOR_WIDTH + 1] = at[VECTOR_WIDTH];
  cells[VECTOR_WIDTH + 2] = at[VECTOR_WIDTH + 1];
}

// c of the work-item's columns and of the one behind them.
INLINED void coefficients_of(const float* above, const float* here, const float* below,
                            global const float* speckle, float* result) {
  UNROLL_WHOLE
  for (int k = 0; k <= VECTOR_WIDTH; ++k) {
    result[k] = coefficient(here[k + 1], above[k + 1], below[k + 1], here[k], here[k + 2], speckle);
  }
}

// The deviations of the first `inside` of a vector's pixels, and their squares.
INLINED float2 sums_of(const float* pixels, const int inside, const float shift) {
  float2 result = (float2)(0);
  UNROLL_WHOLE
  for (int k = 0; k < VECTOR_WIDTH; ++k) {
    const float deviation = k < inside ? pixels[k] - shift : 0;
    result.x += deviation;
    result.y = MULTIPLY_ADD(deviation, deviation, result.y);
  }
  return result;
}

// `gain` is lambda / 4. With SUM_NEXT `sums` gets one pair per work-group.
kernel void fused_columns(global const float* restrict image, global float* restrict next_image,
                          global const float* restrict speckle, global float2* restrict sums, const int rows,
                          const int cols, const int stride, const float gain) {
  local float2 group_cells[GROUP_ITEMS];
  const float shift = speckle[SHIFT];
  const int column = (int)get_global_id(0) * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, rows);
  float2 total = (float2)(0);
  if (column < cols) {
    float here[CELLS];
    float below[CELLS];
    float own[VECTOR_WIDTH + 1];     // c of `here`
    float from_north[VECTOR_WIDTH];  // what row - 1 gains from this row
    {
      float above[CELLS];
      load_cells(row_of(image, first - 1, rows, stride) + column, above);
      load_cells(row_of(image, first, rows, stride) + column, here);
      load_cells(row_of(image, first + 1, rows, stride) + column, below);
      coefficients_of(above, here, below, speckle, own);
      UNROLL_WHOLE
      for (int k = 0; k < VECTOR_WIDTH; ++k) from_north[k] = own[k] * (here[k + 1] - above[k + 1]);
    }
    for (int block = first; block < end; block += UNROLL) {
      // Rows beyond the end are computed and not stored: so loads do not depend on a branch and can be issued early.
      UNROLL_WHOLE
      for (int row = block; row < block + UNROLL; ++row) {
        float after[CELLS];
        float next[VECTOR_WIDTH + 1];
        float pixels[VECTOR_WIDTH];
        load_cells(row_of(image, row + 2, rows, stride) + column, after);
        coefficients_of(here, below, after, speckle, next);
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          const float centre = here[k + 1];
          const float from_south = next[k] * (below[k + 1] - centre);
          const float from_east = own[k + 1] * (here[k + 2] - centre);
          const float from_west = own[k] * (here[k] - centre);
          pixels[k] = MULTIPLY_ADD(gain, (from_south - from_north[k]) + (from_east + from_west), centre);
          from_north[k] = from_south;
        }
        if (row < end) {
          if (SUM_NEXT) total += sums_of(pixels, cols - column, shift);
          store_with_padding(next_image + (size_t)row * stride + LEFT, column, cols, PACK(pixels));
        }
        UNROLL_WHOLE
        for (int k = 0; k < CELLS; ++k) {
          here[k] = below[k];
          below[k] = after[k];
        }
        UNROLL_WHOLE
        for (int k = 0; k <= VECTOR_WIDTH; ++k) own[k] = next[k];
      }
    }
  }
  if (SUM_NEXT) store_sums(sums, group_cells, total, get_local_id(0));
}
