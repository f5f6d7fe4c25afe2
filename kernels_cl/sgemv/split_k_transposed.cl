// The variant split_k of sgemv.cl for transposed A, ROW_LANES > 1.

static inline void fold_row(realv* sums, global const float* row, const int* slots, const float factor) {
  FOR_EACH_SLOT(g) sums[g] = MULTIPLY_ADD(STRIP_OF(LOAD_A, row + slots[g]), (realv)(factor), sums[g]);
}

// The inverse of STRIP_OF, to local memory.
static inline void store_strip(local float* row, const realv strip) {
#if LOAD_WIDTH == VECTOR_WIDTH
  STOREV(strip, 0, row);
#elif VECTOR_WIDTH == 8
  vstore4(strip.lo, 0, row);
  vstore4(strip.hi, 0, row + 4 * ROW_LANES);
#else
  vstore4(strip.lo.lo, 0, row);
  vstore4(strip.lo.hi, 0, row + 4 * ROW_LANES);
  vstore4(strip.hi.lo, 0, row + 8 * ROW_LANES);
  vstore4(strip.hi.hi, 0, row + 12 * ROW_LANES);
#endif
}

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* partial,
          global flag_t* left, const int chunk) {
  local float folded[SLICES][STRIP];
  local int is_last;
  const int item = (int)get_local_id(0);
  const int slice = item / ROW_LANES;
  const int group_column = (int)get_group_id(0) * STRIP * GRANULARITY;
  const int column = group_column + item % ROW_LANES * LOAD_WIDTH;
  const int begin = (int)get_group_id(1) * chunk;
  const int end = begin + min(chunk, terms - begin);

  realv sums[GRANULARITY];
  int slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    // Slots past the end of a row read the last one within it, which is cheaper than a branch.
    slots[g] = min(g, max(0, outputs - 1 - column) / STRIP) * STRIP;
  }
  // The slices take terms in turn, so that the whole group reads one contiguous range of rows.
  int k = column < outputs ? begin + slice : end;
  for (; k < end - (UNROLL - 1) * SLICES; k += UNROLL * SLICES) {
    UNROLL_LOOP(UNROLL)
    for (int u = 0; u < UNROLL; ++u) {
      fold_row(sums, matrix + (size_t)(k + u * SLICES) * ld + column, slots, x[k + u * SLICES]);
    }
  }
  for (; k < end; k += SLICES) fold_row(sums, matrix + (size_t)k * ld + column, slots, x[k]);

  FOR_EACH_SLOT(g) {
    store_strip(&folded[slice][item % ROW_LANES * LOAD_WIDTH], sums[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = item; c < STRIP; c += WORK_GROUP) {
      float sum = folded[0][c];
      for (int s = 1; s < SLICES; ++s) sum += folded[s][c];
      const int output = group_column + g * STRIP + c;
      if (output < outputs) emit(output, sum, outputs, alpha, beta, y_in, y, partial);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (FINISHES) add_chunks_if_last(outputs, alpha, beta, partial, y_in, y, left, folded[0], &is_last);
}
