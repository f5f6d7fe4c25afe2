// Temperature of a chip over time: explicit steps of a network of resistors and capacitors, one cell per node. One step,
// for a cell T of power p with its neighbours n s w e (a missing neighbour counts as the cell itself):
//
//   T += dt/C (p + (n + s - 2 T) / Ry + (w + e - 2 T) / Rx + (ambient - T) / Rz)
//
// with the constants folded by the host into `weights` = (own, vertical, horizontal, gain) and `offset`, own being negative:
//
//   T += own T + vertical (n + s) + horizontal (w + e) + (gain p + offset)
//
// A weight of T that included the 1 would save an addition, but its rounding drives all temperatures the same way.
//
// Source: W. Huang et al., "HotSpot: a compact thermal modeling methodology for early-stage VLSI design", IEEE
// Transactions on VLSI Systems 14(5), 2006; blocks that shrink by a cell per step: S. Che et al., "A performance study
// of general-purpose applications on graphics processors using CUDA" (2008), section on HotSpot.
//
// Kernels, by variant; each launch advances the grid by LEVELS steps, from one array to another:
//   single_step  One step per launch, neighbours from global memory.
//   pyramid      A group loads a square tile into local memory and makes LEVELS steps; with each a cell less on every
//                side is right, and the inner square is stored.
//   streaming    A group marches down a strip of columns and makes one row of every time level per row it loads: level t
//                runs t rows behind level 0. `streaming_columns` (WORK_GROUP above 1, for GPUs) keeps VECTOR_WIDTH columns
//                of each level in registers and gets the columns beside them from other work-items. `streaming_rows`
//                (WORK_GROUP 1, for CPUs) keeps three rows of each level in private memory, which is the first-level
//                cache, and walks along them in vectors. Both lose a column per step on either side of the strip.
//
// Borders of pyramid and streaming. A missing neighbour that counts as the cell itself is the same as a grid that goes on
// mirrored: if T and p are mirrored so are the next T. Thus loads mirror their index, and nothing else knows of borders.
// With PADDING rows have margins of 16 cells in which they go on so, and streaming need not mirror columns; it keeps the
// margins true.
//
// Index map. single_step, pyramid: group (gx, gy) has the tile of WORK_GROUP x WORK_GROUP cells; work-item (x, y) has
// the VECTOR_WIDTH columns from x * VECTOR_WIDTH on in the rows y + j * (WORK_GROUP / GRANULARITY). Tiles of pyramid begin
// LEVELS cells before the square that they store. streaming: group row gy stores the rows from gy * GRANULARITY on; strip
// s stores STORED columns from s * STORED on and begins HALO columns before them.
//
// Arrays have `rows` rows of `stride` floats; a row's cells begin at LEFT.
//
// Macro           meaning
// VARIANT         VARIANT_SINGLE_STEP, VARIANT_PYRAMID, VARIANT_STREAMING
// WORK_GROUP      single_step, pyramid: edge of a tile; streaming: work-items of a group
// GRANULARITY     single_step, pyramid: rows per work-item; streaming: rows that a group stores
// VECTOR_WIDTH    neighbouring columns computed at once
// UNROLL          single_step, pyramid: of the loop over a work-item's rows; streaming: of the loop over rows, rounded up
//                 to a multiple of PREFETCH, with one work-item of the loop over vectors of a row
// PADDING         0: rows lie side by side, columns beyond them are found cell by cell; 1: rows are aligned to 16 floats
//                 and have mirrored margins (single_step keeps true the cells beside the ends, and reads no others)
// PYRAMID_HEIGHT  pyramid: the most steps per launch
// DEPTH           streaming: the most steps per launch
// STRIP           streaming with one work-item: columns that it stores
// PREFETCH        streaming with more: how many rows ahead of its use a row is loaded
// EXCHANGE        streaming with more: EXCHANGE_LOCAL: neighbouring columns through local memory; EXCHANGE_SHUFFLE: by
//                 shuffles among 32 lanes, which then have a strip of their own (needs inline PTX); EXCHANGE_AUTO: by
//                 shuffles where that is possible
// SHUFFLE         1 where lanes shuffle, chosen by the host
// LEVELS          steps of this launch, chosen by the host: what the two maxima say, or what is left; 1 in single_step
//
// Preconditions: rows and columns are at most 2^20; with PADDING `stride` is a multiple of 16, at least the columns
// rounded up to 16 and 32 more, and buffers are aligned to 64 bytes.

