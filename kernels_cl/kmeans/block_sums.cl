// `sums` of kmeans.cl by blocks, PARTIAL_SUMS_PER_BLOCK: a work-item has one point, and the work-items of a group add the numbers
// of a cluster's points by a tree, for one cluster and one feature after the other.

// The sum of `value` over the group, for its first work-item; what the others get is no sum.
INLINED float sum_of_block(local float* cells, const float value, const int item) {
  cells[item] = value;
  for (int half_size = WORK_GROUP / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) cells[item] += cells[item + half_size];
  }
  const float sum = cells[item];
  // Before a cell is overwritten.
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
}

// Group g has the `chunk` = WORK_GROUP points from g * chunk on. A count of points is exact as a float.
kernel GROUP_OF(WORK_GROUP, 1) void sums(POINTS_ARGUMENT points, global const int* restrict assignments,
                                         global float* restrict partial, global int* restrict partial_numbers,
                                         const int count, const int chunk, const ulong stride) {
  local float cells[WORK_GROUP];
  const int item = get_local_id(0);
  const size_t set = get_group_id(0);
  const int point = (int)set * chunk + item;
  const int assigned = point < count ? assignments[point] : -1;
  const size_t base = base_of(min(point, count - 1));
  const size_t to_next = LAYOUT == LAYOUT_AOS ? 1 : step_stride(stride);
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    const float number = sum_of_block(cells, assigned == cluster ? 1 : 0, item);
    if (item == 0) partial_numbers[set * CLUSTERS + cluster] = (int)number;
    for (int feature = 0; feature < CENTROID_STRIDE; ++feature) {
      const bool adds = assigned == cluster && feature < FEATURES;
      const float value = adds ? load_one(points, base + feature * to_next) : 0;
      const float sum = sum_of_block(cells, value, item);
      if (item == 0) partial[set * SET + cluster * CENTROID_STRIDE + feature] = sum;
    }
  }
}
