// lud: how the variant `dataflow` subtracts the products of finished tiles from a tile in registers. Part of
// dataflow.cl.

// What bounds it: latency, since neither the arithmetic units nor local memory are busy all the time. On an H200, at 8192, tiles
// of 4 x 8 reach 32 to 34 TFLOP/s. An eighth more multiply-adds make that 4.7 % longer, a third more reads of local memory
// 5.8 %.

// Vectors of a chunk that a work-item copies.
#define COPIED ((STAGE / 4 + ITEMS - 1) / ITEMS)

typedef struct {
  float4 vectors[COPIED];
} chunk_part;

// Where a row of a transposed chunk is in local memory. Rows are permuted by the term, so that the work-items that
// transpose a chunk access different banks.
static inline int transposed_at(const int term, const int row) {
  return term * PANEL + (row ^ (term / 4 % (CHUNK / 4) * (128 / CHUNK)));
}

// CHUNK columns of a tile, to registers.
static inline void load_columns(chunk_part* part, global const float* tile, const int stride, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < COPIED; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      part->vectors[i] =
          FLOAT4_AT(global const, tile + element(vector / (CHUNK / 4), vector % (CHUNK / 4) * 4, stride));
    }
  }
}

// From there to local memory, transposed.
void store_columns(const chunk_part* part, local float* stage, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < COPIED; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      float values[4];
      split(values, part->vectors[i]);
      UNROLL_LOOP(4)
      for (int j = 0; j < 4; ++j) {
        stage[transposed_at(vector % (CHUNK / 4) * 4 + j, vector / (CHUNK / 4))] = values[j];
      }
    }
  }
}

// CHUNK rows of a tile, to registers.
static inline void load_rows(chunk_part* part, global const float* tile, const int stride, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < COPIED; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      part->vectors[i] =
          FLOAT4_AT(global const, tile + element(vector / (PANEL / 4), vector % (PANEL / 4) * 4, stride));
    }
  }
}

// From there to local memory. `pivot`: where the tile is on the diagonal, the number of the chunk's first row in it:
// the pivots are replaced by their inverses, since nothing else is needed of them; else -1.
void store_rows(const chunk_part* part, local float* stage, const int pivot, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < COPIED; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      float values[4];
      split(values, part->vectors[i]);
      if (pivot >= 0) {
        const int beyond = pivot + vector / (PANEL / 4) - vector % (PANEL / 4) * 4;
        UNROLL_LOOP(4)
        for (int j = 0; j < 4; ++j) values[j] = beyond == j ? reciprocal(values[j]) : values[j];
      }
      FLOAT4_AT(local, stage + vector * 4) = joined(values);
    }
  }
}

// Subtracts CHUNK terms of the product.
void subtract_chunk(register_tile* tile, const local float* left, const local float* above,
                                  const position at) {
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < CHUNK; ++k) {
    float column[TILE_Y];
    float row[TILE_X];
    UNROLL_LOOP(4)
    for (int r = 0; r < TILE_Y; r += 4) {
      split(column + r, FLOAT4_AT(const local, left + transposed_at(k, row_in_tile(r, at.y))));
    }
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      split(row + c, FLOAT4_AT(const local, above + k * PANEL + column_in_tile(c, at.x)));
    }
    UNROLL_LOOP(16)
    for (int r = 0; r < TILE_Y; ++r) {
      UNROLL_LOOP(16)
      for (int c = 0; c < TILE_X; ++c) tile->at[r][c] = MULTIPLY_ADD(-column[r], row[c], tile->at[r][c]);
    }
  }
}

// For each step before its own, subtracts the product of the step's tile on the left with the one above. While a chunk
// is computed, the next one is loaded, that of the next step too if its tiles are ready (`is_ahead`).
static inline void subtract_all_products(register_tile* tile, const tiled_matrix all, const tile_place own,
                                         const position at, local chunk_pair* stages, local int* next_is_ready,
                                         const int item) {
  chunk_part left;
  chunk_part above;
  int is_ahead = 0;
  // Used by the first work-item only: finished chunks of both tiles of this step before its last fence, and of the next
  // step's when it looked.
  uint known = 0;
  uint seen = 0;
  for (int step = 0; step < own.first; ++step) {
    global const float* from_left = tile_begin(all, own.row, step);
    global const float* from_above = tile_begin(all, step, own.column);
    global flag_t* const left_done = done_of(all, own.row, step);
    global flag_t* const above_done = done_of(all, step, own.column);
    if (item == 0) known = CHUNKS;
    if (item == 0 && !is_ahead) {
      known = wait_for(step + 1 < own.first ? CHUNKS : 1, left_done, above_done);
      acquire_peeked();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!is_ahead) {
      load_columns(&left, from_left, all.stride, item);
      load_rows(&above, from_above, all.stride, item);
    }
    for (int k = 0; k < PANEL; k += CHUNK) {
      const int next = k / CHUNK + 1;
      local float* stage = stages[k / CHUNK % 2][0];
      store_columns(&left, stage, item);
      store_rows(&above, stage + STAGE, -1, item);
      if (item == 0) {
        if (next < CHUNKS && known <= (uint)next) {
          known = wait_for(next + 1, left_done, above_done);
          acquire_peeked();
        }
        next_is_ready[k / CHUNK % 2] = next == CHUNKS && seen == CHUNKS;
        if (next == CHUNKS && seen == CHUNKS) acquire_peeked();
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      is_ahead = next_is_ready[k / CHUNK % 2];
      // The next step's tiles follow this step's in memory.
      if (k + CHUNK < PANEL || is_ahead) {
        load_columns(&left, from_left + k + CHUNK, all.stride, item);
        load_rows(&above, from_above + element(k + CHUNK, 0, all.stride), all.stride, item);
      }
      if (k == 0 && item == 0) seen = step + 1 < own.first ? chunks_of_both(left_done + 1, above_done + all.tiles) : 0;
      subtract_chunk(tile, stage, stage + STAGE, at);
    }
  }
}
