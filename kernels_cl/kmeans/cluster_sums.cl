// `cluster_sums` of kmeans.cl: centroids without partial sums, a work-group for each cluster. It takes the
// place of `sums` and `finish` where clusters are many and have few points each, LAYOUT_AOS.

// Points whose assignments a group reads before its work-items wait for each other: two vectors for each.
#define SCANNED (8 * WORK_GROUP)
#define OWN_ROWS CEIL_DIV(SUM_STEPS, SUM_GROUP)
// Rows that are loaded before any is added.
#define ROWS_AT_ONCE 8

// Four assignments, -1 for points that do not exist.
INLINED int4 load_assignments(global const int* assignments, const int point, const int count) {
  if (point + 4 <= count) return *(global const int4*)(assignments + point);
  int four[4];
  for (int i = 0; i < 4; ++i) four[i] = point + i < count ? assignments[point + i] : -1;
  return vload4(0, four);
}

// Appends the points in `cluster` to `list`. It begins behind the first `added` of them: these have been added.
INLINED void append(local int* list, local int* listed, const int added, const int4 chosen, const int cluster,
                    const int point) {
  if (chosen.x == cluster) list[atomic_inc(listed) - added] = point;
  if (chosen.y == cluster) list[atomic_inc(listed) - added] = point + 1;
  if (chosen.z == cluster) list[atomic_inc(listed) - added] = point + 2;
  if (chosen.w == cluster) list[atomic_inc(listed) - added] = point + 3;
}

// Adds the vectors of a work-item, from `first` on, of the points in the list. After the last vector of a row
// it is the last one again, for sums that are not stored.
INLINED void add_rows(row_t* sums, POINTS points, local const int* list, const int listed, const int first) {
  UNROLL_WHOLE
  for (int own = 0; own < OWN_ROWS; ++own) {
    const int feature = min(first + own * SUM_GROUP, ROW / ROW_LANES - 1) * ROW_LANES;
    row_t sum = sums[own];
    for (int at = 0; at < listed; at += ROWS_AT_ONCE) {
      row_t rows[ROWS_AT_ONCE];
      UNROLL_WHOLE
      for (int i = 0; i < ROWS_AT_ONCE; ++i) {
        rows[i] = load_row(points, base_of(list[min(at + i, listed - 1)]) + feature);
      }
      UNROLL_WHOLE
      for (int i = 0; i < ROWS_AT_ONCE; ++i) {
        if (at + i < listed) sum += rows[i];
      }
    }
    sums[own] = sum;
  }
}

// Group g makes SUM_STEPS vectors of ROW_LANES features of the centroid of cluster g / SUM_BLOCKS: block g %
// SUM_BLOCKS. The points of the cluster go to a list, which is added when another SCANNED points might not
// fit, and at the end. Their order may be another in each run.
kernel GROUP_OF(SUM_GROUP, 1) void cluster_sums(POINTS_ARGUMENT points,
                                                global const int* restrict assignments,
                                                global const float* restrict previous,
                                                global float* restrict next, const int count) {
  local int list[LIST];
  local int listed;  // since the start
  const int item = get_local_id(0);
  const int cluster = (int)get_group_id(0) / SUM_BLOCKS;
  const int first_step = (int)get_group_id(0) % SUM_BLOCKS * SUM_STEPS;
  const int first = first_step + item;
  row_t sums[OWN_ROWS];
  UNROLL_WHOLE
  for (int own = 0; own < OWN_ROWS; ++own) sums[own] = (row_t)(0);
  int added = 0;
  if (item == 0) listed = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int begin = 0; begin < count; begin += SCANNED) {
    const int point = begin + 4 * item;
    const int4 chosen = load_assignments(assignments, point, count);
    const int4 others = load_assignments(assignments, point + SCANNED / 2, count);
    append(list, &listed, added, chosen, cluster, point);
    append(list, &listed, added, others, cluster, point + SCANNED / 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int found = listed;
    if (found - added > LIST - SCANNED || begin + SCANNED >= count) {
      add_rows(sums, points, list, found - added, first);
      added = found;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  UNROLL_WHOLE
  for (int own = 0; own < OWN_ROWS; ++own) {
    float lanes[ROW_LANES];
    STORE_ROW(sums[own], lanes);
    const int step = first + own * SUM_GROUP;
    UNROLL_WHOLE
    for (int lane = 0; lane < ROW_LANES; ++lane) {
      const int feature = step * ROW_LANES + lane;
      if (step < first_step + SUM_STEPS && feature < CENTROID_STRIDE) {
        const size_t index = (size_t)cluster * CENTROID_STRIDE + feature;
        const float mean = added > 0 ? lanes[lane] / (float)added : previous[index];
        next[index] = feature < FEATURES ? mean : 0;
      }
    }
  }
}
