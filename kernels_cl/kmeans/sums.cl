// `sums` of kmeans.cl, the second kernel of the variant reduce where sums are not made by tiles: partial sums without
// barriers.

// Features are summed in vectors only where a vector holds features of one point.
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

// Group g sums the `chunk` points from g * chunk on. A work-item accesses the sums of its own features alone.
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
