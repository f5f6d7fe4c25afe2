// `assign` of kmeans.cl in the variant blocked: distances as a small matrix product, points x centroids. Here is what its
// two forms share, by DISTANCES: differences.cl and products.cl.
//
// A group takes TILE_POINTS points and, at a time, TILE_CLUSTERS centroids and CHUNK_FEATURES features. Work-item i is lane
// i % POINT_ITEMS of the points and lane i / POINT_ITEMS of the centroids: GRANULARITY vectors of points (the lanes of a
// vector are points in every layout) times UNROLL_CLUSTERS centroids, whose sums stay in registers: each number that it
// reads is used so many times. With BUFFERING_LOCAL a chunk of the points is copied to local memory, with MEMORY_LOCAL
// one of the centroids; both lie there feature by feature.
//
// Where there are barriers, one stands directly before each loop that has some: PoCL 5.0 compiles such loops wrongly
// otherwise.

#define POINT_ITEMS (WORK_GROUP / CLUSTER_ITEMS)
#define VECTORS_OF_TILE (POINT_ITEMS * GRANULARITY)
#define TILE_CLUSTERS (CLUSTER_ITEMS * UNROLL_CLUSTERS)
#define COPIES_POINTS (BUFFERING == BUFFERING_LOCAL)
#define COPIES_CENTROIDS (MEMORY == MEMORY_LOCAL)
#define BARRIER_OF_COPIES                                      \
  if (WORK_GROUP > 1 && (COPIES_POINTS || COPIES_CENTROIDS)) { \
    barrier(CLK_LOCAL_MEM_FENCE);                              \
  }

// Numbers from a feature to the next: four more than needed, so that the features of a point are in several banks, and
// vectors are aligned.
#define POINT_PITCH (VECTORS_OF_TILE + 4 / MINIMUM(4, VECTOR_WIDTH))
#define CENTROID_PITCH (CEIL_DIV(TILE_CLUSTERS, 4) * 4 + 4)

// So many features of a point are loaded at once where all rows, and all chunks of them, begin at multiples of as many.
#if SOURCE == SOURCE_IMAGE || LAYOUT != LAYOUT_AOS
#define ROW_LANES 1
#elif ROW % 4 == 0 && CHUNK_FEATURES % 4 == 0
#define ROW_LANES 4
#elif ROW % 2 == 0 && CHUNK_FEATURES % 2 == 0
#define ROW_LANES 2
#else
#define ROW_LANES 1
#endif

#if COPIES_POINTS && LAYOUT == LAYOUT_AOS
INLINED void load_of_row(float* to, POINTS points, const size_t index) {
#if ROW_LANES == 1
  to[0] = load_one(points, index);
#else
  typedef JOIN(float, ROW_LANES) lanes_t;
  *(lanes_t*)to = *(global const lanes_t*)(points + index);
#endif
}
#endif

#if COPIES_POINTS
// Copies `features` features of the tile that begins with point `first`, from `chunk` on. After the last point it is
// the last one, or the last vector, again.
INLINED void copy_points(local realv* copy, POINTS points, const int first, const int count, const int chunk,
                         const int features, const ulong stride) {
#if LAYOUT == LAYOUT_AOS
  local float* const cells = (local float*)copy;
  UNROLL_LOOP(4)
  for (int i = get_local_id(0); i < CHUNK_FEATURES / ROW_LANES * TILE_POINTS; i += WORK_GROUP) {
    const int feature = i % (CHUNK_FEATURES / ROW_LANES) * ROW_LANES;
    const int point = i / (CHUNK_FEATURES / ROW_LANES);
    if (feature < features) {
      float lanes[ROW_LANES];
      load_of_row(lanes, points, base_of(min(first + point, count - 1)) + chunk + feature);
      UNROLL_WHOLE
      for (int lane = 0; lane < ROW_LANES; ++lane) {
        cells[(feature + lane) * POINT_PITCH * VECTOR_WIDTH + point] = lanes[lane];
      }
    }
  }
#else
  UNROLL_LOOP(4)
  for (int i = get_local_id(0); i < features * VECTORS_OF_TILE; i += WORK_GROUP) {
    const int feature = i / VECTORS_OF_TILE;
    const int vector = i % VECTORS_OF_TILE;
    const int point = min(first + vector * VECTOR_WIDTH, (count - 1) / VECTOR_WIDTH * VECTOR_WIDTH);
    copy[feature * POINT_PITCH + vector] = load_points(points, base_of(point), stride, chunk + feature);
  }
#endif
}
#endif

// UNROLL_CLUSTERS neighbouring numbers, four at once where they are so many.
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
