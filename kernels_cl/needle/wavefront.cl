// Needleman-Wunsch, variant wavefront: tiles of WORK_GROUP x WORK_GROUP cells in local memory. Part of needle.cl.
//
// One launch per anti-diagonal of tiles, one group per tile: `upper_left` while the diagonals grow (and keep their
// length, where the matrix is not square), `lower_right` while they shrink. Inside a tile an anti-diagonal of cells is
// computed between two barriers. After K. Theocharidis and C. Kalogirou, Master thesis, University of Thessaly 2013,
// section 6.3. They call coarsening and vectors unfeasible unless every diagonal is padded to the length of the
// longest: with GRANULARITY > 1 that is done. The tile is then kept by diagonals, cell (y, x) at [y + x][x], every
// diagonal has WORK_GROUP cells, those outside the tile are computed like the others and not stored, and a work-item
// has GRANULARITY neighbours.
//
// Preconditions: `columns` and `rows` are multiples of WORK_GROUP. Local memory: about 2 WORK_GROUP^2 words.

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

struct problem {
  ulong columns;
  int gap;
};

struct tile {
  uint row;     // in tiles
  uint column;
};

// The neighbours' cells, and the scores of all pairs.
static inline void load_tile(local int* cells, local int* pairs, global const int* matrix, global const int* similarity,
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

static inline void store_tile(global int* matrix, local const int* cells, const struct tile tile,
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
static inline void compute(local int* cells, local const int* pairs, const int gap) {
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
static inline void compute_cell(local int* cells, local const int* pairs, const int y, const int x, const int gap) {
  const int pair = cells[CELL(y - 1, x - 1)] + pairs[PAIR(y - 1, x - 1)];
  const int best = max(cells[CELL(y - 1, x)], cells[CELL(y, x - 1)]) - gap;
  cells[CELL(y, x)] = max(pair, best);
}

// As the thesis has it: one work-item per cell, diagonals that grow, then shrink.
static inline void compute(local int* cells, local const int* pairs, const int gap) {
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

kernel GROUP_OF(ITEMS, 1) void upper_left(WAVEFRONT_ARGUMENTS) { FILL_TILE }
kernel GROUP_OF(ITEMS, 1) void lower_right(WAVEFRONT_ARGUMENTS) { FILL_TILE }
