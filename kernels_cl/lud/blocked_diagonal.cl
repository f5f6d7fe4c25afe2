// lud, variant `blocked`: factors the block on the diagonal in one group. Part of blocked.cl.

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

// Eliminates columns [begin, begin + STEP) in all rows from `begin` on. Each work-item keeps its rows in private
// memory; the owner of a pivot's row writes it to local memory, to two buffers in turn, so that one barrier per pivot
// is enough.
void eliminate_columns(BLOCK_SPACE float* block, const int stride, const int begin, local float* pivots,
                       const int item) {
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
        // In the pivot's vector only the columns behind the pivot need the update: the pivot's own column is
        // overwritten and those before it are restored.
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

// The rows of the pivots, right of the pivots: U := L^-1 A. In two halves, since a compiler may keep a whole triangle
// in registers at once.
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

// Rows of a tile. Many work-items need many small tiles; a single one needs enough sums to hide the latency of its
// multiply-add.
#define REST_ROWS (ITEMS > 1 ? 4 : 8)

// Updates what is below and right of the pivots.
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

// Writes what the perimeter needs of the factored block.
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

// Factors the block at `corner` of the matrix. `scratch` holds 2 * STEP floats and then BLOCK_FLOATS.
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

kernel GROUP_OF(ITEMS, 1) void blocked_diagonal(global float* matrix, global float* restrict factors,
                                               const int stride) {
  local float scratch[2 * STEP + BLOCK_FLOATS] __attribute__((aligned(64)));
  factor_block(matrix, stride, factors, scratch, get_local_id(0));
}
