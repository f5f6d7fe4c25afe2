// The variant split_k of sgemv.cl for transposed A whose rows are short and follow each other without gaps: VECTOR_WIDTH
// rows are SHORT_ROWS whole vectors. A work-item adds these vectors element by element, and the elements of a column at the
// end: loads and arithmetic are whole vectors, however short a row is.
//
// Limit: reading A and x. On two CPU cores, 11321388 rows of 2 take 2.8 ms, and 25 if rows are padded to 16 elements.

#define STEP_ROWS (WORK_GROUP * VECTOR_WIDTH)

// Element `e` of the j-th vector belongs to this row of the VECTOR_WIDTH, and to this column.
#define ROW_OF(j, e) (((j) * VECTOR_WIDTH + (e)) / SHORT_ROWS)
#define COLUMN_OF(j, e) (((j) * VECTOR_WIDTH + (e)) % SHORT_ROWS)

INLINED void fold_rows(realv* sums, global const float* rows, global const float* x) {
  const realv factors = *(global const realv*)x;
  UNROLL_WHOLE
  for (int j = 0; j < SHORT_ROWS; ++j) {
    realv spread;  // constant indices after unrolling: a permutation of registers
    UNROLL_WHOLE
    for (int e = 0; e < VECTOR_WIDTH; ++e) ((float*)&spread)[e] = ((const float*)&factors)[ROW_OF(j, e)];
    sums[j] = MULTIPLY_ADD(((global const realv*)rows)[j], spread, sums[j]);
  }
}

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* partial,
          global flag_t* left, const int chunk) {
  local float folded[SHORT_ROWS][WORK_GROUP];
  local int is_last;
  const int item = (int)get_local_id(0);
  const int begin = (int)get_group_id(1) * chunk;
  const int end = begin + min(chunk, terms - begin);

  realv sums[SHORT_ROWS];
  UNROLL_WHOLE
  for (int j = 0; j < SHORT_ROWS; ++j) sums[j] = 0.0f;
  int k = begin + item * VECTOR_WIDTH;
  for (; k <= end - VECTOR_WIDTH - (ROWS_AT_ONCE - 1) * STEP_ROWS; k += ROWS_AT_ONCE * STEP_ROWS) {
    UNROLL_LOOP(ROWS_AT_ONCE)
    for (int u = 0; u < ROWS_AT_ONCE; ++u) {
      fold_rows(sums, matrix + (size_t)(k + u * STEP_ROWS) * SHORT_ROWS, x + k + u * STEP_ROWS);
    }
  }
  for (; k <= end - VECTOR_WIDTH; k += STEP_ROWS) fold_rows(sums, matrix + (size_t)k * SHORT_ROWS, x + k);

  float totals[SHORT_ROWS];
  UNROLL_WHOLE
  for (int c = 0; c < SHORT_ROWS; ++c) totals[c] = 0.0f;
  for (int row = k; row < min(k + VECTOR_WIDTH, end); ++row) {
    UNROLL_WHOLE
    for (int c = 0; c < SHORT_ROWS; ++c) {
      totals[c] = MULTIPLY_ADD(matrix[(size_t)row * SHORT_ROWS + c], x[row], totals[c]);
    }
  }
  UNROLL_WHOLE
  for (int j = 0; j < SHORT_ROWS; ++j) {
    UNROLL_WHOLE
    for (int e = 0; e < VECTOR_WIDTH; ++e) totals[COLUMN_OF(j, e)] += ((const float*)&sums[j])[e];
  }

  UNROLL_WHOLE
  for (int c = 0; c < SHORT_ROWS; ++c) folded[c][item] = totals[c];
  for (int half_width = WORK_GROUP / 2; half_width > 0; half_width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_width) {
      for (int c = 0; c < SHORT_ROWS; ++c) folded[c][item] += folded[c][item + half_width];
    }
  }
  if (item == 0) {
    for (int c = 0; c < SHORT_ROWS; ++c) emit(c, folded[c][0], outputs, alpha, beta, y_in, y, partial);
  }
  if (FINISHES) add_chunks_if_last(outputs, alpha, beta, partial, y_in, y, left, folded[0], &is_last);
}
