// `assign` of blocked.cl with DISTANCES_PRODUCTS: |p - c|^2 = |p|^2 - 2 (p c - |c|^2 / 2), so that the nearest centroid has
// the largest p c - |c|^2 / 2: one multiply-add for each feature of a point and centroid. rounding.cl says when that is
// certain. Points for which it is not are compared again, by differences.

#include "kmeans/panel.cl"

// The next chunk is loaded while this one is used, which hides the latency of loads. A chunk is one batch.
#define PREFETCHES (BUFFERING == BUFFERING_PREFETCH)

// The nearest of every `team`-th centroid from `lane` on to the point at `base`.
INLINED int nearest_of_lane(POINTS points, global const float* panel, const size_t base, const ulong stride, const int lane,
                            const int team, float* smallest) {
  int nearest = 0;
  for (int cluster = lane; cluster < CLUSTERS; cluster += team) {
    float sum = 0;
    UNROLL_LOOP(8)
    for (int feature = 0; feature < FEATURES; ++feature) {
      const float off =
          load_one(points, base + feature * step_stride(stride)) - panel[(size_t)feature * PANEL + cluster];
      sum = MULTIPLY_ADD(off, off, sum);
    }
    nearest = sum < *smallest ? cluster : nearest;
    *smallest = fmin(*smallest, sum);
  }
  return nearest;
}

// What a work-item knows of its points and of the centroids that it has seen.
typedef struct {
  realv best[GRANULARITY];
  realv second[GRANULARITY];
  choice_t choices[GRANULARITY];
} Ranking;

INLINED void rank_sums(Ranking* ranking, realv (*sums)[UNROLL_CLUSTERS], const int first) {
  UNROLL_WHOLE
  for (int v = 0; v < GRANULARITY; ++v) {
    UNROLL_WHOLE
    for (int j = 0; j < UNROLL_CLUSTERS; ++j) {
      const realv value = sums[v][j];
      ranking->choices[v] = CHOOSE(value > ranking->best[v], (choice_t)(first + j), ranking->choices[v]);
      ranking->second[v] = fmax(ranking->second[v], fmin(ranking->best[v], value));
      ranking->best[v] = fmax(ranking->best[v], value);
    }
  }
}

// The copies, and then in their place what the work-items have found.
#define CENTROID_CELLS (COPIES_CENTROIDS ? CEIL_DIV(CHUNK_FEATURES * CENTROID_PITCH, 16) * 16 : 0)
#define COPY_CELLS (CENTROID_CELLS + (COPIES_POINTS ? CHUNK_FEATURES * POINT_PITCH * VECTOR_WIDTH : 0))
#define RANKING_CELLS ((2 * CLUSTER_ITEMS + 1) * TILE_POINTS + WORK_GROUP)

