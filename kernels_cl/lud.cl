// LU decomposition without pivoting, in place: below the diagonal the factors L (its diagonal of ones is not stored),
// on and above it U.
//
// The matrix has rows of `stride` floats and is padded by an identity tail to an order that the tile divides: the
// tail's factors are itself, and it changes nothing else. Element (row, column) is matrix[row * stride + column]; the
// block step works on the trailing matrix that begins at (offset, offset).
//
// Variant TILED: three launches per block step, tiles of WORK_GROUP x WORK_GROUP in local memory (K. Theocharidis and
// C. Kalogirou, Master thesis, University of Thessaly, 2013, section 6.1).
//   diagonal   one group of TILE work-items, one per row, eliminates the tile on the diagonal.
//   perimeter  group g solves the tile g + 1 to the right of the diagonal, one work-item per column, and in its second
//              half of work-items the tile g + 1 below the diagonal, one work-item per row.
//   internal   group (x, y) subtracts from the tile at (y + 1, x + 1) the product of the perimeter's tiles (y + 1, 0)
//              and (0, x + 1).
//
// Variant BLOCKED: two launches per step of PANEL columns. The panels are packed for the product that follows, in tiles
// as large as a work-group's; the group that updates the next block on the diagonal factors it at once, while the others
// still update the rest.
//   blocked_diagonal   factors the first block on the diagonal, and nothing else.
//   blocked_perimeter  work-items solve for LANES columns of U or, in the second half of the groups, rows of L, and
//                      pack them: right_panel holds [tile of columns][PANEL][GROUP_X], below_panel [tile of rows]
//                      [PANEL][GROUP_Y], negated and transposed.
//   blocked_internal   group 0 updates the next PANEL x PANEL block and factors it; every other group updates
//                      GRANULARITY tiles of GROUP_Y x GROUP_X below each other, TILE_Y x TILE_X per work-item.
// Between the kernels, `factors` holds two PANEL x PANEL triangles, rows from the diagonal on: L transposed, then U;
// their diagonals hold what a solved row is multiplied by, 1 and 1 / u.
//
// Variant DATAFLOW: one launch; in lud_dataflow.cl.
//
// Parameters (TILED, BLOCKED, DATAFLOW: what they mean in that variant):
//   VARIANT       VARIANT_TILED, VARIANT_BLOCKED or VARIANT_DATAFLOW
//   WORK_GROUP    TILED: edge of a tile, 8 to 64. BLOCKED: edge of the square of work-items of a group, 1 to 32; with 1
//                 the perimeter solves for vectors, else each of its work-items for one column
//   GRANULARITY   TILED: results per work-item in the kernel that DIRECTION names. BLOCKED: tiles per work-item
//   VECTOR_WIDTH  TILED: neighbouring results that a work-item of the perimeter holds in a vector (at least so many are
//                 given to it), and in the internal kernel neighbouring columns (LAYOUT_DIRECT) or neighbouring terms
//                 of the inner product (LAYOUT_TRANSPOSED). BLOCKED: neighbouring columns
//   UNROLL        TILED: factor of the inner loops; from 2 on the perimeter's outer loop is unrolled fully, too. BLOCKED,
//                 DATAFLOW: factor of the update's loop over the terms of the product
//   PADDING       TILED: unused columns at the end of each tile in local memory
//   DIRECTION     TILED: DIRECTION_PERIMETER coarsens the perimeter, by neighbours; DIRECTION_INTERNAL_X the internal
//                 kernel by columns TILE / GRANULARITY apart; DIRECTION_INTERNAL_Y by neighbouring rows
//   LAYOUT        TILED: LAYOUT_TRANSPOSED turns the tile right of the diagonal while the internal kernel loads it
//                 (neighbouring work-items then read a column of the matrix), and the tile below the diagonal in the
//                 perimeter; LAYOUT_DIRECT turns the latter only where vectors ask for it
//   MEMORY        BLOCKED: MEMORY_LOCAL stages the packed panels through local memory, two chunks at a time;
//                 MEMORY_GLOBAL reads them where they are
//   PANEL         BLOCKED: columns per step. DATAFLOW: edge of a tile
//   TILE_X        BLOCKED, DATAFLOW: columns of a work-item's tile
//   TILE_Y        BLOCKED, DATAFLOW: rows of a work-item's tile
//   BLOCK_LOCAL   BLOCKED, chosen by the host: 1 where the block on the diagonal fits local memory while it is factored
//
// Preconditions. TILED: TILE divides the padded order and `offset`; GRANULARITY and VECTOR_WIDTH, and where both shorten
// the same side of a group their product, divide TILE. BLOCKED: PANEL divides the padded order; TILE_X * WORK_GROUP and
// TILE_Y * WORK_GROUP * GRANULARITY divide PANEL; VECTOR_WIDTH divides TILE_X; rows of the matrix begin at multiples of
// 16 floats.

