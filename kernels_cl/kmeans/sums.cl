// `sums` of kmeans.cl, the second kernel of the variant reduce where sums are not made by tiles: partial sums without
// barriers.

// Features are summed in vectors only where a vector holds features of one point.
#if VECTORS_OF_FEATURES
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

// Where a sum lies: the group's part of a set on chip, otherwise the set itself.
#if SUMS_ON_CHIP
#define CELL(cluster, step) (((cluster)*SUM_STEPS + (step)-first_step) * FEATURE_LANES)
#else
#define CELL(cluster, step) ((cluster)*CENTROID_STRIDE + (step)*FEATURE_LANES)
#endif

// Group g sums SUM_STEPS vectors of features of `chunk` points: those of block g % SUM_BLOCKS, of the points from
// g / SUM_BLOCKS * chunk on. A work-item accesses the sums of its own features alone.
kernel GROUP_OF(SUM_GROUP, 1) void sums(POINTS_ARGUMENT points, global const int* restrict assignments,
                                        global float* restrict partial, global int* restrict partial_numbers,
                                        const int count, const int chunk, const ulong stride) {
  const int item = get_local_id(0);
  const size_t set = get_group_id(0) / SUM_BLOCKS;
  const int first_step = (int)get_group_id(0) % SUM_BLOCKS * SUM_STEPS;
  const int end_step = MINIMUM(first_step + SUM_STEPS, STEPS);
  const bool counts = item == 0 && first_step == 0;
#if SUMS_ON_CHIP
  local float cells[CLUSTERS * SUM_STEPS * FEATURE_LANES];
  local int numbers[CLUSTERS];
#else
  global float* const cells = partial + set * SET;
  global int* const numbers = partial_numbers + set * CLUSTERS;
#endif
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    for (int step = first_step + item; step < end_step; step += SUM_GROUP) {
      STORE_SUM((feature_t)(0), CELL(cluster, step), cells);
    }
    if (counts) numbers[cluster] = 0;
  }
  const int begin = (int)set * chunk;
  const int end = min(begin + chunk, count);
  UNROLL_LOOP(4)
  for (int point = begin; point < end; ++point) {
    const int cluster = assignments[point];
    const size_t base = base_of(point);
    for (int step = first_step + item; step < end_step; step += SUM_GROUP) {
      const int index = CELL(cluster, step);
      STORE_SUM(LOAD_SUM(index, cells) + LOAD_FEATURE(base, step), index, cells);
    }
    if (counts) ++numbers[cluster];
  }
#if SUMS_ON_CHIP
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    for (int step = first_step + item; step < end_step; step += SUM_GROUP) {
      STORE_SUM(LOAD_SUM(CELL(cluster, step), cells), cluster * CENTROID_STRIDE + step * FEATURE_LANES,
                partial + set * SET);
    }
    if (counts) partial_numbers[set * CLUSTERS + cluster] = numbers[cluster];
  }
#endif
}
