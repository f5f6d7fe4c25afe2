// The variant split_k of sgemv.cl for plain A.

static inline void fold_strip(realv* sums, global const float* const* rows, global const float* x, const int k) {
  const realv factor = STRIP_OF(LOAD_X, x + k);
  FOR_EACH_SLOT(g) sums[g] = MULTIPLY_ADD(STRIP_OF(LOAD_A, rows[g] + k), factor, sums[g]);
}

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* partial,
          global flag_t* left, const int chunk) {
  local float folded[GRANULARITY][WORK_GROUP];
  local int is_last;
  const int item = (int)get_local_id(0);
  const int lane = item % ROW_LANES;
  const int first = (int)get_group_id(0) * SLICES * GRANULARITY + item / ROW_LANES;
  const int begin = (int)get_group_id(1) * chunk;
  const int end = begin + min(chunk, terms - begin);
  int k = first < outputs ? begin : end;

  realv sums[GRANULARITY];
  global const float* rows[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    rows[g] = matrix + (size_t)min(first + g * SLICES, outputs - 1) * ld;
  }
  for (; k <= end - UNROLL * STRIP; k += UNROLL * STRIP) {
    UNROLL_LOOP(UNROLL)
    for (int u = 0; u < UNROLL; ++u) fold_strip(sums, rows, x, k + u * STRIP + lane * LOAD_WIDTH);
  }
  for (; k <= end - STRIP; k += STRIP) fold_strip(sums, rows, x, k + lane * LOAD_WIDTH);
  for (k += lane; k < end; k += ROW_LANES) {
    FOR_EACH_SLOT(g) FIRST(sums[g]) = MULTIPLY_ADD(rows[g][k], x[k], FIRST(sums[g]));
  }

  FOR_EACH_SLOT(g) folded[g][item] = SUMV(sums[g]);
  for (int half_width = ROW_LANES / 2; half_width > 0; half_width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_width) {
      FOR_EACH_SLOT(g) folded[g][item] += folded[g][item + half_width];
    }
  }
  FOR_EACH_SLOT(g) {
    const int row = first + g * SLICES;
    if (lane == 0 && row < outputs) emit(row, folded[g][item], outputs, alpha, beta, y_in, y, partial);
  }
  if (FINISHES) add_chunks_if_last(outputs, alpha, beta, partial, y_in, y, left, folded[0], &is_last);
}