#if !defined(VARIANT) || VARIANT < 1 || VARIANT > 3
#error "hotspot.cl: VARIANT must be VARIANT_SINGLE_STEP, VARIANT_PYRAMID or VARIANT_STREAMING"
#endif
#if !defined(WORK_GROUP) || WORK_GROUP < 1
#error "hotspot.cl: WORK_GROUP must be a tile's edge or a group's work-items"
#endif
#if !defined(GRANULARITY) || GRANULARITY < 1
#error "hotspot.cl: GRANULARITY must be the rows per work-item or group"
#endif
#if !defined(VECTOR_WIDTH)
#error "hotspot.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#if !defined(UNROLL) || UNROLL < 1
#error "hotspot.cl: UNROLL must be at least 1"
#endif
#if !defined(PADDING) || PADDING < 0 || PADDING > 1
#error "hotspot.cl: PADDING must be 0 or 1"
#endif
#if !defined(PYRAMID_HEIGHT) || PYRAMID_HEIGHT < 1
#error "hotspot.cl: PYRAMID_HEIGHT must be at least 1"
#endif
#if !defined(DEPTH) || DEPTH < 1 || DEPTH > 16
#error "hotspot.cl: DEPTH must be 1 to 16, what a margin has"
#endif
#if !defined(STRIP) || STRIP < 1 || STRIP % VECTOR_WIDTH != 0
#error "hotspot.cl: STRIP must be a multiple of VECTOR_WIDTH"
#endif
#if !defined(PREFETCH) || PREFETCH < 1
#error "hotspot.cl: PREFETCH must be at least 1"
#endif
#if !defined(EXCHANGE) || EXCHANGE < 1 || EXCHANGE > 3
#error "hotspot.cl: EXCHANGE must be EXCHANGE_AUTO, EXCHANGE_LOCAL or EXCHANGE_SHUFFLE"
#endif
#if !defined(SHUFFLE) || SHUFFLE < 0 || SHUFFLE > 1 || (SHUFFLE && !(HAS_INLINE_PTX && WORK_GROUP % 32 == 0))
#error "hotspot.cl: SHUFFLE must be 0, or 1 for groups of a multiple of 32 where inline PTX is understood"
#endif
#if !defined(LEVELS) || LEVELS < 1
#error "hotspot.cl: LEVELS must be at least 1"
#endif

#define LEFT (PADDING ? 16 : 0)

// Arrays stay in registers where every index is a constant and no function but a built-in is called with them.
#define INLINED __attribute__((always_inline))
#define UNROLL_WHOLE PRAGMA(unroll)

INLINED realv heated(const realv power, const float4 weights, const float offset) {
  return MULTIPLY_ADD((realv)(weights.w), power, (realv)(offset));
}

INLINED realv stepped(const realv own, const realv vertical_sum, const realv horizontal_sum, const realv source,
                      const float4 weights) {
  const realv from_own = MULTIPLY_ADD((realv)(weights.x), own, source);
  const realv from_rows = MULTIPLY_ADD((realv)(weights.y), vertical_sum, from_own);
  return own + MULTIPLY_ADD((realv)(weights.z), horizontal_sum, from_rows);
}

// The cell that `index` means on an axis of `count` cells that goes on mirrored at both ends.
INLINED int mirrored(const int index, const int count) {
  if ((uint)index < (uint)count) return index;
  const int period = 2 * count;
  const int inside = (index % period + period) % period;
  return inside < count ? inside : period - 1 - inside;
}

