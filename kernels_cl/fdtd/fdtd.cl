// Electromagnetic waves in two dimensions by finite differences in the time domain: Yee's scheme for TM_z waves. The cell
// in row i and column j has fields Ez, Hx, Hy, and its medium has coefficients Ca, Cb.
//
// A step computes
//
//   Hx[i][j] -= D (Ez[i][j+1] - Ez[i][j])
//   Hy[i][j] += D (Ez[i+1][j] - Ez[i][j])
//   Ez[i][j]  = Ca Ez[i][j] + Cb ((Hy[i][j] - Hy[i-1][j]) - (Hx[i][j] - Hx[i][j-1]))
//
// Hx is updated in all columns except the last, Hy in all rows except the last, and Ez in all cells except the outermost
// ones. These are a conductor, where Ez is 0. With POINT_SOURCE a pulse is added to Ez of one cell. A step takes 32 bytes
// and 12 operations per cell, so memory limits a single step.
//
// Source: K. S. Yee, "Numerical solution of initial boundary value problems involving Maxwell's equations in isotropic
// media", IEEE Transactions on Antennas and Propagation 14(3), 1966; staging in local memory and a kernel per time step:
// S. Ryoo et al., "Optimization principles and application performance evaluation of a multithreaded GPU using CUDA"
// (2008), section 5.1.
//
// Borders. The coefficients of the outermost cells are 0, so Ez stays 0 there without a test. Indices are clamped, so the
// neighbour of an outermost cell is that cell. Hx of the last column and Hy of the last row do not change, because both Ez
// of their difference count as 0. Finite numbers beyond the grid, in margins or in lanes without a cell, never reach a cell.
//
// Not built: an absorbing boundary (Mur's) and a source that is a sine. They concern a line of cells and one cell; the step
// of all others stays what it is.
//
// Kernels, by variant:
//   two_kernels, tiled  `magnetic` updates H of all cells, then `electric` updates Ez, both in place. In tiled a group
//                       loads the fields whose neighbours it needs into local memory.
//   fused               One launch computes a step of all fields, from one set of fields to another. A work-item also
//                       computes Hy of the row above its first row and Hx of the column before its first column.
//   streaming           A group processes a strip of columns row by row, and makes LEVELS steps: level t of a row is
//                       computed one row behind level t - 1. `streaming_columns` (WORK_GROUP above 1, for GPUs) keeps
//                       VECTOR_WIDTH columns of a row of each level in registers and gets the adjacent columns from
//                       other work-items. `streaming_rows` (WORK_GROUP 1, for CPUs) keeps whole rows in private memory
//                       and updates them in place. The strip's valid columns shrink by one per step on either side.
//
// Index map. two_kernels, tiled: group (gx, gy) has the square of WORK_GROUP x WORK_GROUP cells; work-item (x, y) has
// the VECTOR_WIDTH columns from x * VECTOR_WIDTH on in the rows y + k * (WORK_GROUP / GRANULARITY). fused: work-item
// (x, y) has the columns from x * VECTOR_WIDTH on in the rows from y * GRANULARITY on. streaming: group row gy stores the
// rows from gy * GRANULARITY on; strip s stores STORED columns from s * STORED on and begins HALO columns before them.
//
// Arrays. Rows have `stride` cells, and begin at LEFT. Fields are Ez, Hx, Hy, one array after the other; coefficients are
// Ca, Cb alike. With LAYOUT_AOS a cell is a structure of Ez, Hx, Hy, Ca, Cb.
//
// Macro           meaning
// VARIANT         VARIANT_TWO_KERNELS, VARIANT_TILED, VARIANT_FUSED, VARIANT_STREAMING
// WORK_GROUP      two_kernels, tiled: edge of a group's square; fused, streaming: work-items of a group, along a row
// GRANULARITY     rows of a work-item; streaming: rows that a group stores
// VECTOR_WIDTH    neighbouring columns computed at once
// UNROLL          of the loop over rows, in streaming rounded up to a multiple of PREFETCH; with one work-item of the
//                 loop over vectors of a row
// PADDING         0: rows are contiguous, LEFT is 0; 1: rows are aligned to 32 cells and have margins of 32
// LAYOUT          two_kernels, tiled: LAYOUT_AOS or LAYOUT_SOA
// MEDIUM          MEDIUM_ARRAYS: two coefficients for each cell; MEDIUM_INDEX: a byte for each cell, into `table`
// DEPTH           streaming: the most steps per launch
// STRIP           streaming with one work-item: columns that it stores; see STORED
// PREFETCH        streaming with more: how many rows ahead of its use a row is loaded
// EXCHANGE        streaming with more: EXCHANGE_LOCAL: neighbouring columns through local memory; EXCHANGE_SHUFFLE: by
//                 shuffles among lanes, which then share a strip; EXCHANGE_AUTO: the host chooses
// SUBMISSION      how the host submits launches; nothing here depends on it
// and from the host:
// LEFT            cells of a row before its grid cells
// LEVELS          steps of this launch: DEPTH, or what is left; 1 in all other variants
// STORED          columns that a strip stores
// HALO            columns that a strip loads on each side of those, a multiple of VECTOR_WIDTH
// STRIP_ITEMS     streaming: work-items that share a strip; SUB_GROUP where lanes shuffle, else WORK_GROUP
// POINT_SOURCE    1: there is a source, at cell `at`; source[n] is added in step n
// and the macros of kernels_cl/lanes.cl
//
// Preconditions: the grid has at least 3 and at most 2^20 rows and columns; with PADDING buffers are aligned to 64 bytes, and
// the margins of all fields hold finite numbers.