#ifndef VARIANT
#error "lud.cl: VARIANT must be VARIANT_TILED, VARIANT_BLOCKED or VARIANT_DATAFLOW"
#endif
#ifndef WORK_GROUP
#error "lud.cl: WORK_GROUP must be a power of two up to 64"
#endif
#ifndef GRANULARITY
#error "lud.cl: GRANULARITY must be 1, 2, 4, 8 or 16"
#endif
#ifndef VECTOR_WIDTH
#error "lud.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#ifndef UNROLL
#error "lud.cl: UNROLL must be 1, 2, 4, 8 or 16"
#endif
#ifndef PADDING
#error "lud.cl: PADDING must be 0 or 1"
#endif
#if !defined(DIRECTION) || DIRECTION == 0
#error "lud.cl: DIRECTION must be DIRECTION_PERIMETER, DIRECTION_INTERNAL_X or DIRECTION_INTERNAL_Y"
#endif
#if !defined(LAYOUT) || LAYOUT == 0
#error "lud.cl: LAYOUT must be LAYOUT_DIRECT or LAYOUT_TRANSPOSED"
#endif
#if !defined(MEMORY) || MEMORY == 0
#error "lud.cl: MEMORY must be MEMORY_LOCAL or MEMORY_GLOBAL"
#endif
#ifndef PANEL
#error "lud.cl: PANEL must be 32, 64, 128 or 256"
#endif
#ifndef TILE_X
#error "lud.cl: TILE_X must be 4, 8, 16, 32 or 64"
#endif
#ifndef TILE_Y
#error "lud.cl: TILE_Y must be 4, 8 or 16"
#endif
#ifndef BLOCK_LOCAL
#error "lud.cl: BLOCK_LOCAL must be 0 or 1"
#endif

size_t element(int row, int column, int stride) { return (size_t)row * stride + column; }

#if VARIANT == VARIANT_TILED

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

// --- perimeter ------------------------------------------------------------------------------------------------------

// Neighbouring columns (rows) of a work-item: at least one vector.
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

// Vectors over rows need the rows side by side.
#define TURN_COLUMN_TILE (LAYOUT == LAYOUT_TRANSPOSED || VECTOR_WIDTH > 1)

// VECTOR_WIDTH columns of the tile right of the diagonal: X := L^-1 X.
void solve_columns(local tile_row* diagonal, local tile_row* tile, const int first) {
  UNROLL_LOOP(UNROLL_OUTER)
  for (int i = 1; i < TILE; ++i) {
    realv value = LOADV(first, tile[i]);
    UNROLL_LOOP(UNROLL)
    for (int j = 0; j < i; ++j) value = MULTIPLY_ADD((realv)(-diagonal[i][j]), LOADV(first, tile[j]), value);
    STOREV(value, first, tile[i]);
  }
}

// Where the element in that column of the first of VECTOR_WIDTH rows stands.
local float* of_rows(local tile_row* tile, const int first, const int column) {
  return TURN_COLUMN_TILE ? &tile[column][first] : &tile[first][column];
}

// VECTOR_WIDTH rows of the tile below the diagonal: X := X U^-1.
void solve_rows(local tile_row* diagonal, local tile_row* tile, const int first) {
  UNROLL_LOOP(UNROLL_OUTER)
  for (int i = 0; i < TILE; ++i) {
    realv value = LOADV(0, of_rows(tile, first, i));
    UNROLL_LOOP(UNROLL)
    for (int j = 0; j < i; ++j) {
      value = MULTIPLY_ADD((realv)(-diagonal[j][i]), LOADV(0, of_rows(tile, first, j)), value);
    }
    STOREV(value / (realv)(diagonal[i][i]), 0, of_rows(tile, first, i));
  }
}

kernel GROUP_OF(2 * TILE / NEIGHBOURS, 1) void tiled_perimeter(global float* restrict matrix, const int stride, const int offset) {
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
    *of_rows(below, row, column) = matrix[element(far + row, offset + column, stride)];
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
    matrix[element(far + row, offset + column, stride)] = *of_rows(below, row, column);
  }
}

// --- internal -------------------------------------------------------------------------------------------------------

#define TURN_ROW_TILE (LAYOUT == LAYOUT_TRANSPOSED)
#define COARSE_X (DIRECTION == DIRECTION_INTERNAL_X ? GRANULARITY : 1)
#define COARSE_Y (DIRECTION == DIRECTION_INTERNAL_Y ? GRANULARITY : 1)
// Neighbouring columns of a result, and terms of the inner product taken at once: one of the two is a vector.
#define COLUMNS (TURN_ROW_TILE ? 1 : VECTOR_WIDTH)
#define TERMS (TURN_ROW_TILE ? VECTOR_WIDTH : 1)