// Stores the lanes that are in the grid.
INLINED void store_inside(global float* row, const int column, const int cols, const realv value) {
  if (column + VECTOR_WIDTH <= cols) {
    STOREV(value, column, row);
  } else {
    float lanes[VECTOR_WIDTH];
    STOREV(value, 0, lanes);
  UNROLL_LOOP(1)
    for (int k = 0; k < VECTOR_WIDTH; ++k) {
      if (column + k < cols) row[column + k] = lanes[k];
    }
  }
}

#if VARIANT == VARIANT_SINGLE_STEP

// Of columns that may lie beyond the row's ends, where the halo or the last cell inside stands for them.
INLINED realv load_clamped(global const float* row, const int column, const int cols) {
  if (PADDING || (column >= 0 && column + VECTOR_WIDTH <= cols)) return LOADV(column, row);
  float lanes[VECTOR_WIDTH];
  for (int k = 0; k < VECTOR_WIDTH; ++k) lanes[k] = row[clamp(column + k, 0, cols - 1)];
  return LOADV(0, lanes);
}

kernel GROUP_OF(WORK_GROUP / VECTOR_WIDTH, WORK_GROUP / GRANULARITY)
void single_step(global const float* restrict temperature, global const float* restrict power,
                 global float* restrict next, const int rows, const int cols, const int stride, const float4 weights,
                 const float offset) {
  const int column = (int)get_global_id(0) * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * WORK_GROUP + (int)get_local_id(1);
  if (column >= cols) return;
  for (int block = 0; block < GRANULARITY; block += UNROLL) {
    UNROLL_WHOLE
    for (int j = block; j < block + UNROLL; ++j) {
      const int row = first + j * (WORK_GROUP / GRANULARITY);
      if (row < rows) {
        const size_t begin = (size_t)row * stride + LEFT;
        global const float* const here = temperature + begin;
        global const float* const above = row > 0 ? here - stride : here;
        global const float* const below = row + 1 < rows ? here + stride : here;
        const realv vertical_sum = load_clamped(above, column, cols) + load_clamped(below, column, cols);
        const realv horizontal_sum = load_clamped(here, column - 1, cols) + load_clamped(here, column + 1, cols);
        const realv source = heated(load_clamped(power + begin, column, cols), weights, offset);
        const realv value = stepped(load_clamped(here, column, cols), vertical_sum, horizontal_sum, source, weights);
        global float* const target = next + begin;
        store_inside(target, column, cols, value);
        if (PADDING && (column == 0 || column + VECTOR_WIDTH >= cols)) {
          float lanes[VECTOR_WIDTH];
          STOREV(value, 0, lanes);
          if (column == 0) target[-1] = lanes[0];
          if (column + VECTOR_WIDTH >= cols) target[cols] = lanes[cols - 1 - column];
        }
      }
    }
  }
}

#endif

// The vector at `column` of a row, which may lie beyond its ends.
INLINED realv load_mirrored(global const float* row, const int column, const int cols) {
  if (column >= 0 && column + VECTOR_WIDTH <= cols) return LOADV(column, row);
  float lanes[VECTOR_WIDTH];
  UNROLL_LOOP(1)
  for (int k = 0; k < VECTOR_WIDTH; ++k) lanes[k] = row[mirrored(column + k, cols)];
  return LOADV(0, lanes);
}

#if VARIANT == VARIANT_PYRAMID

#define TILE WORK_GROUP
#define STORED (TILE - 2 * LEVELS)
#define ROW_STEP (TILE / GRANULARITY)

// A cell beside each end of a tile's row: read, and of no account.
#define TILE_STRIDE (TILE + 2)

