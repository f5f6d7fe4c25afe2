// Needleman-Wunsch, variants strip and score_only: what a lane computes. Part of strip.cl.

// Gap-shifted scores left of the first strip are 0; those behind the last row do not matter.
static inline int is_known(const struct strip strip, const int row) {
  return strip.column == 0 || row >= strip.blocks * ROWS;
}

static inline void store_border(const struct strip strip, const int row) {
  if (STORED && strip.column == 0 && row < strip.blocks * ROWS) {
    strip.matrix[(size_t)(row + 1) * strip.stride + LEAD - 1] = -strip.gap * (row + 1);
  }
}

// What the strip before has left in a row of its last column; waits until it is there.
static inline int received(const struct strip strip, const int row, int value) {
  store_border(strip, row);
  if (is_known(strip, row)) return 0;
  while (value < 0) value = (int)peek(strip.before + row);
  return value;
}

static inline void load_pairs(struct lane* state, local const short* scores, const rowsv letters) {
  int begin[ROWS] __attribute__((aligned(32)));
  *(rowsv*)begin = letters;
  UNROLL_LOOP(ROWS)
  for (int r = 0; r < ROWS; ++r) {
    UNROLL_LOOP(COLUMNS)
    for (int c = 0; c < COLUMNS; c += VECTOR_WIDTH) {
      *(shortv*)(state->pairs + r * COLUMNS + c) = *(local const shortv*)(scores + begin[r] + c);
    }
  }
}

#if HELPERS
#include "needle/strip_shuffle.cl"
#endif

// The score of a pair added to what is left above it. Scores of two pairs share a word, and dp2a takes either of them
// out and adds it in one instruction, which does not occupy the units that find maxima.
static inline int paired(const int diagonal, const short* pairs, const int index) {
#if SHUFFLE == SHUFFLE_PTX && COLUMNS >= 2
  int sum;
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;"
      : "=r"(sum)
      : "r"(*(const int*)(pairs + index / 2 * 2)), "r"(index % 2 == 0 ? 0x0001 : 0x0100), "r"(diagonal));
  return sum;
#else
  return diagonal + pairs[index];
#endif
}

// UNROLL rows of the lane's columns; `west` is the column before. All loops are unrolled, so that the arrays are
// registers. Cells go to the matrix or, where helpers store them, to their slot.
static inline void compute_block(struct lane* state, const short* pairs, const rowsv west, const struct strip strip,
                          local int* slots, const int step) {
  const int lane = LANE;
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
      const int best = max(paired(diagonal, pairs, r * COLUMNS + c), state->north[c]);
      diagonal = state->north[c];
      last = max(best, last);
      state->north[c] = last;
    }
    state->right[r] = last;
#if SHUFFLE
    state->from_left[r] = lane_value(last, lane - 1);
#endif
    if (STORED && (HELPERS_STORE || (block >= 0 && block < strip.blocks))) {
      const int row = block * ROWS + r;
      const int column = strip.column + lane * COLUMNS;
      UNROLL_LOOP(COLUMNS)
      for (int c = 0; c < COLUMNS; c += VECTOR_WIDTH) {
        const intv shifted = *(const intv*)(state->north + c);
        if (HELPERS_STORE) {
          *(local intv*)(slots + SLOT(step) + r * WIDTH + lane * COLUMNS + c) = shifted;
        } else {
          *(global intv*)(strip.matrix + (size_t)(uint)(row + 1) * strip.stride + LEAD + column + c) =
              shifted - strip.gap * (column + c + 1 + IOTA) - strip.gap * (row + 1);
        }
      }
    }
  }
  if (lane == LANES - 1) LEAVE_EACH(rowsv, strip.behind + block * ROWS, state->right);
}

#if HELPERS

// The column before the strip in the rows of a round, and whether the lane has seen that its row is there.
struct arrivals {
  rowsv west[STEPS];
  int edge;
};

