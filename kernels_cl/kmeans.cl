// k-means: Lloyd's iteration over `count` points of FEATURES numbers and CLUSTERS centroids. One step:
//
//   assignment of a point  = the centroid with the least sum over the features of (point - centroid)^2; of several at
//                            the same distance the one with the lowest number
//   centroid of a cluster  = the mean of the points assigned to it; where there are none it stays as it is
//
// Source: S. P. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28(2), 1982; on GPUs
// S. Che et al., "A performance study of general-purpose applications on graphics processors using CUDA" (2008),
// section 6.5: structures of arrays, centroids in constant memory, points through a texture, partial sums per group.
//
// Kernels. By variant:
//   assign_only  `assign`; the host makes the new centroids.
//   reduce       `assign`; then partial sums, by `sums`: each work-group sums the points of its part, a work-item the
//                features it owns, so that neither atomics nor barriers are needed; or, where local memory is on chip
//                and a work-item can keep its sums in registers, by `tile_sums` as below; then `finish`.
//   fused        `tile_sums`: a work-group assigns a tile of points, then adds the tile, which is still in the cache
//                (or, by BUFFERING, in local memory, while the next tile is on its way), to sums that it keeps in
//                registers: the points come from memory once. Then `finish`.
// `finish` adds the partial sums of all work-groups and divides.
//
// Index map. Element (point p, feature f) of `points` lies, by LAYOUT, at
//   LAYOUT_AOS    p * ROW + f
//   LAYOUT_SOA    f * stride + p
//   LAYOUT_TILED  (p / TILE) * TILE * FEATURES + f * TILE + p % TILE
// and a vector holds neighbouring features of a point in LAYOUT_AOS, neighbouring points otherwise. Centroid k begins
// at k * CENTROID_STRIDE, zeros behind its features. In `assign` and `tile_sums`, tile t begins with point t *
// TILE_POINTS, and work-item i takes the vectors of points i, i + WORK_GROUP, ... of a tile. When a tile is added up,
// work-item i is lane i % LANES of row i / LANES: it adds the points of vectors lane, lane + LANES, ... for the
// features row, row + ROWS, ... Partial sums lie as centroids do, one set behind the other.
//
// Macro             meaning
// VARIANT           VARIANT_ASSIGN_ONLY, VARIANT_REDUCE, VARIANT_FUSED
// WORK_GROUP        work-items per group of `assign` and `tile_sums`, a power of two
// GRANULARITY       points (LAYOUT_AOS) or vectors of points per work-item
// VECTOR_WIDTH      neighbouring features (LAYOUT_AOS) or points per vector
// UNROLL            of the loop over features
// PADDING           LAYOUT_AOS: the features of a point, LAYOUT_SOA: the points of a feature are padded to a multiple of
//                   so many numbers; 0: to none
// LAYOUT            LAYOUT_AOS, LAYOUT_SOA, LAYOUT_TILED
// MEMORY            where centroids are read from: MEMORY_GLOBAL, MEMORY_CONSTANT, MEMORY_LOCAL
// SOURCE            what points are read through: SOURCE_BUFFER, SOURCE_IMAGE (pixels of VECTOR_WIDTH floats)
// UNROLL_CLUSTERS   at most so many distances of a point are summed in one pass over its features
// GROUPS_PER_UNIT   work-groups that make partial sums, per compute unit; the host launches them
// BUFFERING         VARIANT_FUSED: where a tile is kept until it is added: BUFFERING_CACHE, BUFFERING_LOCAL
// FEATURES          of a point; by the problem
// CLUSTERS          by the problem
// ROW               LAYOUT_AOS: numbers from a point to the next; chosen by the host
// TILE              LAYOUT_TILED: points of a tile in memory, a multiple of 16; chosen by the host
// ALIGNED           1: vectors of points begin at multiples of their size
// SUMS_BY_TILES     VARIANT_REDUCE: 1: partial sums are made by `tile_sums`; 0: by `sums`
// SUM_GROUP         work-items per group of `sums`
// SUMS_ON_CHIP      1: `sums` keeps its sums in local memory; 0: in its part of `partial`
// FINISH_OUTPUTS    numbers that a work-group of `finish` makes
// FINISH_LANES      work-items of `finish` that share an output, a power of two
//
// Preconditions: 1 <= count <= 2^30, so that points fit an int; behind the last element of `points` 16 more may be read
// and are finite; squared distances are finite.

