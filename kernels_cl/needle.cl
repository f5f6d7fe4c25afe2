// Needleman-Wunsch: scores of the global alignment of two sequences with a linear gap penalty.
//
//   H[0][j] = -gap * j,  H[i][0] = -gap * i,
//   H[i][j] = max(H[i-1][j-1] + s(first[i-1], second[j-1]), H[i-1][j] - gap, H[i][j-1] - gap)
//
// Cell (i, j), 0 <= i <= m and 0 <= j <= n, is matrix[i * stride + LEAD - 1 + j]: column 1 is aligned to 128 bytes. The
// device's matrix has `rows` >= m rows and `columns` >= n columns beside the borders, whole tiles, strips or bands, and
// stride = LEAD + columns. What lies behind row m and column n is filled like the rest and looked at by nobody.
// profile[letter * columns + j - 1] is s(letter, second[j-1]) + 2 * gap: a row for every letter.
//
// Variants and their index maps:
//   wavefront        Tiles of WORK_GROUP x WORK_GROUP cells in local memory. One launch per anti-diagonal of tiles, one
//                    group per tile: `upper_left` while the diagonals grow (and keep their length, where the matrix is
//                    not square), `lower_right` while they shrink. Inside a tile an anti-diagonal of cells is computed
//                    between two barriers. After K. Theocharidis and C. Kalogirou, Master thesis, University of
//                    Thessaly 2013, section 6.3. They call coarsening and vectors unfeasible unless every diagonal is
//                    padded to the length of the longest: with GRANULARITY > 1 that is done. The tile is then kept by
//                    diagonals, cell (y, x) at [y + x][x], every diagonal has WORK_GROUP cells, those outside the tile
//                    are computed like the others and not stored, and a work-item has GRANULARITY neighbours.
//   strip            Raised scores G[i][j] = H[i][j] + gap * (i + j) need no gap: G[i][j] = max(G[i-1][j-1] + s + 2 gap,
//                    G[i-1][j], G[i][j-1]), with borders of 0. A group fills a strip of WORK_GROUP * GRANULARITY columns
//                    from top to bottom. Work-item `lane` keeps the last row of its GRANULARITY columns in registers; in
//                    step t it does the UNROLL rows of block t - lane, whose left neighbours lane - 1 did in step t - 1.
//                    Where lanes shuffle, nothing but the chain of scores is left to them: helpers fetch letters and the
//                    column before the strip as they come, and store finished cells line by line from local memory.
//   score_only       The same, but of the matrix only cell (m, n) is written, to `score`.
//   scan             Vector elements as lanes: a group is one work-item, which fills a tile of 16 * GRANULARITY rows and
//                    CHUNK columns row by row. With t[j] = max(G[i-1][j-1] + s + 2 gap, G[i-1][j]), a row of G is the
//                    running maximum of t, found in log2(VECTOR_WIDTH) steps per vector. One launch per anti-diagonal of
//                    tiles; they are larger than those of wavefront, having no need of local memory for more than a row.
//   score_only_scan  The same, but only `score` is written.
//
// Strips follow each other within one launch. Strip k leaves its last column in part k + 1 of `edges`, and strip k + 1
// reads it once it is there: raised scores are never negative, and the host fills `edges` with -1. Every word speaks for itself,
// so that no order between words is relied on. A group draws its strip from `ticket` as it starts, so that whoever it
// waits for has started before. That groups which have started go on running OpenCL 1.2 does not promise; GPUs do it.
// Elsewhere the host launches one strip after the other, and nobody waits.
//
// Macro            meaning
// VARIANT          VARIANT_WAVEFRONT, VARIANT_STRIP, VARIANT_SCORE_ONLY, VARIANT_SCAN or VARIANT_SCORE_ONLY_SCAN
// WORK_GROUP       wavefront: edge of a tile; strip, score_only: lanes (work-items of a group); a power of two from 16
// GRANULARITY      wavefront: cells of a diagonal per work-item; strip, score_only: columns per work-item; scan: rows of
//                  a tile in units of 16
// VECTOR_WIDTH     wavefront: neighbours of a tile row that are moved at once, and cells of a diagonal that are computed
//                  at once where it divides GRANULARITY; strip, score_only: columns that are loaded and stored at once;
//                  scan: lanes
// UNROLL           wavefront: of the loops over diagonals (a hint); strip, score_only: rows per step; scan: vectors per
//                  iteration (a hint)
// PADDING          wavefront: unused columns of the tile in local memory
// SIMILARITY       wavefront: SIMILARITY_STORED: a score for each cell, made by the host, is read; SIMILARITY_PROFILE:
//                  it comes from `profile`
// HANDOVER         strip, score_only: HANDOVER_LOCAL: lanes pass their columns on through local memory;
//                  HANDOVER_SHUFFLE: through shuffles of a group of 32; HANDOVER_AUTO: the host takes these if it can
// SHUFFLE          strip, score_only: 1 where lanes shuffle, chosen by the host
// HELPERS          strip, score_only: items that help 32 lanes that shuffle: 32 who fetch, the others store
// MARGIN           strip, score_only: blocks of UNROLL rows before and behind the letters and each strip's edge, which
//                  are touched, but never mean anything; more than the work-group and some rounds
// LETTERS          rows of `profile`
// LEAD             words before column 1 in a row of the matrix, a multiple of 16
// CHUNK            scan: columns of a tile, a multiple of VECTOR_WIDTH
//
// Preconditions: `columns` and `rows` are multiples of the tile; of the strip's width and of UNROLL; of CHUNK and of 1.
// Local memory: wavefront 2 T^2 words or so, strips LETTERS + 1 words per column and the cells that
// helpers store, bands CHUNK words.