kernel GROUP_OF(TILE / (COARSE_X * COLUMNS), TILE / COARSE_Y) void tiled_internal(global float* restrict matrix, const int stride, const int offset) {
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
      if (TURN_ROW_TILE) {
        right[row][column] = matrix[element(offset + column, far_column + row, stride)];
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
      const realv left = TURN_ROW_TILE ? LOADV(k, below[row]) : (realv)(below[row][k]);
      for (int x = 0; x < COARSE_X; ++x) {
        const int column = first_column + x * (TILE / COARSE_X);
        const realv top = TURN_ROW_TILE ? LOADV(k, right[column]) : LOADV(column, right[k]);
        sums[y][x] = MULTIPLY_ADD(left, top, sums[y][x]);
      }
    }
  }

  for (int y = 0; y < COARSE_Y; ++y) {
    for (int x = 0; x < COARSE_X; ++x) {
      const size_t target = element(far_row + first_row + y, far_column + first_column + x * (TILE / COARSE_X), stride);
      if (TURN_ROW_TILE) {
        matrix[target] -= SUMV(sums[y][x]);
      } else {
        STOREV(LOADV(target, matrix) - sums[y][x], target, matrix);
      }
    }
  }
}

#endif  // VARIANT_TILED

#if VARIANT == VARIANT_BLOCKED

#define ITEMS (WORK_GROUP * WORK_GROUP)
#define GROUP_X (TILE_X * WORK_GROUP)
#define GROUP_Y (TILE_Y * WORK_GROUP)
#define STAGED (MEMORY == MEMORY_LOCAL)

// A group of one has nobody to wait for; PoCL 3.1 would keep every value in memory across a barrier all the same.
#if WORK_GROUP == 1
#define GROUP_BARRIER()
#else
#define GROUP_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// A vector at an address that is a multiple of its size: without that promise a GPU's compiler loads element by element.
#define VECTOR_AT(space, pointer) (*(space realv*)(pointer))

// Where a triangle is solved for, one work-item takes a vector of lanes if it is alone, else a single lane.
#if WORK_GROUP == 1
#define SOLVE_ITEMS 1
#define SOLVE_WIDTH VECTOR_WIDTH
#define LOADS_AHEAD 1
#define TERMS_AHEAD 1
typedef realv solvev;
#else
#define SOLVE_ITEMS (PANEL < 64 ? PANEL : 64)
#define SOLVE_WIDTH 1
// Unrolling that puts so many loads under way together: few work-items of a group share the wait.
#define LOADS_AHEAD 16
#define TERMS_AHEAD 4
typedef float solvev;
#endif
#define SOLVE_AT(space, pointer) (*(space solvev*)(pointer))
// Pivots that are eliminated together, within a block on the diagonal and within the perimeter's triangles.
#define STEP 16
#define HALF_STEP 8
#define VECTORS (STEP / VECTOR_WIDTH)

// --- the block on the diagonal --------------------------------------------------------------------------------------

#if BLOCK_LOCAL
#define BLOCK_SPACE local
#define BLOCK_STRIDE (PANEL + (VECTOR_WIDTH > 4 ? VECTOR_WIDTH : 4))
#define BLOCK_FLOATS (PANEL * BLOCK_STRIDE)
#else
#define BLOCK_SPACE global
#define BLOCK_FLOATS 0
#endif
#define OWN_ROWS ((PANEL + ITEMS - 1) / ITEMS)
#define ELEMENT(vectors, index) (((float*)(vectors))[index])

// Columns [begin, begin + STEP) of all rows from `begin` on: each work-item keeps its rows in private memory, and the
// owner of a pivot's row shows it to the others, in two places by turns so that one barrier per pivot is enough.
void eliminate_columns(BLOCK_SPACE float* block, const int stride, const int begin, local float* pivots, const int item) {
  realv own[OWN_ROWS][VECTORS];
  const int rows = PANEL - begin;
  UNROLL_LOOP(1)
  for (int i = 0; i < OWN_ROWS; ++i) {
    const int row = item + i * ITEMS;
    if (row < rows) {
      UNROLL_LOOP(STEP)
      for (int v = 0; v < VECTORS; ++v) {
        own[i][v] = VECTOR_AT(BLOCK_SPACE, block + element(begin + row, begin + v * VECTOR_WIDTH, stride));
      }
    }
  }
  UNROLL_LOOP(STEP)
  for (int k = 0; k < STEP; ++k) {
    local float* pivot = pivots + k % 2 * STEP;
    if (item == k % ITEMS) {
      UNROLL_LOOP(STEP)
      for (int v = k / VECTOR_WIDTH; v < VECTORS; ++v) {
        VECTOR_AT(local, pivot + v * VECTOR_WIDTH) = own[k / ITEMS][v];
      }
    }
    GROUP_BARRIER();
    const float inverse = 1.0f / pivot[k];
    UNROLL_LOOP(1)
    for (int i = (k + 1) / ITEMS; i < OWN_ROWS; ++i) {
      const int row = item + i * ITEMS;
      if (row > k && row < rows) {
        const float factor = ELEMENT(own[i], k) * inverse;
        // The pivot's own column comes out wrong and is set afterwards; those before it in its vector are saved.
        const realv before = own[i][k / VECTOR_WIDTH];
        UNROLL_LOOP(STEP)
        for (int v = k / VECTOR_WIDTH; v < VECTORS; ++v) {
          own[i][v] = MULTIPLY_ADD((realv)(-factor), VECTOR_AT(local, pivot + v * VECTOR_WIDTH), own[i][v]);
        }
        UNROLL_LOOP(STEP)
        for (int j = k / VECTOR_WIDTH * VECTOR_WIDTH; j < k; ++j) {
          ELEMENT(own[i], j) = ELEMENT(&before, j % VECTOR_WIDTH);
        }
        ELEMENT(own[i], k) = factor;
      }
    }
  }
  UNROLL_LOOP(1)
  for (int i = 0; i < OWN_ROWS; ++i) {
    const int row = item + i * ITEMS;
    if (row < rows) {
      UNROLL_LOOP(STEP)
      for (int v = 0; v < VECTORS; ++v) {
        VECTOR_AT(BLOCK_SPACE, block + element(begin + row, begin + v * VECTOR_WIDTH, stride)) = own[i][v];
      }
    }
  }
}

