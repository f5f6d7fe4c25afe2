// lud: how the variant `dataflow` eliminates pivots from a tile in registers. Part of dataflow.cl.

// The rows of a tile below the one on the diagonal, and the columns of a tile right of it, count as beyond all pivots.
static inline int pivot_row(const int index, const position at) { return at.is_below ? PANEL : block_row(index, at.y); }
static inline int pivot_column(const int index, const position at) {
  return at.is_right ? PANEL : block_column(index, at.x);
}

// The terms of the product that eliminates four pivots, 4 * number and the next three, in the chunks in local memory.
typedef struct {
  local float* left;
  local float* above;
  int number;
  int term;  // the first of the four
} pivots;

// Column i of the four, in four rows from `row` on.
static inline float4 column_of(const pivots four, const int i, const int row) {
  return FLOAT4_AT(const local, four.left + transposed_at(four.term + i, row));
}

// Row i of the four, in four columns from `column` on.
static inline float4 row_of(const pivots four, const int i, const int column) {
  return FLOAT4_AT(const local, four.above + (four.term + i) * PANEL + column);
}

static inline void store_column(const pivots four, const int i, const int row, const float4 values) {
  FLOAT4_AT(local, four.left + transposed_at(four.term + i, row)) = values;
}

static inline void store_row(const pivots four, const int i, const int column, const float4 values) {
  FLOAT4_AT(local, four.above + (four.term + i) * PANEL + column) = values;
}

// The work-item that has the block of 4 x 4 on the diagonal factors it and stores it for the group, with the inverses
// of the pivots in their places.
void factor_pivots(register_tile* tile, const pivots four, const position at) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (pivot_row(r, at) != four.number || pivot_column(c, at) != four.number) continue;
      float inverse[4];
      UNROLL_LOOP(4)
      for (int k = 0; k < 4; ++k) {
        inverse[k] = reciprocal(tile->at[r + k][c + k]);
        UNROLL_LOOP(4)
        for (int i = k + 1; i < 4; ++i) {
          tile->at[r + i][c + k] *= inverse[k];
          UNROLL_LOOP(4)
          for (int j = k + 1; j < 4; ++j) {
            tile->at[r + i][c + j] =
                MULTIPLY_ADD(-tile->at[r + i][c + k], tile->at[r + k][c + j], tile->at[r + i][c + j]);
          }
        }
      }
      UNROLL_LOOP(4)
      for (int i = 0; i < 4; ++i) {
        float row[4];
        UNROLL_LOOP(4)
        for (int j = 0; j < 4; ++j) row[j] = i == j ? inverse[i] : tile->at[r + i][c + j];
        store_row(four, i, four.number * 4, joined(row));
        store_column(four, i, four.number * 4,
                    (float4)(tile->at[r][c + i], tile->at[r + 1][c + i], tile->at[r + 2][c + i],
                             tile->at[r + 3][c + i]));
      }
    }
  }
}

// The work-items that have the pivots' rows solve for them, U := L^-1 A, and store them for the group.
void solve_rows(register_tile* tile, const pivots four, const position at) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    if (pivot_row(r, at) != four.number) continue;
    float lower[4][4];
    UNROLL_LOOP(4)
    for (int k = 0; k < 3; ++k) split(lower[k], column_of(four, k, four.number * 4));
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (pivot_column(c, at) <= four.number) continue;
      UNROLL_LOOP(4)
      for (int i = 0; i < 4; ++i) {
        UNROLL_LOOP(4)
        for (int k = 0; k < i; ++k) {
          UNROLL_LOOP(4)
          for (int j = 0; j < 4; ++j) {
            tile->at[r + i][c + j] = MULTIPLY_ADD(-lower[k][i], tile->at[r + k][c + j], tile->at[r + i][c + j]);
          }
        }
        store_row(four, i, column_in_tile(c, at.x), joined(tile->at[r + i] + c));
      }
    }
  }
}

// The work-items that have the pivots' columns solve for them, L := A U^-1, and store them for the group.
void solve_columns(register_tile* tile, const pivots four, const position at) {
  UNROLL_LOOP(4)
  for (int c = 0; c < TILE_X; c += 4) {
    if (pivot_column(c, at) != four.number) continue;
    float upper[4][4];
    UNROLL_LOOP(4)
    for (int k = 0; k < 4; ++k) split(upper[k], row_of(four, k, four.number * 4));
    UNROLL_LOOP(4)
    for (int r = 0; r < TILE_Y; r += 4) {
      if (pivot_row(r, at) <= four.number) continue;
      UNROLL_LOOP(4)
      for (int i = 0; i < 4; ++i) {
        float column[4];
        UNROLL_LOOP(4)
        for (int j = 0; j < 4; ++j) {
          float* const value = &tile->at[r + j][c + i];
          UNROLL_LOOP(4)
          for (int k = 0; k < i; ++k) *value = MULTIPLY_ADD(-upper[k][i], tile->at[r + j][c + k], *value);
          *value *= upper[i][i];
          column[j] = *value;
        }
        store_column(four, i, row_in_tile(r, at.y), joined(column));
      }
    }
  }
}

