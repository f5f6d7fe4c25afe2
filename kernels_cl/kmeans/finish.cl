// `finish` of kmeans.cl, the last kernel of the variants reduce and fused.

// The new centroids from the partial sums of `sets` work-groups. Group g computes the FINISH_OUTPUTS numbers from
// g * FINISH_OUTPUTS on; each of the FINISH_LANES lanes of an output adds every FINISH_LANES-th set.
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
