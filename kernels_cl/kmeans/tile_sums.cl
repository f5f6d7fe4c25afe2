// `tile_sums` of kmeans.cl: partial sums in registers, tile by tile. In the variant fused it also assigns the points;
// in the variant reduce, on GPUs, it follows `assign`.

#define ROWS (WORK_GROUP / LANES)
#define VECTORS (TILE_POINTS / POINT_LANES / LANES)

// Where a work-item owns so many sums that they lie in memory, its loops over them are not unrolled, and TOGETHER
// vectors of points, once loaded, are added for SUM_BLOCK clusters, as many as there are registers for their weights.
// Where the sums are to stay in registers, all loops are unrolled.
#if SUMS_IN_REGISTERS
#define TOGETHER 1
#define SUM_BLOCK 1
#define UNROLL_SUMS UNROLL_WHOLE
#else
#define TOGETHER MINIMUM(VECTORS, 2)
#define SUM_BLOCK CEIL_DIV(CLUSTERS, CEIL_DIV(CLUSTERS, 6))
#define UNROLL_SUMS
#endif

// In whole blocks; nothing is added for the clusters after the last.
#define SUMMED_CLUSTERS (CEIL_DIV(CLUSTERS, SUM_BLOCK) * SUM_BLOCK)
typedef struct {
  realv sums[SUMMED_CLUSTERS][OWN];
  choice_t numbers[SUMMED_CLUSTERS];
} Sums;

INLINED choice_t choices_at(local const int* choices, const int vector) {
#if POINT_LANES > 1
  return LOADV(vector * POINT_LANES, choices);
#else
  return choices[vector];
#endif
}

// The base of vector `vector` of the tile that begins with point `first`. What is loaded must exist: after the last
// point it is the last vector of points again.
INLINED size_t existing_base(const int first, const int vector, const int count) {
  return base_of(min(first + vector * POINT_LANES, (count - 1) / POINT_LANES * POINT_LANES));
}

// Adds the tile from point `first` on, whose assignments are `choices`. After the last point these are -1 and nothing
// is added; after the last feature the last one is, to sums that are never read.
INLINED void add_tile(TAKEN points, local const int* choices, Sums* own, const int first, const int count,
                      const ulong stride) {
  const int lane = (int)get_local_id(0) % LANES;
  const int row = (int)get_local_id(0) / LANES;
  for (int j = 0; j < VECTORS; j += TOGETHER) {
    choice_t chosen[TOGETHER];
    size_t bases[TOGETHER];
    UNROLL_WHOLE
    for (int t = 0; t < TOGETHER; ++t) {
      const int vector = (j + t) * LANES + lane;
      chosen[t] = choices_at(choices, vector);
      bases[t] = BUFFERED ? (size_t)vector : existing_base(first, vector, count);
    }
    UNROLL_SUMS
    for (int cluster = 0; cluster < CLUSTERS; cluster += SUM_BLOCK) {
      // A vector is multiplied by weights of 1 or 0 and added in one instruction. With a selection instead, compilers
      // would move the comparisons into the inner loop.
      realv weights[SUM_BLOCK][TOGETHER];
      UNROLL_WHOLE
      for (int k = 0; k < SUM_BLOCK; ++k) {
        UNROLL_WHOLE
        for (int t = 0; t < TOGETHER; ++t) {
          weights[k][t] = (realv)(CHOOSE(chosen[t] == cluster + k, (distance_t)(1), (distance_t)(0)));
          if (row == 0) own->numbers[cluster + k] += NUMBER(chosen[t] == cluster + k);
        }
      }
      UNROLL_SUMS
      for (int i = 0; i < OWN; ++i) {
        const int step = OWN * ROWS == STEPS ? row + i * ROWS : min(row + i * ROWS, STEPS - 1);
        realv values[TOGETHER];
        UNROLL_WHOLE
        for (int t = 0; t < TOGETHER; ++t) values[t] = TAKE(points, bases[t], stride, step);
        UNROLL_WHOLE
        for (int k = 0; k < SUM_BLOCK; ++k) {
          realv sum = own->sums[cluster + k][i];
          UNROLL_WHOLE
          for (int t = 0; t < TOGETHER; ++t) sum = MULTIPLY_ADD(values[t], weights[k][t], sum);
          own->sums[cluster + k][i] = sum;
        }
      }
    }
  }
}

// Sums over the lanes of a row, cluster by cluster, into the group's part of `partial`.
INLINED void store_sums(local float* cells, const Sums* own, global float* partial) {
  const int item = get_local_id(0);
  // Nothing needs this barrier but PoCL 5.0, which otherwise lets work-item 0 run ahead of the others into the loop, in
  // some builds of the same source and not in others: 32 of 60 on 16 cores.
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL_SUMS
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    UNROLL_SUMS
    for (int i = 0; i < OWN; ++i) {
      // One cell more than lanes: otherwise all rows would be in the same bank.
      local float* const mine = cells + (i * ROWS + item / LANES) * FEATURE_LANES * (LANES + 1) + item % LANES;
#if LAYOUT == LAYOUT_AOS
      float lanes[FEATURE_LANES];
      STOREV(own->sums[cluster][i], 0, lanes);
      UNROLL_WHOLE
      for (int lane = 0; lane < FEATURE_LANES; ++lane) mine[lane * (LANES + 1)] = lanes[lane];
#else
      mine[0] = SUMV(own->sums[cluster][i]);
#endif
    }
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
    for (int feature = item; feature < CENTROID_STRIDE; feature += WORK_GROUP) {
      float sum = 0;
      for (int lane = 0; lane < LANES; ++lane) sum += cells[feature * (LANES + 1) + lane];
      partial[cluster * CENTROID_STRIDE + feature] = sum;
    }
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  }
}

