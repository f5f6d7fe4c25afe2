// Two-point angular correlation function: histograms of the angles between points on the sphere. DD counts the pairs of the
// data, RR those of each random set, DR all pairs of a datum and a random point. Points are unit vectors; the angle of a pair
// follows from their product. Slot s of a histogram counts the pairs that are farther apart than exactly s of the EDGES_TOTAL
// edges: slot 0 is closer than all bins, the last slot is beyond them. A pair takes 6 operations for the product and 5
// comparisons of a binary search. A set is read once and serves n pairs per point, so arithmetic is the limit.
//
// Variants:
//   tiled       a tile of WORK_GROUP points in local memory, histograms of the group in local memory (tiled.cl)
//   direct      a work-item per point; histograms in global memory (direct.cl)
//   columns     as tiled, with several points per work-item; each work-item has a histogram of its own, so nothing is atomic
//               (tiled.cl)
//   register    comparisons with all edges, counted in registers (cumulative.cl)
//   cumulative  the same with those edges alone that the caps of two blocks of points leave in doubt; the points are sorted
//               first (sort.cl), so that blocks are small on the sky (cumulative.cl)
// Not built: edges in an image. They are so few that constant and local memory hold them.
// Source: S. Ryoo et al., "Optimization principles ...", PPoPP 2008, table 3, for the method of `tiled`; estimator: S. D. Landy
// and A. S. Szalay, "Bias and variance of angular correlation functions", ApJ 412, 1993.
//
// Index map: a job is a pair of sets, a span of points of the one (`a`) and a span of partners in the other (`b`). Pairs of
// sets are numbered: 0 is the data with itself, 1 to `sets` a random set with itself, then each random set with the data. Job
// (pair * a_jobs + a) * b_jobs + b belongs to one group and has one row of `partial`, whose slots are `rows` counts apart.
// direct: work-item (pair, point).
//
// Parameters:
//   VARIANT       VARIANT_TILED, VARIANT_DIRECT, VARIANT_COLUMNS, VARIANT_REGISTER or VARIANT_CUMULATIVE
//   WORK_GROUP    work-items of a group
//   GRANULARITY   columns: points per work-item at a time; register, cumulative: vectors of points
//   VECTOR_WIDTH  register, cumulative: points in a vector
//   UNROLL        of the loop over partners
//   HISTOGRAMS    tiled: histograms of a group
//   PADDING       tiled: unused counters after each row of equal slots
//   SEARCH        tiled, columns, direct: SEARCH_BINARY or SEARCH_LINEAR_FROM_WIDE over the edges; SEARCH_TABLE looks up the
//                 exponent and the first mantissa bits of 1 - product, which leave one edge in doubt
//   MEMORY        tiled, columns, direct: of edges or table, MEMORY_CONSTANT, MEMORY_LOCAL or MEMORY_GLOBAL
//   BALANCE       BALANCE_SET: a group takes all partners (tiled: and all points) of a pair of sets; BALANCE_TILE: groups take
//                 spans of equal size (the host's affair)
//   EDGES         register, cumulative: edges that are counted in one pass over the partners
//   BLOCK         register, cumulative: partners between two additions to the histogram
// and from the host SLOTS, EDGES_TOTAL (SLOTS - 1), LOOKUPS (edges, or cells of the table), CELL_SHIFT (bits that a cell of the
// table does not look at); COLLECT_GROUP; LEAST_BLOCKS for cumulative.cl; for sort.cl SORT_GROUP, BANDS and CAP_GROUP.
//
// Precondition: a pair of sets has less than 2^32 pairs of points.

typedef struct {
  int a, b;              // numbers of the sets
  int self;              // they are the same: pairs (i, j) with i < j count
  int a_begin, a_end;    // points
  int b_begin, b_end;    // partners
} job;

INLINED job job_of(const int row, const int n, const int sets, const int a_span, const int b_span, const int a_jobs,
                   const int b_jobs) {
  const int pair = row / (a_jobs * b_jobs);
  job result;
  result.self = pair <= sets;
  result.a = result.self ? pair : pair - sets;
  result.b = result.self ? pair : 0;
  result.a_begin = row / b_jobs % a_jobs * a_span;
  result.a_end = min(result.a_begin + a_span, n);
  result.b_begin = row % b_jobs * b_span;
  result.b_end = min(result.b_begin + b_span, n);
  return result;
}

// Adds up the rows of `partial`: group (kind, slot), where kind is DD, DR, RR.
kernel GROUP_OF(COLLECT_GROUP, 1) void collect(global const uint* restrict partial, const int rows, const int rows_of_pair,
                                               const int sets, global long* restrict result) {
  local ulong sums[COLLECT_GROUP];
  const int item = (int)get_local_id(0);
  const int kind = (int)get_group_id(0) / SLOTS;
  const int slot = (int)get_group_id(0) % SLOTS;
  const int begin = kind == 0 ? 0 : kind == 1 ? (sets + 1) * rows_of_pair : rows_of_pair;
  const int end = kind == 0 ? rows_of_pair : kind == 1 ? rows : (sets + 1) * rows_of_pair;
  ulong sum = 0;
  for (int row = begin + item; row < end; row += COLLECT_GROUP) sum += partial[(size_t)slot * rows + row];
  sums[item] = sum;
  for (int step = COLLECT_GROUP / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) sums[item] += sums[item + step];
  }
  if (item == 0) result[kind * SLOTS + slot] = (long)sums[0];
}

#if VARIANT == VARIANT_REGISTER || VARIANT == VARIANT_CUMULATIVE
#include "tpacf/cumulative.cl"
#include "tpacf/sort.cl"
#else
#include "tpacf/slots.cl"
#if VARIANT == VARIANT_DIRECT
#include "tpacf/direct.cl"
#else
#include "tpacf/tiled.cl"
#endif
#endif
