// Needleman-Wunsch: scores of the global alignment of two sequences with a linear gap penalty.
//
//   H[0][j] = -gap * j,  H[i][0] = -gap * i,
//   H[i][j] = max(H[i-1][j-1] + s(first[i-1], second[j-1]), H[i-1][j] - gap, H[i][j-1] - gap)
//
// Cell (i, j), 0 <= i <= m and 0 <= j <= n, is matrix[i * stride + LEAD - 1 + j]: column 1 is aligned to 128 bytes. The
// device's matrix has `rows` >= m rows and `columns` >= n columns in addition to the borders, whole tiles, strips or bands,
// and stride = LEAD + columns. What lies beyond row m and column n is filled like the rest and never read.
// profile[letter * columns + j - 1] is s(letter, second[j-1]) + 2 * gap: a row for every letter.
//
// Gap-shifted scores G[i][j] = H[i][j] + gap * (i + j) need no gap: G[i][j] = max(G[i-1][j-1] + s + 2 gap, G[i-1][j],
// G[i][j-1]), with borders of 0. Strips and bands keep these and subtract the shift as they store them.
//
// Variants and their index maps:
//   wavefront        Tiles of WORK_GROUP x WORK_GROUP cells in local memory, a launch per anti-diagonal of tiles; in
//                    wavefront.cl.
//   strip            A group fills WORK_GROUP * GRANULARITY columns from top to bottom; in strip.cl.
//   score_only       The same, but only cell (m, n) of the matrix is written, to `score`.
//   scan             A work-item fills 16 * GRANULARITY rows and CHUNK columns row by row; in scan.cl.
//   score_only_scan  The same, but only `score` is written.
//   global           A work-item per cell, a launch per anti-diagonal of cells, all in global memory; in global.cl.
//
// Macro            meaning
// VARIANT          VARIANT_WAVEFRONT, VARIANT_STRIP, VARIANT_SCORE_ONLY, VARIANT_SCAN, VARIANT_SCORE_ONLY_SCAN or
//                  VARIANT_GLOBAL
// WORK_GROUP       wavefront: edge of a tile; strip, score_only: lanes (work-items of a group); global: work-items of a
//                  group; a power of two from 16
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
//                  HANDOVER_SHUFFLE: by shuffles, a group being one sub-group; HANDOVER_AUTO: the host chooses
// SYNC             scan: SYNC_LAUNCHES: a launch per diagonal of tiles; SYNC_FLAGS: tiles wait for each other in one
//                  launch; SYNC_AUTO: the host chooses (it passes GROUPS_WAIT)
// SUBMISSION       how the host submits launches; nothing here depends on it
// LEAD             words before column 1 in a row of the matrix, a multiple of 16

#if LEAD < 16 || LEAD % 16 != 0
#error "needle.cl: LEAD must be a multiple of 16"
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

#define STORED (VARIANT != VARIANT_SCORE_ONLY && VARIANT != VARIANT_SCORE_ONLY_SCAN)

#if VARIANT == VARIANT_WAVEFRONT
#include "needle/wavefront.cl"
#elif VARIANT == VARIANT_GLOBAL
#include "needle/global.cl"
#elif VARIANT == VARIANT_STRIP || VARIANT == VARIANT_SCORE_ONLY
#include "needle/strip.cl"
#else
#include "needle/scan.cl"
#endif