#if !defined(VARIANT) || VARIANT < 1 || VARIANT > 3
#error "kmeans.cl: VARIANT must be VARIANT_ASSIGN_ONLY, VARIANT_REDUCE or VARIANT_FUSED"
#endif
#if !defined(WORK_GROUP) || WORK_GROUP < 1 || (WORK_GROUP & (WORK_GROUP - 1))
#error "kmeans.cl: WORK_GROUP must be a power of two"
#endif
#if !defined(GRANULARITY) || GRANULARITY < 1 || (GRANULARITY & (GRANULARITY - 1))
#error "kmeans.cl: GRANULARITY must be a power of two"
#endif
#ifndef VECTOR_WIDTH
#error "kmeans.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#if !defined(UNROLL) || UNROLL < 1
#error "kmeans.cl: UNROLL must be at least 1"
#endif
#if !defined(PADDING) || PADDING < 0
#error "kmeans.cl: PADDING must be 0 or more"
#endif
#if !defined(LAYOUT) || LAYOUT < 1 || LAYOUT > 3
#error "kmeans.cl: LAYOUT must be LAYOUT_AOS, LAYOUT_SOA or LAYOUT_TILED"
#endif
#if !defined(MEMORY) || MEMORY < 1 || MEMORY > 3
#error "kmeans.cl: MEMORY must be MEMORY_GLOBAL, MEMORY_CONSTANT or MEMORY_LOCAL"
#endif
#if !defined(SOURCE) || SOURCE < 1 || SOURCE > 2
#error "kmeans.cl: SOURCE must be SOURCE_BUFFER or SOURCE_IMAGE"
#endif
#if SOURCE == SOURCE_IMAGE && VECTOR_WIDTH != 1 && (VECTOR_WIDTH != 4 || !ALIGNED)
#error "kmeans.cl: SOURCE_IMAGE needs VECTOR_WIDTH 1, or 4 and ALIGNED"
#endif
#if !defined(UNROLL_CLUSTERS) || UNROLL_CLUSTERS < 1
#error "kmeans.cl: UNROLL_CLUSTERS must be at least 1"
#endif
#if !defined(GROUPS_PER_UNIT) || GROUPS_PER_UNIT < 1
#error "kmeans.cl: GROUPS_PER_UNIT must be at least 1"
#endif
#if !defined(BUFFERING) || BUFFERING < 1 || BUFFERING > 2
#error "kmeans.cl: BUFFERING must be BUFFERING_CACHE or BUFFERING_LOCAL"
#endif
#if !defined(SUMS_BY_TILES) || SUMS_BY_TILES < 0 || SUMS_BY_TILES > 1
#error "kmeans.cl: SUMS_BY_TILES must be 0 or 1"
#endif
#if !defined(FEATURES) || FEATURES < 1 || !defined(CLUSTERS) || CLUSTERS < 1
#error "kmeans.cl: FEATURES and CLUSTERS must be at least 1"
#endif
#if !defined(ROW) || ROW < FEATURES
#error "kmeans.cl: ROW must be at least FEATURES"
#endif
#if !defined(TILE) || TILE < 16 || TILE % 16 != 0
#error "kmeans.cl: TILE must be a multiple of 16"
#endif
#if !defined(ALIGNED) || ALIGNED < 0 || ALIGNED > 1
#error "kmeans.cl: ALIGNED must be 0 or 1"
#endif
#if !defined(SUM_GROUP) || SUM_GROUP < 1
#error "kmeans.cl: SUM_GROUP must be at least 1"
#endif
#if !defined(SUMS_ON_CHIP) || SUMS_ON_CHIP < 0 || SUMS_ON_CHIP > 1
#error "kmeans.cl: SUMS_ON_CHIP must be 0 or 1"
#endif
#if !defined(FINISH_OUTPUTS) || FINISH_OUTPUTS < 1
#error "kmeans.cl: FINISH_OUTPUTS must be at least 1"
#endif
#if !defined(FINISH_LANES) || FINISH_LANES < 1 || (FINISH_LANES & (FINISH_LANES - 1))
#error "kmeans.cl: FINISH_LANES must be a power of two"
#endif

