// srad: the variant `fused_rows`, a step in one kernel, along rows.

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

// A step of the GRANULARITY rows from `first` on, STRIP columns of them. With SUM_NEXT it returns the new pixels' sums.
INLINED float2 diffuse(global const float* image, global float* next_image, global const float* speckle,
                       const int first, const int first_column, const int rows, const int cols, const int stride,
                       const float gain, const float shift) {
  const int end = min(first + GRANULARITY, rows);
  float2 total = (float2)(0);
  if (first < end) {
    // c of one row of the strip, and of the vector behind it: at the turn of each vector those up to it are of the
    // row below already.
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
                       const int cols, const int stride, const float gain, const float shift) {
  local float2 group_cells[GROUP_ITEMS];
  const float2 total = diffuse(image, next_image, speckle, (int)get_global_id(1) * GRANULARITY,
                               (int)get_global_id(0) * STRIP, rows, cols, stride, gain, shift);
  if (SUM_NEXT) store_sums(sums, group_cells, total, get_local_id(1));
}

#if SUM_NEXT && WORK_GROUP == 1

#include "phases.cl"

// The sums over the part of the image that is nearest to a piece of it: whole rows, which are read fastest.
float2 sums_near(global const float* image, const uint piece, const uint pieces, const int rows, const int cols,
                 const int stride, const float shift) {
  const int end = (int)((long)rows * (piece + 1) / pieces);
  float2 total = (float2)(0);
  for (int row = (int)((long)rows * piece / pieces); row < end; ++row) {
    total += sums_of_row(row_of(image, row, rows, stride), 0, cols, 1, shift);
  }
  return total;
}

// All steps in one launch. In phase 0 the groups sum the image, in phase i they make step i of it; piece p is strip
// p % strips of the rows from p / strips * GRANULARITY on. Whoever ends a phase makes q0^2 for the next.
kernel GROUP_OF(1, 1)
void fused_steps(global const float* original, global float* even, global float* odd, global float* speckle,
                 global float2* sums, global volatile uint* crew_words, const uint steps, const uint strips,
                 const uint pieces, const int rows, const int cols, const int stride, const float gain,
                 const float shift) {
  const Team crew = join_team(crew_words, pieces);
  for (uint step = 0; step <= steps; step = await_phase(&crew, step + 1)) {
    global const float* const image = step <= 1 ? original : step % 2 == 0 ? even : odd;
    global float* const next_image = step % 2 == 1 ? even : odd;
    uint turn = 0;
    for (uint piece = take_chunk(&crew, step, &turn); piece < pieces; piece = take_chunk(&crew, step, &turn)) {
      sums[piece] = step == 0 ? sums_near(image, piece, pieces, rows, cols, stride, shift)
                              : diffuse(image, next_image, speckle, piece / strips * GRANULARITY,
                                        piece % strips * STRIP, rows, cols, stride, gain, shift);
      if (ends_phase(&crew, step)) {
        store_speckle(speckle, sum_in_chains(sums, pieces) / ((float)rows * cols), shift);
        open_phase(&crew, step + 1);
      }
    }
  }
}

#endif
