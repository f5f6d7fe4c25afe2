// lud: the variant `dataflow`, one launch with a group for each tile of PANEL x PANEL.
//
// A group draws its tile from a counter, the tile on the diagonal, those right of it and below it, and so on for the
// square that is left over. It holds the tile in registers, subtracts the products of the finished tiles left of it and
// above it, as soon as they are there, and then eliminates the pivots of the tile on the diagonal, four at a time. A
// tile waits for tiles drawn before it alone, so that the groups can never all wait, however many run at a time; the
// host orders them by launches where a group that waits would keep the others from running.
//
// The longest way through the matrix goes from each tile on the diagonal by one beside it to the next. On it all three work
// at the same time: a tile is handed on by chunks of CHUNK pivots. Elsewhere tiles are waited for as a whole, since to ask
// for every chunk costs registers, and with them groups that run at a time.

#define ACROSS (PANEL / TILE_X)
#define DOWN (PANEL / TILE_Y)
#define ITEMS (ACROSS * DOWN)
// A tile is made of blocks of 4 x 4, dealt to the work-items in turn: neighbours then read neighbouring vectors, and
// all have work until the last pivots.
#define BLOCK_ROW(index, y) ((index) / 4 * DOWN + (y))
#define BLOCK_COLUMN(index, x) ((index) / 4 * ACROSS + (x))
#define ROW_OF(index, y) (4 * BLOCK_ROW(index, y) + (index) % 4)
#define COLUMN_OF(index, x) (4 * BLOCK_COLUMN(index, x) + (index) % 4)
#define VECTOR_OF(space, pointer) (*(space float4*)(pointer))

// Terms of the product that are staged at once: of the tile on the left turned, [term][row], and of the one above,
// [term][column]. A tile has at least two chunks, so that a work-item can look at the next step during one and tell the
// group with the other.
#define CHUNK (PANEL <= 64 && ITEMS >= 4 * PANEL ? 32 : 16)
#define CHUNKS (PANEL / CHUNK)
#define STAGE (CHUNK * PANEL)
#define BROUGHT ((STAGE / 4 + ITEMS - 1) / ITEMS)
// Rows of a turned chunk are shuffled by its term, so that the work-items that turn it hit different banks.
#define TURNED(term, row) ((term) * PANEL + ((row) ^ ((term) / 4 % (CHUNK / 4) * (128 / CHUNK))))

typedef struct {
  float at[TILE_Y][TILE_X];
} register_tile;

typedef struct {
  float4 vectors[BROUGHT];
} chunk_part;

void split(float* values, const float4 vector) {
  values[0] = vector.x;
  values[1] = vector.y;
  values[2] = vector.z;
  values[3] = vector.w;
}

float4 joined(const float* values) { return (float4)(values[0], values[1], values[2], values[3]); }

// CHUNK columns of a tile.
void fetch_columns(chunk_part* part, global const float* tile, const int stride, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < BROUGHT; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      part->vectors[i] =
          VECTOR_OF(global const, tile + element(vector / (CHUNK / 4), vector % (CHUNK / 4) * 4, stride));
    }
  }
}

void put_columns(const chunk_part* part, local float* stage, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < BROUGHT; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      float values[4];
      split(values, part->vectors[i]);
      UNROLL_LOOP(4)
      for (int j = 0; j < 4; ++j) {
        stage[TURNED(vector % (CHUNK / 4) * 4 + j, vector / (CHUNK / 4))] = values[j];
      }
    }
  }
}

// NVIDIA's division, and its native_recip as well, costs more than the rest of a pivot's elimination.
float reciprocal(const float value) {
#if HAS_INLINE_PTX
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
  return result;
#else
  return 1.0f / value;
#endif
}

// CHUNK rows of a tile.
void fetch_rows(chunk_part* part, global const float* tile, const int stride, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < BROUGHT; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      part->vectors[i] =
          VECTOR_OF(global const, tile + element(vector / (PANEL / 4), vector % (PANEL / 4) * 4, stride));
    }
  }
}