#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define DIVIDED_UP(a, b) (((a) + (b)-1) / (b))
#define INLINED __attribute__((always_inline))
#define UNROLL_WHOLE PRAGMA(unroll)

// What a vector holds of either kind, and the vectors a point's features take.
#if LAYOUT == LAYOUT_AOS
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
#define STEPS DIVIDED_UP(FEATURES, FEATURE_LANES)
#define CENTROID_STRIDE (STEPS * FEATURE_LANES)
#define SET (CLUSTERS * CENTROID_STRIDE)

#define TILE_POINTS (WORK_GROUP * GRANULARITY * POINT_LANES)
#define BLOCK LEAST(UNROLL_CLUSTERS, CLUSTERS)

// `yes` or `no`, lane by lane, and how many points of a vector satisfy a condition. Vectors go through the built-in:
// compilers make conversions of booleans of the plain operator, which Oclgrind 21.10 gets wrong.
#if POINT_LANES > 1
#define CHOOSE(condition, yes, no) select((no), (yes), (condition))
#define NUMBER(condition) select((intv)(0), (intv)(1), (condition))
#else
#define CHOOSE(condition, yes, no) ((condition) ? (yes) : (no))
#define NUMBER(condition) ((condition) ? 1 : 0)
#endif

// --- points ---------------------------------------------------------------------------------------------------------

#if SOURCE == SOURCE_IMAGE
#define POINTS read_only image1d_buffer_t
#define POINTS_ARGUMENT POINTS
#else
#define POINTS global const float*
#define POINTS_ARGUMENT global const float* restrict
#endif

// Of a point, or of the vector of points that begins with it: its first element.
INLINED size_t base_of(const size_t point) {
#if LAYOUT == LAYOUT_AOS
  return point * ROW;
#elif LAYOUT == LAYOUT_SOA
  return point;
#else
  return point / TILE * (TILE * FEATURES) + point % TILE;
#endif
}

// From an element to the same of the next step.
INLINED size_t step_stride(const ulong stride) {
#if LAYOUT == LAYOUT_AOS
  return FEATURE_LANES;
#elif LAYOUT == LAYOUT_SOA
  return stride;
#else
  return TILE;
#endif
}

INLINED float load_one(POINTS points, const size_t index) {
#if SOURCE == SOURCE_BUFFER
  return points[index];
#elif VECTOR_WIDTH == 1
  return read_imagef(points, (int)index).x;
#else
  float lanes[4];
  vstore4(read_imagef(points, (int)(index / 4)), 0, lanes);
  return lanes[index % 4];
#endif
}

// A pointer to what begins at `base` is moved by `offset`: compilers keep the pointer through a loop over offsets,
// where they would otherwise compute indices in vectors and take them apart.
INLINED realv load_whole(POINTS points, const size_t base, const size_t offset) {
#if SOURCE == SOURCE_IMAGE && VECTOR_WIDTH == 1
  return read_imagef(points, (int)(base + offset)).x;
#elif SOURCE == SOURCE_IMAGE
  return read_imagef(points, (int)((base + offset) / 4));
#elif ALIGNED
  return *(global const realv*)((points + base) + offset);
#else
  return LOADV(offset, points + base);
#endif
}

// The vector at `step` of what begins at `base`. Where a row ends within a vector, zeros follow.
INLINED realv load_points(POINTS points, const size_t base, const ulong stride, const int step) {
  const size_t offset = step * step_stride(stride);
#if LAYOUT == LAYOUT_AOS && ROW < STEPS * FEATURE_LANES
  if (step == STEPS - 1) {
    float lanes[FEATURE_LANES];
    UNROLL_WHOLE
    for (int lane = 0; lane < FEATURE_LANES; ++lane) {
      lanes[lane] = (STEPS - 1) * FEATURE_LANES + lane < FEATURES ? load_one(points, base + offset + lane) : 0;
    }
    return LOADV(0, lanes);
  }
#endif
  return load_whole(points, base, offset);
}