// The rows of the pivots, right of them: U := L^-1 A. In two halves, because a compiler may want all of a triangle in
// registers at once.
void solve_pivot_rows(BLOCK_SPACE float* block, const int stride, const int begin, const int item) {
  for (int column = STEP + item * SOLVE_WIDTH; column < PANEL - begin; column += ITEMS * SOLVE_WIDTH) {
    UNROLL_LOOP(1)
    for (int first = 0; first < STEP; first += HALF_STEP) {
      BLOCK_SPACE float* rows = block + element(begin + first, begin, stride);
      solvev values[HALF_STEP];
      UNROLL_LOOP(HALF_STEP)
      for (int i = 0; i < HALF_STEP; ++i) values[i] = SOLVE_AT(BLOCK_SPACE, rows + i * stride + column);
      UNROLL_LOOP(2)
      for (int j = 0; j < first; ++j) {
        const solvev solved = SOLVE_AT(BLOCK_SPACE, rows + (j - first) * stride + column);
        UNROLL_LOOP(HALF_STEP)
        for (int i = 0; i < HALF_STEP; ++i) {
          values[i] = MULTIPLY_ADD((solvev)(-rows[i * stride + j]), solved, values[i]);
        }
      }
      UNROLL_LOOP(HALF_STEP)
      for (int j = 0; j < HALF_STEP; ++j) {
        UNROLL_LOOP(HALF_STEP)
        for (int i = j + 1; i < HALF_STEP; ++i) {
          values[i] = MULTIPLY_ADD((solvev)(-rows[i * stride + first + j]), values[j], values[i]);
        }
      }
      UNROLL_LOOP(HALF_STEP)
      for (int i = 0; i < HALF_STEP; ++i) SOLVE_AT(BLOCK_SPACE, rows + i * stride + column) = values[i];
    }
  }
}

// Many work-items want many small tiles; one wants as many sums as hide the latency of its multiply-add.
#define REST_ROWS (ITEMS > 1 ? 4 : 8)

// What is below and right of the pivots.
void update_rest(BLOCK_SPACE float* block, const int stride, const int begin, const int item) {
  const int first = begin + STEP;
  const int columns = (PANEL - first) / VECTOR_WIDTH;
  const int tiles = columns * ((PANEL - first) / REST_ROWS);
  for (int tile = item; tile < tiles; tile += ITEMS) {
    const int column = first + tile % columns * VECTOR_WIDTH;
    const int row = first + tile / columns * REST_ROWS;
    realv sums[REST_ROWS];
    UNROLL_LOOP(8)
    for (int r = 0; r < REST_ROWS; ++r) sums[r] = VECTOR_AT(BLOCK_SPACE, block + element(row + r, column, stride));
    UNROLL_LOOP(4)
    for (int k = 0; k < STEP; ++k) {
      const realv top = VECTOR_AT(BLOCK_SPACE, block + element(begin + k, column, stride));
      UNROLL_LOOP(8)
      for (int r = 0; r < REST_ROWS; ++r) {
        sums[r] = MULTIPLY_ADD((realv)(-block[element(row + r, begin + k, stride)]), top, sums[r]);
      }
    }
    UNROLL_LOOP(8)
    for (int r = 0; r < REST_ROWS; ++r) VECTOR_AT(BLOCK_SPACE, block + element(row + r, column, stride)) = sums[r];
  }
}

// What the perimeter needs of the factored block.
void publish_factors(BLOCK_SPACE const float* block, const int stride, global float* restrict factors, const int item) {
  for (int i = item; i < PANEL * PANEL; i += ITEMS) {
    const int row = i / PANEL;
    const int column = i % PANEL;
    if (row < column) {
      factors[i] = block[element(column, row, stride)];
      factors[PANEL * PANEL + i] = block[element(row, column, stride)];
    } else if (row == column) {
      factors[i] = 1.0f;
      factors[PANEL * PANEL + i] = 1.0f / block[element(row, row, stride)];
    }
  }
}