// `pivot`: number of the first row in the tile where that is on the diagonal: its pivots give way to their inverses,
// which is all that is asked of them; else -1.
void put_rows(const chunk_part* part, local float* stage, const int pivot, const int item) {
  UNROLL_LOOP(16)
  for (int i = 0; i < BROUGHT; ++i) {
    const int vector = item + i * ITEMS;
    if (vector < STAGE / 4) {
      float values[4];
      split(values, part->vectors[i]);
      if (pivot >= 0) {
        const int beyond = pivot + vector / (PANEL / 4) - vector % (PANEL / 4) * 4;
        UNROLL_LOOP(4)
        for (int j = 0; j < 4; ++j) values[j] = beyond == j ? reciprocal(values[j]) : values[j];
      }
      VECTOR_OF(local, stage + vector * 4) = joined(values);
    }
  }
}

// Subtracts CHUNK terms of the product.
void subtract_products(register_tile* tile, const local float* left, const local float* above, const int x,
                       const int y) {
  UNROLL_LOOP(UNROLL)
  for (int k = 0; k < CHUNK; ++k) {
    float column[TILE_Y];
    float row[TILE_X];
    UNROLL_LOOP(4)
    for (int r = 0; r < TILE_Y; r += 4) split(column + r, VECTOR_OF(const local, left + TURNED(k, ROW_OF(r, y))));
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) split(row + c, VECTOR_OF(const local, above + k * PANEL + COLUMN_OF(c, x)));
    UNROLL_LOOP(16)
    for (int r = 0; r < TILE_Y; ++r) {
      UNROLL_LOOP(16)
      for (int c = 0; c < TILE_X; ++c) tile->at[r][c] = MULTIPLY_ADD(-column[r], row[c], tile->at[r][c]);
    }
  }
}

#include "lud/dataflow_pivots.cl"

void load_tile(register_tile* tile, global const float* from, const int stride, const int x, const int y) {
  UNROLL_LOOP(16)
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      split(tile->at[r] + c, VECTOR_OF(global const, from + element(ROW_OF(r, y), COLUMN_OF(c, x), stride)));
    }
  }
}

// What a chunk of pivots has finished: their rows, right of and on the diagonal, and their columns, below and on it.
void store_finished(const register_tile* tile, global float* to, const int stride, const place at, const int chunk) {
  UNROLL_LOOP(4)
  for (int r = 0; r < TILE_Y; r += 4) {
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      if (ROWS_AT(r, at) * 4 / CHUNK != chunk && COLUMNS_AT(c, at) * 4 / CHUNK != chunk) continue;
      UNROLL_LOOP(4)
      for (int i = r; i < r + 4; ++i) {
        VECTOR_OF(global, to + element(ROW_OF(i, at.y), COLUMN_OF(c, at.x), stride)) = joined(tile->at[i] + c);
      }
    }
  }
}

// Chunks that are done of both tiles.
uint done_of(global const volatile uint* one, global const volatile uint* other) { return min(*one, *other); }

// The same, at least `chunks`.
uint wait_for(const uint chunks, global const volatile uint* one, global const volatile uint* other) {
  uint done;
  do done = done_of(one, other);
  while (done < chunks);
  return done;
}