// What a point's vectors are taken from to be used: `points` itself, or a group's copy of a tile.
#define BUFFERED (VARIANT == VARIANT_FUSED && BUFFERING == BUFFERING_LOCAL)
#define TILE_VECTORS (WORK_GROUP * GRANULARITY)
#if BUFFERED
#define TAKEN local const realv*
#define TAKE(taken, base, stride, step) (((taken) + (base))[(step)*TILE_VECTORS])
#else
#define TAKEN POINTS
#define TAKE(taken, base, stride, step) load_points((taken), (base), (stride), (step))
#endif

// --- centroids and distances ----------------------------------------------------------------------------------------

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

// From a centroid to the next, as they are read. Staged ones begin at multiples of four numbers, so that as many can be
// loaded at once.
#if MEMORY == MEMORY_LOCAL
#define READ_STRIDE (DIVIDED_UP(CENTROID_STRIDE, 4) * 4)
#else
#define READ_STRIDE CENTROID_STRIDE
#endif

// In MEMORY_LOCAL `name` becomes the group's copy of `from`; elsewhere it is `from`.
#if MEMORY == MEMORY_LOCAL
#define STAGE_CENTROIDS(from, name)                                                           \
  local float name##_cells[CLUSTERS * READ_STRIDE] __attribute__((aligned(16)));              \
  for (int i = get_local_id(0); i < SET; i += WORK_GROUP) {                                   \
    name##_cells[i / CENTROID_STRIDE * READ_STRIDE + i % CENTROID_STRIDE] = (from)[i];        \
  }                                                                                           \
  barrier(CLK_LOCAL_MEM_FENCE);                                                               \
  CENTROIDS const name = name##_cells
#else
#define STAGE_CENTROIDS(from, name) CENTROIDS const name = (from)
#endif

INLINED realv centroid_at(CENTROIDS centroids, const int cluster, const int step) {
#if LAYOUT == LAYOUT_AOS
  return LOADV(cluster * READ_STRIDE + step * FEATURE_LANES, centroids);
#else
  return (realv)(centroids[cluster * READ_STRIDE + step]);
#endif
}

// The nearest centroids. Behind the last one a block repeats it, which changes nothing: only a smaller distance wins.
INLINED choice_t nearest(TAKEN points, CENTROIDS centroids, const size_t base, const ulong stride) {
  distance_t least = (distance_t)(INFINITY);
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
        const realv off = values - centroid_at(centroids, LEAST(first + j, CLUSTERS - 1), step);
        sums[j] = MULTIPLY_ADD(off, off, sums[j]);
      }
    }
    UNROLL_WHOLE
    for (int j = 0; j < BLOCK; ++j) {
      const distance_t distance = DISTANCE(sums[j]);
      choice = CHOOSE(distance < least, (choice_t)(first + j), choice);
      least = CHOOSE(distance < least, distance, least);
    }
  }
  return choice;
}

