// Needleman-Wunsch, variants strip and score_only where lanes shuffle by PTX: what helpers do, and the barrier that they
// share with the lanes. Part of strip.cl; as many items as lanes fetch the letters and the column before the strip, the
// others store.

// A barrier between lanes and the helpers that store for them, which reach it from different loops: barrier() does not
// allow that.
static inline void round_barrier(void) {
  if (STORED) asm volatile("bar.sync 1, %0;" : : "r"(ITEMS - LANES) : "memory");
}

// Does the condition hold for all items of the warp?
static inline int holds_for_all(const int condition) {
  int result;
  asm volatile("{.reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.all.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q;}"
               : "=r"(result) : "r"(condition));
  return result;
}

// These cells are not read again soon: they leave the cache before the edges do, on which other strips wait.
static inline void store_last(global char* const to, const intv cells) {
#if VECTOR_WIDTH == 4
  asm volatile("st.global.cs.v4.s32 [%0], {%1, %2, %3, %4};"
               : : "l"(to), "r"(cells.x), "r"(cells.y), "r"(cells.z), "r"(cells.w) : "memory");
#else
  *(global intv*)to = cells;
#endif
}

// Stores the lines that were completed in the round that began with `step`. `lowering` is gap * (i + j) of the helper's
// first cell there, kept from round to round: as a product it would be multiplied again for every cell.
static inline void store_lines(const struct strip strip, local const int* slots, const int step, const int lowering,
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
    intv shifted[COLUMNS];
    UNROLL_LOOP(COLUMNS)
    for (int line = 0; line < COLUMNS; ++line) shifted[line] = *(local const intv*)(from + line * 32);
    UNROLL_LOOP(COLUMNS)
    for (int line = 0; line < COLUMNS; ++line) {
      const int i = (block - line * SPAN) * ROWS + row % ROWS;
      const int lowered = lowering + strip.gap * (pass * LINES_AT_ONCE + line * 32 - line * SPAN * ROWS);
      if (surely_inside || (uint)i < (uint)(strip.blocks * ROWS)) {
        store_last(top + (ulong)(uint)i * stride_bytes + line * 32 * sizeof(int), shifted[line] - lowerings - lowered);
      }
    }
  }
}

// Round by round, one behind the lanes.
static inline void store_all(const struct strip strip, const struct shared shared, const int rounds) {
  const int helper = get_local_id(0) - 2 * LANES;
  int lowering = strip.gap * (strip.column + helper % LINE_ITEMS * VECTOR_WIDTH + helper / LINE_ITEMS + 2 -
                              (STEPS + SPAN - 1) * ROWS);
  for (int step = -STEPS; step < (rounds - 1) * STEPS; step += STEPS) {
    // Written twice so that the compiler removes the conditions.
    if (step >= LANES && step + STEPS <= strip.blocks) {
      store_lines(strip, shared.slots, step, lowering, 1);
    } else {
      store_lines(strip, shared.slots, step, lowering, 0);
    }
    lowering += STEPS * ROWS * strip.gap;
    round_barrier();
  }
}

// A row for each helper at a time, as soon as it is there and its place is free, after the letters of the next rows.
static inline void fetch_all(const struct strip strip, const struct shared shared, const int rows) {
  const int helper = get_local_id(0) - LANES;
  int letter = strip.letters[helper + LANES];
  int edge = (int)peek(strip.before + helper);
  for (int row = helper; row < rows + helper; row += LANES) {
    shared.letters[(row + LANES) & (LETTER_ROWS - 1)] = letter;
    letter = strip.letters[row + 2 * LANES];
    int value = is_known(strip, row) ? 0 : edge;
    edge = (int)peek(strip.before + row + LANES);
    int done = 0;
    while (!holds_for_all(done)) {
      if (value < 0) value = (int)peek(strip.before + row);
      if (!done && value >= 0 && shared.inbox[row & (INBOX_ROWS - 1)] < 0) {
        shared.inbox[row & (INBOX_ROWS - 1)] = value;
        done = 1;
      }
    }
    store_border(strip, row);
  }
}
