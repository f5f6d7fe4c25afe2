// hotspot: what both kernels of the variant `streaming` share. A group processes GRANULARITY rows of a strip.

INLINED size_t row_begin(const int row, const int stride) {
  return (size_t)(uint)row * (uint)stride + LEFT;
}

// PoCL's vload16 is four loads, and so is everything computed from it: vectors are read through their type instead.
typedef realv packed_realv __attribute__((aligned(4)));

// The vector at a column that VECTOR_WIDTH divides, so that with PADDING vectors are aligned; at most 16 columns beyond
// the grid.
INLINED realv load_vector(global const float* row, const int column, const int cols) {
  if (PADDING) return *(global const realv*)(row + column);
  if (column < 0 || column + VECTOR_WIDTH > cols) return load_mirrored(row, column, cols);
  return *(global const packed_realv*)(row + column);
}

// A vector that lies in the grid.
INLINED void store_whole(global float* row, const int column, const realv value) {
  if (PADDING) {
    *(global realv*)(row + column) = value;
  } else {
    STOREV(value, column, row);
  }
}

// Cells beyond the grid are left to store_mirrored: lanes there depend on cells beyond the margin, whose values are stale.
INLINED void store_vector(global float* row, const int column, const int cols, const realv value) {
  if (column + VECTOR_WIDTH <= cols) {
    store_whole(row, column, value);
  } else {
    store_inside(row, column, cols, value);
  }
}

// Whether the margins mirror a column of the vector at `column`.
INLINED bool is_mirrored(const int column, const int cols) {
  return PADDING && (column < LEFT || column + VECTOR_WIDTH > cols - LEFT);
}

// Writes the vector at `column`, which this work-item has stored, to the margins' cells that mirror it. `at` is the
// distance of such a cell from the row's end; in narrow grids a column has several of them.
INLINED void store_mirrored(global float* row, const int column, const int cols) {
  UNROLL_LOOP(1)
  for (int before = column; before < min(column + VECTOR_WIDTH, cols); ++before) {
    const int behind = cols - 1 - before;
    const float value = row[before];
    for (int at = before, step = 2 * behind + 1; at < LEFT; at += step, step = 2 * cols - step) row[-1 - at] = value;
    for (int at = behind, step = 2 * before + 1; at < LEFT; at += step, step = 2 * cols - step) row[cols + at] = value;
  }
}

#if WORK_GROUP > 1
#include "hotspot/streaming_columns.cl"
#else
#include "hotspot/streaming_rows.cl"
#endif
