// staging: what it costs to stage data through local memory, by the arithmetic that goes with it. A micro-benchmark: groups
// copy a tile into local memory, synchronise, do `multiply_adds` multiply-adds on each of its floats, and continue with
// the next tile of their segment; only a sum for each work-item is written. A run launches one kernel each for 1, 2, 4 ...
// 256 multiply-adds: 4 bytes for 3 to 513 operations.
//
// In VARIANT_PLAIN the WORK_GROUP work-items copy, then compute. In VARIANT_SPLIT these only compute, and LOADERS further
// ones only copy: with BUFFERING_DOUBLE the next tile, while this one is computed.
//
// A float x becomes (multiply_adds + 1) x, by x = 1 x + x0 again and again: `one` is an argument, so that no compiler knows.
// With ELEMENT above 0 a tile is strided: ELEMENT vectors are neighbours, and the next ones are as far away as the group has
// tiles, so that its tiles interleave. All data are still read once. That is the transfer of CudaDMAStrided.
// Source: M. Bauer, H. Cook, B. Khailany, "CudaDMA: optimizing GPU memory bandwidth via warp specialization", SC 2011,
// sections 2.3 and 5, figures 2 and 8: 16 warps that copy 4 bytes for each work-item, 4 more that load, two groups for each
// unit. With BARRIER_GROUP all work-items meet once per tile, at OpenCL's barrier for the whole group; with BARRIER_NAMED
// copying and computing ones meet at barriers of each buffer.
//
// Index map: group g has `tiles` tiles from g * tiles on, as far as there are: its part of the data. A tile has GRANULARITY * WORK_GROUP vectors,
// and work-item i computes number WORK_GROUP - 1 - i of each run of WORK_GROUP: others than it copied.
//
// Macro          meaning
// VARIANT        VARIANT_PLAIN, VARIANT_SPLIT
// WORK_GROUP     work-items that compute
// GRANULARITY    vectors of a tile for each of them
// VECTOR_WIDTH   floats of a load
// UNROLL         of the loop over multiply-adds
// ELEMENT        neighbouring vectors of a strided tile, which divide its vectors; 0: a tile is contiguous
// GROUPS         groups for each unit of the device; the host launches them
// LOADERS        work-items that only copy (VARIANT_SPLIT)
// BUFFERING      BUFFERING_SINGLE, BUFFERING_DOUBLE (VARIANT_SPLIT)
// BARRIER        BARRIER_GROUP, BARRIER_NAMED (VARIANT_SPLIT; needs PTX)
// PREFETCH       1: those that only copy read the next tile into registers before they wait (VARIANT_SPLIT)
// and from the host GROUP_ITEMS, all work-items of a group
//
// Preconditions: `data` has all_tiles whole tiles.

#include "named_barriers.cl"

#define VECTORS (GRANULARITY * WORK_GROUP)
#define COPYING (VARIANT == VARIANT_SPLIT ? LOADERS : WORK_GROUP)
#define FIRST_COPYING (VARIANT == VARIANT_SPLIT ? WORK_GROUP : 0)
#define BUFFERS (VARIANT == VARIANT_SPLIT && BUFFERING == BUFFERING_DOUBLE ? 2 : 1)

// Vectors of a tile that a loader has in registers, with PREFETCH.
#define HELD (PREFETCH ? (VECTORS + COPYING - 1) / COPYING : 1)

// Where vector `i` of tile `now` is in a group's part, of `count` tiles.
#define RUN (ELEMENT ? ELEMENT : VECTORS)
static inline size_t place_of(const uint i, const uint now, const uint count) {
  return ELEMENT ? ((size_t)(i / RUN) * count + now) * RUN + i % RUN : (size_t)now * VECTORS + i;
}

static inline void fetch_tile(realv* held, const global realv* part, const uint now, const uint count, const uint loader) {
  UNROLL_WHOLE
  for (uint k = 0; k < HELD; ++k) {
    if (loader + k * COPYING < VECTORS) held[k] = part[place_of(loader + k * COPYING, now, count)];
  }
}

