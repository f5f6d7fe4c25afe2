// `assign` of blocked.cl with DISTANCES_DIFFERENCES: squared distances as they are defined, a subtraction and a multiply-add
// for each feature of a point and centroid.

#if COPIES_POINTS
INLINED void copy_points(local realv* copy, POINTS points, const int first, const int count, const int chunk,
                         const ulong stride) {
  for (int batch = 0; batch < COPIES_OF_ITEM(CHUNK_VECTORS); batch += COPY_BATCH) {
    copied_t held[AT_ONCE(CHUNK_VECTORS)];
    const int i = batch * WORK_GROUP + (int)get_local_id(0);
    UNROLL_WHOLE
    for (int n = 0; n < AT_ONCE(CHUNK_VECTORS); ++n) {
      held[n] = load_to_copy(points, i + n * WORK_GROUP, first, count, chunk, stride);
    }
    UNROLL_WHOLE
    for (int n = 0; n < AT_ONCE(CHUNK_VECTORS); ++n) {
      store_copied(copy, i + n * WORK_GROUP, held[n]);
    }
  }
}
#endif

#if COPIES_CENTROIDS
// Copies CHUNK_FEATURES features of TILE_CLUSTERS centroids, from `first` on; after the last it is the last one again.
INLINED void copy_centroids(local float* copy, global const float* from, const int first, const int chunk,
                            const int features) {
  UNROLL_LOOP(4)
  for (int i = get_local_id(0); i < CHUNK_FEATURES * TILE_CLUSTERS; i += WORK_GROUP) {
    const int feature = i % CHUNK_FEATURES;
    const int cluster = i / CHUNK_FEATURES;
    if (feature < features) {
      copy[feature * CENTROID_PITCH + cluster] =
          from[min(first + cluster, CLUSTERS - 1) * CENTROID_STRIDE + chunk + feature];
    }
  }
}
#endif

kernel GROUP_OF(WORK_GROUP, 1) void assign(POINTS_ARGUMENT points, CENTROID_ARGUMENT from,
                                           global int* restrict assignments, const int count, const ulong stride) {
#if COPIES_POINTS
  local realv point_copy[CHUNK_FEATURES * POINT_PITCH];
#endif
#if COPIES_CENTROIDS
  local float centroid_copy[CHUNK_FEATURES * CENTROID_PITCH] __attribute__((aligned(16)));
#endif
  const int item = get_local_id(0);
  const int point_item = item % POINT_ITEMS;
  const int cluster_lane = item / POINT_ITEMS;
  const int first = (int)get_group_id(0) * TILE_POINTS;
  realv smallest[GRANULARITY];
  choice_t choices[GRANULARITY];
  size_t bases[GRANULARITY];
  UNROLL_WHOLE
  for (int v = 0; v < GRANULARITY; ++v) {
    smallest[v] = (realv)(INFINITY);
    choices[v] = (choice_t)(0);
    const int point = first + (point_item + v * POINT_ITEMS) * VECTOR_WIDTH;
    bases[v] = base_of(min(point, (count - 1) / VECTOR_WIDTH * VECTOR_WIDTH));
  }
  BARRIER_OF_COPIES
  for (int first_cluster = 0; first_cluster < CLUSTERS; first_cluster += TILE_CLUSTERS) {
    const int mine = first_cluster + cluster_lane * UNROLL_CLUSTERS;
    realv sums[GRANULARITY][UNROLL_CLUSTERS];
    UNROLL_WHOLE
    for (int v = 0; v < GRANULARITY; ++v) {
      UNROLL_WHOLE
      for (int j = 0; j < UNROLL_CLUSTERS; ++j) sums[v][j] = (realv)(0);
    }
    BARRIER_OF_COPIES
    for (int chunk = 0; chunk < FEATURES; chunk += CHUNK_FEATURES) {
      const int features = min(CHUNK_FEATURES, FEATURES - chunk);
#if COPIES_POINTS
      copy_points(point_copy, points, first, count, chunk, stride);
#endif
#if COPIES_CENTROIDS
      copy_centroids(centroid_copy, from, first_cluster, chunk, features);
#endif
      BARRIER_OF_COPIES
      UNROLL_LOOP(UNROLL)
      for (int feature = 0; feature < features; ++feature) {
        realv values[GRANULARITY];
        float centroids[UNROLL_CLUSTERS];
        UNROLL_WHOLE
        for (int v = 0; v < GRANULARITY; ++v) {
#if COPIES_POINTS
          values[v] = point_copy[feature * POINT_PITCH + point_item + v * POINT_ITEMS];
#else
          values[v] = load_points(points, bases[v], stride, chunk + feature);
#endif
        }
#if COPIES_CENTROIDS
        load_centroids(centroids, centroid_copy + feature * CENTROID_PITCH + cluster_lane * UNROLL_CLUSTERS);
#else
        UNROLL_WHOLE
        for (int j = 0; j < UNROLL_CLUSTERS; ++j)
          centroids[j] = from[MINIMUM(mine + j, CLUSTERS - 1) * CENTROID_STRIDE + chunk + feature];
#endif
        UNROLL_WHOLE
        for (int v = 0; v < GRANULARITY; ++v) {
          UNROLL_WHOLE
          for (int j = 0; j < UNROLL_CLUSTERS; ++j) {
            const realv off = values[v] - (realv)(centroids[j]);
            sums[v][j] = MULTIPLY_ADD(off, off, sums[v][j]);
          }
        }
      }
      BARRIER_OF_COPIES
    }
    // Of equal distances the first counts, which has the lowest number.
    UNROLL_WHOLE
    for (int v = 0; v < GRANULARITY; ++v) {
      UNROLL_WHOLE
      for (int j = 0; j < UNROLL_CLUSTERS; ++j) {
        const int cluster = MINIMUM(mine + j, CLUSTERS - 1);
        choices[v] = CHOOSE(sums[v][j] < smallest[v], (choice_t)(cluster), choices[v]);
        smallest[v] = CHOOSE(sums[v][j] < smallest[v], sums[v][j], smallest[v]);
      }
    }
  }
#if CLUSTER_ITEMS > 1
  // The lanes of the centroids have each its own smallest: of equal distances the lowest number counts.
  local float distances[CLUSTER_ITEMS * TILE_POINTS];
  local int numbers[CLUSTER_ITEMS * TILE_POINTS];
  UNROLL_WHOLE
  for (int v = 0; v < GRANULARITY; ++v) {
    const int place = cluster_lane * TILE_POINTS + (point_item + v * POINT_ITEMS) * VECTOR_WIDTH;
    STOREV(smallest[v], place, distances);
    STOREV(choices[v], place, numbers);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < TILE_POINTS && first + i < count; i += WORK_GROUP) {
    float distance = distances[i];
    int number = numbers[i];
    for (int lane = 1; lane < CLUSTER_ITEMS; ++lane) {
      const float other = distances[lane * TILE_POINTS + i];
      const int other_number = numbers[lane * TILE_POINTS + i];
      if (other < distance || (other == distance && other_number < number)) {
        distance = other;
        number = other_number;
      }
    }
    assignments[first + i] = number;
  }
#else
  UNROLL_WHOLE
  for (int v = 0; v < GRANULARITY; ++v) {
    const int point = first + (point_item + v * POINT_ITEMS) * VECTOR_WIDTH;
    if (point < count) store_choices(assignments, point, count, choices[v]);
  }
#endif
}
