// The variant split_k of sgemv.cl for transposed A, in groups of one item.

// sums[0 .. width) += factors[0] * first row + factors[1] * second row ...
static inline void add_rows(global float* sums, global const float* rows, const ulong ld,
                            global const float* factors, const int width, const int number) {
  int c = 0;
  for (; c <= width - VECTOR_WIDTH; c += VECTOR_WIDTH) {
    realv sum = LOADV(c, sums);
    for (int r = 0; r < number; ++r) sum = MULTIPLY_ADD(LOAD_A(rows + r * ld + c), (realv)(factors[r]), sum);
    STOREV(sum, c, sums);
  }
  for (; c < width; ++c) {
    float sum = sums[c];
    for (int r = 0; r < number; ++r) sum = MULTIPLY_ADD(rows[r * ld + c], factors[r], sum);
    sums[c] = sum;
  }
}

#define ROWS_AT_ONCE (GRANULARITY * UNROLL)

kernel GROUP_OF(1, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* partial,
          global flag_t* left, const int chunk) {
  const int column = (int)get_group_id(0) * COLUMNS_PER_ITEM;
  const int width = min(COLUMNS_PER_ITEM, outputs - column);
  global float* sums = partial + get_group_id(1) * (size_t)outputs + column;
  int k = (int)get_group_id(1) * chunk;
  const int end = k + min(chunk, terms - k);
  for (int c = 0; c < width; ++c) sums[c] = 0.0f;
  for (; k <= end - ROWS_AT_ONCE; k += ROWS_AT_ONCE) {
    add_rows(sums, matrix + k * ld + column, ld, x + k, width, ROWS_AT_ONCE);
  }
  for (; k < end; ++k) add_rows(sums, matrix + k * ld + column, ld, x + k, width, 1);
}
