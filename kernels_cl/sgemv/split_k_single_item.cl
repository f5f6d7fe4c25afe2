// The variant split_k of sgemv.cl for transposed A, in groups of one item.
//
// Limit: reading A, if loops over rows are unrolled: as a loop of one load and one multiplication, which PoCL's compiler
// otherwise leaves, two cores take twice as long for 22 MB that the cache holds.

// sum + factors[0] * first row + factors[1] * second row ..., of one vector of columns; `number` is at most ROWS_AT_ONCE.
INLINED realv add_products(realv sum, global const float* rows, const ulong ld, global const float* factors,
                           const int number) {
  UNROLL_WHOLE
  for (int r = 0; r < ROWS_AT_ONCE; ++r) {
    if (r < number) sum = MULTIPLY_ADD(LOAD_A(rows + r * ld), (realv)(factors[r]), sum);
  }
  return sum;
}

// Adds `number` rows to sums[0 .. width), or begins these if `is_first`; `width` is a multiple of VECTOR_WIDTH. The
// columns behind them are summed in `rest`, which stays in a register; its elements beyond the row mean nothing.
INLINED void add_rows(global float* sums, realv* rest, global const float* rows, const ulong ld,
                      global const float* factors, const int width, const bool has_rest, const int number,
                      const bool is_first) {
  for (int c = 0; c < width; c += VECTOR_WIDTH) {
    const realv sum = is_first ? (realv)(0.0f) : LOADV(c, sums);
    *(global packed_realv*)(sums + c) = add_products(sum, rows + c, ld, factors, number);
  }
  if (has_rest) *rest = add_products(*rest, rows + width, ld, factors, number);
}

kernel GROUP_OF(1, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* partial,
          global flag_t* left, const int chunk) {
  const int column = (int)get_group_id(0) * COLUMNS_PER_ITEM;
  const int width = min(COLUMNS_PER_ITEM, outputs - column);
  const int whole = width / VECTOR_WIDTH * VECTOR_WIDTH;
  global float* sums = PARTIAL ? partial + get_group_id(1) * (size_t)outputs + column : y + column;
  realv rest = 0.0f;
  const int begin = (int)get_group_id(1) * chunk;
  const int end = begin + min(chunk, terms - begin);
  // The first step has 1 to ROWS_AT_ONCE rows, so that the others are whole.
  const int first = (end - begin - 1) % ROWS_AT_ONCE + 1;
  add_rows(sums, &rest, matrix + begin * ld + column, ld, x + begin, whole, whole < width, first, true);
  for (int k = begin + first; k < end; k += ROWS_AT_ONCE) {
    add_rows(sums, &rest, matrix + k * ld + column, ld, x + k, whole, whole < width, ROWS_AT_ONCE, false);
  }
  for (int c = whole; c < width; ++c) sums[c] = ((const float*)&rest)[c - whole];
  if (PARTIAL) return;
  for (int c = 0; c < width; ++c) sums[c] = result(sums[c], alpha, beta, y_in + column + c);
}
