// Temperature of a chip over time: explicit steps of a network of resistors and capacitors, one cell per node. One
// step, for a cell T of power p with its neighbours n s w e (a missing neighbour counts as the cell itself):
//
//   T += dt/C (p + (n + s - 2 T) / Ry + (w + e - 2 T) / Rx + (ambient - T) / Rz)
//
// with the constants folded by the host into `weights` = (own, vertical, horizontal, gain) and `offset`, own being
// negative:
//
//   T += own T + vertical (n + s) + horizontal (w + e) + (gain p + offset)
//
// A weight of T that included the 1 would save an addition, but its rounding shifts all temperatures in the same
// direction.
//
// Source: W. Huang et al., "HotSpot: a compact thermal modeling methodology for early-stage VLSI design", IEEE
// Transactions on VLSI Systems 14(5), 2006; blocks that shrink by a cell per step: S. Che et al., "A performance study
// of general-purpose applications on graphics processors using CUDA" (2008), section on HotSpot.
//
// Kernels, by variant; each launch or phase advances the grid by LEVELS steps, from one array to another:
//   single_step  One step per launch, neighbours from global memory.
//   pyramid      A group loads a square tile into local memory and makes LEVELS steps; with each step the valid square
//                shrinks by a cell on every side, and the inner square is stored.
//   streaming    A group processes a strip of columns row by row, and computes one row of every time level per row that
//                it loads: level t is t rows behind level 0. `streaming_columns` (WORK_GROUP above 1, for GPUs) keeps
//                VECTOR_WIDTH columns of each level in registers and gets the adjacent columns from other
//                work-items. `streaming_rows` (WORK_GROUP 1, for CPUs) keeps three rows of each level in private
//                memory, which is in the first-level cache, and computes them in vectors along the row. In both the
//                strip's valid columns shrink by one per step on either side. `streaming_phases` makes all steps of
//                `streaming_rows` in one launch.
//
// Borders of pyramid and streaming. A missing neighbour that counts as the cell itself is the same as a grid that
// continues mirrored: if T and p are mirrored, so are the next T. Thus loads mirror their index, and the rest of the
// code needs no border cases. With PADDING rows have margins of LEFT cells that hold the mirrored grid, so that
// streaming need not mirror columns; it writes the margins together with the cells. `streaming_rows` computes no rows
// beyond the grid: there a row takes the place of its missing neighbour.
//
// Index map. single_step, pyramid: group (gx, gy) has the tile of WORK_GROUP x WORK_GROUP cells; work-item (x, y) has
// the VECTOR_WIDTH columns from x * VECTOR_WIDTH on in the rows y + j * (WORK_GROUP / GRANULARITY). Tiles store
// STORED x STORED cells, and begin HALO cells before them. streaming: group row gy stores the rows from
// gy * GRANULARITY on; strip s stores STORED columns from s * STORED on and begins HALO columns before them. The strips
// of `streaming_rows` have equal widths of at most STORED.
//
// Arrays have `rows` rows of `stride` floats; a row's cells begin at LEFT. For `streaming_rows` the host transposes a
// grid whose rows are short, and exchanges the vertical and the horizontal weight: rows of one cell would leave 15 of
// 16 lanes idle.
//
// Macro           meaning
// VARIANT         VARIANT_SINGLE_STEP, VARIANT_PYRAMID, VARIANT_STREAMING
// WORK_GROUP      single_step, pyramid: edge of a tile; streaming: work-items of a group
// GRANULARITY     single_step, pyramid: rows per work-item; streaming: rows that a group stores
// VECTOR_WIDTH    neighbouring columns computed at once
// UNROLL          single_step, pyramid: of the loop over a work-item's rows; streaming: of the loop over rows, rounded
//                 up to a multiple of PREFETCH, with one work-item of the loop over vectors of a row
// PADDING         0: rows are contiguous, columns beyond them are mapped cell by cell; 1: rows are aligned to 16 floats
//                 and have mirrored margins (single_step uses only the cells next to the row's ends)
// PYRAMID_HEIGHT  pyramid: the most steps per launch
// DEPTH           streaming: the most steps per launch
// STRIP           streaming with one work-item: columns that it stores; see STORED
// PREFETCH        streaming with more: how many rows ahead of its use a row is loaded
// EXCHANGE        streaming with more: EXCHANGE_LOCAL: neighbouring columns through local memory; EXCHANGE_SHUFFLE: by
//                 shuffles among lanes, which then share a strip; EXCHANGE_AUTO: the host chooses
// SYNC            streaming with one work-item: SYNC_LAUNCHES: a launch for each DEPTH steps, `streaming_rows`;
//                 SYNC_FLAGS: all steps in one, `streaming_phases`; SYNC_AUTO: the host chooses
// SUBMISSION      how the host submits launches; nothing here depends on it
// and from the host:
// LEFT            cells of a row before its grid cells: 16 with PADDING, else 0
// LEVELS          steps of this launch: PYRAMID_HEIGHT or DEPTH, or what is left; 1 in single_step
// STORED          edge of the square that a tile stores; columns that a strip stores
// HALO            cells that a tile or strip loads on each side of those; in strips a multiple of VECTOR_WIDTH
// STRIP_ITEMS     streaming: work-items that share a strip; SUB_GROUP where lanes shuffle, else WORK_GROUP
// and the macros of kernels_cl/lanes.cl
//
// Preconditions: rows and columns are at most 2^20; with PADDING `stride` is a multiple of 16, at least the columns
// rounded up to 16 and 32 more, and buffers are aligned to 64 bytes.

