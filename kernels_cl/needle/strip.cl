// Needleman-Wunsch, variants strip and score_only: strips of columns, in registers. Part of needle.cl.
//
// A group fills a strip of WORK_GROUP * GRANULARITY columns from top to bottom. Work-item `lane` keeps the last row of its
// GRANULARITY columns in registers; in step t it does the UNROLL rows of block t - lane, whose left neighbours lane - 1
// did in step t - 1. Where lanes shuffle, nothing but the chain of scores is left to them: helpers fetch letters and the
// column before the strip as they come, and store finished cells line by line from local memory.
//
// Strips follow each other within one launch. Strip k leaves its last column in part k + 1 of `edges`, and strip k + 1
// reads it once it is there: raised scores are never negative, and the host fills `edges` with -1. Every word speaks for
// itself, so that no order between words is relied on. A group draws its strip from `ticket` as it starts, so that
// whoever it waits for has started before. That groups which have started go on running OpenCL 1.2 does not promise;
// GPUs do it. Elsewhere the host launches one strip after the other, and nobody waits.
//
// What bounds it on an H200, at 32768 x 32768 with 8 columns: 2.07 ms. Without waiting for the strip before, 1.34; with it,
// but into cells that stay in the cache, 1.88; without any store, 1.74. A strip lags behind the one before by its lanes'
// 2.6 us and by the way of a word through the L2: 1.7 us, or 4.7 while the memory takes all that it can. Wholly contiguous
// stores, bulk copies from local memory and more room between lanes and stores change nothing. Two or four strips to a
// group that hand over in local memory lag less, but a step lasts nearly twice as long (2.7 ms in all).
//
// Macros beside those of needle.cl, chosen by the host:
// SHUFFLE          1 where lanes shuffle
// HELPERS          items that help 32 lanes that shuffle: 32 who fetch, the others store
// MARGIN           blocks of UNROLL rows before and behind the letters and each strip's edge, which are touched, but
//                  never mean anything; more than the work-group and some rounds
// LETTERS          rows of `profile`
//
// Preconditions: `columns` is a multiple of the strip's width, `rows` of UNROLL. Local memory: LETTERS + 1 short
// integers per column and the cells that helpers store.

#if SHUFFLE && !(HAS_INLINE_PTX && WORK_GROUP == 32)
#error "strip.cl: only groups of 32 can shuffle, and only where inline PTX is understood"
#endif
#if HELPERS % 32 != 0 || (HELPERS > 0) != SHUFFLE
#error "strip.cl: HELPERS must be a multiple of 32 where lanes shuffle, else 0"
#endif

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
  local const short* scores;    // WIDTH for each letter and for one that pairs with nothing
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
  short pairs[ROWS * COLUMNS] __attribute__((aligned(32)));  // scores of the next step's pairs
};

// Raised scores left of the first strip are 0; those behind the last row do not matter.
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
  while (value < 0) value = strip.before[row];
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

#if SHUFFLE
#include "needle/strip_shuffle.cl"
#endif

// The score of a pair added to what is left above it. Scores of two pairs share a word, and dp2a takes either of them out
// and adds it in one instruction, beside the units that find maxima.
static inline int paired(const int diagonal, const short* pairs, const int index) {
#if SHUFFLE && COLUMNS >= 2
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
      const int best = max(paired(diagonal, pairs, r * COLUMNS + c), state->north[c]);
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
    meet();
  }
}

#else

static inline void fill(struct lane* state, const struct strip strip, const struct shared shared, local int* passed,
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
  local short scores[(LETTERS + 1) * WIDTH] __attribute__((aligned(64)));
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