// Stores the choices of the points from `point` on that exist, and returns them with -1 for those that do not.
INLINED choice_t store_choices(global int* assignments, const int point, const int count, const choice_t choices) {
  if (point + POINT_LANES <= count) {
#if LAYOUT == LAYOUT_AOS
    assignments[point] = choices;
#else
    STOREV(choices, point, assignments);
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

// --- kernels --------------------------------------------------------------------------------------------------------

#if VARIANT != VARIANT_FUSED
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

#if VARIANT == VARIANT_REDUCE && !SUMS_BY_TILES
// Features are summed as they lie: in vectors only where these are of one point.
#if LAYOUT == LAYOUT_AOS
typedef realv feature_t;
#define LOAD_FEATURE(base, step) load_points(points, (base), stride, (step))
#define LOAD_SUM(index, cells) LOADV(index, cells)
#define STORE_SUM(value, index, cells) STOREV(value, index, cells)
#else
typedef float feature_t;
#define LOAD_FEATURE(base, step) load_one(points, (base) + (step)*step_stride(stride))
#define LOAD_SUM(index, cells) ((cells)[index])
#define STORE_SUM(value, index, cells) ((cells)[index] = (value))
#endif

// Group g sums the `chunk` points from g * chunk on. A work-item touches the sums of its own features alone.
kernel GROUP_OF(SUM_GROUP, 1) void sums(POINTS_ARGUMENT points, global const int* restrict assignments,
                                        global float* restrict partial, global int* restrict partial_numbers,
                                        const int count, const int chunk, const ulong stride) {
  const int item = get_local_id(0);
  const size_t group = get_group_id(0);
#if SUMS_ON_CHIP
  local float cells[SET];
  local int numbers[CLUSTERS];
#else
  global float* const cells = partial + group * SET;
  global int* const numbers = partial_numbers + group * CLUSTERS;
#endif
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    for (int step = item; step < STEPS; step += SUM_GROUP) {
      STORE_SUM((feature_t)(0), cluster * CENTROID_STRIDE + step * FEATURE_LANES, cells);
    }
    if (item == 0) numbers[cluster] = 0;
  }
  const int begin = (int)group * chunk;
  const int end = min(begin + chunk, count);
  UNROLL_LOOP(4)
  for (int point = begin; point < end; ++point) {
    const int cluster = assignments[point];
    const size_t base = base_of(point);
    for (int step = item; step < STEPS; step += SUM_GROUP) {
      const int index = cluster * CENTROID_STRIDE + step * FEATURE_LANES;
      STORE_SUM(LOAD_SUM(index, cells) + LOAD_FEATURE(base, step), index, cells);
    }
    if (item == 0) ++numbers[cluster];
  }
#if SUMS_ON_CHIP
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    for (int step = item; step < STEPS; step += SUM_GROUP) {
      const int index = cluster * CENTROID_STRIDE + step * FEATURE_LANES;
      STORE_SUM(LOAD_SUM(index, cells), index, partial + group * SET);
    }
    if (item == 0) partial_numbers[group * CLUSTERS + cluster] = numbers[cluster];
  }
#endif
}
#endif

#if VARIANT == VARIANT_FUSED || (VARIANT == VARIANT_REDUCE && SUMS_BY_TILES)
#define LANES LEAST(WORK_GROUP, 32)
#define ROWS (WORK_GROUP / LANES)
#define OWN DIVIDED_UP(STEPS, ROWS)
#define VECTORS (TILE_POINTS / POINT_LANES / LANES)

// Vectors of points that are added to a sum before it goes back: where a work-item owns so many sums that they lie in
// memory, several, and its loops over sums stay loops; where they are to stay in registers, one, and all is unrolled.
#if HAS_LOCAL_MEMORY
#define TOGETHER 1
#define UNROLL_SUMS UNROLL_WHOLE
#else
#define TOGETHER LEAST(VECTORS, 4)
#define UNROLL_SUMS
#endif

typedef struct {
  realv sums[CLUSTERS][OWN];
  choice_t numbers[CLUSTERS];
} Sums;

INLINED choice_t choices_at(local const int* choices, const int vector) {
#if POINT_LANES > 1
  return LOADV(vector * POINT_LANES, choices);
#else
  return choices[vector];
#endif
}

// Of vector `vector` of the tile that begins with point `first`, what `points` takes as its base. What is loaded must
// exist: behind the last point it is the last vector of points again.
INLINED size_t existing_base(const int first, const int vector, const int count) {
  return base_of(min(first + vector * POINT_LANES, (count - 1) / POINT_LANES * POINT_LANES));
}

// Adds the tile from point `first` on, whose assignments are `choices`. Behind the last point these are -1 and nothing
// is added; behind the last feature the last one is, to sums that nobody reads.
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
    for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
      // Multiplying by 1 or 0 takes one instruction, which selecting does not: comparisons would sink into the loop.
      realv weights[TOGETHER];
      UNROLL_WHOLE
      for (int t = 0; t < TOGETHER; ++t) {
        weights[t] = (realv)(CHOOSE(chosen[t] == cluster, (distance_t)(1), (distance_t)(0)));
      }
      UNROLL_SUMS
      for (int i = 0; i < OWN; ++i) {
        const int step = OWN * ROWS == STEPS ? row + i * ROWS : min(row + i * ROWS, STEPS - 1);
        realv sum = own->sums[cluster][i];
        UNROLL_WHOLE
        for (int t = 0; t < TOGETHER; ++t) {
          const realv values = TAKE(points, bases[t], stride, step);
          sum = MULTIPLY_ADD(values, weights[t], sum);
        }
        own->sums[cluster][i] = sum;
      }
      if (row == 0) {
        UNROLL_WHOLE
        for (int t = 0; t < TOGETHER; ++t) own->numbers[cluster] += NUMBER(chosen[t] == cluster);
      }
    }
  }
}