// Factors the block at `corner` of the matrix. `scratch` holds 2 * STEP floats, and BLOCK_FLOATS after them.
void factor_block(global float* corner, const int matrix_stride, global float* restrict factors, local float* scratch,
                  const int item) {
#if BLOCK_LOCAL
  local float* block = scratch + 2 * STEP;
  const int stride = BLOCK_STRIDE;
  UNROLL_LOOP(4)
  for (int i = item * VECTOR_WIDTH; i < PANEL * PANEL; i += ITEMS * VECTOR_WIDTH) {
    VECTOR_AT(local, block + element(i / PANEL, i % PANEL, stride)) =
        VECTOR_AT(global, corner + element(i / PANEL, i % PANEL, matrix_stride));
  }
  GROUP_BARRIER();
#else
  global float* block = corner;
  const int stride = matrix_stride;
#endif
  for (int begin = 0; begin < PANEL; begin += STEP) {
    eliminate_columns(block, stride, begin, scratch, item);
    GROUP_BARRIER();
    solve_pivot_rows(block, stride, begin, item);
    GROUP_BARRIER();
    update_rest(block, stride, begin, item);
    GROUP_BARRIER();
  }
  publish_factors(block, stride, factors, item);
#if BLOCK_LOCAL
  for (int i = item * VECTOR_WIDTH; i < PANEL * PANEL; i += ITEMS * VECTOR_WIDTH) {
    VECTOR_AT(global, corner + element(i / PANEL, i % PANEL, matrix_stride)) =
        VECTOR_AT(local, block + element(i / PANEL, i % PANEL, stride));
  }
#endif
}

kernel GROUP_OF(ITEMS, 1) void blocked_diagonal(global float* matrix,
                                                                              global float* restrict factors,
                                                                              const int stride) {
  local float scratch[2 * STEP + BLOCK_FLOATS] __attribute__((aligned(64)));
  factor_block(matrix, stride, factors, scratch, get_local_id(0));
}

// --- perimeter ------------------------------------------------------------------------------------------------------

#define LANES (SOLVE_ITEMS * SOLVE_WIDTH)
// An odd distance between rows keeps the turned tile's columns on different banks.
#define LANE_STRIDE (LANES + (SOLVE_ITEMS > 1 ? 1 : 0))

// The transpose of SOLVE_WIDTH vectors by perfect shuffles: each doubles the distance between neighbours.
void transpose(solvev* vectors) {
#if WORK_GROUP == 1 && VECTOR_WIDTH > 1
  UNROLL_LOOP(4)
  for (int distance = 1; distance < VECTOR_WIDTH; distance *= 2) {
    solvev shuffled[VECTOR_WIDTH];
    UNROLL_LOOP(8)
    for (int i = 0; i < VECTOR_WIDTH / 2; ++i) {
      shuffled[2 * i].even = vectors[i].lo;
      shuffled[2 * i].odd = vectors[i + VECTOR_WIDTH / 2].lo;
      shuffled[2 * i + 1].even = vectors[i].hi;
      shuffled[2 * i + 1].odd = vectors[i + VECTOR_WIDTH / 2].hi;
    }
    UNROLL_LOOP(16)
    for (int i = 0; i < VECTOR_WIDTH; ++i) vectors[i] = shuffled[i];
  }
#endif
}

// Between PANEL columns of LANES rows of the matrix and PANEL rows of the turned tile.
void load_turned(local float* tile, const global float* rows, const int stride, const int item) {
  const int blocks = PANEL / SOLVE_WIDTH;
  UNROLL_LOOP(LOADS_AHEAD)
  for (int i = item; i < SOLVE_ITEMS * blocks; i += SOLVE_ITEMS) {
    const int row = i / blocks * SOLVE_WIDTH;
    const int column = i % blocks * SOLVE_WIDTH;
    solvev vectors[SOLVE_WIDTH];
    UNROLL_LOOP(SOLVE_WIDTH)
    for (int v = 0; v < SOLVE_WIDTH; ++v) vectors[v] = SOLVE_AT(const global, rows + element(row + v, column, stride));
    transpose(vectors);
    UNROLL_LOOP(SOLVE_WIDTH)
    for (int v = 0; v < SOLVE_WIDTH; ++v) SOLVE_AT(local, tile + (column + v) * LANE_STRIDE + row) = vectors[v];
  }
}

void store_turned(const local float* tile, global float* rows, const int stride, const int item) {
  const int blocks = PANEL / SOLVE_WIDTH;
  for (int i = item; i < SOLVE_ITEMS * blocks; i += SOLVE_ITEMS) {
    const int row = i / blocks * SOLVE_WIDTH;
    const int column = i % blocks * SOLVE_WIDTH;
    solvev vectors[SOLVE_WIDTH];
    UNROLL_LOOP(SOLVE_WIDTH)
    for (int v = 0; v < SOLVE_WIDTH; ++v) {
      vectors[v] = SOLVE_AT(const local, tile + (column + v) * LANE_STRIDE + row);
    }
    transpose(vectors);
    UNROLL_LOOP(SOLVE_WIDTH)
    for (int v = 0; v < SOLVE_WIDTH; ++v) SOLVE_AT(global, rows + element(row + v, column, stride)) = vectors[v];
  }
}

