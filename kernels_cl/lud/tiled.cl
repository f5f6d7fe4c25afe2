// lud: the variant `tiled`, three launches per block step; lud.cl describes the kernels.

#define TILE WORK_GROUP
typedef float tile_row[TILE + PADDING];

kernel GROUP_OF(TILE, 1) void tiled_diagonal(global float* restrict matrix, const int stride, const int offset) {
  local tile_row tile[TILE];
  const int row = get_local_id(0);
  for (int i = 0; i < TILE; ++i) tile[i][row] = matrix[element(offset + i, offset + row, stride)];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int pivot = 0; pivot < TILE - 1; ++pivot) {
    if (row > pivot) {
      const float factor = tile[row][pivot] / tile[pivot][pivot];
      tile[row][pivot] = factor;
      UNROLL_LOOP(UNROLL)
      for (int column = pivot + 1; column < TILE; ++column) {
        tile[row][column] = MULTIPLY_ADD(-factor, tile[pivot][column], tile[row][column]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (int i = 0; i < TILE; ++i) matrix[element(offset + i, offset + row, stride)] = tile[i][row];
}

// --- perimeter ---

// Neighbouring columns or rows that a work-item solves for: at least one vector.
#if DIRECTION == DIRECTION_PERIMETER && GRANULARITY > VECTOR_WIDTH
#define NEIGHBOURS GRANULARITY
#else
#define NEIGHBOURS VECTOR_WIDTH
#endif
#define HALF (TILE / NEIGHBOURS)

#if UNROLL > 1
#define UNROLL_OUTER TILE
#else
#define UNROLL_OUTER 1
#endif

// A vector of rows needs the elements of a column to be adjacent.
#define TRANSPOSE_COLUMN_TILE (LAYOUT != LAYOUT_DIRECT || VECTOR_WIDTH > 1)

// With UNROLLED_LOOPS_EVEN only the loops of an even number of terms are unrolled, which the compiler knows as the outer
// loop is unrolled whole.
#if UNROLLED_LOOPS == UNROLLED_LOOPS_EVEN
#define EACH_TERM(body)                            \
  if (i % 2 == 0) {                                \
    UNROLL_LOOP(UNROLL)                            \
    for (int j = 0; j < i; ++j) body;              \
  } else {                                         \
    UNROLL_LOOP(1)                                 \
    for (int j = 0; j < i; ++j) body;              \
  }
#else
#define EACH_TERM(body) \
  UNROLL_LOOP(UNROLL)   \
  for (int j = 0; j < i; ++j) body;
#endif

// Subtracts terms 0 to i - 1 of `ours` from the vector at `place` in local memory, in a register or, as the thesis
// has it, in place. Leaves the result in `value`.
#if ACCUMULATE == ACCUMULATE_LOCAL
#define SUBTRACT_TERMS(value, place, factor, theirs)                                             \
  EACH_TERM(STOREV(MULTIPLY_ADD((realv)(-(factor)), theirs, LOADV(0, place)), 0, place)) \
  const realv value = LOADV(0, place);
#else
#define SUBTRACT_TERMS(value, place, factor, theirs) \
  realv value = LOADV(0, place);                     \
  EACH_TERM(value = MULTIPLY_ADD((realv)(-(factor)), theirs, value))
#endif

// VECTOR_WIDTH columns of the tile right of the diagonal: X := L^-1 X.
void solve_columns(local tile_row* diagonal, local tile_row* tile, const int first) {
  UNROLL_LOOP(UNROLL_OUTER)
  for (int i = 1; i < TILE; ++i) {
    SUBTRACT_TERMS(value, tile[i] + first, diagonal[i][j], LOADV(0, tile[j] + first))
    if (ACCUMULATE == ACCUMULATE_REGISTER) STOREV(value, 0, tile[i] + first);
  }
}

// Element (row, column) of the tile below the diagonal; those of the next VECTOR_WIDTH - 1 rows follow it.
static inline local float* below_at(local tile_row* tile, const int row, const int column) {
  return TRANSPOSE_COLUMN_TILE ? &tile[column][row] : &tile[row][column];
}

// VECTOR_WIDTH rows of the tile below the diagonal: X := X U^-1.
void solve_rows(local tile_row* diagonal, local tile_row* tile, const int first) {
  UNROLL_LOOP(UNROLL_OUTER)
  for (int i = 0; i < TILE; ++i) {
    SUBTRACT_TERMS(value, below_at(tile, first, i), diagonal[j][i], LOADV(0, below_at(tile, first, j)))
    STOREV(value / (realv)(diagonal[i][i]), 0, below_at(tile, first, i));
  }
}

kernel GROUP_OF(2 * TILE / NEIGHBOURS, 1) void tiled_perimeter(
    global float* restrict matrix, const int stride, const int offset) {
  local tile_row diagonal[TILE];
  local tile_row right[TILE];
  local tile_row below[TILE];
  const int item = get_local_id(0);
  const int far = offset + ((int)get_group_id(0) + 1) * TILE;

  for (int i = item; i < TILE * TILE; i += 2 * HALF) {
    const int row = i / TILE;
    const int column = i % TILE;
    diagonal[row][column] = matrix[element(offset + row, offset + column, stride)];
    right[row][column] = matrix[element(offset + row, far + column, stride)];
    *below_at(below, row, column) = matrix[element(far + row, offset + column, stride)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int first = item % HALF * NEIGHBOURS;
  for (int v = 0; v < NEIGHBOURS; v += VECTOR_WIDTH) {
    if (item < HALF) {
      solve_columns(diagonal, right, first + v);
    } else {
      solve_rows(diagonal, below, first + v);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int i = item; i < TILE * TILE; i += 2 * HALF) {
    const int row = i / TILE;
    const int column = i % TILE;
    matrix[element(offset + row, far + column, stride)] = right[row][column];
    matrix[element(far + row, offset + column, stride)] = *below_at(below, row, column);
  }
}

// --- internal ---

#define TRANSPOSE_ROW_TILE (LAYOUT != LAYOUT_DIRECT)
#define COARSE_X (DIRECTION == DIRECTION_INTERNAL_X ? GRANULARITY : 1)
#define COARSE_Y (DIRECTION == DIRECTION_INTERNAL_Y ? GRANULARITY : 1)
// Neighbouring columns of a result, and terms of the inner product computed at once: one of the two is a vector.
#define COLUMNS (TRANSPOSE_ROW_TILE ? 1 : VECTOR_WIDTH)
#define TERMS (TRANSPOSE_ROW_TILE ? VECTOR_WIDTH : 1)

kernel GROUP_OF(TILE / (COARSE_X * COLUMNS), TILE / COARSE_Y) void tiled_internal(
    global float* restrict matrix, const int stride, const int offset) {
  local tile_row right[TILE];
  local tile_row below[TILE];
  const int first_column = (int)get_local_id(0) * COLUMNS;
  const int first_row = (int)get_local_id(1) * COARSE_Y;
  const int far_column = offset + ((int)get_group_id(0) + 1) * TILE;
  const int far_row = offset + ((int)get_group_id(1) + 1) * TILE;

  for (int y = 0; y < COARSE_Y; ++y) {
    for (int x = 0; x < COARSE_X; ++x) {
      const int row = first_row + y;
      const int column = first_column + x * (TILE / COARSE_X);
      if (TRANSPOSE_ROW_TILE) {
        if (LAYOUT == LAYOUT_TRANSPOSED) {
          right[row][column] = matrix[element(offset + column, far_column + row, stride)];
        } else {
          right[column][row] = matrix[element(offset + row, far_column + column, stride)];
        }
        below[row][column] = matrix[element(far_row + row, offset + column, stride)];
      } else {
        STOREV(LOADV(element(offset + row, far_column + column, stride), matrix), column, right[row]);
        STOREV(LOADV(element(far_row + row, offset + column, stride), matrix), column, below[row]);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  realv sums[COARSE_Y][COARSE_X];
  for (int y = 0; y < COARSE_Y; ++y) {
    for (int x = 0; x < COARSE_X; ++x) sums[y][x] = (realv)(0);
  }
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < TILE; k += TERMS) {
    for (int y = 0; y < COARSE_Y; ++y) {
      const int row = first_row + y;
      const realv left = TRANSPOSE_ROW_TILE ? LOADV(k, below[row]) : (realv)(below[row][k]);
      for (int x = 0; x < COARSE_X; ++x) {
        const int column = first_column + x * (TILE / COARSE_X);
        const realv top = TRANSPOSE_ROW_TILE ? LOADV(k, right[column]) : LOADV(column, right[k]);
        sums[y][x] = MULTIPLY_ADD(left, top, sums[y][x]);
      }
    }
  }

  for (int y = 0; y < COARSE_Y; ++y) {
    for (int x = 0; x < COARSE_X; ++x) {
      const size_t target = element(far_row + first_row + y, far_column + first_column + x * (TILE / COARSE_X), stride);
      if (TRANSPOSE_ROW_TILE) {
        matrix[target] -= SUMV(sums[y][x]);
      } else {
        STOREV(LOADV(target, matrix) - sums[y][x], target, matrix);
      }
    }
  }
}