static inline void store_tile(local realv* to, const realv* held, const uint loader) {
  UNROLL_WHOLE
  for (uint k = 0; k < HELD; ++k) {
    if (loader + k * COPYING < VECTORS) to[loader + k * COPYING] = held[k];
  }
}

static inline void copy_tile(local realv* to, const global realv* part, const uint now, const uint count, const uint loader) {
  for (uint i = loader; i < VECTORS; i += COPYING) to[i] = part[place_of(i, now, count)];
}

// `sum` and what work-item `item` makes of its part of a tile.
static inline realv add_tile(realv sum, const local realv* tile, const uint item, const uint multiply_adds,
                             const float one) {
  for (uint j = 0; j < GRANULARITY; ++j) {
    const realv x = tile[j * WORK_GROUP + WORK_GROUP - 1 - item];
    realv value = x;
    UNROLL_LOOP(UNROLL)
    for (uint m = 0; m < multiply_adds; ++m) value = MULTIPLY_ADD(value, (realv)(one), x);
    sum += value;
  }
  return sum;
}

kernel GROUP_OF(GROUP_ITEMS, 1) void staging(const global realv* restrict data, global float* restrict sums, const uint tiles,
                                             const uint all_tiles, const uint multiply_adds, const float one) {
  local realv tile[BUFFERS][VECTORS];
  const uint item = get_local_id(0);
  const uint first = get_group_id(0) * tiles;
  const int count = first < all_tiles ? (int)min(tiles, all_tiles - first) : 0;
  const int lead = BUFFERS - 1;
  const uint loader = item - FIRST_COPYING;  // of those that copy
  realv sum = 0.0f;
  realv held[HELD];
  const global realv* const part = data + (size_t)first * VECTORS;
#if BARRIER == BARRIER_NAMED
  if (item >= WORK_GROUP) {
    for (int now = 0; now < count; ++now) {
      if (PREFETCH) fetch_tile(held, part, now, count, loader);
      wait_at(BUFFER_FREE(now % BUFFERS), GROUP_ITEMS);
      if (PREFETCH) {
        store_tile(tile[now % BUFFERS], held, loader);
      } else {
        copy_tile(tile[now % BUFFERS], part, now, count, loader);
      }
      arrive_at(BUFFER_FULL(now % BUFFERS), GROUP_ITEMS);
    }
  } else {
    for (int now = 0; now < min(BUFFERS, count); ++now) arrive_at(BUFFER_FREE(now), GROUP_ITEMS);
    for (int now = 0; now < count; ++now) {
      wait_at(BUFFER_FULL(now % BUFFERS), GROUP_ITEMS);
      sum = add_tile(sum, tile[now % BUFFERS], item, multiply_adds, one);
      if (now + BUFFERS < count) arrive_at(BUFFER_FREE(now % BUFFERS), GROUP_ITEMS);
    }
  }
#else
  if (PREFETCH && item >= FIRST_COPYING && count > 0) fetch_tile(held, part, 0, count, loader);
  // Nothing needs this barrier but PoCL 5.0, which in some builds compiles a loop with barriers wrongly where none stands
  // before it.
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int now = -lead; now < count; ++now) {
    const int incoming = now + lead;
    if (item >= FIRST_COPYING && incoming < count) {
      if (PREFETCH) {
        store_tile(tile[incoming % BUFFERS], held, loader);
        if (incoming + 1 < count) fetch_tile(held, part, incoming + 1, count, loader);
      } else {
        copy_tile(tile[incoming % BUFFERS], part, incoming, count, loader);
      }
    }
    if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
    if (item < WORK_GROUP && now >= 0) sum = add_tile(sum, tile[now % BUFFERS], item, multiply_adds, one);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
  if (item < WORK_GROUP) sums[get_group_id(0) * WORK_GROUP + item] = SUMV(sum);
}
