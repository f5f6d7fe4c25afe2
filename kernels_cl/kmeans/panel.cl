// What products.cl reads in chunks: the panel of the centroids, which `pack` makes, and copies in local memory.

// The centroids as they are read here: feature by feature, in whole tiles, then a row of what values start with. The
// centroids after the last are too far from any point.
#define PANEL (CEIL_DIV(CLUSTERS, TILE_CLUSTERS) * TILE_CLUSTERS)

// Work-items `lane` of PACK_LANES pack a centroid, each every PACK_LANES-th feature: of few centroids with many features, one
// work-item each would wait for one load after the other.
kernel GROUP_OF(PACK_GROUP, 1) void pack(global const float* restrict from, global float* restrict to) {
  const int item = get_local_id(0);
  const int lane = item % PACK_LANES;
  const int cluster = (int)get_global_id(0) / PACK_LANES;
  const bool exists = cluster < CLUSTERS;
  global const float* const row = from + (size_t)min(cluster, CLUSTERS - 1) * CENTROID_STRIDE;
  float square = 0;
  UNROLL_LOOP(8)
  for (int feature = lane; feature < FEATURES; feature += PACK_LANES) {
    const float value = row[feature];
    square = MULTIPLY_ADD(value, value, square);
    if (cluster < PANEL) to[(size_t)feature * PANEL + cluster] = exists ? value : 0;
  }
#if PACK_LANES > 1
  local float squares[PACK_GROUP];
  squares[item] = square;
  for (int reach = PACK_LANES / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < reach) squares[item] += squares[item + reach];
  }
  square = squares[item];
#endif
  if (lane == 0 && cluster < PANEL) to[(size_t)FEATURES * PANEL + cluster] = exists ? START_OF(square) : NOWHERE;
}

#if COPIES_CENTROIDS
#if TILE_CLUSTERS % 4 == 0
typedef float4 panel_t;
#define PANEL_LANES 4
#else
typedef float panel_t;
#define PANEL_LANES 1
#endif
#define PANEL_VECTORS (CHUNK_FEATURES * (TILE_CLUSTERS / PANEL_LANES))

INLINED panel_t load_of_panel(global const float* panel, const int i, const int first, const int chunk) {
  const int existing = min(i, PANEL_VECTORS - 1);
  const int feature = min(chunk + existing / (TILE_CLUSTERS / PANEL_LANES), FEATURES);
  const int at = existing % (TILE_CLUSTERS / PANEL_LANES) * PANEL_LANES;
  return *(global const panel_t*)(panel + (size_t)feature * PANEL + first + at);
}

INLINED void store_panel(local float* copy, const int i, const panel_t value) {
  if (i >= PANEL_VECTORS) return;
  const int at = i % (TILE_CLUSTERS / PANEL_LANES) * PANEL_LANES;
  *(local panel_t*)(copy + i / (TILE_CLUSTERS / PANEL_LANES) * CENTROID_PITCH + at) = value;
}
#else
#define PANEL_VECTORS 1
typedef float panel_t;
#endif
#if !COPIES_POINTS
#define CHUNK_VECTORS 1
typedef realv copied_t;
#endif

// A batch of the vectors of a chunk that a work-item copies, in registers.
typedef struct {
  copied_t points[AT_ONCE(CHUNK_VECTORS)];
  panel_t panel[AT_ONCE(PANEL_VECTORS)];
} Batch;

// Loads the batch from vector `begin` on of CHUNK_FEATURES features, from `chunk` on, of the tile that begins
// with point `first` and of the centroids from `first_cluster` on.
INLINED void load_batch(Batch* batch, POINTS points, global const float* panel, const int begin,
                        const int first, const int first_cluster, const int count, const int chunk,
                        const ulong stride) {
  const int i = begin * WORK_GROUP + (int)get_local_id(0);
#if COPIES_POINTS
  UNROLL_WHOLE
  for (int n = 0; n < AT_ONCE(CHUNK_VECTORS); ++n) {
    batch->points[n] = load_to_copy(points, i + n * WORK_GROUP, first, count, chunk, stride);
  }
#endif
#if COPIES_CENTROIDS
  UNROLL_WHOLE
  for (int n = 0; n < AT_ONCE(PANEL_VECTORS); ++n) {
    batch->panel[n] = load_of_panel(panel, i + n * WORK_GROUP, first_cluster, chunk);
  }
#endif
}

INLINED void store_batch(const Batch* batch, local realv* point_copy, local float* centroid_copy,
                         const int begin) {
  const int i = begin * WORK_GROUP + (int)get_local_id(0);
#if COPIES_CENTROIDS
  UNROLL_WHOLE
  for (int n = 0; n < AT_ONCE(PANEL_VECTORS); ++n)
    store_panel(centroid_copy, i + n * WORK_GROUP, batch->panel[n]);
#endif
#if COPIES_POINTS
  UNROLL_WHOLE
  for (int n = 0; n < AT_ONCE(CHUNK_VECTORS); ++n)
    store_copied(point_copy, i + n * WORK_GROUP, batch->points[n]);
#endif
}

// Copies the whole chunk.
INLINED void copy_chunk(local realv* point_copy, local float* centroid_copy, POINTS points,
                        global const float* panel, const int first, const int first_cluster, const int count,
                        const int chunk, const ulong stride) {
  const int most = MAXIMUM(COPIES_OF_ITEM(CHUNK_VECTORS), COPIES_OF_ITEM(PANEL_VECTORS));
  for (int begin = 0; begin < most; begin += COPY_BATCH) {
    Batch batch;
    load_batch(&batch, points, panel, begin, first, first_cluster, count, chunk, stride);
    store_batch(&batch, point_copy, centroid_copy, begin);
  }
}