kernel GROUP_OF(TILE / VECTOR_WIDTH, ROW_STEP)
void pyramid(global const float* restrict temperature, global const float* restrict power, global float* restrict next,
             const int rows, const int cols, const int stride, const float4 weights, const float offset) {
  local float tile[2][TILE][TILE_STRIDE];
  const int x = (int)get_local_id(0) * VECTOR_WIDTH;
  const int y = get_local_id(1);
  const int column = (int)get_group_id(0) * STORED - LEVELS + x;
  const int first = (int)get_group_id(1) * STORED - LEVELS + y;
  realv source[GRANULARITY];
  for (int j = 0; j < GRANULARITY; ++j) {
    const size_t begin = (size_t)mirrored(first + j * ROW_STEP, rows) * stride + LEFT;
    local float* const cells = tile[0][y + j * ROW_STEP] + 1;
    STOREV(load_mirrored(temperature + begin, column, cols), x, cells);
    source[j] = heated(load_mirrored(power + begin, column, cols), weights, offset);
    if (x == 0) cells[-1] = tile[1][y + j * ROW_STEP][0] = 0;
    if (x + VECTOR_WIDTH == TILE) cells[TILE] = tile[1][y + j * ROW_STEP][TILE + 1] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int level = 0; level < LEVELS; ++level) {
    for (int block = 0; block < GRANULARITY; block += UNROLL) {
      UNROLL_WHOLE
      for (int j = block; j < block + UNROLL; ++j) {
        const int row = y + j * ROW_STEP;
        local const float* const here = tile[level % 2][row] + 1;
        local const float* const above = row > 0 ? here - TILE_STRIDE : here;
        local const float* const below = row + 1 < TILE ? here + TILE_STRIDE : here;
        const realv vertical_sum = LOADV(x, above) + LOADV(x, below);
        const realv horizontal_sum = LOADV(x - 1, here) + LOADV(x + 1, here);
        STOREV(stepped(LOADV(x, here), vertical_sum, horizontal_sum, source[j], weights), x,
               tile[(level + 1) % 2][row] + 1);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int stored_end = min(TILE - LEVELS, cols - (column - x));  // in columns of the tile
  for (int j = 0; j < GRANULARITY; ++j) {
    const int row = y + j * ROW_STEP;
    if (row >= LEVELS && row < TILE - LEVELS && first + j * ROW_STEP < rows) {
      global float* const target = next + (size_t)(first + j * ROW_STEP) * stride + LEFT + column;
      local const float* const cells = tile[LEVELS % 2][row] + 1 + x;
      for (int k = 0; k < VECTOR_WIDTH; ++k) {
        if (x + k >= LEVELS && x + k < stored_end) target[k] = cells[k];
      }
    }
  }
}

#endif

#if VARIANT == VARIANT_STREAMING

// A strip begins at a multiple of VECTOR_WIDTH.
#define HALO ((LEVELS + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH)

INLINED size_t row_begin(const int row, const int stride) {
  return (size_t)(uint)row * (uint)stride + LEFT;
}

// PoCL's vload16 is four loads, and what is computed from it falls to pieces: vectors are read by their type.
typedef realv packed_realv __attribute__((aligned(4)));

// Of a column that VECTOR_WIDTH divides, so that with PADDING vectors are aligned; at most 16 beyond the grid.
INLINED realv load_vector(global const float* row, const int column, const int cols) {
  if (PADDING) return *(global const realv*)(row + column);
  if (column < 0 || column + VECTOR_WIDTH > cols) return load_mirrored(row, column, cols);
  return *(global const packed_realv*)(row + column);
}

INLINED void store_vector(global float* row, const int column, const int cols, const realv value) {
  if (PADDING) {
    *(global realv*)(row + column) = value;
  } else {
    store_inside(row, column, cols, value);
  }
}

INLINED bool has_images(const int column, const int cols) {
  return PADDING && (column < LEFT || column + VECTOR_WIDTH > cols - LEFT);
}

// Repeats the vector at `column`, which this work-item has stored, where the margins mirror it. `at` is the distance of a
// margin's cell from its end, and meets those whose image lies as far inside.
INLINED void store_images(global float* row, const int column, const int cols) {
  const int stored = (cols + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH;
  UNROLL_LOOP(1)
  for (int before = column; before < min(column + VECTOR_WIDTH, cols); ++before) {
    const int behind = cols - 1 - before;
    const float value = row[before];
    for (int at = before, step = 2 * behind + 1; at < LEFT; at += step, step = 2 * cols - step) row[-1 - at] = value;
    for (int at = behind, step = 2 * before + 1; at < LEFT; at += step, step = 2 * cols - step) {
      if (cols + at >= stored) row[cols + at] = value;
    }
  }
}

#if WORK_GROUP > 1

#if SHUFFLE
#define STRIP_ITEMS 32

// The value of the lane before, and behind; at the strip's ends the own one. All 32 must take part.
inline float from_lane_before(const float value) {
  float result;
  asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=f"(result) : "f"(value));
  return result;
}
inline float from_lane_behind(const float value) {
  float result;
  asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(result) : "f"(value));
  return result;
}
#else
#define STRIP_ITEMS WORK_GROUP
#endif

#define STORED (STRIP_ITEMS * VECTOR_WIDTH - 2 * HALO)

// Rows in the loop's body: with a multiple of PREFETCH no row that is still on its way need be moved.
#define ROWS_AT_ONCE ((UNROLL + PREFETCH - 1) / PREFETCH * PREFETCH)

// Rows one after the other in a grid that goes on mirrored.
struct walk {
  int row;
  int step;
};

INLINED struct walk walk_from(const int index, const int rows) {
  struct walk walk;
  walk.row = mirrored(index, rows);
  walk.step = (index - walk.row) % (2 * rows) == 0 ? 1 : -1;  // else it is an image in reversed order
  return walk;
}

INLINED struct walk walked(struct walk walk, const int rows) {
  const int next = walk.row + walk.step;
  const bool inside = (uint)next < (uint)rows;
  walk.row = inside ? next : walk.row;
  walk.step = inside ? walk.step : -walk.step;
  return walk;
}

// Level t + 1 of a row is made in two parts, so that only two rows of level t are kept: `partial` holds source, north and
// own when the row has become the middle one, west, east and south come with the next row.
kernel GROUP_OF(WORK_GROUP, 1)
void streaming_columns(global const float* restrict temperature, global const float* restrict power,
                       global float* restrict next, const int rows, const int cols, const int stride,
                       const float4 weights, const float offset) {
#if !SHUFFLE
  // First and last column of each work-item; a cell more at the strip's ends. Written and read in turns, so that one
  // barrier per row does.
  local float firsts[2][LEVELS][WORK_GROUP + 1];
  local float lasts[2][LEVELS][WORK_GROUP + 1];
#endif
  const int item = (int)get_local_id(0) % STRIP_ITEMS;
  const int strip = (int)(get_global_id(0) / STRIP_ITEMS);
  const int column = strip * STORED - HALO + item * VECTOR_WIDTH;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, rows);
#if SHUFFLE
  if (strip * STORED >= cols) return;
#endif
  const bool stores = item * VECTOR_WIDTH >= HALO && item * VECTOR_WIDTH < HALO + STORED && column < cols;
  const int from = PADDING ? min(column, stride - LEFT - VECTOR_WIDTH) : column;

  float middle[LEVELS][VECTOR_WIDTH];
  float partial[LEVELS][VECTOR_WIDTH];
  realv sources[LEVELS];
  UNROLL_WHOLE
  for (int level = 0; level < LEVELS; ++level) {
    sources[level] = (realv)(0);
    UNROLL_WHOLE
    for (int k = 0; k < VECTOR_WIDTH; ++k) middle[level][k] = partial[level][k] = 0;
#if !SHUFFLE
    if (item == 0) lasts[0][level][0] = lasts[1][level][0] = 0;
    if (item == 0) firsts[0][level][WORK_GROUP] = firsts[1][level][WORK_GROUP] = 0;
#endif
  }
  realv ahead[PREFETCH];
  realv power_ahead[PREFETCH];
  struct walk walk = walk_from(first - LEVELS, rows);
  UNROLL_WHOLE
  for (int i = 0; i < PREFETCH; ++i) {
    const size_t begin = row_begin(walk.row, stride);
    ahead[i] = load_vector(temperature + begin, from, cols);
    power_ahead[i] = load_vector(power + begin, from, cols);
    walk = walked(walk, rows);
  }

  for (int block = first - LEVELS; block < end + LEVELS; block += ROWS_AT_ONCE) {
    UNROLL_WHOLE
    for (int j = 0; j < ROWS_AT_ONCE; ++j) {
      float value[VECTOR_WIDTH];
      STOREV(ahead[j % PREFETCH], 0, value);
      UNROLL_WHOLE
      for (int level = LEVELS - 1; level > 0; --level) sources[level] = sources[level - 1];
      sources[0] = heated(power_ahead[j % PREFETCH], weights, offset);
      const size_t begin = row_begin(walk.row, stride);
      ahead[j % PREFETCH] = load_vector(temperature + begin, from, cols);
      power_ahead[j % PREFETCH] = load_vector(power + begin, from, cols);
      walk = walked(walk, rows);

#if !SHUFFLE
      const int turn = (block + j - first + LEVELS) % 2;
      UNROLL_WHOLE
      for (int level = 0; level < LEVELS; ++level) {
        firsts[turn][level][item] = middle[level][0];
        lasts[turn][level][item + 1] = middle[level][VECTOR_WIDTH - 1];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      UNROLL_WHOLE
      for (int level = 0; level < LEVELS; ++level) {
#if !SHUFFLE
        const float west = lasts[turn][level][item];
        const float east = firsts[turn][level][item + 1];
#else
        const float west = from_lane_before(middle[level][VECTOR_WIDTH - 1]);
        const float east = from_lane_behind(middle[level][0]);
#endif
        float source[VECTOR_WIDTH];
        STOREV(sources[level], 0, source);
        float made[VECTOR_WIDTH];
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          const float beside =
              (k == 0 ? west : middle[level][max(k - 1, 0)]) +
              (k == VECTOR_WIDTH - 1 ? east : middle[level][min(k + 1, VECTOR_WIDTH - 1)]);
          const float but_south = MULTIPLY_ADD(weights.z, beside, partial[level][k]);
          made[k] = middle[level][k] + MULTIPLY_ADD(weights.y, value[k], but_south);
          const float from_north = MULTIPLY_ADD(weights.y, middle[level][k], source[k]);
          partial[level][k] = MULTIPLY_ADD(weights.x, value[k], from_north);
        }
        UNROLL_WHOLE
        for (int k = 0; k < VECTOR_WIDTH; ++k) {
          middle[level][k] = value[k];
          value[k] = made[k];
        }
      }
      const int target = block + j - LEVELS;
      if (stores && target >= first && target < end) {
        store_vector(next + row_begin(target, stride), column, cols, LOADV(0, value));
      }
    }
    if (stores && has_images(column, cols)) {
      for (int target = max(block - LEVELS, first); target < min(block - LEVELS + ROWS_AT_ONCE, end); ++target) {
        store_images(next + row_begin(target, stride), column, cols);
      }
    }
  }
}

#else

#define WIDTH (STRIP + 2 * HALO)

// Rows of sources in the ring: a power of two above LEVELS.
#define RING (LEVELS < 2 ? 2 : LEVELS < 4 ? 4 : LEVELS < 8 ? 8 : LEVELS < 16 ? 16 : 32)

// Three rows of one level, each with a vector before and behind it that is read and of no account.
struct level_rows {
  float row[3][VECTOR_WIDTH + WIDTH + VECTOR_WIDTH] __attribute__((aligned(64)));
};

#define AT(pointer) (*(packed_realv*)(pointer))

INLINED realv stepped_at(const float* above, const float* here, const float* below, const float* source, const int x,
                         const float4 weights) {
  return stepped(AT(here + x), AT(above + x) + AT(below + x), AT(here + x - 1) + AT(here + x + 1), AT(source + x),
                 weights);
}

kernel GROUP_OF(1, 1)
void streaming_rows(global const float* restrict temperature, global const float* restrict power,
                    global float* restrict next, const int rows, const int cols, const int stride,
                    const float4 weights, const float offset) {
  struct level_rows levels[LEVELS];
  float sources[RING][WIDTH] __attribute__((aligned(64)));
  const int first_column = (int)get_group_id(0) * STRIP;
  const int column = first_column - HALO;
  const int first = (int)get_group_id(1) * GRANULARITY;
  const int end = min(first + GRANULARITY, rows);
  const int stored = (min(STRIP, cols - first_column) + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH;
  const int width = stored + 2 * HALO;
  for (int level = 0; level < LEVELS; ++level) {
    for (int slot = 0; slot < 3; ++slot) {
      AT(levels[level].row[slot]) = (realv)(0);
      AT(levels[level].row[slot] + VECTOR_WIDTH + width) = (realv)(0);
    }
  }
  const int turns = end - first + 2 * LEVELS;
  for (int turn = 0; turn < turns; ++turn) {
    const int newest = turn % 3;
    const int middle = (turn + 2) % 3;
    const int oldest = (turn + 1) % 3;
    {
      const size_t begin = row_begin(mirrored(first - LEVELS + turn, rows), stride);
      float* const cells = levels[0].row[newest] + VECTOR_WIDTH;
      float* const source = sources[turn % RING];
      for (int x = 0; x < width; x += VECTOR_WIDTH) {
        AT(cells + x) = load_vector(temperature + begin, column + x, cols);
        AT(source + x) = heated(load_vector(power + begin, column + x, cols), weights, offset);
      }
    }
    // Level t needs three rows of level t - 1, the first of which is there two turns after that of level t - 2.
    for (int level = 1; level < LEVELS && 2 * level <= turn; ++level) {
      const float* const above = levels[level - 1].row[oldest] + VECTOR_WIDTH;
      const float* const here = levels[level - 1].row[middle] + VECTOR_WIDTH;
      const float* const below = levels[level - 1].row[newest] + VECTOR_WIDTH;
      const float* const source = sources[(turn - level) % RING];
      float* const target = levels[level].row[newest] + VECTOR_WIDTH;
      UNROLL_LOOP(UNROLL)
      for (int x = 0; x < width; x += VECTOR_WIDTH) {
        AT(target + x) = stepped_at(above, here, below, source, x, weights);
      }
    }
    if (turn >= 2 * LEVELS) {
      const float* const above = levels[LEVELS - 1].row[oldest] + VECTOR_WIDTH + HALO;
      const float* const here = levels[LEVELS - 1].row[middle] + VECTOR_WIDTH + HALO;
      const float* const below = levels[LEVELS - 1].row[newest] + VECTOR_WIDTH + HALO;
      const float* const source = sources[(turn - LEVELS) % RING] + HALO;
      global float* const target = next + row_begin(first + turn - 2 * LEVELS, stride);
      UNROLL_LOOP(UNROLL)
      for (int x = 0; x < stored; x += VECTOR_WIDTH) {
        store_vector(target, first_column + x, cols, stepped_at(above, here, below, source, x, weights));
      }
      if (has_images(first_column, cols) || has_images(first_column + stored - VECTOR_WIDTH, cols)) {
        for (int x = 0; x < stored; x += VECTOR_WIDTH) {
          if (has_images(first_column + x, cols)) store_images(target, first_column + x, cols);
        }
      }
    }
  }
}

#endif
#endif
