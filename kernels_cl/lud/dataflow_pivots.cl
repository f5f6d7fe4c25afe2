// lud: how the variant `dataflow` eliminates four pivots from a tile in registers. Part of lud_dataflow.cl.

// A work-item's place in its tile, and the tile's: beside the tile on the diagonal whose pivots are eliminated from it,
// below that, or neither, when it is that tile. Rows below and columns beside count as beyond all pivots.
typedef struct {
  int x;
  int y;
  int is_right;
  int is_below;
} place;

#define ROWS_AT(index, at) ((at).is_below ? PANEL : BLOCK_ROW(index, (at).y))
#define COLUMNS_AT(index, at) ((at).is_right ? PANEL : BLOCK_COLUMN(index, (at).x))

// Where the terms of a product stand that eliminates four pivots, which are pivots 4 * number and on.
typedef struct {
  local float* left;
  local float* above;
  int number;
  int term;
} pivots;

float4 column_of(const pivots four, const int i, const int row) {
  return VECTOR_OF(const local, four.left + TURNED(four.term + i, row));
}

float4 row_of(const pivots four, const int i, const int column) {
  return VECTOR_OF(const local, four.above + (four.term + i) * PANEL + column);
}

void show_column(const pivots four, const int i, const int row, const float4 values) {
  VECTOR_OF(local, four.left + TURNED(four.term + i, row)) = values;
}

void show_row(const pivots four, const int i, const int column, const float4 values) {
  VECTOR_OF(local, four.above + (four.term + i) * PANEL + column) = values;
}

// Whoever has the block of 4 x 4 on the diagonal factors it, and shows it to the group, the pivots' inverses in their
// places.
void factor_pivots(register_tile* tile, const pivots four, const place at) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (ROWS_AT(r, at) != four.number || COLUMNS_AT(c, at) != four.number) continue;
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
        show_row(four, i, four.number * 4, joined(row));
        show_column(four, i, four.number * 4,
                    (float4)(tile->at[r][c + i], tile->at[r + 1][c + i], tile->at[r + 2][c + i],
                             tile->at[r + 3][c + i]));
      }
    }
  }
}

// Those who have the pivots' rows solve for them, U := L^-1 A, and show them.
void solve_rows(register_tile* tile, const pivots four, const place at) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    if (ROWS_AT(r, at) != four.number) continue;
    float lower[4][4];
    UNROLL_LOOP(4)
    for (int k = 0; k < 3; ++k) split(lower[k], column_of(four, k, four.number * 4));
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (COLUMNS_AT(c, at) <= four.number) continue;
      UNROLL_LOOP(4)
      for (int i = 0; i < 4; ++i) {
        UNROLL_LOOP(4)
        for (int k = 0; k < i; ++k) {
          UNROLL_LOOP(4)
          for (int j = 0; j < 4; ++j) {
            tile->at[r + i][c + j] = MULTIPLY_ADD(-lower[k][i], tile->at[r + k][c + j], tile->at[r + i][c + j]);
          }
        }
        show_row(four, i, COLUMN_OF(c, at.x), joined(tile->at[r + i] + c));
      }
    }
  }
}

// Those who have the pivots' columns solve for them, L := A U^-1, and show them.
void solve_columns(register_tile* tile, const pivots four, const place at) {
  UNROLL_LOOP(4)
  for (int c = 0; c < TILE_X; c += 4) {
    if (COLUMNS_AT(c, at) != four.number) continue;
    float upper[4][4];
    UNROLL_LOOP(4)
    for (int k = 0; k < 4; ++k) split(upper[k], row_of(four, k, four.number * 4));
    UNROLL_LOOP(4)
    for (int r = 0; r < TILE_Y; r += 4) {
      if (ROWS_AT(r, at) <= four.number) continue;
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
        show_column(four, i, ROW_OF(r, at.y), joined(column));
      }
    }
  }
}

// Subtracts the four terms from what is below and beside the pivots.
void eliminate_pivots(register_tile* tile, const pivots four, const place at) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    if (ROWS_AT(r, at) <= four.number) continue;
    float columns[4][4];
    UNROLL_LOOP(4)
    for (int k = 0; k < 4; ++k) split(columns[k], column_of(four, k, ROW_OF(r, at.y)));
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (COLUMNS_AT(c, at) <= four.number) continue;
      UNROLL_LOOP(4)
      for (int k = 0; k < 4; ++k) {
        float row[4];
        split(row, row_of(four, k, COLUMN_OF(c, at.x)));
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
