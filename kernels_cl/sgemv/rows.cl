// The variants row_per_item and row_per_group of sgemv.cl: A and x are read from global memory. In row_per_group the
// sums of a group's items are added in local memory, slot by slot.

#if VARIANT == VARIANT_ROW_PER_ITEM

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y) {
  const int first = (int)get_group_id(0) * GRANULARITY * WORK_GROUP + (int)get_local_id(0);
  realv sums[GRANULARITY];
  global const float* slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    slots[g] = matrix + slot_offset(first + g * WORK_GROUP, outputs, ld);
  }
  fold(sums, slots, ld, x, terms, 0, 1);
  FOR_EACH_SLOT(g) finish(first + g * WORK_GROUP, sums[g], outputs, alpha, beta, y_in, y);
}

#elif VARIANT == VARIANT_ROW_PER_GROUP

#if TRANSPOSED
typedef realv shared_sum;
#define TO_SHARED(v) (v)
#else
typedef float shared_sum;
#define TO_SHARED(v) SUMV(v)
#endif

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y) {
  local shared_sum shared[WORK_GROUP];
  const int lane = (int)get_local_id(0);
  const int first = (int)get_group_id(0) * GRANULARITY;
  realv sums[GRANULARITY];
  global const float* slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    slots[g] = matrix + slot_offset(first + g, outputs, ld);
  }
  fold(sums, slots, ld, x, terms, lane, WORK_GROUP);
  FOR_EACH_SLOT(g) {
    shared[lane] = TO_SHARED(sums[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_width = WORK_GROUP / 2; half_width > 0; half_width /= 2) {
      if (lane < half_width) shared[lane] += shared[lane + half_width];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    // finish() adds up the elements of a vector over terms; here the sum is complete, or a vector over outputs.
    if (lane == 0) {
      realv sum = 0.0f;
#if TRANSPOSED
      sum = shared[0];
#else
      FIRST(sum) = shared[0];
#endif
      finish(first + g, sum, outputs, alpha, beta, y_in, y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif
