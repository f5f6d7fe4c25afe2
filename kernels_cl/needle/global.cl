// Needleman-Wunsch, variant global: a work-item per cell, all in global memory. Part of needle.cl.
//
// One launch per anti-diagonal of cells, `upper_left` while the diagonals grow (and keep their length), `lower_right`
// while they shrink. The first implementation of S. Che et al., "A performance study of general-purpose applications on
// graphics processors using CUDA" (2008), section 6.4, which the tiles in local memory replaced.
//
// Preconditions: none on `columns`. No local memory.

// Work-item k has the k-th cell of the diagonal that begins at cell (top + 1, right + 1) and goes down and left, `cells`
// cells long. It makes the border next to its cell.
static inline void fill_cell(global int* matrix, global const int* similarity, const ulong columns, const int gap,
                             const uint top, const uint right, const uint cells) {
  const uint k = get_global_id(0);
  if (k >= cells) return;
  const uint y = top + k;  // row and column among the scores of pairs, from 0
  const uint x = right - k;
  global int* const own = matrix + ROW_BEGIN(y + 1, columns) + x;
  global int* const above = matrix + ROW_BEGIN(y, columns) + x;
  const int north = y == 0 ? -gap * (int)(x + 1) : above[0];
  const int west = x == 0 ? -gap * (int)(y + 1) : own[-1];
  const int corner = x == 0 || y == 0 ? -gap * (int)(x + y) : above[-1];
  own[0] = max(corner + similarity[y * columns + x], max(north, west) - gap);
  if (y == 0) above[0] = north;
  if (x == 0) own[-1] = west;
  if (x == 0 && y == 0) above[-1] = corner;
}

#define CELL_ARGUMENTS                                                                                  \
  global int *matrix, global const int *restrict similarity, const ulong columns, const int gap, const uint top, \
      const uint right, const uint cells

kernel GROUP_OF(WORK_GROUP, 1) void upper_left(CELL_ARGUMENTS) {
  fill_cell(matrix, similarity, columns, gap, top, right, cells);
}
kernel GROUP_OF(WORK_GROUP, 1) void lower_right(CELL_ARGUMENTS) {
  fill_cell(matrix, similarity, columns, gap, top, right, cells);
}
