// hotspot: `streaming` with one work-item per group, which keeps three rows of each level in private memory.

// Columns of a strip with those at its sides.
#define WIDTH (STORED + 2 * HALO)

// Rows of source terms in the ring buffer: a power of two above LEVELS.
#define RING (LEVELS < 2 ? 2 : LEVELS < 4 ? 4 : LEVELS < 8 ? 8 : LEVELS < 16 ? 16 : 32)

// Vectors are read aligned where the offsets allow it. Where lanes are scalars, Intel's compiler (2025.3) vectorises the
// loops itself, and reads from an array that is known to be aligned as if every offset in it were: so it is not.
#if VECTOR_WIDTH > 1
#define ALIGNED_ROWS __attribute__((aligned(64)))
#else
#define ALIGNED_ROWS
#endif

// Three rows of one level, each with one more vector before and behind it: read, but no stored cell depends on it.
struct level_rows {
  float row[3][VECTOR_WIDTH + WIDTH + VECTOR_WIDTH] ALIGNED_ROWS;
};

#define AT(pointer) (*(packed_realv*)(pointer))

// Three successive vectors of a row. The columns to the west and to the east of the middle one are combined from these:
// as loads, most of them would cross a cache line, and take twice as long.
struct window {
  realv before, own, behind;
};

INLINED struct window window_at(const float* here) {
  struct window window;
  window.before = (realv)(0);
  window.own = AT(here - VECTOR_WIDTH);
  window.behind = AT(here);
  return window;
}

// The window one vector further, whose middle vector is that at `x`.
INLINED struct window moved(struct window window, const float* here, const int x) {
  window.before = window.own;
  window.own = window.behind;
  window.behind = AT(here + x + VECTOR_WIDTH);
  return window;
}

#if VECTOR_WIDTH == 1
#define WEST(window) ((window).before)
#define EAST(window) ((window).behind)
#elif VECTOR_WIDTH == 2
#define WEST(window) (float2)((window).before.y, (window).own.x)
#define EAST(window) (float2)((window).own.y, (window).behind.x)
#elif VECTOR_WIDTH == 4
#define WEST(window) (float4)((window).before.w, (window).own.xyz)
#define EAST(window) (float4)((window).own.yzw, (window).behind.x)
#elif VECTOR_WIDTH == 8
#define WEST(window) (float8)((window).before.s7, (window).own.s0123, (window).own.s456)
#define EAST(window) (float8)((window).own.s1234, (window).own.s567, (window).behind.s0)
#else
#define WEST(window) (float16)((window).before.sf, (window).own.s01234567, (window).own.s89ab, (window).own.scde)
#define EAST(window) (float16)((window).own.s12345678, (window).own.s9abc, (window).own.sdef, (window).behind.s0)
#endif

INLINED realv next_temperature_at(const float* above, const struct window window, const float* below,
                                  const float* source, const int x, const float4 weights) {
  return next_temperature(window.own, AT(above + x) + AT(below + x), WEST(window) + EAST(window), AT(source + x),
                          weights);
}