#if VARIANT == VARIANT_STREAMING && (STORED % VECTOR_WIDTH != 0 || HALO % VECTOR_WIDTH != 0)
#error "fdtd.cl: STORED and HALO must be multiples of VECTOR_WIDTH in VARIANT_STREAMING"
#endif
#if SHUFFLE && !(STRIP_ITEMS == SUB_GROUP && WORK_GROUP % SUB_GROUP == 0)
#error "fdtd.cl: if lanes shuffle, STRIP_ITEMS must be SUB_GROUP and WORK_GROUP a multiple of it"
#endif

// PoCL's vload16 is four loads, and so is everything computed from it: vectors are read through their type instead.
typedef realv packed_realv __attribute__((aligned(4)));

#if VECTOR_WIDTH == 1
typedef uchar bytev;
#define FIRST_OF(v) (v)
#define LAST_OF(v) (v)
#else
typedef JOIN(uchar, VECTOR_WIDTH) bytev;
#define FIRST_OF(v) ((v).s0)
#if VECTOR_WIDTH == 2
#define LAST_OF(v) ((v).s1)
#elif VECTOR_WIDTH == 4
#define LAST_OF(v) ((v).s3)
#elif VECTOR_WIDTH == 8
#define LAST_OF(v) ((v).s7)
#else
#define LAST_OF(v) ((v).sf)
#endif
#endif

// Arguments of every kernel that updates Ez.
#define MEDIUM_AND_SOURCE                                                                                      \
  global const float *restrict coefficients, global const uchar *restrict index, constant float2 *restrict table, \
      global const float *restrict source

// The coefficients of VECTOR_WIDTH cells.
struct media {
  realv ca;
  realv cb;
};

// The lanes of v moved by one, and what comes in at the end.
INLINED realv from_east(const realv v, const float behind) {
  float lanes[VECTOR_WIDTH + 1];
  STOREV(v, 0, lanes);
  lanes[VECTOR_WIDTH] = behind;
  return LOADV(1, lanes);
}
INLINED realv from_west(const realv v, const float before) {
  float lanes[VECTOR_WIDTH + 1];
  lanes[0] = before;
  STOREV(v, 1, lanes);
  return LOADV(0, lanes);
}

