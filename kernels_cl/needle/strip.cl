// Needleman-Wunsch, variants strip and score_only: strips of columns, in registers. Part of needle.cl.
//
// A group fills a strip of WORK_GROUP * GRANULARITY columns from top to bottom. Work-item `lane` keeps the last row of
// its GRANULARITY columns in registers; in step t it does the UNROLL rows of block t - lane, whose left neighbours lane
// - 1 did in step t - 1. Lanes that shuffle are one sub-group. With helpers they compute nothing but the chain of
// scores: helpers fetch letters and the column before the strip as they come, and store finished cells line by line from
// local memory.
//
// Strips follow each other within one launch. Strip k leaves its last column in part k + 1 of `edges`, and strip k + 1
// reads it once it is there: gap-shifted scores are never negative, and the host fills `edges` with -1. Each word is
// its own flag, so that no order between words is relied on. A group takes its dynamic id, the number of its strip,
// from `next_group_id` as it starts, so that the group it waits for has started before. The host tests whether groups
// that have started continue to run on the device. If not, and on CPUs, it launches one strip after the other
// (GROUPS_WAIT 0), and no group waits.
//
// What bounds it on an H200, at 32768 x 32768 with 8 columns: 2.07 ms. Without waiting for the strip before, 1.34; with
// it, but into cells that stay in the cache, 1.88; without any store, 1.74. A strip lags behind the one before by its
// lanes' 2.6 us and by the way of a word through the L2: 1.7 us, or 4.7 while the memory takes all that it can. Wholly
// contiguous stores, bulk copies from local memory and more room between lanes and stores change nothing. Two or four
// strips to a group that exchange columns in local memory lag less, but a step lasts nearly twice as long (2.7 ms in
// all).
//
// Macros in addition to those of needle.cl, chosen by the host:
// SHUFFLE, SUB_GROUP, REQUIRE_SUB_GROUP: see kernels_cl/lanes.cl
// HELPERS          items that help lanes that shuffle by PTX, else 0: as many as the lanes fetch, the others store
// MARGIN           blocks of UNROLL rows before and behind the letters and each strip's edge, which are touched, but
//                  never mean anything; more than the work-group and some rounds
// LETTERS          rows of `profile`
//
// Preconditions: `columns` is a multiple of the strip's width, `rows` of UNROLL. Local memory: LETTERS + 1 short
// integers per column and the cells that helpers store.

#include "lanes.cl"

#if SHUFFLE && WORK_GROUP != SUB_GROUP
#error "strip.cl: lanes that shuffle must be a whole sub-group"
#endif
#if HELPERS % SUB_GROUP != 0 || (HELPERS > 0) != (SHUFFLE == SHUFFLE_PTX)
#error "strip.cl: HELPERS must be a multiple of SUB_GROUP where lanes shuffle by PTX, else 0"
#endif

#include "ordering.cl"

#define LANES WORK_GROUP
#if SHUFFLE == SHUFFLE_SUB_GROUPS
#define LANE lane_number()
#else
#define LANE ((int)get_local_id(0))
#endif
#define COLUMNS GRANULARITY
#define ROWS UNROLL
#define WIDTH (LANES * COLUMNS)
#define ITEMS (LANES + HELPERS)
// Helpers that store share a barrier with the lanes after every round of STEPS steps.
#if HELPERS
#define STEPS 4
#define INBOX_ROWS (LANES * ROWS)
#else
#define STEPS (LANES / ROWS < 8 ? LANES / ROWS : 8)
#define INBOX_ROWS (SHUFFLE ? 1 : 4 * STEPS * ROWS)
#endif
#define FETCHED (STEPS * ROWS)
// Letters: those fetched last are at most INBOX_ROWS + 96 rows ahead of lane 0, and the last lane is LANES - 1 blocks
// behind.
#define LETTER_ROWS (HELPERS == 0 ? 1 : ROWS == 1 ? 256 : 128 * ROWS)
#define EDGE_LENGTH(blocks) ((ulong)((blocks) + 2 * MARGIN) * ROWS)

// Cells on their way to the matrix: step by step, each lane's block. SPAN lanes make up a line of 32 cells, and do so
// within SPAN steps.
#define HELPERS_STORE (HELPERS > 0 && STORED)
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
  global const int* letters;  // where their scores begin
  global flag_t* before;      // gap-shifted scores of the column before the strip
  global flag_t* behind;      // of its last column
  int blocks;                 // of UNROLL rows
  int column;                 // the first one
  int gap;
  uint stride;
};

struct shared {
  local const short* scores;    // WIDTH for each letter and for one that pairs with nothing
  local volatile int* inbox;    // the column before the strip, INBOX_ROWS; -1 where the fetching helpers may write
  local volatile int* letters;  // LETTER_ROWS
  local int* slots;             // SLOTS steps
};

// What a lane holds between steps. Scores are gap-shifted.
struct lane {
  int north[COLUMNS] __attribute__((aligned(64)));         // of the row above
  int corner;                                              // left of that
  int right[ROWS] __attribute__((aligned(32)));            // of the last column in the rows of the last step
  int from_left[ROWS];                                     // the same of the lane before, where lanes shuffle
  short pairs[ROWS * COLUMNS] __attribute__((aligned(32)));  // scores of the next step's pairs
};

#include "needle/strip_fill.cl"

kernel GROUP_OF(ITEMS, 1) LANES_OF_SUB_GROUP void fill_strips(
    global int* matrix, global int* score, global const int* restrict letters, global const short* restrict profile,
    global flag_t* edges, global flag_t* next_group_id, const uint strips, const int rows, const int last,
    const ulong columns, const int gap) {
  local uint group_id;
  local short scores[(LETTERS + 1) * WIDTH] __attribute__((aligned(64)));
  local int inbox[INBOX_ROWS] __attribute__((aligned(32)));
  local int fetched_letters[LETTER_ROWS] __attribute__((aligned(32)));
  local int slots[HELPERS_STORE ? SLOTS * ROWS * WIDTH : 1] __attribute__((aligned(64)));
  local int passed[SHUFFLE ? 1 : 2 * LANES * ROWS] __attribute__((aligned(32)));

  const int item = get_local_id(0);
  if (item == 0) group_id = draw_number(next_group_id);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint index = group_id;
  const int blocks = max(1, (rows + ROWS - 1) / ROWS);
  const int first_column = index * WIDTH;
  global flag_t* const before = edges + index * EDGE_LENGTH(blocks) + MARGIN * ROWS;
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
  for (int row = item; HELPERS && row < INBOX_ROWS; row += ITEMS) inbox[row] = -1;
  for (int row = item - LANES * ROWS; HELPERS && row < LANES; row += ITEMS) {
    fetched_letters[row & (LETTER_ROWS - 1)] = strip.letters[row];
  }
  struct lane state;
  for (int c = 0; c < COLUMNS; ++c) state.north[c] = 0;
  for (int r = 0; r < ROWS; ++r) state.right[r] = state.from_left[r] = 0;
  state.corner = 0;
  for (int r = 0; !SHUFFLE && r < ROWS; ++r) passed[item * ROWS + r] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

#if HELPERS
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
  if (!STORED && LANE == LANES - 1 && index + 1 == strips) *score = state.right[ROWS - 1] - gap * (rows + last);
}