// Where work-items share a triangle, they bring the STEP columns in use to local memory; one alone reads them in place.
#if SOLVE_ITEMS > 1
#define TRIANGLE_SPACE local
#define TRIANGLE_STRIDE STEP
#define TRIANGLE_FLOATS (PANEL * STEP)
#else
#define TRIANGLE_SPACE global
#define TRIANGLE_STRIDE PANEL
#define TRIANGLE_FLOATS 1
#endif

// STEP neighbours of a row of the triangle, the same for all work-items.
void load_triangle(float* values, const TRIANGLE_SPACE float* from) {
#if SOLVE_ITEMS > 1
  UNROLL_LOOP(4)
  for (int i = 0; i < STEP; i += 4) {
    const float4 four = *(const TRIANGLE_SPACE float4*)(from + i);
    values[i] = four.x;
    values[i + 1] = four.y;
    values[i + 2] = four.z;
    values[i + 3] = four.w;
  }
#else
  UNROLL_LOOP(STEP)
  for (int i = 0; i < STEP; ++i) values[i] = from[i];
#endif
}

// X := T^-T X for the lanes of one work-item, `lane` pointing to its first in row 0.
void solve_lanes(local float* lane, const global float* triangle, local float* staged, const int item) {
  UNROLL_LOOP(1)
  for (int begin = 0; begin < PANEL; begin += STEP) {
    solvev values[STEP];
    float factors[STEP];
#if SOLVE_ITEMS > 1
    GROUP_BARRIER();
    UNROLL_LOOP(LOADS_AHEAD)
    for (int i = item * 4; i < (begin + STEP) * STEP; i += SOLVE_ITEMS * 4) {
      *(local float4*)(staged + i) = *(const global float4*)(triangle + i / STEP * PANEL + begin + i % STEP);
    }
    GROUP_BARRIER();
    const local float* columns = staged;
#else
    const global float* columns = triangle + begin;
#endif
    UNROLL_LOOP(STEP)
    for (int i = 0; i < STEP; ++i) values[i] = SOLVE_AT(local, lane + (begin + i) * LANE_STRIDE);
    UNROLL_LOOP(TERMS_AHEAD)
    for (int j = 0; j < begin; ++j) {
      const solvev solved = SOLVE_AT(local, lane + j * LANE_STRIDE);
      load_triangle(factors, columns + j * TRIANGLE_STRIDE);
      UNROLL_LOOP(STEP)
      for (int i = 0; i < STEP; ++i) values[i] = MULTIPLY_ADD((solvev)(-factors[i]), solved, values[i]);
    }
    UNROLL_LOOP(STEP)
    for (int j = 0; j < STEP; ++j) {
      load_triangle(factors, columns + (begin + j) * TRIANGLE_STRIDE);
      values[j] *= (solvev)(factors[j]);
      UNROLL_LOOP(STEP)
      for (int i = j + 1; i < STEP; ++i) values[i] = MULTIPLY_ADD((solvev)(-factors[i]), values[j], values[i]);
      SOLVE_AT(local, lane + (begin + j) * LANE_STRIDE) = values[j];
    }
  }
}

// Neighbouring lanes that stay neighbours in the packed panel.
#if WORK_GROUP == 1 && GROUP_Y < VECTOR_WIDTH
#define BELOW_PIECE TILE_Y
typedef JOIN(float, TILE_Y) below_piece;
#else
#define BELOW_PIECE SOLVE_WIDTH
typedef solvev below_piece;
#endif

// `first` is the position of the tile's first lane in the panel.
void pack_right(const local float* tile, global float* restrict panel, const int first, const int item) {
  const int lane = item * SOLVE_WIDTH;
  const int position = first + lane;
  global float* to = panel + (size_t)(position / GROUP_X) * (PANEL * GROUP_X) + position % GROUP_X;
  for (int k = 0; k < PANEL; ++k) {
    SOLVE_AT(global, to + k * GROUP_X) = SOLVE_AT(const local, tile + k * LANE_STRIDE + lane);
  }
}

void pack_below(const local float* tile, global float* restrict panel, const int first, const int item) {
  for (int piece = 0; piece < SOLVE_WIDTH; piece += BELOW_PIECE) {
    const int lane = item * SOLVE_WIDTH + piece;
    const int position = first + lane;
    global float* to = panel + (size_t)(position / GROUP_Y) * (PANEL * GROUP_Y) + position % GROUP_Y;
    for (int k = 0; k < PANEL; ++k) {
      *(global below_piece*)(to + k * GROUP_Y) = -*(const local below_piece*)(tile + k * LANE_STRIDE + lane);
    }
  }
}