#if LEFT > 0 && LEVELS > LEFT
#error "hotspot.cl: LEVELS must be at most the margin's LEFT cells"
#endif
#if VARIANT == VARIANT_STREAMING && (STORED % VECTOR_WIDTH != 0 || HALO % VECTOR_WIDTH != 0)
#error "hotspot.cl: STORED and HALO must be multiples of VECTOR_WIDTH in VARIANT_STREAMING"
#endif
#if SHUFFLE && !(STRIP_ITEMS == SUB_GROUP && WORK_GROUP % SUB_GROUP == 0)
#error "hotspot.cl: if lanes shuffle, STRIP_ITEMS must be SUB_GROUP and WORK_GROUP a multiple of it"
#endif

// What the power and the ambience of a cell add to its temperature.
INLINED realv source_term(const realv power, const float4 weights, const float offset) {
  return MULTIPLY_ADD((realv)(weights.w), power, (realv)(offset));
}

INLINED realv next_temperature(const realv own, const realv vertical_sum, const realv horizontal_sum,
                               const realv source, const float4 weights) {
  const realv from_own = MULTIPLY_ADD((realv)(weights.x), own, source);
  const realv from_rows = MULTIPLY_ADD((realv)(weights.y), vertical_sum, from_own);
  return own + MULTIPLY_ADD((realv)(weights.z), horizontal_sum, from_rows);
}

// The cell at `index` on an axis of `count` cells that continues mirrored at both ends.
INLINED int mirrored(const int index, const int count) {
  if ((uint)index < (uint)count) return index;
  const int period = 2 * count;
  const int inside = (index % period + period) % period;
  return inside < count ? inside : period - 1 - inside;
}

// Stores the lanes that are in the grid.
INLINED void store_inside(global float* row, const int column, const int cols, const realv value) {
  if (column + VECTOR_WIDTH <= cols) {
    STOREV(value, column, row);
  } else {
    float lanes[VECTOR_WIDTH];
    STOREV(value, 0, lanes);
    UNROLL_LOOP(1)
    for (int k = 0; k < VECTOR_WIDTH; ++k) {
      if (column + k < cols) row[column + k] = lanes[k];
    }
  }
}

// The vector at `column` of a row, which may lie beyond its ends.
INLINED realv load_mirrored(global const float* row, const int column, const int cols) {
  if (column >= 0 && column + VECTOR_WIDTH <= cols) return LOADV(column, row);
  float lanes[VECTOR_WIDTH];
  UNROLL_LOOP(1)
  for (int k = 0; k < VECTOR_WIDTH; ++k) lanes[k] = row[mirrored(column + k, cols)];
  return LOADV(0, lanes);
}

#if VARIANT == VARIANT_SINGLE_STEP
#include "hotspot/single_step.cl"
#elif VARIANT == VARIANT_PYRAMID
#include "hotspot/pyramid.cl"
#else
#include "hotspot/streaming.cl"
#endif
