// Needleman-Wunsch, variants scan and score_only_scan: vector elements as lanes. Part of needle.cl.
//
// A group is one work-item, which fills a tile of 16 * GRANULARITY rows and CHUNK columns row by row. With t[j] =
// max(G[i-1][j-1] + s + 2 gap, G[i-1][j]), a row of gap-shifted scores G is the running maximum of t, found in
// log2(VECTOR_WIDTH) steps per vector. Tiles are larger than those of wavefront, having no need of local memory for
// more than a row. A row of tiles is a band.
//
// GROUPS_WAIT 1: one launch. A group takes its dynamic id, the number of its band, from a counter as it begins and fills it
// from left to right, each tile as soon as the one above is done; it waits for a band of a lower id only, so that the
// groups can never all wait, however many run at a time. GROUPS_WAIT 0: a launch per anti-diagonal of tiles, a group
// for each tile.
//
// Macros in addition to those of needle.cl, chosen by the host:
// CHUNK            columns of a tile, a multiple of VECTOR_WIDTH
//
// Precondition: `columns` is a multiple of CHUNK. Local memory: CHUNK words.

#if CHUNK % VECTOR_WIDTH != 0
#error "scan.cl: CHUNK must be a multiple of VECTOR_WIDTH"
#endif

#define HEIGHT (16 * GRANULARITY)

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
static inline intv running_maximum(intv v, const intv before) {
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
static inline int fill_row(local int* above, global const short* scores, global int* cells, const int corner,
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
    const intv shifted = max(highest, carry);
    carry = max(carry, (intv)LAST(highest));
    *(local intv*)(above + c) = shifted;
    // Non-temporal, since these cells are not read again: on two cores that more than halves the time.
    if (STORED) STREAM(shifted - lowering, (global intv*)(cells + c));
    lowering += gap * VECTOR_WIDTH;
  }
#if VECTOR_WIDTH == 1
  return carry;
#else
  return carry.s0;
#endif
}

// One tile. Between tiles `edge` holds the last row done in each column, `west` the last column done in each row, and
// `corners` for each band the score above that column. Their initial contents are not read.
static inline void fill_tile(global int* matrix, global int* score, global const uchar* first,
                             global const short* profile, global int* edge, global int* west, global int* corners,
                             local int* above, const uint band, const uint chunk, const int rows, const int last,
                             const ulong columns, const int gap) {
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

#include "ordering.cl"

// Words from one band's flag to the next: a cache line.
#define FLAG_STEP 16

// `edge` is not `restrict`: bands hand it on to each other.
// flags: the next dynamic group id, then for each band how many of its tiles are done, FLAG_STEP words apart; 0 at
// first. GROUPS_WAIT 0: group g has the g-th tile of the diagonal that begins at band `top`, chunk `right`
// and goes down and left.
kernel GROUP_OF(1, 1) void fill_bands(
    global int* matrix, global int* score, global const uchar* restrict first, global const short* restrict profile,
    global int* edge, global int* restrict west, global int* restrict corners, global flag_t* flags,
    const uint top, const uint right, const int rows, const int last, const ulong columns, const int gap) {
  local int above[CHUNK] __attribute__((aligned(64)));
#if GROUPS_WAIT
  const uint chunks = columns / CHUNK;
  const uint band = draw_number(flags);
  global flag_t* const done = flags + (band + 1) * FLAG_STEP;
  global flag_t* const done_above = done - FLAG_STEP;
  for (uint chunk = 0; chunk < chunks; ++chunk) {
    if (band > 0) await(done_above, chunk + 1);
    fill_tile(matrix, score, first, profile, edge, west, corners, above, band, chunk, rows, last, columns, gap);
    publish(done, chunk + 1);
  }
#else
  fill_tile(matrix, score, first, profile, edge, west, corners, above, top + get_group_id(0), right - get_group_id(0),
            rows, last, columns, gap);
#endif
}