INLINED int sum_of_numbers(const choice_t numbers) {
#if POINT_LANES > 1
  int lanes[POINT_LANES];
  STOREV(numbers, 0, lanes);
  int sum = 0;
  for (int lane = 0; lane < POINT_LANES; ++lane) sum += lanes[lane];
  return sum;
#else
  return numbers;
#endif
}

#if BUFFERED
// Loads a work-item's vectors of the tile that begins with point `first`; they are stored in the group's copy later.
INLINED void fetch(realv (*fetched)[STEPS], POINTS points, const int first, const int count, const ulong stride) {
  UNROLL_WHOLE
  for (int j = 0; j < GRANULARITY; ++j) {
    const size_t base = existing_base(first, j * WORK_GROUP + (int)get_local_id(0), count);
    UNROLL_SUMS
    for (int step = 0; step < STEPS; ++step) fetched[j][step] = load_points(points, base, stride, step);
  }
}
#endif

// The choices of the points from `point` on, -1 for those that do not exist.
INLINED choice_t load_choices(global const int* assignments, const int point, const int count) {
#if POINT_LANES > 1
  if (point + POINT_LANES <= count) return LOADV(point, assignments);
  int lanes[POINT_LANES];
  for (int lane = 0; lane < POINT_LANES; ++lane) lanes[lane] = point + lane < count ? assignments[point + lane] : -1;
  return LOADV(0, lanes);
#else
  return assignments[point];
#endif
}

// VARIANT_FUSED assigns the points; VARIANT_REDUCE reads their assignments, and does not use the centroids. With
// INTERLEAVED_TILES a group takes one tile in as many as there are groups, so that groups that run side by side read
// neighbouring tiles at the same time; otherwise `tiles_per_group` consecutive tiles, which suits a core of its own.
kernel GROUP_OF(WORK_GROUP, 1) void tile_sums(POINTS_ARGUMENT points, CENTROID_ARGUMENT from,
                                              global int* restrict assignments, global float* restrict partial,
                                              global int* restrict partial_numbers, const int count,
                                              const int tiles_per_group, const ulong stride) {
  local int choices[TILE_POINTS];
  local float cells[OWN * ROWS * FEATURE_LANES * (LANES + 1)];
  local int numbers[CLUSTERS];
  const int item = get_local_id(0);
  const int group = get_group_id(0);
  for (int cluster = item; cluster < CLUSTERS; cluster += WORK_GROUP) numbers[cluster] = 0;
#if VARIANT == VARIANT_FUSED
  STAGE_CENTROIDS(from, centroids);
#endif
  Sums own;
  UNROLL_SUMS
  for (int cluster = 0; cluster < SUMMED_CLUSTERS; ++cluster) {
    own.numbers[cluster] = (choice_t)(0);
    UNROLL_SUMS
    for (int i = 0; i < OWN; ++i) own.sums[cluster][i] = (realv)(0);
  }
  const int tiles = CEIL_DIV(count, TILE_POINTS);
  const int first_tile = INTERLEAVED_TILES ? group : group * tiles_per_group;
  const int tile_step = INTERLEAVED_TILES ? (int)get_num_groups(0) : 1;
  const int end_tile = INTERLEAVED_TILES ? tiles : min(first_tile + tiles_per_group, tiles);
#if BUFFERED
  local realv taken[STEPS * TILE_VECTORS];
  realv fetched[GRANULARITY][STEPS];
  fetch(fetched, points, first_tile * TILE_POINTS, count, stride);
#else
#define taken points
#endif
  for (int tile = first_tile; tile < end_tile; tile += tile_step) {
    const int first = tile * TILE_POINTS;
    for (int j = 0; j < GRANULARITY; ++j) {
      const int vector = j * WORK_GROUP + item;
      const int point = first + vector * POINT_LANES;
      choice_t choice = (choice_t)(-1);
#if BUFFERED
      UNROLL_SUMS
      for (int step = 0; step < STEPS; ++step) taken[vector + step * TILE_VECTORS] = fetched[j][step];
#endif
      if (point < count) {
#if VARIANT == VARIANT_FUSED
        choice = nearest(taken, centroids, BUFFERED ? (size_t)vector : base_of(point), stride);
        choice = store_choices(assignments, point, count, choice);
#else
        choice = load_choices(assignments, point, count);
#endif
      }
#if POINT_LANES > 1
      STOREV(choice, vector * POINT_LANES, choices);
#else
      choices[vector] = choice;
#endif
    }
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
#if BUFFERED
    if (tile + tile_step < end_tile) fetch(fetched, points, (tile + tile_step) * TILE_POINTS, count, stride);
#endif
    add_tile(taken, choices, &own, first, count, stride);
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  }
  store_sums(cells, &own, partial + (size_t)group * SET);
  UNROLL_SUMS
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    if (item < LANES) atomic_add(numbers + cluster, sum_of_numbers(own.numbers[cluster]));
  }
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  for (int cluster = item; cluster < CLUSTERS; cluster += WORK_GROUP) {
    partial_numbers[(size_t)group * CLUSTERS + cluster] = numbers[cluster];
  }
}