// Sums over the lanes of a row, cluster by cluster, into the group's part of `partial`.
INLINED void store_sums(local float* cells, const Sums* own, global float* partial) {
  const int item = get_local_id(0);
  UNROLL_SUMS
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    UNROLL_SUMS
    for (int i = 0; i < OWN; ++i) {
      // One cell more than lanes: otherwise all rows would lie in the same bank.
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
// A work-item's vectors of the tile that begins with point `first`, on their way from memory to the group's copy.
INLINED void fetch(realv (*fetched)[STEPS], POINTS points, const int first, const int count, const ulong stride) {
  UNROLL_WHOLE
  for (int j = 0; j < GRANULARITY; ++j) {
    const size_t base = existing_base(first, j * WORK_GROUP + (int)get_local_id(0), count);
    UNROLL_SUMS
    for (int step = 0; step < STEPS; ++step) fetched[j][step] = load_points(points, base, stride, step);
  }
}
#endif

// VARIANT_FUSED assigns, VARIANT_REDUCE takes the assignments as they are, and no heed of the centroids. Group g has
// `tiles_per_group` tiles: neighbours where a core works alone, every so many-th where groups run side by
// side and neighbouring tiles are best read at the same time.
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
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    own.numbers[cluster] = (choice_t)(0);
    UNROLL_SUMS
    for (int i = 0; i < OWN; ++i) own.sums[cluster][i] = (realv)(0);
  }
  const int tiles = DIVIDED_UP(count, TILE_POINTS);
  const int first_tile = HAS_LOCAL_MEMORY ? group : group * tiles_per_group;
  const int tile_step = HAS_LOCAL_MEMORY ? (int)get_num_groups(0) : 1;
  const int end_tile = HAS_LOCAL_MEMORY ? tiles : min(first_tile + tiles_per_group, tiles);
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
#endif

#if VARIANT != VARIANT_ASSIGN_ONLY
// The new centroids of the partial sums of `sets` work-groups. Group g has the FINISH_OUTPUTS numbers from
// g * FINISH_OUTPUTS on; the lanes of an output take every FINISH_LANES-th set.
kernel GROUP_OF(FINISH_OUTPUTS* FINISH_LANES,
                1) void finish(global const float* restrict partial, global const int* restrict partial_numbers,
                               global const float* restrict previous, global float* restrict next, const int sets) {
  local float cells[FINISH_LANES * FINISH_OUTPUTS];
  local int numbers[FINISH_LANES * FINISH_OUTPUTS];
  const int item = get_local_id(0);
  const int output = (int)get_group_id(0) * FINISH_OUTPUTS + item % FINISH_OUTPUTS;
  const int existing = min(output, SET - 1);
  const int cluster = existing / CENTROID_STRIDE;
  float sum = 0;
  int number = 0;
  UNROLL_LOOP(4)
  for (int set = item / FINISH_OUTPUTS; set < sets; set += FINISH_LANES) {
    sum += partial[(size_t)set * SET + existing];
    number += partial_numbers[(size_t)set * CLUSTERS + cluster];
  }
  cells[item] = sum;
  numbers[item] = number;
  for (int half_size = FINISH_LANES / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size * FINISH_OUTPUTS) {
      cells[item] += cells[item + half_size * FINISH_OUTPUTS];
      numbers[item] += numbers[item + half_size * FINISH_OUTPUTS];
    }
  }
  if (item < FINISH_OUTPUTS && output < SET) {
    next[output] = numbers[item] > 0 ? cells[item] / (float)numbers[item] : previous[output];
  }
}
#endif
