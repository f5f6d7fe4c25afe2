// For the variant cumulative of tpacf.cl: the points of each set in an order in which neighbours are near each other, and caps
// around blocks of them. The order decides how fast the counting is, and never what it counts.

#define TURN_CELLS 64  // of a band
#define CELLS (BANDS * TURN_CELLS)

// Bands of equal area, from the pole on; within a band along it, forth and back.
INLINED int cell_of(const float4 p) {
  const int band = clamp((int)((1.0f - p.z) * (0.5f * BANDS)), 0, BANDS - 1);
  // Grows with the longitude from 0 to 4, as p.y / (|p.x| + |p.y|) does in each quarter.
  const float sum = fabs(p.x) + fabs(p.y) + 1e-30f;
  const float turn = p.x < 0.0f ? 2.0f - p.y / sum : p.y < 0.0f ? 4.0f + p.y / sum : p.y / sum;
  const int cell = clamp((int)(turn * (0.25f * TURN_CELLS)), 0, TURN_CELLS - 1);
  return band * TURN_CELLS + (band % 2 == 0 ? cell : TURN_CELLS - 1 - cell);
}

// A group for each set: counts the points of each cell, finds where each cell begins, and moves the points there.
kernel GROUP_OF(SORT_GROUP, 1) void sort(global const float4* restrict points, const int n, global float4* restrict sorted) {
  local int places[CELLS];
  local int sums[SORT_GROUP];
  const int item = (int)get_local_id(0);
  global const float4* from = points + get_group_id(0) * n;
  global float4* to = sorted + get_group_id(0) * n;
  for (int i = item; i < CELLS; i += SORT_GROUP) places[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < n; i += SORT_GROUP) atomic_inc(places + cell_of(from[i]));
  barrier(CLK_LOCAL_MEM_FENCE);
  // Each work-item has a run of cells.
  const int begin = (int)((long)CELLS * item / SORT_GROUP);
  const int end = (int)((long)CELLS * (item + 1) / SORT_GROUP);
  int sum = 0;
  for (int i = begin; i < end; ++i) sum += places[i];
  sums[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  int place = 0;
  for (int i = 0; i < item; ++i) place += sums[i];
  for (int i = begin; i < end; ++i) {
    const int count = places[i];
    places[i] = place;
    place += count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < n; i += SORT_GROUP) {
    const float4 point = from[i];
    to[atomic_inc(places + cell_of(point))] = point;
  }
}

// A work-item for each block of `block` points. Where a product is 1 or -1 an angle loses most by its rounding: centre and
// product are off by at most 12 * 2^-24 together, which is an angle of sqrt(2 * 12 * 2^-24) = 0.0012. So are two radii, the angle
// between the centres and that of the pair itself: 0.004 for each cap is more than all of them.
#define SLACK 0.004f
kernel GROUP_OF(CAP_GROUP, 1) void caps(global const float4* restrict points, const int n, const int block, const int blocks,
                                        const int count, global float4* restrict result) {
  const int index = (int)get_global_id(0);
  if (index >= count) return;
  const int begin = index % blocks * block;
  const int end = min(begin + block, n);
  global const float4* set = points + (size_t)(index / blocks) * n;
  float4 sum = (float4)(0.0f);
  for (int i = begin; i < end; ++i) sum += set[i];
  const float square = sum.x * sum.x + sum.y * sum.y + sum.z * sum.z;
  // Points all around have no centre: any direction will do.
  const float4 centre = square > 1e-6f ? sum * rsqrt(square) : (float4)(1.0f, 0.0f, 0.0f, 0.0f);
  float least = 1.0f;
  for (int i = begin; i < end; ++i) {
    const float4 p = set[i];
    least = min(least, centre.x * p.x + centre.y * p.y + centre.z * p.z);
  }
  result[index] = (float4)(centre.x, centre.y, centre.z, acos(max(least, -1.0f)) + SLACK);
}
