// `assign` of kmeans.cl in the variant blocked: distances as a small matrix product, points x centroids. Here
// is what its two forms share, by DISTANCES: differences.cl and products.cl.
//
// A group takes TILE_POINTS points and, at a time, TILE_CLUSTERS centroids and CHUNK_FEATURES features.
// Work-item i is lane i % POINT_ITEMS of the points and lane i / POINT_ITEMS of the centroids: GRANULARITY
// vectors of points (the lanes of a vector are points in every layout) times UNROLL_CLUSTERS centroids, whose
// sums stay in registers: each number that it reads is used so many times. Except with BUFFERING_CACHE a
// chunk of the points is copied to local memory, with MEMORY_LOCAL one of the centroids; both lie there
// feature by feature.
//
// Where there are barriers, one stands directly before each loop that has some: PoCL 5.0 compiles such loops
// wrongly otherwise.

#define POINT_ITEMS (WORK_GROUP / CLUSTER_ITEMS)
#define VECTORS_OF_TILE (POINT_ITEMS * GRANULARITY)
#define TILE_CLUSTERS (CLUSTER_ITEMS * UNROLL_CLUSTERS)
#define COPIES_POINTS (BUFFERING != BUFFERING_CACHE)
#define COPIES_CENTROIDS (MEMORY == MEMORY_LOCAL)
#define BARRIER_OF_COPIES                                      \
  if (WORK_GROUP > 1 && (COPIES_POINTS || COPIES_CENTROIDS)) { \
    barrier(CLK_LOCAL_MEM_FENCE);                              \
  }

// Numbers from a feature to the next: four more than needed, so that the features of a point are in several banks, and
// vectors are aligned.
#define POINT_PITCH (VECTORS_OF_TILE + 4 / MINIMUM(4, VECTOR_WIDTH))
#define CENTROID_PITCH (CEIL_DIV(TILE_CLUSTERS, 4) * 4 + 4)

// A work-item copies this many vectors at once. All are loaded before any is stored, because many loads take as long as one.
#define COPIES_OF_ITEM(vectors) CEIL_DIV(vectors, WORK_GROUP)
#define AT_ONCE(vectors) MINIMUM(COPIES_OF_ITEM(vectors), COPY_BATCH)

#if COPIES_POINTS
// The vectors of a chunk of points. After the last point it is the last one, or the last vector, again; after the last
// feature it is some other one, which nothing reads.
#if LAYOUT != LAYOUT_AOS
typedef realv copied_t;
#define CHUNK_VECTORS (CHUNK_FEATURES * VECTORS_OF_TILE)
#else
typedef row_t copied_t;
#define CHUNK_VECTORS (CHUNK_FEATURES / ROW_LANES * TILE_POINTS)
#endif

INLINED copied_t load_to_copy(POINTS points, const int i, const int first, const int count, const int chunk,
                              const ulong stride) {
  const int existing = min(i, CHUNK_VECTORS - 1);
#if LAYOUT == LAYOUT_AOS
  const int feature = min(chunk + existing % (CHUNK_FEATURES / ROW_LANES) * ROW_LANES, ROW - ROW_LANES);
  const size_t index = base_of(min(first + existing / (CHUNK_FEATURES / ROW_LANES), count - 1)) + feature;
  return load_row(points, index);
#else
  const int point = min(first + existing % VECTORS_OF_TILE * VECTOR_WIDTH, (count - 1) / VECTOR_WIDTH * VECTOR_WIDTH);
  return load_points(points, base_of(point), stride, min(chunk + existing / VECTORS_OF_TILE, FEATURES - 1));
#endif
}

INLINED void store_copied(local realv* copy, const int i, const copied_t value) {
  if (i >= CHUNK_VECTORS) return;
#if LAYOUT == LAYOUT_AOS
  local float* const to = (local float*)copy +
                          i % (CHUNK_FEATURES / ROW_LANES) * ROW_LANES * POINT_PITCH * VECTOR_WIDTH +
                          i / (CHUNK_FEATURES / ROW_LANES);
#if ROW_LANES == 1
  *to = value;
#else
  to[0] = value.x;
  to[POINT_PITCH * VECTOR_WIDTH] = value.y;
#endif
#if ROW_LANES == 4
  to[2 * POINT_PITCH * VECTOR_WIDTH] = value.z;
  to[3 * POINT_PITCH * VECTOR_WIDTH] = value.w;
#endif
#else
  copy[i / VECTORS_OF_TILE * POINT_PITCH + i % VECTORS_OF_TILE] = value;
#endif
}
#endif

// UNROLL_CLUSTERS neighbouring numbers, four at once if there are at least four.
INLINED void load_centroids(float* to, CENTROIDS from) {
#if UNROLL_CLUSTERS % 4 == 0
  UNROLL_WHOLE
  for (int j = 0; j < UNROLL_CLUSTERS; j += 4) {
    const float4 four = vload4(0, from + j);
    to[j] = four.x;
    to[j + 1] = four.y;
    to[j + 2] = four.z;
    to[j + 3] = four.w;
  }
#else
  UNROLL_WHOLE
  for (int j = 0; j < UNROLL_CLUSTERS; ++j) to[j] = from[j];
#endif
}

#if DISTANCES == DISTANCES_DIFFERENCES
#include "kmeans/differences.cl"
#else
#include "kmeans/products.cl"
#endif