static inline void read_inbox(struct arrivals* arrivals, local volatile int* inbox) {
  arrivals->edge = get_local_id(0) < FETCHED ? inbox[get_local_id(0)] : 0;
  UNROLL_LOOP(STEPS)
  for (int k = 0; k < STEPS; ++k) arrivals->west[k] = *(local volatile rowsv*)(inbox + k * ROWS);
}

static inline rowsv letters_of(local const volatile int* letters, const int block) {
  return *(local const volatile rowsv*)(letters + (block * ROWS & (LETTER_ROWS - 1)));
}

// A lane's chain of maxima must not wait for local memory: scores are read a step ahead of it, their letters two, the
// inbox a round.
static inline void fill(struct lane* state, const struct strip strip, const struct shared shared, local int* passed,
                 const int rounds) {
  const int lane = get_local_id(0);
  local const short* const scores = shared.scores + lane * COLUMNS;
  load_pairs(state, scores, letters_of(shared.letters, -lane));
  rowsv letters = letters_of(shared.letters, 1 - lane);
  struct arrivals next;
  read_inbox(&next, shared.inbox);
  for (int begin = 0; begin < rounds * STEPS; begin += STEPS) {
    local volatile int* const inbox = shared.inbox + (begin * ROWS & (INBOX_ROWS - 1));
    while (!holds_for_all(next.edge >= 0)) read_inbox(&next, inbox);
    const struct arrivals now = next;
    if (lane < FETCHED) inbox[lane] = -1;
    read_inbox(&next, shared.inbox + ((begin + STEPS) * ROWS & (INBOX_ROWS - 1)));
    UNROLL_LOOP(STEPS)
    for (int k = 0; k < STEPS; ++k) {
      short pairs[ROWS * COLUMNS] __attribute__((aligned(32)));
      for (int p = 0; p < ROWS * COLUMNS; ++p) pairs[p] = state->pairs[p];
      load_pairs(state, scores, letters);
      letters = letters_of(shared.letters, begin + k + 2 - lane);
      compute_block(state, pairs, now.west[k], strip, shared.slots, begin + k);
    }
    round_barrier();
  }
}

#elif SHUFFLE

// The first lanes receive the column before the strip, a round ahead of the first one, which gets it from them.
static inline void fill(struct lane* state, const struct strip strip, const struct shared shared, local int* passed,
                 const int rounds) {
  const int lane = LANE;
  int arrived = 0;  // gap-shifted score of the column before the strip in a row of this round
  int coming = -1;  // the same of the next round, if it is there
  if (lane < FETCHED) {
    arrived = received(strip, lane, -1);
    coming = (int)peek(strip.before + FETCHED + lane);
  }
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < STEPS; ++k) {
      const int step = round * STEPS + k;
      load_pairs(state, shared.scores + lane * COLUMNS, *(global const rowsv*)(strip.letters + (step - lane) * ROWS));
      int west[ROWS] __attribute__((aligned(32)));
      UNROLL_LOOP(ROWS)
      for (int r = 0; r < ROWS; ++r) west[r] = lane_value(arrived, k * ROWS + r);
      compute_block(state, state->pairs, *(const rowsv*)west, strip, shared.slots, step);
    }
    if (lane < FETCHED) {
      const int row = (round + 1) * FETCHED + lane;
      arrived = received(strip, row, coming);
      coming = (int)peek(strip.before + row + FETCHED);
    }
  }
}

#else

static inline void fill(struct lane* state, const struct strip strip, const struct shared shared, local int* passed,
                 const int rounds) {
  const int lane = get_local_id(0);
  int coming = -1;  // gap-shifted score of the column before the strip in a row of the next round, if it is there
  for (int step = 0; step < rounds * STEPS; ++step) {
    if (step % STEPS == 0 && lane < FETCHED) {
      const int row = (step + STEPS) * ROWS + lane;
      shared.inbox[row & (INBOX_ROWS - 1)] = received(strip, row, coming);
      coming = (int)peek(strip.before + row + FETCHED);
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