// `tiles`: along an edge of the matrix; done: how many chunks of a tile are, a word per tile, 0 at first, as is `ticket`.
kernel GROUP_OF(ITEMS, 1) void factor_tiles(global float* matrix, global volatile uint* done, global uint* ticket,
                                            const int stride, const int tiles) {
  local float stages[2][2][STAGE] __attribute__((aligned(64)));
  local int drawn;
  local int next_is_ready[2];
  const int item = get_local_id(0);
  if (item == 0) drawn = (int)atomic_inc(ticket);
  barrier(CLK_LOCAL_MEM_FENCE);

  // Those not yet drawn are the tiles of the square that begins at (first, first), less some of its first row and
  // column.
  const int left_over = tiles * tiles - drawn;
  int edge = (int)sqrt((float)left_over);
  while (edge * edge < left_over) ++edge;
  while ((edge - 1) * (edge - 1) >= left_over) --edge;
  const int first = tiles - edge;
  const int number = edge * edge - left_over;
  const int row = first + (number % 2 == 1 ? (number + 1) / 2 : 0);
  const int column = first + (number % 2 == 0 ? number / 2 : 0);
  const place at = {item % ACROSS, item / ACROSS, column > row, row > column};

  global float* const own = matrix + element(row * PANEL, column * PANEL, stride);
  register_tile tile;
  load_tile(&tile, own, stride, at.x, at.y);
  chunk_part left;
  chunk_part above;
  int is_ahead = 0;
  // What the first work-item alone knows: chunks that were done before its last fence of the tiles it waits for, and of the
  // next step's when it looked.
  uint known = 0;
  uint seen = 0;
  for (int step = 0; step < first; ++step) {
    global const float* from_left = matrix + element(row * PANEL, step * PANEL, stride);
    global const float* from_above = matrix + element(step * PANEL, column * PANEL, stride);
    global const volatile uint* const left_done = done + row * tiles + step;
    global const volatile uint* const above_done = done + step * tiles + column;
    if (item == 0) known = CHUNKS;
    if (item == 0 && !is_ahead) {
      known = wait_for(step + 1 < first ? CHUNKS : 1, left_done, above_done);
      DEVICE_FENCE();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (!is_ahead) {
      fetch_columns(&left, from_left, stride, item);
      fetch_rows(&above, from_above, stride, item);
    }
    for (int k = 0; k < PANEL; k += CHUNK) {
      const int next = k / CHUNK + 1;
      local float* stage = stages[k / CHUNK % 2][0];
      put_columns(&left, stage, item);
      put_rows(&above, stage + STAGE, -1, item);
      if (item == 0) {
        if (next < CHUNKS && known <= (uint)next) {
          known = wait_for(next + 1, left_done, above_done);
          DEVICE_FENCE();
        }
        next_is_ready[k / CHUNK % 2] = next == CHUNKS && seen == CHUNKS;
        if (next == CHUNKS && seen == CHUNKS) DEVICE_FENCE();
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      is_ahead = next_is_ready[k / CHUNK % 2];
      // Beyond the last chunk of a step begins the first one of the next.
      if (k + CHUNK < PANEL || is_ahead) {
        fetch_columns(&left, from_left + k + CHUNK, stride, item);
        fetch_rows(&above, from_above + element(k + CHUNK, 0, stride), stride, item);
      }
      if (k == 0 && item == 0) seen = step + 1 < first ? done_of(left_done + 1, above_done + tiles) : 0;
      subtract_products(&tile, stage, stage + STAGE, at.x, at.y);
    }
  }

  global const float* diagonal = matrix + element(first * PANEL, first * PANEL, stride);
  is_ahead = 0;
  known = 0;
  for (int pivot = 0; pivot < PANEL / 4; ++pivot) {
    const int chunk = pivot * 4 / CHUNK;
    local float* stage = stages[chunk % 2][0];
    if (pivot * 4 % CHUNK == 0) {
      if (item == 0) {
        if (row != column && known <= (uint)chunk) {
          known = wait_for(chunk + 1, done + first * tiles + first, done + first * tiles + first);
          DEVICE_FENCE();
        }
        next_is_ready[chunk % 2] = chunk + 1 < CHUNKS && known > (uint)chunk + 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (at.is_right && !is_ahead) fetch_columns(&left, diagonal + chunk * CHUNK, stride, item);
      if (at.is_below && !is_ahead) fetch_rows(&above, diagonal + element(chunk * CHUNK, 0, stride), stride, item);
      if (at.is_right) put_columns(&left, stage, item);
      if (at.is_below) put_rows(&above, stage + STAGE, pivot * 4, item);
      is_ahead = next_is_ready[chunk % 2];
      if (at.is_right && is_ahead) fetch_columns(&left, diagonal + (chunk + 1) * CHUNK, stride, item);
      if (at.is_below && is_ahead) {
        fetch_rows(&above, diagonal + element((chunk + 1) * CHUNK, 0, stride), stride, item);
      }
    }
    const pivots four = {stage, stage + STAGE, pivot, pivot * 4 % CHUNK};
    factor_pivots(&tile, four, at);
    barrier(CLK_LOCAL_MEM_FENCE);
    solve_rows(&tile, four, at);
    solve_columns(&tile, four, at);
    barrier(CLK_LOCAL_MEM_FENCE);
    eliminate_pivots(&tile, four, at);
    if ((pivot + 1) * 4 % CHUNK == 0) {
      store_finished(&tile, own, stride, at, chunk);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (item == 0) {
        DEVICE_FENCE();
        done[row * tiles + column] = chunk + 1;
      }
    }
  }
}