// `rest`: order of the trailing matrix, which begins PANEL beyond `offset`.
kernel GROUP_OF(SOLVE_ITEMS, 1) void blocked_perimeter(
    global float* restrict matrix, const global float* restrict factors, global float* restrict right_panel,
    global float* restrict below_panel, const int stride, const int offset, const int rest) {
  local float tile[PANEL * LANE_STRIDE] __attribute__((aligned(64)));
  local float triangle[TRIANGLE_FLOATS] __attribute__((aligned(16)));
  const int item = get_local_id(0);
  const int groups_right = rest / LANES;
  const int group = get_group_id(0);
  const int is_below = group >= groups_right;
  const int first = group % groups_right * LANES;
  global float* right = matrix + element(offset, offset + PANEL + first, stride);
  global float* below = matrix + element(offset + PANEL + first, offset, stride);

  if (is_below) {
    load_turned(tile, below, stride, item);
  } else {
    UNROLL_LOOP(LOADS_AHEAD)
    for (int k = 0; k < PANEL; ++k) {
      SOLVE_AT(local, tile + k * LANE_STRIDE + item * SOLVE_WIDTH) =
          SOLVE_AT(const global, right + element(k, item * SOLVE_WIDTH, stride));
    }
  }
  GROUP_BARRIER();
  solve_lanes(tile + item * SOLVE_WIDTH, factors + (is_below ? PANEL * PANEL : 0), triangle, item);
  GROUP_BARRIER();
  if (is_below) {
    store_turned(tile, below, stride, item);
    pack_below(tile, below_panel, first, item);
  } else {
    for (int k = 0; k < PANEL; ++k) {
      SOLVE_AT(global, right + element(k, item * SOLVE_WIDTH, stride)) =
          SOLVE_AT(const local, tile + k * LANE_STRIDE + item * SOLVE_WIDTH);
    }
    pack_right(tile, right_panel, first, item);
  }
}

// --- internal -------------------------------------------------------------------------------------------------------

#define TILE_VECTORS (TILE_X / VECTOR_WIDTH)
#if STAGED
#define OPERAND_SPACE local
#define CHUNK 16
#define STAGE_FLOATS (CHUNK * (GROUP_X + GROUP_Y))
#else
#define OPERAND_SPACE global
#define CHUNK PANEL
#define STAGE_FLOATS 0
#endif
#define SCRATCH_STAGED (2 * STAGE_FLOATS)
#define SCRATCH_FACTOR (2 * STEP + BLOCK_FLOATS)
#define SCRATCH (SCRATCH_STAGED > SCRATCH_FACTOR ? SCRATCH_STAGED : SCRATCH_FACTOR)

typedef struct {
  realv sums[TILE_Y][TILE_VECTORS];
} tile_sums;

// Adds CHUNK terms of the product. `below` and `right` point to the work-item's first row and column in packed tiles.
void add_products(tile_sums* tile, const OPERAND_SPACE float* below, const OPERAND_SPACE float* right) {
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < CHUNK; ++k) {
    realv top[TILE_VECTORS];
    UNROLL_LOOP(16)
    for (int v = 0; v < TILE_VECTORS; ++v) {
      top[v] = VECTOR_AT(const OPERAND_SPACE, right + k * GROUP_X + v * WORK_GROUP * VECTOR_WIDTH);
    }
    UNROLL_LOOP(4)
    for (int q = 0; q < TILE_Y; q += 4) {
      // From local memory four rows cost one load; elsewhere the loads are broadcasts, one per row.
#if STAGED
      const float4 four = *(const OPERAND_SPACE float4*)(below + k * GROUP_Y + q);
      const float left[4] = {four.x, four.y, four.z, four.w};
#else
      const OPERAND_SPACE float* left = below + k * GROUP_Y + q;
#endif
      UNROLL_LOOP(4)
      for (int r = 0; r < 4; ++r) {
        UNROLL_LOOP(16)
        for (int v = 0; v < TILE_VECTORS; ++v) {
          tile->sums[q + r][v] = MULTIPLY_ADD((realv)(left[r]), top[v], tile->sums[q + r][v]);
        }
      }
    }
  }
}

#if STAGED
// Vectors of each operand that a work-item brings per chunk.
#define BRING(edge) ((CHUNK * (edge) + ITEMS * VECTOR_WIDTH - 1) / (ITEMS * VECTOR_WIDTH))
typedef struct {
  realv below[BRING(GROUP_Y)];
  realv right[BRING(GROUP_X)];
} chunk_part;

void fetch(chunk_part* part, const global float* below, const global float* right, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < BRING(GROUP_Y); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_Y) part->below[i] = VECTOR_AT(const global, below + at);
  }
  UNROLL_LOOP(16)
  for (int i = 0; i < BRING(GROUP_X); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_X) part->right[i] = VECTOR_AT(const global, right + at);
  }
}

