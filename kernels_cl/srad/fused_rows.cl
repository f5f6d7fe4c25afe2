// srad: the variant `fused_rows`, a step in one kernel, row by row.

// c of the pixels at `column` of the row `here`.
INLINED realv coefficient_at(global const float* above, global const float* here, global const float* below,
                            const int column, global const float* speckle) {
  return coefficient(LOADV(column, here), LOADV(column, above), LOADV(column, below), LOADV(column - 1, here),
                     LOADV(column + 1, here), speckle);
}

// The deviations of the first `inside` of a vector's pixels; 0 for the others.
INLINED realv deviations_of(const realv pixels, const int inside, const float shift) {
  const realv deviations = pixels - (realv)(shift);
  if (inside >= VECTOR_WIDTH) return deviations;
  float lanes[VECTOR_WIDTH];
  STOREV(deviations, 0, lanes);
  for (int k = 1; k < VECTOR_WIDTH; ++k) lanes[k] = k < inside ? lanes[k] : 0;
  return LOADV(0, lanes);
}

// One step of STRIP columns of the GRANULARITY rows from `first` on. With SUM_NEXT it returns the new pixels' sums.
INLINED float2 diffuse(global const float* image, global float* next_image, global const float* speckle,
                       const int first, const int first_column, const int rows, const int cols, const int stride,
                       const float gain) {
  const float shift = speckle[SHIFT];
  const int end = min(first + GRANULARITY, rows);
  float2 total = (float2)(0);
  if (first < end) {
    // c of one row of the strip, and of the vector behind it. When a vector is processed, the vectors before it have
    // already been replaced by those of the row below.
    float own[STRIP + VECTOR_WIDTH];
    const int width = (min(STRIP, cols - first_column) + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH;
    {
      global const float* const above = row_of(image, first - 1, rows, stride) + first_column;
      global const float* const here = row_of(image, first, rows, stride) + first_column;
      global const float* const below = row_of(image, first + 1, rows, stride) + first_column;
      for (int x = 0; x <= width; x += VECTOR_WIDTH) {
        STOREV(coefficient_at(above, here, below, x, speckle), x, own);
      }
    }
    for (int row = first; row < end; ++row) {
      global const float* const above = row_of(image, row - 1, rows, stride) + first_column;
      global const float* const here = row_of(image, row, rows, stride) + first_column;
      global const float* const below = row_of(image, row + 1, rows, stride) + first_column;
      global const float* const after = row_of(image, row + 2, rows, stride) + first_column;
      global float* const target = next_image + (size_t)row * stride + LEFT;
      realv row_sum = (realv)(0);
      realv row_squares = (realv)(0);
      for (int block = 0; block < width; block += UNROLL * VECTOR_WIDTH) {
        UNROLL_WHOLE
        for (int x = block; x < block + UNROLL * VECTOR_WIDTH; x += VECTOR_WIDTH) {
          if (x < width) {
            const realv centre = LOADV(x, here);
            const realv c = LOADV(x, own);
            const realv c_east = LOADV(x + 1, own);
            const realv c_south = coefficient_at(here, below, after, x, speckle);
            STOREV(c_south, x, own);
            const realv from_own = c * ((LOADV(x, above) - centre) + (LOADV(x - 1, here) - centre));
            const realv from_east = MULTIPLY_ADD(c_east, LOADV(x + 1, here) - centre, from_own);
            const realv change = MULTIPLY_ADD(c_south, LOADV(x, below) - centre, from_east);
            const realv pixels = MULTIPLY_ADD((realv)(gain), change, centre);
            store_with_padding(target, first_column + x, cols, pixels);
            if (SUM_NEXT) {
              const realv deviation = deviations_of(pixels, cols - first_column - x, shift);
              row_sum += deviation;
              row_squares = MULTIPLY_ADD(deviation, deviation, row_squares);
            }
          }
        }
      }
      STOREV(coefficient_at(here, below, after, width, speckle), width, own);
      if (SUM_NEXT) total += (float2)(SUMV(row_sum), SUMV(row_squares));
    }
  }
  return total;
}

// `gain` is lambda / 4. With SUM_NEXT `sums` gets one pair per work-group.
kernel void fused_rows(global const float* restrict image, global float* restrict next_image,
                       global const float* restrict speckle, global float2* restrict sums, const int rows,
                       const int cols, const int stride, const float gain) {
  local float2 group_cells[GROUP_ITEMS];
  const float2 total = diffuse(image, next_image, speckle, (int)get_global_id(1) * GRANULARITY,
                               (int)get_global_id(0) * STRIP, rows, cols, stride, gain);
  if (SUM_NEXT) store_sums(sums, group_cells, total, get_local_id(1));
}