#if !defined(VARIANT) || VARIANT < 1 || VARIANT > 5
#error "needle.cl: VARIANT must be VARIANT_WAVEFRONT, _STRIP, _SCORE_ONLY, _SCAN or _SCORE_ONLY_SCAN"
#endif
#if !defined(WORK_GROUP) || WORK_GROUP < 16 || (WORK_GROUP & (WORK_GROUP - 1))
#error "needle.cl: WORK_GROUP must be a power of two from 16"
#endif
#if !defined(GRANULARITY) || GRANULARITY < 1 || GRANULARITY > 16 || (GRANULARITY & (GRANULARITY - 1))
#error "needle.cl: GRANULARITY must be 1, 2, 4, 8 or 16"
#endif
#if !defined(VECTOR_WIDTH)
#error "needle.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#if !defined(UNROLL) || UNROLL < 1 || UNROLL > 8 || (UNROLL & (UNROLL - 1))
#error "needle.cl: UNROLL must be 1, 2, 4 or 8"
#endif
#if !defined(PADDING) || PADDING < 0 || PADDING > 1
#error "needle.cl: PADDING must be 0 or 1"
#endif
#if !defined(SIMILARITY) || SIMILARITY < 1 || SIMILARITY > 2
#error "needle.cl: SIMILARITY must be SIMILARITY_STORED or SIMILARITY_PROFILE"
#endif
#if !defined(HANDOVER) || HANDOVER < 1 || HANDOVER > 3
#error "needle.cl: HANDOVER must be HANDOVER_AUTO, HANDOVER_LOCAL or HANDOVER_SHUFFLE"
#endif
#if !defined(SHUFFLE) || SHUFFLE < 0 || SHUFFLE > 1 || (SHUFFLE && !(HAS_INLINE_PTX && WORK_GROUP == 32))
#error "needle.cl: SHUFFLE must be 0, or 1 for groups of 32 where inline PTX is understood"
#endif
#if !defined(HELPERS) || HELPERS % 32 != 0 || (HELPERS > 0) != SHUFFLE
#error "needle.cl: HELPERS must be a multiple of 32 where lanes shuffle, else 0"
#endif
#if !defined(LETTERS) || LETTERS < 1
#error "needle.cl: LETTERS must be the number of letters"
#endif
#if !defined(LEAD) || LEAD < 16 || LEAD % 16 != 0
#error "needle.cl: LEAD must be a multiple of 16"
#endif
#if !defined(MARGIN) || MARGIN < 0
#error "needle.cl: MARGIN must be the number of blocks before the first letter"
#endif
#if !defined(CHUNK) || CHUNK % VECTOR_WIDTH != 0
#error "needle.cl: CHUNK must be a multiple of VECTOR_WIDTH"
#endif

// Where column 1 of row i begins. Matrices pass 2^31 cells.
#define ROW_BEGIN(i, columns) ((size_t)(i) * (LEAD + (columns)) + LEAD)

#if VECTOR_WIDTH == 1
typedef short shortv;
#define TO_INTV(v) ((int)(v))
#define SELECT(otherwise, value, condition) ((condition) ? (value) : (otherwise))
#define IOTA 0
#else
typedef JOIN(short, VECTOR_WIDTH) shortv;
#define TO_INTV(v) JOIN(convert_int, VECTOR_WIDTH)(v)
#define SELECT(otherwise, value, condition) select((otherwise), (value), (condition))
#if VECTOR_WIDTH == 2
#define IOTA ((int2)(0, 1))
#elif VECTOR_WIDTH == 4
#define IOTA ((int4)(0, 1, 2, 3))
#elif VECTOR_WIDTH == 8
#define IOTA ((int8)(0, 1, 2, 3, 4, 5, 6, 7))
#else
#define IOTA ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif
#endif

#if VARIANT == VARIANT_WAVEFRONT

#define TILE WORK_GROUP
#define ITEMS (TILE / GRANULARITY)
#define SKEWED (GRANULARITY > 1)
#define PITCH (TILE + 1 + PADDING)
#define CELL_ROWS (SKEWED ? 2 * TILE + 1 : TILE + 1)
// Row 0 and column 0 of a tile are its neighbours' last ones.
#define CELL(y, x) ((SKEWED ? (y) + (x) : (y)) * PITCH + (x))
// Diagonals of a skewed tile hold the scores of pairs until they are computed.
#define PAIR(y, x) ((y) * TILE + (x))
#define PAIR_CELLS (SKEWED ? 1 : TILE * TILE)
#define COMPUTED_WIDTH (GRANULARITY % VECTOR_WIDTH == 0 ? VECTOR_WIDTH : 1)

