// `tile_sums` of kmeans.cl in the variant fused with DISTANCES_PRODUCTS: a tile of points lies in local memory until it is
// assigned and added, the centroids and the sums all the time. Rounding is as products.cl says.
//
// Points and centroids lie in local memory as in global memory, a vector of neighbouring features after the other; an odd
// number of vectors from one to the next keeps work-items side by side out of each other's banks. For distances, work-item i
// is lane i % POINT_ITEMS of the points and lane i / POINT_ITEMS of the centroids: GRANULARITY points times OWN_CLUSTERS
// centroids, which UNROLL_CLUSTERS limits. For sums it is owner i % OWNERS of a few features, in row i / OWNERS, and adds every SUM_ROWS-th point to sums
// that no other work-item accesses.

#define POINT_ITEMS (WORK_GROUP / CLUSTER_ITEMS)
#define OWN_CLUSTERS CEIL_DIV(CLUSTERS, CLUSTER_ITEMS)
#define COVERED (CLUSTER_ITEMS * OWN_CLUSTERS)
#define PITCH (STEPS | 1)
#if VECTOR_WIDTH == 1
typedef float own_t;
#define OWN_WIDTH 1
#else
typedef float2 own_t;
#define OWN_WIDTH 2
#endif
#define OWNERS (CENTROID_STRIDE / OWN_WIDTH)
#define SUM_ROWS (WORK_GROUP / OWNERS)
#define ADD_BATCH 4
#define FETCHED CEIL_DIV(TILE_POINTS* STEPS, WORK_GROUP)

INLINED float add_products(const realv a, const realv b, const float sum) {
#if VECTOR_WIDTH == 1
  return MULTIPLY_ADD(a, b, sum);
#elif VECTOR_WIDTH == 2
  return MULTIPLY_ADD(a.y, b.y, MULTIPLY_ADD(a.x, b.x, sum));
#else
  return MULTIPLY_ADD(a.w, b.w, MULTIPLY_ADD(a.z, b.z, MULTIPLY_ADD(a.y, b.y, MULTIPLY_ADD(a.x, b.x, sum))));
#endif
}

// Loads a work-item's vectors of the tile from point `first` on; after the last point it is the last one again.
INLINED void fetch(realv* fetched, POINTS points, const int first, const int count) {
  UNROLL_WHOLE
  for (int n = 0; n < FETCHED; ++n) {
    const int i = n * WORK_GROUP + (int)get_local_id(0);
    fetched[n] = *(global const realv*)(points + (size_t)min(first + i / STEPS, count - 1) * ROW + i % STEPS * VECTOR_WIDTH);
  }
}

INLINED void store_fetched(local realv* tile, const realv* fetched) {
  UNROLL_WHOLE
  for (int n = 0; n < FETCHED; ++n) {
    const int i = n * WORK_GROUP + (int)get_local_id(0);
    if (TILE_POINTS * STEPS % WORK_GROUP == 0 || i < TILE_POINTS * STEPS) tile[i / STEPS * PITCH + i % STEPS] = fetched[n];
  }
}

// The centroids, in COVERED places, and what values start with.
INLINED void stage(local realv* centroids, local float* starts, global const float* from) {
  for (int i = get_local_id(0); i < COVERED * STEPS; i += WORK_GROUP) {
    centroids[i / STEPS * PITCH + i % STEPS] =
        LOADV((min(i / STEPS, CLUSTERS - 1) * STEPS + i % STEPS) * VECTOR_WIDTH, from);
  }
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  for (int cluster = get_local_id(0); cluster < COVERED; cluster += WORK_GROUP) {
    float square = 0;
    for (int step = 0; step < STEPS; ++step) {
      const realv values = centroids[cluster * PITCH + step];
      square = add_products(values, values, square);
    }
    starts[cluster] = cluster < CLUSTERS ? START_OF(square) : NOWHERE;
  }
}

#include "kmeans/tile_ranking.cl"