// Subtracts the four terms from the elements below and to the right of the pivots.
void eliminate_pivots(register_tile* tile, const pivots four, const position at) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    if (pivot_row(r, at) <= four.number) continue;
    float columns[4][4];
    UNROLL_LOOP(4)
    for (int k = 0; k < 4; ++k) split(columns[k], column_of(four, k, row_in_tile(r, at.y)));
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (pivot_column(c, at) <= four.number) continue;
      UNROLL_LOOP(4)
      for (int k = 0; k < 4; ++k) {
        float row[4];
        split(row, row_of(four, k, column_in_tile(c, at.x)));
        UNROLL_LOOP(4)
        for (int i = 0; i < 4; ++i) {
          UNROLL_LOOP(4)
          for (int j = 0; j < 4; ++j) {
            tile->at[r + i][c + j] = MULTIPLY_ADD(-columns[k][i], row[j], tile->at[r + i][c + j]);
          }
        }
      }
    }
  }
}

// Stores what a chunk of pivots has finished: their rows, right of and on the diagonal, and their columns, below and on
// it.
void store_finished(const register_tile* tile, global float* to, const int stride, const position at,
                                  const int chunk) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (pivot_row(r, at) * 4 / CHUNK != chunk && pivot_column(c, at) * 4 / CHUNK != chunk) continue;
      UNROLL_LOOP(4)
      for (int i = r; i < r + 4; ++i) {
        const size_t offset = element(row_in_tile(i, at.y), column_in_tile(c, at.x), stride);
        FLOAT4_AT(global, to + offset) = joined(tile->at[i] + c);
      }
    }
  }
}

// Eliminates the pivots of the tile on the diagonal, chunk by chunk as that tile is finished where it is another
// group's. While a chunk is computed, the next one is loaded if it was ready (`is_ahead`).
static inline void eliminate_all_pivots(register_tile* tile, const tiled_matrix all, const tile_place own,
                                        const position at, local chunk_pair* stages, local int* next_is_ready,
                                        const int item) {
  global const float* diagonal = tile_begin(all, own.first, own.first);
  global flag_t* const diagonal_done = done_of(all, own.first, own.first);
  chunk_part left;
  chunk_part above;
  int is_ahead = 0;
  uint known = 0;  // used by the first work-item only: finished chunks of the diagonal's tile before its last fence
  for (int pivot = 0; pivot < PANEL / 4; ++pivot) {
    const int chunk = pivot * 4 / CHUNK;
    local float* stage = stages[chunk % 2][0];
    if (pivot * 4 % CHUNK == 0) {
      if (item == 0) {
        if (own.row != own.column && known <= (uint)chunk) {
          known = wait_for(chunk + 1, diagonal_done, diagonal_done);
          acquire_peeked();
        }
        next_is_ready[chunk % 2] = chunk + 1 < CHUNKS && known > (uint)chunk + 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (at.is_right && !is_ahead) load_columns(&left, diagonal + chunk * CHUNK, all.stride, item);
      if (at.is_below && !is_ahead) load_rows(&above, diagonal + element(chunk * CHUNK, 0, all.stride), all.stride, item);
      if (at.is_right) store_columns(&left, stage, item);
      if (at.is_below) store_rows(&above, stage + STAGE, pivot * 4, item);
      is_ahead = next_is_ready[chunk % 2];
      if (at.is_right && is_ahead) load_columns(&left, diagonal + (chunk + 1) * CHUNK, all.stride, item);
      if (at.is_below && is_ahead) {
        load_rows(&above, diagonal + element((chunk + 1) * CHUNK, 0, all.stride), all.stride, item);
      }
    }
    const pivots four = {stage, stage + STAGE, pivot, pivot * 4 % CHUNK};
    factor_pivots(tile, four, at);
    barrier(CLK_LOCAL_MEM_FENCE);
    solve_rows(tile, four, at);
    solve_columns(tile, four, at);
    barrier(CLK_LOCAL_MEM_FENCE);
    eliminate_pivots(tile, four, at);
    if ((pivot + 1) * 4 % CHUNK == 0) {
      store_finished(tile, tile_begin(all, own.row, own.column), all.stride, at, chunk);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (item == 0) publish(done_of(all, own.row, own.column), chunk + 1);
    }
  }
}