void put(const chunk_part* part, local float* stage, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < BRING(GROUP_Y); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_Y) VECTOR_AT(local, stage + at) = part->below[i];
  }
  UNROLL_LOOP(16)
  for (int i = 0; i < BRING(GROUP_X); ++i) {
    const int at = (item + i * ITEMS) * VECTOR_WIDTH;
    if (at < CHUNK * GROUP_X) VECTOR_AT(local, stage + CHUNK * GROUP_Y + at) = part->right[i];
  }
}
#endif

// A CPU's own prefetcher does not see the next tile coming, a few lines in each of many rows: ask for it. What follows
// the last row is never read, asking for it is harmless.
#if !STAGED && (defined(__x86_64__) || defined(__aarch64__))
#define PREFETCH(pointer) __builtin_prefetch((const void*)(size_t)(pointer), 1)
#else
#define PREFETCH(pointer)
#endif
#define LINE_FLOATS 16

// The tile of one work-item: matrix -= below * right. `below` and `right` are the group's packed tiles.
void update_tile(global float* target, const int stride, const global float* below, const global float* right,
                 local float* scratch, const int item) {
  const int column = item % WORK_GROUP * VECTOR_WIDTH;
  const int row = item / WORK_GROUP * TILE_Y;
  tile_sums tile;
#if STAGED
  chunk_part part;
  fetch(&part, below, right, item);
#endif
  UNROLL_LOOP(16)
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_LOOP(16)
    for (int v = 0; v < TILE_VECTORS; ++v) {
      tile.sums[r][v] =
          VECTOR_AT(global, target + element(row + r, column + v * WORK_GROUP * VECTOR_WIDTH, stride));
    }
  }
#if STAGED
  put(&part, scratch, item);
  GROUP_BARRIER();
  UNROLL_LOOP(1)
  for (int k = 0; k < PANEL; k += CHUNK) {
    local float* stage = scratch + k / CHUNK % 2 * STAGE_FLOATS;
    const int next = k + CHUNK;
    if (next < PANEL) fetch(&part, below + next * GROUP_Y, right + next * GROUP_X, item);
    add_products(&tile, stage + row, stage + CHUNK * GROUP_Y + column);
    if (next < PANEL) put(&part, scratch + next / CHUNK % 2 * STAGE_FLOATS, item);
    GROUP_BARRIER();
  }
#else
  for (int r = 0; r < TILE_Y; ++r) {
    for (int x = 0; x < TILE_X; x += LINE_FLOATS) PREFETCH(target + element(GROUP_Y + row + r, column + x, stride));
  }
  add_products(&tile, below + row, right + column);
#endif
  UNROLL_LOOP(16)
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_LOOP(16)
    for (int v = 0; v < TILE_VECTORS; ++v) {
      VECTOR_AT(global, target + element(row + r, column + v * WORK_GROUP * VECTOR_WIDTH, stride)) = tile.sums[r][v];
    }
  }
}

// `rest`: order of the trailing matrix, which begins PANEL beyond `offset`.
kernel GROUP_OF(ITEMS, 1) void blocked_internal(
    global float* matrix, global float* restrict factors, const global float* restrict right_panel,
    const global float* restrict below_panel, const int stride, const int offset, const int rest) {
  local float scratch[SCRATCH] __attribute__((aligned(64)));
  const int item = get_local_id(0);
  const int group = get_group_id(0);
  global float* trailing = matrix + element(offset + PANEL, offset + PANEL, stride);

  // Stacks of GRANULARITY tiles: group 0 has all those of the next block, which is corner_y x corner_x of them.
  const int corner_x = PANEL / GROUP_X;
  const int corner_y = PANEL / (GROUP_Y * GRANULARITY);
  const int stacks_x = rest / GROUP_X;
  const int stacks_y = rest / (GROUP_Y * GRANULARITY);
  const int beside = corner_y * (stacks_x - corner_x);
  const int is_corner = group == 0;
  const int is_beside = group <= beside;
  const int number = is_corner ? 0 : is_beside ? group - 1 : group - 1 - beside;
  const int height = is_corner || is_beside ? corner_y : stacks_y - corner_y;
  const int first_x = is_beside && !is_corner ? corner_x : 0;
  const int first_y = is_corner || is_beside ? 0 : corner_y;
  const int count = is_corner ? corner_x * corner_y : 1;

  for (int i = number; i < number + count; ++i) {
    const int x = first_x + i / height;
    for (int g = 0; g < GRANULARITY; ++g) {
      const int y = (first_y + i % height) * GRANULARITY + g;
      update_tile(trailing + element(y * GROUP_Y, x * GROUP_X, stride), stride,
                  below_panel + (size_t)y * (PANEL * GROUP_Y), right_panel + (size_t)x * (PANEL * GROUP_X), scratch,
                  item);
    }
  }
  if (is_corner) {
    GROUP_BARRIER();
    factor_block(trailing, stride, factors, scratch, item);
  }
}

#endif  // VARIANT_BLOCKED
