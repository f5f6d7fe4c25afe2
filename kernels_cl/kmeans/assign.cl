// `assign` of kmeans.cl, the first kernel of the variants assign_only and reduce, and what it shares with fused and
// blocked: reading centroids, choosing the nearest, storing choices.

#if MEMORY == MEMORY_CONSTANT
#define CENTROID_ARGUMENT constant float*
#define CENTROIDS constant float*
#elif MEMORY == MEMORY_LOCAL
#define CENTROID_ARGUMENT global const float* restrict
#define CENTROIDS local const float*
#else
#define CENTROID_ARGUMENT global const float* restrict
#define CENTROIDS global const float*
#endif

// From a centroid to the next, as they are read. Staged ones begin at multiples of four numbers, so that four can be
// loaded at once.
#if MEMORY == MEMORY_LOCAL
#define READ_STRIDE (CEIL_DIV(CENTROID_STRIDE, 4) * 4)
#else
#define READ_STRIDE CENTROID_STRIDE
#endif

// In MEMORY_LOCAL `name` becomes the group's copy of `from`; elsewhere it is `from`.
#if MEMORY == MEMORY_LOCAL
#define STAGE_CENTROIDS(from, name)                                                    \
  local float name##_cells[CLUSTERS * READ_STRIDE] __attribute__((aligned(16)));       \
  for (int i = get_local_id(0); i < SET; i += WORK_GROUP) {                            \
    name##_cells[i / CENTROID_STRIDE * READ_STRIDE + i % CENTROID_STRIDE] = (from)[i]; \
  }                                                                                    \
  barrier(CLK_LOCAL_MEM_FENCE);                                                        \
  CENTROIDS const name = name##_cells
#else
#define STAGE_CENTROIDS(from, name) CENTROIDS const name = (from)
#endif

#if VARIANT != VARIANT_BLOCKED
INLINED realv centroid_at(CENTROIDS centroids, const int cluster, const int step) {
#if LAYOUT == LAYOUT_AOS
  return LOADV(cluster * READ_STRIDE + step * FEATURE_LANES, centroids);
#else
  return (realv)(centroids[cluster * READ_STRIDE + step]);
#endif
}

// The nearest centroid of each point of a vector. A block that goes beyond the last centroid repeats it, which changes
// nothing: only a smaller distance is taken.
INLINED choice_t nearest(TAKEN points, CENTROIDS centroids, const size_t base, const ulong stride) {
  distance_t smallest = (distance_t)(INFINITY);
  choice_t choice = (choice_t)(0);
  for (int first = 0; first < CLUSTERS; first += BLOCK) {
    realv sums[BLOCK];
    UNROLL_WHOLE
    for (int j = 0; j < BLOCK; ++j) sums[j] = (realv)(0);
    UNROLL_LOOP(UNROLL)
    for (int step = 0; step < STEPS; ++step) {
      const realv values = TAKE(points, base, stride, step);
      UNROLL_WHOLE
      for (int j = 0; j < BLOCK; ++j) {
        const realv off = values - centroid_at(centroids, MINIMUM(first + j, CLUSTERS - 1), step);
        sums[j] = MULTIPLY_ADD(off, off, sums[j]);
      }
    }
    UNROLL_WHOLE
    for (int j = 0; j < BLOCK; ++j) {
      const distance_t distance = DISTANCE(sums[j]);
      choice = CHOOSE(distance < smallest, (choice_t)(first + j), choice);
      smallest = CHOOSE(distance < smallest, distance, smallest);
    }
  }
  return choice;
}

#endif

// Stores the choices of the points from `point` on that exist, and returns them with -1 for those that do not.
INLINED choice_t store_choices(global int* assignments, const int point, const int count, const choice_t choices) {
  if (point + POINT_LANES <= count) {
#if POINT_LANES > 1
    STOREV(choices, point, assignments);
#else
    assignments[point] = choices;
#endif
    return choices;
  }
#if POINT_LANES > 1
  int lanes[POINT_LANES];
  STOREV(choices, 0, lanes);
  for (int lane = 0; lane < POINT_LANES; ++lane) {
    if (point + lane < count) {
      assignments[point + lane] = lanes[lane];
    } else {
      lanes[lane] = -1;
    }
  }
  return LOADV(0, lanes);
#else
  return -1;
#endif
}

#if VARIANT != VARIANT_FUSED && VARIANT != VARIANT_BLOCKED
kernel GROUP_OF(WORK_GROUP, 1) void assign(POINTS_ARGUMENT points, CENTROID_ARGUMENT from,
                                           global int* restrict assignments, const int count, const ulong stride) {
  STAGE_CENTROIDS(from, centroids);
  const int first = (int)get_group_id(0) * TILE_POINTS;
  for (int j = 0; j < GRANULARITY; ++j) {
    const int point = first + (j * WORK_GROUP + (int)get_local_id(0)) * POINT_LANES;
    if (point < count) {
      store_choices(assignments, point, count, nearest(points, centroids, base_of(point), stride));
    }
  }
}
#endif
