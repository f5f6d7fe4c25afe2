// staging: what it costs to stage data through local memory, by the arithmetic that goes with it. A micro-benchmark: groups
// copy a tile into local memory, synchronise, do `multiply_adds` multiply-adds on each of its floats, and continue with
// the next tile of their segment; only a sum for each work-item is written. A run launches one kernel each for 1, 2, 4 ...
// 256 multiply-adds: 4 bytes for 3 to 513 operations.
//
// In VARIANT_PLAIN the WORK_GROUP work-items copy, then compute. In VARIANT_SPLIT these only compute, and LOADERS further
// ones only copy: with BUFFERING_DOUBLE the next tile, while this one is computed.
//
// A float x becomes (multiply_adds + 1) x, by x = 1 x + x0 again and again: `one` is an argument, so that no compiler knows.
// Source: M. Bauer, H. Cook, B. Khailany, "CudaDMA: optimizing GPU memory bandwidth via warp specialization", SC 2011,
// sections 2.3 and 5, figures 2 and 8: 16 warps that copy 4 bytes for each work-item, 4 more that load, two groups for each
// unit. OpenCL has one barrier for the whole group, so that all its work-items meet once per tile.
//
// Index map: group g has `tiles` tiles from g * tiles on, as far as there are; a tile has GRANULARITY * WORK_GROUP vectors,
// and work-item i computes number WORK_GROUP - 1 - i of each run of WORK_GROUP: others than it copied.
//
// Macro          meaning
// VARIANT        VARIANT_PLAIN, VARIANT_SPLIT
// WORK_GROUP     work-items that compute
// GRANULARITY    vectors of a tile for each of them
// VECTOR_WIDTH   floats of a load
// UNROLL         of the loop over multiply-adds
// GROUPS         groups for each unit of the device; the host launches them
// LOADERS        work-items that only copy (VARIANT_SPLIT)
// BUFFERING      BUFFERING_SINGLE, BUFFERING_DOUBLE (VARIANT_SPLIT)
// and from the host GROUP_ITEMS, all work-items of a group
//
// Preconditions: `data` has all_tiles whole tiles.

#define VECTORS (GRANULARITY * WORK_GROUP)
#define COPYING (VARIANT == VARIANT_SPLIT ? LOADERS : WORK_GROUP)
#define FIRST_COPYING (VARIANT == VARIANT_SPLIT ? WORK_GROUP : 0)
#define BUFFERS (VARIANT == VARIANT_SPLIT && BUFFERING == BUFFERING_DOUBLE ? 2 : 1)

kernel GROUP_OF(GROUP_ITEMS, 1) void staging(const global realv* restrict data, global float* restrict sums, const uint tiles,
                                             const uint all_tiles, const uint multiply_adds, const float one) {
  local realv tile[BUFFERS][VECTORS];
  const uint item = get_local_id(0);
  const uint first = get_group_id(0) * tiles;
  const int count = first < all_tiles ? (int)min(tiles, all_tiles - first) : 0;
  const int lead = BUFFERS - 1;
  realv sum = 0.0f;
  // Nothing needs this barrier but PoCL 5.0, which in some builds compiles a loop with barriers wrongly where none stands
  // before it.
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int now = -lead; now < count; ++now) {
    const int incoming = now + lead;
    if (item >= FIRST_COPYING && incoming < count) {
      const size_t begin = (size_t)(first + incoming) * VECTORS;
      for (uint i = item - FIRST_COPYING; i < VECTORS; i += COPYING) tile[incoming % BUFFERS][i] = data[begin + i];
    }
    if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
    if (item < WORK_GROUP && now >= 0) {
      for (uint j = 0; j < GRANULARITY; ++j) {
        const realv x = tile[now % BUFFERS][j * WORK_GROUP + WORK_GROUP - 1 - item];
        realv value = x;
        UNROLL_LOOP(UNROLL)
        for (uint m = 0; m < multiply_adds; ++m) value = MULTIPLY_ADD(value, (realv)(one), x);
        sum += value;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item < WORK_GROUP) sums[get_group_id(0) * WORK_GROUP + item] = SUMV(sum);
}