struct problem {
  ulong columns;
  int gap;
};

struct tile {
  uint row;     // in tiles
  uint column;
};

// The neighbours' cells, and the scores of all pairs.
inline void load_tile(local int* cells, local int* pairs, global const int* matrix, global const int* similarity,
                      global const short* profile, global const uchar* first, const struct tile tile,
                      const struct problem problem) {
  const int item = get_local_id(0);
  const size_t row = (size_t)tile.row * TILE;
  const size_t column = (size_t)tile.column * TILE;
  for (int k = item; k < TILE; k += ITEMS) {
    // The borders of the matrix are made here; elsewhere earlier launches have written.
    int north = -problem.gap * (int)(column + k + 1);
    int west = -problem.gap * (int)(row + k + 1);
    if (tile.row > 0) north = matrix[ROW_BEGIN(row, problem.columns) + column + k];
    if (tile.column > 0) west = matrix[ROW_BEGIN(row + k + 1, problem.columns) + column - 1];
    cells[CELL(0, k + 1)] = north;
    cells[CELL(k + 1, 0)] = west;
  }
  if (item == 0) {
    int corner = -problem.gap * (int)(row + column);
    if (tile.row > 0 && tile.column > 0) corner = matrix[ROW_BEGIN(row, problem.columns) + column - 1];
    cells[CELL(0, 0)] = corner;
  }
  for (int k = item; k < TILE * TILE / VECTOR_WIDTH; k += ITEMS) {
    const int y = k / (TILE / VECTOR_WIDTH);
    const int x = k % (TILE / VECTOR_WIDTH) * VECTOR_WIDTH;
    intv scores;
    if (SIMILARITY == SIMILARITY_STORED) {
      scores = *(global const intv*)(similarity + (row + y) * problem.columns + column + x);
    } else {
      const size_t letter = first[row + y];
      scores = TO_INTV(*(global const shortv*)(profile + letter * problem.columns + column + x)) - 2 * problem.gap;
    }
    if (SKEWED) {
      int each[VECTOR_WIDTH];
      STOREV(scores, 0, each);
      for (int e = 0; e < VECTOR_WIDTH; ++e) cells[CELL(y + 1, x + e + 1)] = each[e];
    } else {
      STOREV(scores, PAIR(y, x), pairs);
    }
  }
}

inline void store_tile(global int* matrix, local const int* cells, const struct tile tile,
                       const struct problem problem) {
  const int item = get_local_id(0);
  const size_t row = (size_t)tile.row * TILE;
  const size_t column = (size_t)tile.column * TILE;
  for (int k = item; k < TILE * TILE / VECTOR_WIDTH; k += ITEMS) {
    const int y = k / (TILE / VECTOR_WIDTH);
    const int x = k % (TILE / VECTOR_WIDTH) * VECTOR_WIDTH;
    int each[VECTOR_WIDTH];
    for (int e = 0; e < VECTOR_WIDTH; ++e) each[e] = cells[CELL(y + 1, x + e + 1)];
    *(global intv*)(matrix + ROW_BEGIN(row + y + 1, problem.columns) + column + x) = LOADV(0, each);
  }
  for (int k = item; k < TILE; k += ITEMS) {
    if (tile.row == 0) matrix[ROW_BEGIN(0, problem.columns) + column + k] = cells[CELL(0, k + 1)];
    if (tile.column == 0) matrix[ROW_BEGIN(row + k + 1, problem.columns) - 1] = cells[CELL(k + 1, 0)];
  }
  if (item == 0 && tile.row == 0 && tile.column == 0) matrix[LEAD - 1] = cells[CELL(0, 0)];
}

