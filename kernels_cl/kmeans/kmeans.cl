// k-means: Lloyd's iteration over `count` points of FEATURES numbers and CLUSTERS centroids. One step:
//
//   assignment of a point  = the centroid with the smallest sum over the features of (point - centroid)^2; of several
//                            at the same distance the one with the lowest number
//   centroid of a cluster  = the mean of the points assigned to it; where there are none it stays as it is
//
// Source: S. P. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28(2), 1982; on
// GPUs S. Che et al., "A performance study of general-purpose applications on graphics processors using CUDA" (2008),
// section 6.5: structures of arrays, centroids in constant memory, points through a texture, partial sums per group.
//
// Kernels. By variant:
//   assign_only  `assign`; the host makes the new centroids.
//   reduce       `assign`; then partial sums, by `sums`: each work-group sums the points of its part, a work-item the
//                features it owns; on a GPU a group has as many features as work-items, or as its local memory holds
//                sums for, all clusters. Or, on a GPU whose work-items can keep their sums in registers, by `tile_sums`
//                as below. Then `finish`. Where clusters are many and small, `cluster_sums` does all that: a
//                work-group for each cluster finds its points and makes the centroid.
//   blocked      the same; but `assign`, of blocked.cl, computes distances as a product of small matrices in registers,
//                after `pack` of products.cl has made a panel of the centroids where DISTANCES say so.
//   fused        `tile_sums`: a work-group assigns a tile of points, then adds the tile, which is still in the cache
//                (or, by BUFFERING, in local memory, while the next tile is being loaded), to sums that it keeps in
//                registers: the points are loaded from memory once. Then `finish`.
// `finish` adds the partial sums of all work-groups and divides. Each kernel has a file, kmeans/<kernel>.cl.
//
// Index map. Element (point p, feature f) of `points` lies, by LAYOUT, at
//   LAYOUT_AOS    p * ROW + f
//   LAYOUT_SOA    f * stride + p
//   LAYOUT_TILED  (p / TILE) * TILE * FEATURES + f * TILE + p % TILE
// and a vector holds neighbouring features of a point in LAYOUT_AOS, except in VARIANT_BLOCKED, neighbouring points otherwise. Centroid k begins
// at k * CENTROID_STRIDE, zeros behind its features. In `assign` and `tile_sums`, tile t begins with point t *
// TILE_POINTS, and work-item i takes the vectors of points i, i + WORK_GROUP, ... of a tile. When a tile is added up,
// work-item i is lane i % LANES of row i / LANES: it adds the points of vectors lane, lane + LANES, ... for the
// features row, row + ROWS, ... Partial sums lie as centroids do, one set behind the other.
//
// Macro             meaning
// VARIANT           VARIANT_ASSIGN_ONLY, VARIANT_REDUCE, VARIANT_FUSED, VARIANT_BLOCKED
// WORK_GROUP        work-items per group of `assign` and `tile_sums`, a power of two
// GRANULARITY       points (LAYOUT_AOS) or vectors of points per work-item
// VECTOR_WIDTH      neighbouring features (LAYOUT_AOS) or points per vector
// UNROLL            of the loop over features
// PADDING           LAYOUT_AOS: the features of a point, LAYOUT_SOA: the points of a feature are padded to a multiple
//                   of this many numbers; 0: they are not
// LAYOUT            LAYOUT_AOS, LAYOUT_SOA, LAYOUT_TILED
// MEMORY            where centroids are read from: MEMORY_GLOBAL, MEMORY_CONSTANT, MEMORY_LOCAL
// SOURCE            what points are read through: SOURCE_BUFFER, SOURCE_IMAGE (pixels of VECTOR_WIDTH floats)
// UNROLL_CLUSTERS   distances of a point that are summed in one pass over its features, at most
// FINISH            VARIANT_REDUCE: FINISH_DEVICE: `finish` makes the centroids; FINISH_HOST: the host does, and `finish`
//                   is not launched
// GROUPS_PER_UNIT   work-groups that make partial sums, per compute unit; the host launches them
// BUFFERING         VARIANT_FUSED: where a tile is kept until it is added, VARIANT_BLOCKED: where points are read from:
//                   BUFFERING_CACHE, BUFFERING_LOCAL, BUFFERING_PREFETCH (VARIANT_BLOCKED: also local memory, and the
//                   next chunk is loaded while one is used)
// DISTANCES         VARIANT_BLOCKED, VARIANT_FUSED: DISTANCES_DIFFERENCES: sums of (point - centroid)^2, DISTANCES_PRODUCTS: by products
//                   of point and centroid, and differences where rounding might decide
// CLUSTER_LANES     VARIANT_BLOCKED: work-items that share points, at most, each with centroids of its own
// CHUNK             VARIANT_BLOCKED: features that are copied to local memory at once, at most
// PARTIAL_SUMS      VARIANT_REDUCE: PARTIAL_SUMS_AUTO: as suits device and problem; PARTIAL_SUMS_PER_BLOCK: as in the paper, `sums` of
//                   block_sums.cl: a point per work-item, and a tree over each group
// Computed by the host from those, the problem and the device (dwarfs/kmeans/geometry.hpp):
// FEATURES          of a point
// CLUSTERS          of the problem
// STEPS             vectors that the features of a point take
// CENTROID_STRIDE   numbers that these hold: from a centroid to the next
// ROW               LAYOUT_AOS: numbers from a point to the next
// TILE              LAYOUT_TILED: points of a tile in memory, a multiple of 16
// TILE_POINTS       points of a work-group of `assign` and `tile_sums`, at a time
// ALIGNED           1: vectors of points begin at multiples of their size
// ROW_LANES         LAYOUT_AOS: features that are loaded at once where rows are copied or summed by clusters; rows, and
//                   chunks of them, begin at multiples of as many
// LANES             `tile_sums`: work-items of a row
// OWN               `tile_sums`: vectors of features that a work-item sums, of each cluster
// SUMS_IN_REGISTERS `tile_sums`, 1: the sums of a work-item are to stay in registers; 0: they lie in memory
// INTERLEAVED_TILES `tile_sums`, 1: group g takes the tiles g, g + groups, ...; 0: consecutive ones
// SUMS_BY_TILES     1: partial sums are made by `tile_sums`, as always in VARIANT_FUSED; 0: by others
// SUMS_BY_CLUSTER   1: `cluster_sums` makes the centroids
// LIST              points that the list of `cluster_sums` holds
// SUM_GROUP         work-items per group of `sums` or `cluster_sums`
// SUM_STEPS         vectors of features that such a group sums; of `cluster_sums` these are of ROW_LANES
// SUM_BLOCKS        such groups that share the features of a part of the points, or of a cluster
// COPY_BATCH        VARIANT_BLOCKED: vectors that a work-item loads before it stores any
// CHUNK_FEATURES    VARIANT_BLOCKED: features that are copied at once, CHUNK or fewer
// CLUSTER_ITEMS     VARIANT_BLOCKED: work-items of a group that share points, CLUSTER_LANES or fewer
// SUMS_ON_CHIP      1: `sums` keeps its sums in local memory; 0: in its part of `partial`
// PACK_GROUP        work-items per group of `pack`, DISTANCES_PRODUCTS
// PACK_LANES        work-items of `pack` that share a centroid, a power of two
// FINISH_OUTPUTS    numbers that a work-group of `finish` makes
// FINISH_LANES      work-items of `finish` that share an output, a power of two
//
// Preconditions: 1 <= count <= 2^30, so that points fit an int; behind the last element of `points` 16 more may be read
// and are finite; squared distances are finite.