// The vector at a column of a row of `cols` cells, which VECTOR_WIDTH divides; it may reach beyond the row's ends.
INLINED realv load_cells(global const float* row, const int column, const int cols) {
  if (PADDING) return *(global const realv*)(row + column);
  if (column >= 0 && column + VECTOR_WIDTH <= cols) return *(global const packed_realv*)(row + column);
  float lanes[VECTOR_WIDTH];
  UNROLL_LOOP(1)
  for (int k = 0; k < VECTOR_WIDTH; ++k) lanes[k] = row[clamp(column + k, 0, cols - 1)];
  return LOADV(0, lanes);
}
// One cell, which may be outside the row.
INLINED float load_cell(global const float* row, const int column, const int cols) {
  return row[PADDING ? column : clamp(column, 0, cols - 1)];
}
// Stores the lanes that are in the grid, with PADDING all.
INLINED void store_cells(global float* row, const int column, const int cols, const realv value) {
  if (PADDING) {
    *(global realv*)(row + column) = value;
  } else if (column + VECTOR_WIDTH <= cols) {
    *(global packed_realv*)(row + column) = value;
  } else {
    float lanes[VECTOR_WIDTH];
    STOREV(value, 0, lanes);
    UNROLL_LOOP(1)
    for (int k = 0; k < VECTOR_WIDTH; ++k) {
      if (column + k < cols) row[column + k] = lanes[k];
    }
  }
}

// `begin`: of the row, in cells; `plane`: cells of an array.
INLINED struct media load_media(global const float* coefficients, global const uchar* index, constant float2* table,
                                const size_t begin, const size_t plane, const int column, const int cols) {
  struct media media;
#if MEDIUM == MEDIUM_ARRAYS
  media.ca = load_cells(coefficients + begin, column, cols);
  media.cb = load_cells(coefficients + plane + begin, column, cols);
#else
  uchar bytes[VECTOR_WIDTH];
  global const uchar* const row = index + begin;
#if PADDING && VECTOR_WIDTH > 1
  JOIN(vstore, VECTOR_WIDTH)(*(global const bytev*)(row + column), 0, bytes);
#else
  UNROLL_WHOLE
  for (int k = 0; k < VECTOR_WIDTH; ++k) bytes[k] = row[PADDING ? column + k : clamp(column + k, 0, cols - 1)];
#endif
  float ca[VECTOR_WIDTH];
  float cb[VECTOR_WIDTH];
  UNROLL_WHOLE
  for (int k = 0; k < VECTOR_WIDTH; ++k) {
    const float2 material = table[bytes[k]];
    ca[k] = material.x;
    cb[k] = material.y;
  }
  media.ca = LOADV(0, ca);
  media.cb = LOADV(0, cb);
#endif
  return media;
}

INLINED realv next_hx(const realv hx, const realv ez, const realv east, const float d) {
  return MULTIPLY_ADD((realv)(-d), east - ez, hx);
}
INLINED realv next_hy(const realv hy, const realv ez, const realv south, const float d) {
  return MULTIPLY_ADD((realv)(d), south - ez, hy);
}
INLINED realv next_ez(const realv ez, const struct media media, const realv hy, const realv hy_north, const realv hx,
                      const realv hx_west) {
  return MULTIPLY_ADD(media.cb, (hy - hy_north) - (hx - hx_west), media.ca * ez);
}

// With the source's pulse, if it is in this row at one of these columns.
INLINED realv with_source(const realv ez, global const float* source, const int step, const int row, const int column,
                          const int2 at) {
  if (!POINT_SOURCE || row != at.x || (uint)(at.y - column) >= VECTOR_WIDTH) return ez;
  float lanes[VECTOR_WIDTH];
  STOREV(ez, 0, lanes);
  lanes[at.y - column] += source[step];
  return LOADV(0, lanes);
}

#if VARIANT == VARIANT_TWO_KERNELS || VARIANT == VARIANT_TILED
#include "fdtd/two_kernels.cl"
#elif VARIANT == VARIANT_FUSED
#include "fdtd/fused.cl"
#elif WORK_GROUP > 1
#include "fdtd/streaming_columns.cl"
#else
#include "fdtd/streaming_rows.cl"
#endif
