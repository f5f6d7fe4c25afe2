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

// Where sums lie, and one of them: the group's part of a set on chip, otherwise the set itself.
#if SUMS_ON_CHIP
#define SUMS local float*
#define CELL(cluster, step) (((cluster)*SUM_STEPS + (step)-first_step) * FEATURE_LANES)
#else
#define SUMS global float*
#define CELL(cluster, step) ((cluster)*CENTROID_STRIDE + (step)*FEATURE_LANES)
#endif

INLINED void add_to_sum(SUMS sums, const int index, const feature_t value) {
  STORE_SUM(LOAD_SUM(index, sums) + value, index, sums);
}

// The sums are loaded before any is stored: of numbers that go to the same sum, a later one takes up what the one before made.
INLINED void add_four(SUMS sums, const int* at, const feature_t* values) {
  feature_t totals[4];
  UNROLL_WHOLE
  for (int i = 0; i < 4; ++i) totals[i] = LOAD_SUM(at[i], sums);
  UNROLL_WHOLE
  for (int i = 0; i < 4; ++i) {
    UNROLL_WHOLE
    for (int before = 0; before < i; ++before) totals[i] = at[before] == at[i] ? totals[before] : totals[i];
    totals[i] += values[i];
  }
  UNROLL_WHOLE
  for (int i = 0; i < 4; ++i) STORE_SUM(totals[i], at[i], sums);
}

// In a group of several work-items, each has one vector of sums per cluster and loads this many points before it adds them:
// a GPU needs many loads in flight, but they must fit into registers.
#if SUM_GROUP > 1
#define SUM_BATCH MAXIMUM(4, 32 / FEATURE_LANES)
#define COUNT(number) atomic_inc(&(number))
#else
#define SUM_BATCH 1
#define COUNT(number) ++(number)
#endif

// Group g sums SUM_STEPS vectors of features of `chunk` points: those of block g % SUM_BLOCKS, of the points from
// g / SUM_BLOCKS * chunk on, a multiple of 4. A work-item adds to the sums of its own features alone.
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
  // All work-items clear the sums and store them, even if few add to them: while 4 of 32 did so, `update` took 234 us on an
  // H200 for 4162 points of 16 features and 1118 clusters.
  for (int i = item; i < CLUSTERS * SUM_STEPS; i += SUM_GROUP) {
    const int step = first_step + i % SUM_STEPS;
    if (step < end_step) STORE_SUM((feature_t)(0), CELL(i / SUM_STEPS, step), cells);
  }
  if (first_step == 0) {
    for (int cluster = item; cluster < CLUSTERS; cluster += SUM_GROUP) numbers[cluster] = 0;
  }
#if SUM_BATCH > 1
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
  const int begin = (int)set * chunk;
  const int end = min(begin + chunk, count);
  int point = begin;
#if SUM_BATCH > 1
  const int step = min(first_step + item, end_step - 1);
  const bool sums = first_step + item < end_step;
  for (; point + SUM_BATCH <= end; point += SUM_BATCH) {
    int4 clusters[SUM_BATCH / 4];
    feature_t values[SUM_BATCH];
    UNROLL_WHOLE
    for (int i = 0; i < SUM_BATCH / 4; ++i) clusters[i] = *(global const int4*)(assignments + point + 4 * i);
    UNROLL_WHOLE
    for (int i = 0; i < SUM_BATCH; ++i) values[i] = LOAD_FEATURE(base_of(point + i), step);
    if (sums) {
      UNROLL_WHOLE
      for (int i = 0; i < SUM_BATCH; i += 4) {
        const int4 four = clusters[i / 4];
        const int at[4] = {CELL(four.x, step), CELL(four.y, step), CELL(four.z, step), CELL(four.w, step)};
        add_four(cells, at, values + i);
      }
    }
    if (first_step == 0 && item < SUM_BATCH) COUNT(numbers[assignments[point + item]]);
  }
#endif
  UNROLL_LOOP(4)
  for (; point < end; ++point) {
    const int cluster = assignments[point];
    const size_t base = base_of(point);
    for (int step = first_step + item; step < end_step; step += SUM_GROUP) {
      add_to_sum(cells, CELL(cluster, step), LOAD_FEATURE(base, step));
    }
    if (counts) COUNT(numbers[cluster]);
  }
#if SUMS_ON_CHIP
#if SUM_BATCH > 1
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (int i = item; i < CLUSTERS * SUM_STEPS; i += SUM_GROUP) {
    const int cluster = i / SUM_STEPS;
    const int step = first_step + i % SUM_STEPS;
    if (step < end_step) {
      STORE_SUM(LOAD_SUM(CELL(cluster, step), cells), cluster * CENTROID_STRIDE + step * FEATURE_LANES,
                partial + set * SET);
    }
  }
  if (first_step == 0) {
    for (int cluster = item; cluster < CLUSTERS; cluster += SUM_GROUP) {
      partial_numbers[set * CLUSTERS + cluster] = numbers[cluster];
    }
  }
#endif
}
