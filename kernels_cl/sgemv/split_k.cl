// The variant split_k of sgemv.cl: groups share out the terms, too. There is a `gemv` for plain A, one for transposed A
// with ROW_LANES > 1, one for a transposed item alone, and `reduce`, which adds the chunks.

#define SLICES (WORK_GROUP / ROW_LANES)
// Elements that the lanes of a row read in one step.
#define STRIP (ROW_LANES * VECTOR_WIDTH)
// Columns whose sums an item that works alone keeps in its first-level cache (16 KiB).
#define COLUMNS_ALONE 4096

// VECTOR_WIDTH elements of a row in pieces that lie ROW_LANES pieces apart: together the lanes read a strip without
// gaps. LOAD is LOAD_PIECE or LOAD_X.
#if PIECE == VECTOR_WIDTH
#define STRIP_OF(LOAD, row) LOAD(row)
#elif VECTOR_WIDTH == 8
#define STRIP_OF(LOAD, row) (float8)(LOAD(row), LOAD((row) + 4 * ROW_LANES))
#else
#define STRIP_OF(LOAD, row) \
  (float16)(LOAD(row), LOAD((row) + 4 * ROW_LANES), LOAD((row) + 8 * ROW_LANES), LOAD((row) + 12 * ROW_LANES))
#endif

// A sum of all terms becomes a result; one of a chunk is left to `reduce`.
void emit(const int output, const float sum, const int outputs, const float alpha, const float beta,
          global const float* y_in, global float* y, global float* partial) {
  if (PARTIAL) {
    partial[get_group_id(1) * (size_t)outputs + output] = sum;
  } else {
    y[output] = result(sum, alpha, beta, y_in + output);
  }
}

#if !TRANSPOSED

void fold_strip(realv* sums, global const float* const* rows, global const float* x, const int k) {
  const realv factor = STRIP_OF(LOAD_X, x + k);
  FOR_EACH_SLOT(g) sums[g] = MULTIPLY_ADD(STRIP_OF(LOAD_PIECE, rows[g] + k), factor, sums[g]);
}

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* restrict partial,
          const int chunk) {
  local float folded[GRANULARITY][WORK_GROUP];
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
    for (int u = 0; u < UNROLL; ++u) fold_strip(sums, rows, x, k + u * STRIP + lane * PIECE);
  }
  for (; k <= end - STRIP; k += STRIP) fold_strip(sums, rows, x, k + lane * PIECE);
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
  if (lane > 0) return;
  FOR_EACH_SLOT(g) {
    const int row = first + g * SLICES;
    if (row < outputs) emit(row, folded[g][item], outputs, alpha, beta, y_in, y, partial);
  }
}

#elif ROW_LANES > 1

void fold_row(realv* sums, global const float* row, const int* slots, const float factor) {
  FOR_EACH_SLOT(g) sums[g] = MULTIPLY_ADD(STRIP_OF(LOAD_PIECE, row + slots[g]), (realv)(factor), sums[g]);
}

// The inverse of STRIP_OF, to local memory.
void store_strip(local float* row, const realv strip) {
#if PIECE == VECTOR_WIDTH
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
          global const float* restrict y_in, global float* restrict y, global float* restrict partial,
          const int chunk) {
  local float folded[SLICES][STRIP];
  const int item = (int)get_local_id(0);
  const int slice = item / ROW_LANES;
  const int group_column = (int)get_group_id(0) * STRIP * GRANULARITY;
  const int column = group_column + item % ROW_LANES * PIECE;
  const int begin = (int)get_group_id(1) * chunk;
  const int end = begin + min(chunk, terms - begin);

  realv sums[GRANULARITY];
  int slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    // Slots past the end of a row read the last one within it, which costs less than a branch.
    slots[g] = min(g, max(0, outputs - 1 - column) / STRIP) * STRIP;
  }
  // The slices take terms in turn, so that the whole group walks down one stretch of A.
  int k = column < outputs ? begin + slice : end;
  for (; k < end - (UNROLL - 1) * SLICES; k += UNROLL * SLICES) {
    UNROLL_LOOP(UNROLL)
    for (int u = 0; u < UNROLL; ++u) {
      fold_row(sums, matrix + (size_t)(k + u * SLICES) * ld + column, slots, x[k + u * SLICES]);
    }
  }
  for (; k < end; k += SLICES) fold_row(sums, matrix + (size_t)k * ld + column, slots, x[k]);

  FOR_EACH_SLOT(g) {
    store_strip(&folded[slice][item % ROW_LANES * PIECE], sums[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = item; c < STRIP; c += WORK_GROUP) {
      float sum = folded[0][c];
      for (int s = 1; s < SLICES; ++s) sum += folded[s][c];
      const int output = group_column + g * STRIP + c;
      if (output < outputs) emit(output, sum, outputs, alpha, beta, y_in, y, partial);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#else

// sums[0 .. width) += factors[0] * first row + factors[1] * second row ...
void add_rows(global float* sums, global const float* rows, const ulong ld, global const float* factors,
              const int width, const int number) {
  int c = 0;
  for (; c <= width - VECTOR_WIDTH; c += VECTOR_WIDTH) {
    realv sum = LOADV(c, sums);
    for (int r = 0; r < number; ++r) sum = MULTIPLY_ADD(LOAD_PIECE(rows + r * ld + c), (realv)(factors[r]), sum);
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
          global const float* restrict y_in, global float* restrict y, global float* restrict partial,
          const int chunk) {
  const int column = (int)get_group_id(0) * COLUMNS_ALONE;
  const int width = min(COLUMNS_ALONE, outputs - column);
  global float* sums = partial + get_group_id(1) * (size_t)outputs + column;
  int k = (int)get_group_id(1) * chunk;
  const int end = k + min(chunk, terms - k);
  for (int c = 0; c < width; ++c) sums[c] = 0.0f;
  for (; k <= end - ROWS_AT_ONCE; k += ROWS_AT_ONCE) {
    add_rows(sums, matrix + k * ld + column, ld, x + k, width, ROWS_AT_ONCE);
  }
  for (; k < end; ++k) add_rows(sums, matrix + k * ld + column, ld, x + k, width, 1);
}

#endif

// Adds the chunks of each output. Where lanes are cheap several of them share an output, as there may be few outputs
// and many chunks.
#define REDUCE_GROUP 128
#define REDUCE_OUTPUTS (ROW_LANES > 1 ? 32 : REDUCE_GROUP)

kernel GROUP_OF(REDUCE_GROUP, 1)
void reduce(const int outputs, const int chunks, const float alpha, const float beta,
            global const float* restrict partial, global const float* restrict y_in,
            global float* restrict y) {
  local float folded[REDUCE_GROUP];
  const int item = (int)get_local_id(0);
  const int output = (int)get_group_id(0) * REDUCE_OUTPUTS + item % REDUCE_OUTPUTS;
  float sum = 0.0f;
  if (output < outputs) {
    for (int c = item / REDUCE_OUTPUTS; c < chunks; c += REDUCE_GROUP / REDUCE_OUTPUTS) {
      sum += partial[c * (size_t)outputs + output];
    }
  }
  if (REDUCE_OUTPUTS < REDUCE_GROUP) {
    folded[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int i = item % REDUCE_OUTPUTS; i < REDUCE_GROUP; i += REDUCE_OUTPUTS) sum += folded[i];
  }
  if (item < REDUCE_OUTPUTS && output < outputs) y[output] = result(sum, alpha, beta, y_in + output);
}