#if SKEWED
// Diagonals of equal length. Row [d] holds cells (d - x, x): what is outside the tile keeps its value, and so do the
// neighbours' cells.
inline void compute(local int* cells, local const int* pairs, const int gap) {
  const int begin = 1 + (int)get_local_id(0) * GRANULARITY;
  UNROLL_LOOP(UNROLL)
  for (int d = 2; d <= 2 * TILE; ++d) {
    for (int x = begin; x < begin + GRANULARITY; x += VECTOR_WIDTH) {
      local int* const here = cells + d * PITCH + x;
      const intv old = LOADV(0, here);
      const intv pair = LOADV(0, here - 2 * PITCH - 1) + old;
      const intv best = max(LOADV(0, here - PITCH), LOADV(0, here - PITCH - 1)) - gap;
      const intv y = d - x - IOTA;
      STOREV(SELECT(old, max(pair, best), y >= 1 && y <= TILE), 0, here);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#else
inline void compute_cell(local int* cells, local const int* pairs, const int y, const int x, const int gap) {
  const int pair = cells[CELL(y - 1, x - 1)] + pairs[PAIR(y - 1, x - 1)];
  const int best = max(cells[CELL(y - 1, x)], cells[CELL(y, x - 1)]) - gap;
  cells[CELL(y, x)] = max(pair, best);
}

// As the thesis has it: one work-item per cell, diagonals that grow, then shrink.
inline void compute(local int* cells, local const int* pairs, const int gap) {
  const int item = get_local_id(0);
  UNROLL_LOOP(UNROLL)
  for (int d = 0; d < TILE; ++d) {
    if (item <= d) compute_cell(cells, pairs, d - item + 1, item + 1, gap);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  UNROLL_LOOP(UNROLL)
  for (int d = TILE - 2; d >= 0; --d) {
    if (item <= d) compute_cell(cells, pairs, TILE - item, item + TILE - d, gap);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif

#define WAVEFRONT_ARGUMENTS                                                                                  \
  global int *matrix, global const int *restrict similarity, global const short *restrict profile,           \
      global const uchar *restrict first, const ulong columns, const int gap, const uint top, const uint right

// Group g has the g-th tile of the diagonal that begins at tile (top, right) and goes down and left. The local arrays
// must be a kernel's own.
#define FILL_TILE                                                                                              \
  local int cells[CELL_ROWS * PITCH];                                                                          \
  local int pairs[PAIR_CELLS];                                                                                 \
  const struct tile tile = {top + (uint)get_group_id(0), right - (uint)get_group_id(0)};                       \
  const struct problem problem = {columns, gap};                                                               \
  load_tile(cells, pairs, matrix, similarity, profile, first, tile, problem);                                  \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
  compute(cells, pairs, gap);                                                                                  \
  store_tile(matrix, cells, tile, problem);

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void upper_left(WAVEFRONT_ARGUMENTS) { FILL_TILE }
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void lower_right(WAVEFRONT_ARGUMENTS) { FILL_TILE }

#else

#define STORED (VARIANT == VARIANT_STRIP || VARIANT == VARIANT_SCAN)

#endif

#if VARIANT == VARIANT_STRIP || VARIANT == VARIANT_SCORE_ONLY

#define LANES WORK_GROUP
#define COLUMNS GRANULARITY
#define ROWS UNROLL
#define WIDTH (LANES * COLUMNS)
#define ITEMS (LANES + HELPERS)
// Lanes that shuffle have 32 items who fetch for them and, where cells are stored, others who do that and whom they meet
// after every round of STEPS steps.
#if SHUFFLE
#define STEPS 4
#define INBOX_ROWS (32 * ROWS)
#else
#define STEPS (LANES / ROWS < 8 ? LANES / ROWS : 8)
#define INBOX_ROWS (4 * STEPS * ROWS)
#endif
#define FETCHED (STEPS * ROWS)
// Letters: those fetched last are at most INBOX_ROWS + 96 rows ahead of lane 0, and the last lane is LANES - 1 blocks behind.
#define LETTER_ROWS (!SHUFFLE ? 1 : ROWS == 1 ? 256 : 128 * ROWS)
#define EDGE_LENGTH(blocks) ((ulong)((blocks) + 2 * MARGIN) * ROWS)

// Cells on their way to the matrix: step by step, each lane's block. SPAN lanes make up a line of 32 cells, and do so
// within SPAN steps.
#define HELPERS_STORE (SHUFFLE && STORED)
#define SPAN (32 / COLUMNS)
#define SLOTS (COLUMNS == 1 ? 64 : COLUMNS == 2 ? 32 : 16)
#define SLOT(step) (((step) & (SLOTS - 1)) * ROWS * WIDTH)
#define LINE_ITEMS (32 / VECTOR_WIDTH)
#define LINES_AT_ONCE (HELPERS > LANES ? (HELPERS - LANES) / LINE_ITEMS : 1)

// A word for each of UNROLL rows.
#if UNROLL == 1
typedef int rowsv;
#else
typedef JOIN(int, UNROLL) rowsv;
#endif

struct strip {
  global int* matrix;
  global const int* letters;          // where their scores begin
  global volatile const int* before;  // raised scores of the column before the strip
  global volatile int* behind;        // of its last column
  int blocks;                         // of UNROLL rows
  int column;                         // the first one
  int gap;
  uint stride;
};

struct shared {
  local int* scores;            // WIDTH for each letter and for one that pairs with nothing
  local volatile int* inbox;    // the column before the strip, INBOX_ROWS; -1 where who fetches may write
  local volatile int* letters;  // LETTER_ROWS
  local int* slots;             // SLOTS steps
};

// What a lane holds between steps. Scores are raised.
struct lane {
  int north[COLUMNS] __attribute__((aligned(64)));         // of the row above
  int corner;                                              // left of that
  int right[ROWS] __attribute__((aligned(32)));            // of the last column in the rows of the last step
  int from_left[ROWS];                                     // the same of the lane before, where lanes shuffle
  int pairs[ROWS * COLUMNS] __attribute__((aligned(64)));  // scores of the next step's pairs
};

// Raised scores left of the first strip are 0; those behind the last row do not matter.
inline int is_known(const struct strip strip, const int row) {
  return strip.column == 0 || row >= strip.blocks * ROWS;
}

inline void store_border(const struct strip strip, const int row) {
  if (STORED && strip.column == 0 && row < strip.blocks * ROWS) {
    strip.matrix[(size_t)(row + 1) * strip.stride + LEAD - 1] = -strip.gap * (row + 1);
  }
}

// What the strip before has left in a row of its last column; waits until it is there.
inline int received(const struct strip strip, const int row, int value) {
  store_border(strip, row);
  if (is_known(strip, row)) return 0;
  while (value < 0) value = strip.before[row];
  return value;
}

inline void load_pairs(struct lane* state, local const int* scores, const rowsv letters) {
  int begin[ROWS] __attribute__((aligned(32)));
  *(rowsv*)begin = letters;
  UNROLL_LOOP(ROWS)
  for (int r = 0; r < ROWS; ++r) {
    UNROLL_LOOP(COLUMNS)
    for (int c = 0; c < COLUMNS; c += VECTOR_WIDTH) {
      *(intv*)(state->pairs + r * COLUMNS + c) = *(local const intv*)(scores + begin[r] + c);
    }
  }
}

#if SHUFFLE

// Lanes and those who store for them come here from loops of their own, which barrier() does not allow.
inline void meet(void) {
  if (STORED) asm volatile("bar.sync 1, %0;" : : "r"(ITEMS - LANES) : "memory");
}

// Whether it is so for all 32 items.
inline int holds_for_all(const int condition) {
  int result;
  asm volatile("{.reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.all.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q;}"
               : "=r"(result) : "r"(condition));
  return result;
}

// The value of another lane of 32. All must take part.
inline int shuffled(const int value, const int lane) {
  int result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(value), "r"(lane));
  return result;
}

// Stores the lines that were completed in the round that began with `step`. `lowering` is gap * (i + j) of the helper's
// first cell there, kept from round to round: as a product it would be multiplied anew for every cell.
inline void store_lines(const struct strip strip, local const int* slots, const int step, const int lowering,
                        const int surely_inside) {
  const int helper = get_local_id(0) - 2 * LANES;
  const int in_line = helper % LINE_ITEMS * VECTOR_WIDTH;
  const uint stride_bytes = strip.stride * sizeof(int);
  global char* const top = (global char*)(strip.matrix + strip.stride + LEAD + strip.column + in_line);
  const intv lowerings = strip.gap * IOTA;
  UNROLL_LOOP(STEPS)
  for (int pass = 0; pass < (STEPS * ROWS + LINES_AT_ONCE - 1) / LINES_AT_ONCE; ++pass) {
    const int row = helper / LINE_ITEMS + pass * LINES_AT_ONCE;  // of the round
    if (STEPS * ROWS % LINES_AT_ONCE != 0 && row >= STEPS * ROWS) continue;
    const int block = step - (SPAN - 1) + row / ROWS;
    local const int* const from = slots + SLOT(block + in_line / COLUMNS) + row % ROWS * WIDTH + in_line;
    intv raised[COLUMNS];
    UNROLL_LOOP(COLUMNS)
    for (int line = 0; line < COLUMNS; ++line) raised[line] = *(local const intv*)(from + line * 32);
    UNROLL_LOOP(COLUMNS)
    for (int line = 0; line < COLUMNS; ++line) {
      const int i = (block - line * SPAN) * ROWS + row % ROWS;
      const int lowered = lowering + strip.gap * (pass * LINES_AT_ONCE + line * 32 - line * SPAN * ROWS);
      if (surely_inside || (uint)i < (uint)(strip.blocks * ROWS)) {
        *(global intv*)(top + (ulong)(uint)i * stride_bytes + line * 32 * sizeof(int)) =
            raised[line] - lowerings - lowered;
      }
    }
  }
}

// Round by round, one behind the lanes.
inline void store_all(const struct strip strip, const struct shared shared, const int rounds) {
  const int helper = get_local_id(0) - 2 * LANES;
  int lowering = strip.gap * (strip.column + helper % LINE_ITEMS * VECTOR_WIDTH + helper / LINE_ITEMS + 2 -
                              (STEPS + SPAN - 1) * ROWS);
  for (int step = -STEPS; step < (rounds - 1) * STEPS; step += STEPS) {
    // Written twice so that the compiler leaves out the questions.
    if (step >= LANES && step + STEPS <= strip.blocks) {
      store_lines(strip, shared.slots, step, lowering, 1);
    } else {
      store_lines(strip, shared.slots, step, lowering, 0);
    }
    lowering += STEPS * ROWS * strip.gap;
    meet();
  }
}

// 32 rows at a time, each as soon as it is there and its place is free, after the letters of the next 32.
inline void fetch_all(const struct strip strip, const struct shared shared, const int rows) {
  const int helper = get_local_id(0) - LANES;
  int letter = strip.letters[helper + 32];
  int edge = strip.before[helper];
  for (int row = helper; row < rows + helper; row += 32) {
    shared.letters[(row + 32) & (LETTER_ROWS - 1)] = letter;
    letter = strip.letters[row + 64];
    int value = is_known(strip, row) ? 0 : edge;
    edge = strip.before[row + 32];
    int done = 0;
    while (!holds_for_all(done)) {
      if (value < 0) value = strip.before[row];
      if (!done && value >= 0 && shared.inbox[row & (INBOX_ROWS - 1)] < 0) {
        shared.inbox[row & (INBOX_ROWS - 1)] = value;
        done = 1;
      }
    }
    store_border(strip, row);
  }
}

#endif

// UNROLL rows of the lane's columns; `west` is the column before. All loops are unrolled, so that the arrays are
// registers. Cells go to the matrix or, where helpers store them, to their slot.
inline void compute_block(struct lane* state, const int* pairs, const rowsv west, const struct strip strip,
                          local int* slots, const int step) {
  const int lane = get_local_id(0);
  const int block = step - lane;
  int column_before[ROWS] __attribute__((aligned(32)));
  *(rowsv*)column_before = west;
  UNROLL_LOOP(ROWS)
  for (int r = 0; r < ROWS; ++r) {
    int last = column_before[r];
#if SHUFFLE
    if (lane > 0) last = state->from_left[r];
#endif
    int diagonal = state->corner;
    state->corner = last;
    UNROLL_LOOP(COLUMNS)
    for (int c = 0; c < COLUMNS; ++c) {
      const int best = max(diagonal + pairs[r * COLUMNS + c], state->north[c]);
      diagonal = state->north[c];
      last = max(best, last);
      state->north[c] = last;
    }
    state->right[r] = last;
#if SHUFFLE
    state->from_left[r] = shuffled(last, lane - 1);
#endif
    if (STORED && (HELPERS_STORE || (block >= 0 && block < strip.blocks))) {
      const int row = block * ROWS + r;
      const int column = strip.column + lane * COLUMNS;
      UNROLL_LOOP(COLUMNS)
      for (int c = 0; c < COLUMNS; c += VECTOR_WIDTH) {
        const intv raised = *(const intv*)(state->north + c);
        if (HELPERS_STORE) {
          *(local intv*)(slots + SLOT(step) + r * WIDTH + lane * COLUMNS + c) = raised;
        } else {
          *(global intv*)(strip.matrix + (size_t)(uint)(row + 1) * strip.stride + LEAD + column + c) =
              raised - strip.gap * (column + c + 1 + IOTA) - strip.gap * (row + 1);
        }
      }
    }
  }
  if (lane == LANES - 1) *(global volatile rowsv*)(strip.behind + block * ROWS) = *(const rowsv*)state->right;
}

#if SHUFFLE

inline void fill(struct lane* state, const struct strip strip, const struct shared shared, local int* passed,
                 const int rounds) {
  const int lane = get_local_id(0);
  local const int* const scores = shared.scores + lane * COLUMNS;
  load_pairs(state, scores, *(local const volatile rowsv*)(shared.letters + (-lane * ROWS & (LETTER_ROWS - 1))));
  for (int begin = 0; begin < rounds * STEPS; begin += STEPS) {
    local volatile int* const inbox = shared.inbox + (begin * ROWS & (INBOX_ROWS - 1));
    rowsv west[STEPS];
    int edge;
    do {
      edge = lane < FETCHED ? inbox[lane] : 0;
      UNROLL_LOOP(STEPS)
      for (int k = 0; k < STEPS; ++k) west[k] = *(local volatile rowsv*)(inbox + k * ROWS);
    } while (!holds_for_all(edge >= 0));
    if (lane < FETCHED) inbox[lane] = -1;
    UNROLL_LOOP(STEPS)
    for (int k = 0; k < STEPS; ++k) {
      int pairs[ROWS * COLUMNS];
      for (int p = 0; p < ROWS * COLUMNS; ++p) pairs[p] = state->pairs[p];
      const int next = (begin + k + 1 - lane) * ROWS;
      load_pairs(state, scores, *(local const volatile rowsv*)(shared.letters + (next & (LETTER_ROWS - 1))));
      compute_block(state, pairs, west[k], strip, shared.slots, begin + k);
    }
    meet();
  }
}

#else

inline void fill(struct lane* state, const struct strip strip, const struct shared shared, local int* passed,
                 const int rounds) {
  const int lane = get_local_id(0);
  int coming = -1;  // raised score of the column before the strip in a row of the next round, if it is there
  for (int step = 0; step < rounds * STEPS; ++step) {
    if (step % STEPS == 0 && lane < FETCHED) {
      const int row = (step + STEPS) * ROWS + lane;
      shared.inbox[row & (INBOX_ROWS - 1)] = received(strip, row, coming);
      coming = strip.before[row + FETCHED];
    }
    load_pairs(state, shared.scores + lane * COLUMNS, *(global const rowsv*)(strip.letters + (step - lane) * ROWS));
    barrier(CLK_LOCAL_MEM_FENCE);
    local const volatile int* west = passed + (step % 2 * LANES + lane - 1) * ROWS;
    if (lane == 0) west = shared.inbox + (step * ROWS & (INBOX_ROWS - 1));
    compute_block(state, state->pairs, *(local const volatile rowsv*)west, strip, shared.slots, step);
    *(local rowsv*)(passed + ((step + 1) % 2 * LANES + lane) * ROWS) = *(const rowsv*)state->right;
  }
}

#endif

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void fill_strips(
    global int* matrix, global int* score, global const int* restrict letters, global const short* restrict profile,
    global volatile int* edges, global uint* ticket, const uint strips, const int rows, const int last,
    const ulong columns, const int gap) {
  local uint drawn;
  local int scores[(LETTERS + 1) * WIDTH] __attribute__((aligned(64)));
  local int inbox[INBOX_ROWS] __attribute__((aligned(32)));
  local int fetched_letters[LETTER_ROWS] __attribute__((aligned(32)));
  local int slots[HELPERS_STORE ? SLOTS * ROWS * WIDTH : 1] __attribute__((aligned(64)));
  local int passed[SHUFFLE ? 1 : 2 * LANES * ROWS] __attribute__((aligned(32)));

  const int item = get_local_id(0);
  if (item == 0) drawn = atomic_inc(ticket);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint index = drawn;
  const int blocks = max(1, (rows + ROWS - 1) / ROWS);
  const int first_column = index * WIDTH;
  global volatile int* const before = edges + index * EDGE_LENGTH(blocks) + MARGIN * ROWS;
  const struct strip strip = {matrix, letters + MARGIN * ROWS, before,       before + EDGE_LENGTH(blocks),
                              blocks, first_column,            gap,          LEAD + columns};
  const struct shared shared = {scores, inbox, fetched_letters, slots};

  for (int letter = 0; letter <= LETTERS; ++letter) {
    for (int c = item; c < WIDTH; c += ITEMS) {
      const int j = first_column + c;
      scores[letter * WIDTH + c] = letter < LETTERS && j < last ? profile[letter * columns + j] : 0;
    }
  }
  for (int c = item; STORED && c < WIDTH; c += ITEMS) matrix[LEAD + first_column + c] = -gap * (first_column + c + 1);
  if (STORED && index == 0 && item == 0) matrix[LEAD - 1] = 0;
  if (!SHUFFLE && item < FETCHED) inbox[item] = received(strip, item, -1);
  for (int row = item; SHUFFLE && row < INBOX_ROWS; row += ITEMS) inbox[row] = -1;
  for (int row = item - LANES * ROWS; SHUFFLE && row < 32; row += ITEMS) {
    fetched_letters[row & (LETTER_ROWS - 1)] = strip.letters[row];
  }
  struct lane state;
  for (int c = 0; c < COLUMNS; ++c) state.north[c] = 0;
  for (int r = 0; r < ROWS; ++r) state.right[r] = state.from_left[r] = 0;
  state.corner = 0;
  for (int r = 0; !SHUFFLE && r < ROWS; ++r) passed[item * ROWS + r] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

#if SHUFFLE
  const int rounds = (blocks + LANES + STEPS - 2) / STEPS + 1;  // one more for the last lines
  if (item < LANES) {
    fill(&state, strip, shared, passed, rounds);
  } else if (item < 2 * LANES) {
    fetch_all(strip, shared, rounds * STEPS * ROWS);
  } else {
    store_all(strip, shared, rounds);
  }
#else
  fill(&state, strip, shared, passed, (blocks + LANES + STEPS - 2) / STEPS);
#endif
  // Behind the last row and column scores stay as they are.
  if (!STORED && item == LANES - 1 && index + 1 == strips) *score = state.right[ROWS - 1] - gap * (rows + last);
}

#endif

#if VARIANT == VARIANT_SCAN || VARIANT == VARIANT_SCORE_ONLY_SCAN

#define HEIGHT (16 * GRANULARITY)

// A store past the caches: nobody reads these cells again, and a plain store would first fetch them. On two cores it
// more than halves the time.
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, pointer) __builtin_nontemporal_store((value), (pointer))
#endif
#endif
#ifndef STREAM
#define STREAM(value, pointer) (*(pointer) = (value))
#endif

// MOVED_BY_k(v, before): element e of v becomes e + k; the last k of `before` come in front.
#if VECTOR_WIDTH == 1
#define LAST(v) (v)
#define MOVED_BY_1(v, before) (before)
#elif VECTOR_WIDTH == 2
#define LAST(v) ((v).s1)
#define MOVED_BY_1(v, before) ((int2)((before).s1, (v).s0))
#elif VECTOR_WIDTH == 4
#define LAST(v) ((v).s3)
#define MOVED_BY_1(v, before) ((int4)((before).s3, (v).s012))
#define MOVED_BY_2(v, before) ((int4)((before).s23, (v).s01))
#elif VECTOR_WIDTH == 8
#define LAST(v) ((v).s7)
#define MOVED_BY_1(v, before) ((int8)((before).s7, (v).s0123, (v).s456))
#define MOVED_BY_2(v, before) ((int8)((before).s67, (v).s0123, (v).s45))
#define MOVED_BY_4(v, before) ((int8)((before).s4567, (v).s0123))
#else
#define LAST(v) ((v).sf)
#define MOVED_BY_1(v, before) ((int16)((before).sf, (v).s01234567, (v).s89ab, (v).scde))
#define MOVED_BY_2(v, before) ((int16)((before).sef, (v).s01234567, (v).s89ab, (v).scd))
#define MOVED_BY_4(v, before) ((int16)((before).scdef, (v).s01234567, (v).s89ab))
#define MOVED_BY_8(v, before) ((int16)((before).s89abcdef, (v).s01234567))
#endif

// Element e becomes the greatest of elements 0 to e. What comes in front may be anything that is not greater: scores of
// the row above further left, so that a move is one instruction.
inline intv running_maximum(intv v, const intv before) {
#if VECTOR_WIDTH >= 2
  v = max(v, MOVED_BY_1(v, before));
#endif
#if VECTOR_WIDTH >= 4
  v = max(v, MOVED_BY_2(v, before));
#endif
#if VECTOR_WIDTH >= 8
  v = max(v, MOVED_BY_4(v, before));
#endif
#if VECTOR_WIDTH >= 16
  v = max(v, MOVED_BY_8(v, before));
#endif
  return v;
}

// One row of a chunk: `above` holds the row before and then this one, `corner` and `west` the column before in both.
// Returns the last column.
inline int fill_row(local int* above, global const short* restrict scores, global int* restrict cells, const int corner,
                    const int west, const int distance, const int gap) {
  intv before = corner;
  intv carry = west;
  intv lowering = gap * (distance + IOTA);
  UNROLL_LOOP(UNROLL)
  for (int c = 0; c < CHUNK; c += VECTOR_WIDTH) {
    const intv north = *(local const intv*)(above + c);
    const intv pair = MOVED_BY_1(north, before) + TO_INTV(*(global const shortv*)(scores + c));
    const intv highest = running_maximum(max(pair, north), before);
    before = north;
    const intv raised = max(highest, carry);
    carry = max(carry, (intv)LAST(highest));
    *(local intv*)(above + c) = raised;
    if (STORED) STREAM(raised - lowering, (global intv*)(cells + c));
    lowering += gap * VECTOR_WIDTH;
  }
#if VECTOR_WIDTH == 1
  return carry;
#else
  return carry.s0;
#endif
}

// Group g has the g-th tile of the diagonal that begins at band `top`, chunk `right` and goes down and left. Between
// launches `edge` holds the last row done in each column, `west` the last column done in each row, and `corners` for each
// band the score above that column. What stands in them before the first launch is not read.
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void fill_bands(
    global int* matrix, global int* score, global const uchar* restrict first, global const short* restrict profile,
    global int* restrict edge, global int* restrict west, global int* restrict corners, const uint top, const uint right,
    const int rows, const int last, const ulong columns, const int gap) {
  local int above[CHUNK] __attribute__((aligned(64)));

  const uint band = top + get_group_id(0);
  const uint chunk = right - get_group_id(0);
  const int begin = band * HEIGHT;
  const int column = chunk * CHUNK;
  const int height = min(HEIGHT, rows - begin);
  for (int c = 0; c < CHUNK; ++c) above[c] = band == 0 ? 0 : edge[column + c];
  if (STORED && band == 0) {
    for (int c = 0; c < CHUNK; ++c) matrix[LEAD + column + c] = -gap * (column + c + 1);
    if (chunk == 0) matrix[LEAD - 1] = 0;
  }
  if (STORED && chunk == 0) {
    for (int r = 0; r < height; ++r) matrix[ROW_BEGIN(begin + r + 1, columns) - 1] = -gap * (begin + r + 1);
  }

  int corner = band == 0 || chunk == 0 ? 0 : corners[band];
  corners[band] = above[CHUNK - 1];
  for (int r = 0; r < height; ++r) {
    const int row = begin + r;
    const int next_corner = chunk == 0 ? 0 : west[row];
    west[row] = fill_row(above, profile + first[row] * columns + column,
                         matrix + (STORED ? ROW_BEGIN(row + 1, columns) + column : 0), corner, next_corner,
                         row + column + 2, gap);
    corner = next_corner;
  }
  for (int c = 0; c < CHUNK; ++c) edge[column + c] = above[c];
  if (!STORED && begin + height == rows && last > column && last <= column + CHUNK) {
    *score = above[last - 1 - column] - gap * (rows + last);
  }
}

#endif
