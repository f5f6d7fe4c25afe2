// lud, variant `blocked`: solves for U right of the block on the diagonal and for L below it, and packs both. Part of
// blocked.cl.

#define LANES (SOLVE_ITEMS * SOLVE_WIDTH)
// An odd distance between rows keeps the elements of a transposed tile's column on different banks.
#define LANE_STRIDE (LANES + (SOLVE_ITEMS > 1 ? 1 : 0))

// Transposes SOLVE_WIDTH vectors by perfect shuffles: each doubles the distance between neighbours.
static inline void transpose(solvev* vectors) {
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

// Copies PANEL columns of LANES rows of the matrix to PANEL rows of the tile, transposed.
void load_transposed(local float* tile, const global float* rows, const int stride, const int item) {
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

// The reverse.
void store_transposed(const local float* tile, global float* rows, const int stride, const int item) {
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

// Work-items that share a triangle copy the STEP columns in use to local memory; a single one reads them in place.
#if SOLVE_ITEMS > 1
#define TRIANGLE_SPACE local
#define TRIANGLE_STRIDE STEP
#define TRIANGLE_FLOATS (PANEL * STEP)
#else
#define TRIANGLE_SPACE global
#define TRIANGLE_STRIDE PANEL
#define TRIANGLE_FLOATS 1
#endif

// STEP adjacent elements of a row of the triangle, the same for all work-items.
static inline void load_triangle(float* values, const TRIANGLE_SPACE float* from) {
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

// X := T^-T X for the lanes of one work-item; `lane` points to its first lane in row 0.
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

// Lanes that are adjacent in the packed panel below as well: one store.
#if WORK_GROUP == 1 && GROUP_Y < VECTOR_WIDTH
#define BELOW_WIDTH TILE_Y
typedef JOIN(float, TILE_Y) belowv;
#else
#define BELOW_WIDTH SOLVE_WIDTH
typedef solvev belowv;
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
  for (int part = 0; part < SOLVE_WIDTH; part += BELOW_WIDTH) {
    const int lane = item * SOLVE_WIDTH + part;
    const int position = first + lane;
    global float* to = panel + (size_t)(position / GROUP_Y) * (PANEL * GROUP_Y) + position % GROUP_Y;
    for (int k = 0; k < PANEL; ++k) {
      *(global belowv*)(to + k * GROUP_Y) = -*(const local belowv*)(tile + k * LANE_STRIDE + lane);
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
    load_transposed(tile, below, stride, item);
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
    store_transposed(tile, below, stride, item);
    pack_below(tile, below_panel, first, item);
  } else {
    for (int k = 0; k < PANEL; ++k) {
      SOLVE_AT(global, right + element(k, item * SOLVE_WIDTH, stride)) =
          SOLVE_AT(const local, tile + k * LANE_STRIDE + item * SOLVE_WIDTH);
    }
    pack_right(tile, right_panel, first, item);
  }
}