// Advances the rows from `first` on of a strip by `steps` steps, at most LEVELS.
INLINED void advance(global const float* temperature, global const float* power, global float* next, const int strip,
                     const int first, const int steps, const int rows, const int cols, const int stride,
                     const float4 weights, const float offset) {
  struct level_rows levels[LEVELS];
  float sources[RING][WIDTH] ALIGNED_ROWS;
  // Strips of equal width, so that no group has far less to do than the others.
  const int strips = (cols + STORED - 1) / STORED;
  const int share = ((cols + strips - 1) / strips + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH;
  const int first_column = strip * share;
  const int column = first_column - HALO;
  const int end = min(first + GRANULARITY, rows);
  const int stored = (min(share, cols - first_column) + VECTOR_WIDTH - 1) / VECTOR_WIDTH * VECTOR_WIDTH;
  const int width = stored + 2 * HALO;
  for (int level = 0; level < steps; ++level) {
    for (int slot = 0; slot < 3; ++slot) {
      AT(levels[level].row[slot]) = (realv)(0);
      AT(levels[level].row[slot] + VECTOR_WIDTH + width) = (realv)(0);
    }
  }
  for (int row = max(first - steps, 0); row < end + steps; ++row) {
    const int newest = row % 3;
    const int middle = (row + 2) % 3;
    const int oldest = (row + 1) % 3;
    if (row < rows) {
      const size_t begin = row_begin(row, stride);
      float* const cells = levels[0].row[newest] + VECTOR_WIDTH;
      float* const source = sources[row % RING];
      for (int x = 0; x < width; x += VECTOR_WIDTH) {
        AT(cells + x) = load_vector(temperature + begin, column + x, cols);
        AT(source + x) = source_term(load_vector(power + begin, column + x, cols), weights, offset);
      }
    }
    // Level t makes row - t, if that is in the grid and at most steps - t rows above the first stored one. Its neighbour
    // beyond the grid is the row itself: nothing is computed there, which is most of the work in a grid of few rows.
    const int last_level = min(min(row, steps - 1), (row - first + steps) / 2);
    for (int level = max(row - rows + 1, 1); level <= last_level; ++level) {
      const float* const here = levels[level - 1].row[middle] + VECTOR_WIDTH;
      const float* const above = row > level ? levels[level - 1].row[oldest] + VECTOR_WIDTH : here;
      const float* const below = row - level + 1 < rows ? levels[level - 1].row[newest] + VECTOR_WIDTH : here;
      const float* const source = sources[(row - level) % RING];
      float* const target = levels[level].row[newest] + VECTOR_WIDTH;
      struct window window = window_at(here);
      UNROLL_LOOP(UNROLL)
      for (int x = 0; x < width; x += VECTOR_WIDTH) {
        window = moved(window, here, x);
        AT(target + x) = next_temperature_at(above, window, below, source, x, weights);
      }
    }
    const int made = row - steps;
    if (made >= first) {
      const float* const here = levels[steps - 1].row[middle] + VECTOR_WIDTH + HALO;
      const float* const above = made > 0 ? levels[steps - 1].row[oldest] + VECTOR_WIDTH + HALO : here;
      const float* const below = made + 1 < rows ? levels[steps - 1].row[newest] + VECTOR_WIDTH + HALO : here;
      const float* const source = sources[made % RING] + HALO;
      global float* const target = next + row_begin(made, stride);
      // The vector that the grid's end divides is apart, so that the loop has no test.
      const int whole = min(share, cols - first_column) / VECTOR_WIDTH * VECTOR_WIDTH;
      struct window window = window_at(here);
      UNROLL_LOOP(UNROLL)
      for (int x = 0; x < whole; x += VECTOR_WIDTH) {
        window = moved(window, here, x);
        store_whole(target, first_column + x, next_temperature_at(above, window, below, source, x, weights));
      }
      if (whole < stored) {
        window = moved(window, here, whole);
        store_inside(target, first_column + whole, cols,
                     next_temperature_at(above, window, below, source, whole, weights));
      }
      if (is_mirrored(first_column, cols) || is_mirrored(first_column + stored - VECTOR_WIDTH, cols)) {
        for (int x = 0; x < stored; x += VECTOR_WIDTH) {
          if (is_mirrored(first_column + x, cols)) store_mirrored(target, first_column + x, cols);
        }
      }
    }
  }
}

kernel GROUP_OF(1, 1)
void streaming_rows(global const float* restrict temperature, global const float* restrict power,
                    global float* restrict next, const int rows, const int cols, const int stride,
                    const float4 weights, const float offset) {
  advance(temperature, power, next, (int)get_group_id(0), (int)get_group_id(1) * GRANULARITY, LEVELS, rows, cols, stride,
          weights, offset);
}

#if GROUPS_WAIT
#include "phases.cl"

// All steps in one launch, LEVELS in each phase and in the last one those that are left. Chunk k is strip k % strips of
// the rows from k / strips * GRANULARITY on. `team_words`: see phases.cl.
kernel GROUP_OF(1, 1)
void streaming_phases(global const float* original, global const float* power, global float* even, global float* odd,
                      global flag_t* team_words, const int steps, const int strips, const int chunks, const int rows,
                      const int cols, const int stride, const float4 weights, const float offset) {
  const Team team = join_team(team_words, (uint)chunks);
  const uint phases = (uint)(steps + LEVELS - 1) / LEVELS;
  for (uint phase = 0; phase < phases; phase = await_phase(&team, phase + 1)) {
    global const float* const temperature = phase == 0 ? original : phase % 2 == 1 ? even : odd;
    global float* const next = phase % 2 == 0 ? even : odd;
    uint turn = 0;
    for (uint chunk = take_chunk(&team, phase, &turn); chunk < team.chunks; chunk = take_chunk(&team, phase, &turn)) {
      advance(temperature, power, next, (int)chunk % strips, (int)chunk / strips * GRANULARITY,
              min(steps - (int)phase * LEVELS, LEVELS), rows, cols, stride, weights, offset);
      if (ends_phase(&team, phase)) open_phase(&team, phase + 1);
    }
  }
}
#endif