// Adds the points of the tile to the sums of the clusters that they are in.
INLINED void add_points(local own_t* cells, local const realv* tile, local const int* choices) {
  const int row = (int)get_local_id(0) / OWNERS;
  const int owner = (int)get_local_id(0) % OWNERS;
  if (row >= SUM_ROWS) return;
  local own_t* const mine = cells + row * (CLUSTERS + 1) * OWNERS + owner;
  local const own_t* const from = (local const own_t*)tile + owner;
  const int stride = PITCH * VECTOR_WIDTH / OWN_WIDTH;
  int i = row;
  for (; i + (ADD_BATCH - 1) * SUM_ROWS < TILE_POINTS; i += ADD_BATCH * SUM_ROWS) {
    int cluster[ADD_BATCH];
    own_t values[ADD_BATCH];
    UNROLL_WHOLE
    for (int t = 0; t < ADD_BATCH; ++t) {
      cluster[t] = choices[i + t * SUM_ROWS];
      values[t] = from[(i + t * SUM_ROWS) * stride];
    }
    // All are loaded before any is stored: of points in the same cluster, a later one takes up the sum of the one before.
    own_t sums[ADD_BATCH];
    UNROLL_WHOLE
    for (int t = 0; t < ADD_BATCH; ++t) sums[t] = mine[cluster[t] * OWNERS];
    UNROLL_WHOLE
    for (int t = 0; t < ADD_BATCH; ++t) {
      UNROLL_WHOLE
      for (int before = 0; before < t; ++before) sums[t] = cluster[before] == cluster[t] ? sums[before] : sums[t];
      sums[t] += values[t];
    }
    UNROLL_WHOLE
    for (int t = 0; t < ADD_BATCH; ++t) mine[cluster[t] * OWNERS] = sums[t];
  }
  for (; i < TILE_POINTS; i += SUM_ROWS) mine[choices[i] * OWNERS] += from[i * stride];
}

kernel GROUP_OF(WORK_GROUP, 1) void tile_sums(POINTS_ARGUMENT points, CENTROID_ARGUMENT from,
                                              global int* restrict assignments, global float* restrict partial,
                                              global int* restrict partial_numbers, const int count,
                                              const int tiles_per_group, const ulong stride) {
  local realv tile[TILE_POINTS * PITCH] __attribute__((aligned(16)));
  local realv centroids[COVERED * PITCH] __attribute__((aligned(16)));
  local own_t cells[SUM_ROWS * (CLUSTERS + 1) * OWNERS];  // behind the last cluster: points that do not exist
  local float starts[COVERED];
  local float bests[CLUSTER_ITEMS * TILE_POINTS];
  local float seconds[CLUSTER_ITEMS * TILE_POINTS];
  local int choices[CLUSTER_ITEMS * TILE_POINTS];
  local int numbers[CLUSTERS + 1];
  local int uncertain[TILE_POINTS];
  local int uncertain_points;
  local float found_distances[WORK_GROUP];
  local int found_numbers[WORK_GROUP];
  const int item = get_local_id(0);
  const int group = get_group_id(0);
  for (int i = item; i < SUM_ROWS * (CLUSTERS + 1) * OWNERS; i += WORK_GROUP) cells[i] = 0;
  for (int cluster = item; cluster <= CLUSTERS; cluster += WORK_GROUP) numbers[cluster] = 0;
  stage(centroids, starts, from);
  const int tiles = CEIL_DIV(count, TILE_POINTS);
  const int first_tile = INTERLEAVED_TILES ? group : group * tiles_per_group;
  const int tile_step = INTERLEAVED_TILES ? (int)get_num_groups(0) : 1;
  const int end_tile = INTERLEAVED_TILES ? tiles : min(first_tile + tiles_per_group, tiles);
  realv fetched[FETCHED];
  fetch(fetched, points, first_tile * TILE_POINTS, count);
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  for (int t = first_tile; t < end_tile; t += tile_step) {
    const int first = t * TILE_POINTS;
    store_fetched(tile, fetched);
    if (item == 0) uncertain_points = 0;
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
    if (t + tile_step < end_tile) fetch(fetched, points, (t + tile_step) * TILE_POINTS, count);
    rank_tile(bests, seconds, choices, tile, centroids, starts);
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < TILE_POINTS; i += WORK_GROUP) {
      const int choice = first + i < count ? choose(bests, seconds, choices, tile, starts, i) : CLUSTERS;
      if (choice >= 0) {
        choices[i] = choice;
        atomic_inc(numbers + choice);
      } else {
        uncertain[atomic_inc(&uncertain_points)] = i;
      }
    }
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
    choose_again(choices, numbers, found_distances, found_numbers, tile, centroids, uncertain, uncertain_points);
    for (int i = item; i < TILE_POINTS && first + i < count; i += WORK_GROUP) assignments[first + i] = choices[i];
    add_points(cells, tile, choices);
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = item; i < CLUSTERS * OWNERS; i += WORK_GROUP) {
    own_t sum = cells[i];
    for (int row = 1; row < SUM_ROWS; ++row) sum += cells[row * (CLUSTERS + 1) * OWNERS + i];
    *(global own_t*)(partial + (size_t)group * SET + i * OWN_WIDTH) = sum;
  }
  for (int cluster = item; cluster < CLUSTERS; cluster += WORK_GROUP) {
    partial_numbers[(size_t)group * CLUSTERS + cluster] = numbers[cluster];
  }
}