kernel GROUP_OF(WORK_GROUP, 1) void assign(POINTS_ARGUMENT points, global const float* restrict panel,
                                           global int* restrict assignments, const int count, const ulong stride) {
  local float cells[MAXIMUM(COPY_CELLS, RANKING_CELLS)] __attribute__((aligned(64)));
  local float* const centroid_copy = cells;
  local realv* const point_copy = (local realv*)(cells + CENTROID_CELLS);
  local float* const bests = cells;
  local float* const seconds = bests + CLUSTER_ITEMS * TILE_POINTS;
  local float* const squares = seconds + CLUSTER_ITEMS * TILE_POINTS;
  local float* const found_distances = squares + TILE_POINTS;
  local int numbers[CLUSTER_ITEMS * TILE_POINTS];
  local int uncertain[TILE_POINTS];
  local int uncertain_points;
  local int found_numbers[WORK_GROUP];
  const int item = get_local_id(0);
  const int point_item = item % POINT_ITEMS;
  const int cluster_lane = item / POINT_ITEMS;
  const int first = (int)get_group_id(0) * TILE_POINTS;
  if (item == 0) uncertain_points = 0;
  Ranking ranking;
  size_t bases[GRANULARITY];
  UNROLL_WHOLE
  for (int v = 0; v < GRANULARITY; ++v) {
    ranking.best[v] = ranking.second[v] = (realv)(2 * NOWHERE);
    ranking.choices[v] = (choice_t)(0);
    const int point = first + (point_item + v * POINT_ITEMS) * VECTOR_WIDTH;
    bases[v] = base_of(min(point, (count - 1) / VECTOR_WIDTH * VECTOR_WIDTH));
  }
#if COPIES_POINTS
  float own_squares[CEIL_DIV(TILE_POINTS, WORK_GROUP)];
  for (int n = 0; n < CEIL_DIV(TILE_POINTS, WORK_GROUP); ++n) own_squares[n] = 0;
#endif
#if PREFETCHES
  Batch next;
  load_batch(&next, points, panel, 0, first, 0, count, 0, stride);
#endif
  BARRIER_OF_COPIES
  for (int first_cluster = 0; first_cluster < CLUSTERS; first_cluster += TILE_CLUSTERS) {
    const int mine = first_cluster + cluster_lane * UNROLL_CLUSTERS;
    realv sums[GRANULARITY][UNROLL_CLUSTERS];
    UNROLL_WHOLE
    for (int j = 0; j < UNROLL_CLUSTERS; ++j) {
      const float start = panel[(size_t)FEATURES * PANEL + mine + j];
      UNROLL_WHOLE
      for (int v = 0; v < GRANULARITY; ++v) sums[v][j] = (realv)(start);
    }
    BARRIER_OF_COPIES
    for (int chunk = 0; chunk < FEATURES; chunk += CHUNK_FEATURES) {
      const int features = min(CHUNK_FEATURES, FEATURES - chunk);
#if PREFETCHES
      store_batch(&next, point_copy, centroid_copy, 0);
#elif COPIES_POINTS || COPIES_CENTROIDS
      copy_chunk(point_copy, centroid_copy, points, panel, first, first_cluster, count, chunk, stride);
#endif
      BARRIER_OF_COPIES
#if PREFETCHES
      const bool same_tile = chunk + CHUNK_FEATURES < FEATURES;
      const int next_cluster = same_tile ? first_cluster : first_cluster + TILE_CLUSTERS;
      if (next_cluster < CLUSTERS) {
        load_batch(&next, points, panel, 0, first, next_cluster, count,
                   same_tile ? chunk + CHUNK_FEATURES : 0, stride);
      }
#endif
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
        for (int j = 0; j < UNROLL_CLUSTERS; ++j) centroids[j] = panel[(size_t)(chunk + feature) * PANEL + mine + j];
#endif
        UNROLL_WHOLE
        for (int v = 0; v < GRANULARITY; ++v) {
          UNROLL_WHOLE
          for (int j = 0; j < UNROLL_CLUSTERS; ++j) {
            sums[v][j] = MULTIPLY_ADD(values[v], (realv)(centroids[j]), sums[v][j]);
          }
        }
      }
#if COPIES_POINTS
      if (first_cluster == 0) {
        local const float* const copied = (local const float*)point_copy;
        UNROLL_WHOLE
        for (int n = 0; n < CEIL_DIV(TILE_POINTS, WORK_GROUP); ++n) {
          const int point = min(n * WORK_GROUP + item, TILE_POINTS - 1);
          UNROLL_LOOP(4)
          for (int feature = 0; feature < features; ++feature) {
            const float value = copied[feature * POINT_PITCH * VECTOR_WIDTH + point];
            own_squares[n] = MULTIPLY_ADD(value, value, own_squares[n]);
          }
        }
      }
#endif
      BARRIER_OF_COPIES
    }
    rank_sums(&ranking, sums, mine);
  }
  UNROLL_WHOLE
  for (int v = 0; v < GRANULARITY; ++v) {
    const int place = (point_item + v * POINT_ITEMS) * VECTOR_WIDTH;
    STOREV(ranking.best[v], cluster_lane * TILE_POINTS + place, bests);
    STOREV(ranking.second[v], cluster_lane * TILE_POINTS + place, seconds);
    STOREV(ranking.choices[v], cluster_lane * TILE_POINTS + place, numbers);
#if !COPIES_POINTS
    if (cluster_lane == 0) {
      realv square = (realv)(0);
      UNROLL_LOOP(UNROLL)
      for (int feature = 0; feature < FEATURES; ++feature) {
        const realv values = load_points(points, bases[v], stride, feature);
        square = MULTIPLY_ADD(values, values, square);
      }
      STOREV(square, place, squares);
    }
#endif
  }
#if COPIES_POINTS
  UNROLL_WHOLE
  for (int n = 0; n < CEIL_DIV(TILE_POINTS, WORK_GROUP); ++n) {
    if (n * WORK_GROUP + item < TILE_POINTS) squares[n * WORK_GROUP + item] = own_squares[n];
  }
#endif
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < TILE_POINTS && first + i < count; i += WORK_GROUP) {
    float best = bests[i];
    float second = seconds[i];
    int number = numbers[i];
    for (int lane = 1; lane < CLUSTER_ITEMS; ++lane) {
      const float other = bests[lane * TILE_POINTS + i];
      second = fmax(fmax(second, seconds[lane * TILE_POINTS + i]), fmin(best, other));
      if (other > best) {
        best = other;
        number = numbers[lane * TILE_POINTS + i];
      }
    }
    const float start = panel[(size_t)FEATURES * PANEL + number];
    if (best - second > UNCERTAINTY(squares[i], start)) {
      assignments[first + i] = number;
    } else {
      uncertain[atomic_inc(&uncertain_points)] = i;
    }
  }
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  const int points_again = uncertain_points;
  const int team = team_for(points_again);
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  for (int begin = 0; begin < points_again; begin += WORK_GROUP / team) {
    const int at = begin + item / team;
    float smallest = INFINITY;
    int nearest = 0;
    if (at < points_again) {
      nearest =
          nearest_of_lane(points, panel, base_of(first + uncertain[at]), stride, item % team, team, &smallest);
    }
    nearest = nearest_of_team(found_distances, found_numbers, team, smallest, nearest);
    if (at < points_again && item % team == 0) assignments[first + uncertain[at]] = nearest;
  }
}
