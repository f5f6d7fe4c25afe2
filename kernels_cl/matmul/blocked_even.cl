// blocked.cl with RESIDENT: all groups run at the same time and divide the terms of all tiles evenly, however many tiles
// there are. Terms are taken in steps of TILE_K, tile after tile; group g has those from first_step(g) to
// first_step(g + 1). Of a tile that it has not alone, it leaves its share of the sums, and the group that is last to leave
// one adds them, in the groups' order: no group waits for another, and the result does not depend on which is last.
// After D. Osama et al., "Stream-K: work-centric parallel decomposition for dense matrix-matrix multiplication on the GPU",
// PPoPP 2023, whose groups wait.
#include "ordering.cl"

#define SHARE_VECTORS (TILE_Y * TILE_VECTORS)

typedef struct {
  long steps;  // of all tiles, at least one for each group
  int groups;
} division;

INLINED long first_step(const division of, const int group) { return of.steps * group / of.groups; }

// The group that has the step.
INLINED int group_with(const division of, const long step) { return (int)(((step + 1) * of.groups - 1) / of.steps); }

// A group shares at most two tiles with others, the first and the last that it has.
INLINED size_t share_of(const division of, const int group, const long first_of_tile) {
  const int is_last = first_step(of, group) < first_of_tile;
  return ((size_t)group * 2 + is_last) * SHARE_VECTORS * ITEMS;
}

INLINED void leave_share(const tile_sums* tile, global realv* share) {
  UNROLL_WHOLE
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) share[(r * TILE_VECTORS + v) * ITEMS] = tile->sums[r][v];
  }
}

INLINED void add_share(tile_sums* tile, const global realv* share) {
  UNROLL_WHOLE
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_WHOLE
    for (int v = 0; v < TILE_VECTORS; ++v) tile->sums[r][v] += share[(r * TILE_VECTORS + v) * ITEMS];
  }
}

// `left` has a count for each tile, of the shares that were left: 0 before and behind the launch.
kernel GROUP_OF(ITEMS, 1) void matmul_evenly(const global float* restrict a, const global float* restrict b,
                                             global float* restrict c, global realv* shares, global flag_t* left,
                                             const int rows, const int cols, const int terms) {
  local stages staged __attribute__((aligned(64)));
  local int is_last;
  const int item = (int)get_local_id(0);
  const int2 square = place_of_item(item);
  const int column = square.x * VECTOR_WIDTH;
  const int row = square.y * TILE_Y;
  const int tiles_x = cols / GROUP_X;
  const int tiles_y = rows / GROUP_Y;
  const int steps = terms / TILE_K;
  const division of = {(long)tiles_x * tiles_y * steps, (int)get_num_groups(0)};
  const int group = (int)get_group_id(0);
  const long stop = first_step(of, group + 1);
  for (long at = first_step(of, group); at < stop;) {
    const int number = (int)(at / steps);
    const long first = (long)number * steps;
    const long last = min(stop, first + steps);
    const int2 place = place_of(number, tiles_x, tiles_y);
    const operands from = operands_of(a, b, place.x, place.y, cols, terms);
    tile_sums tile;
    clear_sums(&tile);
    add_terms(&tile, &from, (int)(at - first) * TILE_K, (int)(last - first) * TILE_K, &staged, item, row, column);
    int stores = last - at == steps;
    if (!stores) {
      const int lowest = group_with(of, first);
      const int highest = group_with(of, first + steps - 1);
      leave_share(&tile, shares + share_of(of, group, first) + item);
      stores = is_last_of((uint)(highest - lowest + 1), left + number, &is_last);
      if (stores) {
        clear_sums(&tile);
        UNROLL_LOOP(2)
        for (int other = lowest; other <= highest; ++other) add_share(&tile, shares + share_of(of, other, first) + item);
      }
    }
    if (stores) store_sums(&tile, c + ((size_t)place.y * GROUP_Y + row) * cols + place.x * GROUP_X + column, cols);
    at = last;
  }
}