#if (WORK_GROUP & (WORK_GROUP - 1)) || (GRANULARITY & (GRANULARITY - 1)) || (FINISH_LANES & (FINISH_LANES - 1))
#error "kmeans.cl: WORK_GROUP, GRANULARITY and FINISH_LANES must be powers of two"
#endif
#if SOURCE == SOURCE_IMAGE && VECTOR_WIDTH != 1 && (VECTOR_WIDTH != 4 || !ALIGNED)
#error "kmeans.cl: SOURCE_IMAGE needs VECTOR_WIDTH 1, or 4 and ALIGNED"
#endif
#if ROW < FEATURES || TILE % 16 != 0
#error "kmeans.cl: ROW must be at least FEATURES, and TILE a multiple of 16"
#endif

#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))
#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

// How many points, or features of a point, a vector holds.
#define VECTORS_OF_FEATURES (LAYOUT == LAYOUT_AOS && VARIANT != VARIANT_BLOCKED)
#if VECTORS_OF_FEATURES
#define POINT_LANES 1
#define FEATURE_LANES VECTOR_WIDTH
typedef float distance_t;
typedef int choice_t;
#define DISTANCE(sums) SUMV(sums)
#else
#define POINT_LANES VECTOR_WIDTH
#define FEATURE_LANES 1
typedef realv distance_t;
typedef intv choice_t;
#define DISTANCE(sums) (sums)
#endif
#define SET (CLUSTERS * CENTROID_STRIDE)

#define BLOCK MINIMUM(UNROLL_CLUSTERS, CLUSTERS)

// `yes` or `no`, lane by lane, and 1 or 0 for the points of a vector that satisfy a condition or not. Vectors go
// through the built-in: compilers turn the plain operator into conversions of booleans, which Oclgrind 21.10 gets
// wrong.
#if POINT_LANES > 1
#define CHOOSE(condition, yes, no) select((no), (yes), (condition))
#define NUMBER(condition) select((intv)(0), (intv)(1), (condition))
#else
#define CHOOSE(condition, yes, no) ((condition) ? (yes) : (no))
#define NUMBER(condition) ((condition) ? 1 : 0)
#endif

#include "kmeans/points.cl"
#include "kmeans/assign.cl"
#if DISTANCES == DISTANCES_PRODUCTS
#include "kmeans/rounding.cl"
#endif
#if VARIANT == VARIANT_BLOCKED
#include "kmeans/blocked.cl"
#endif
#if VARIANT != VARIANT_ASSIGN_ONLY
#if VARIANT == VARIANT_FUSED && DISTANCES == DISTANCES_PRODUCTS
#include "kmeans/tile_products.cl"
#elif PARTIAL_SUMS == PARTIAL_SUMS_PER_BLOCK
#include "kmeans/block_sums.cl"
#elif SUMS_BY_TILES
#include "kmeans/tile_sums.cl"
#elif SUMS_BY_CLUSTER
#include "kmeans/cluster_sums.cl"
#else
#include "kmeans/sums.cl"
#endif
#if !SUMS_BY_CLUSTER
#include "kmeans/finish.cl"
#endif
#endif
