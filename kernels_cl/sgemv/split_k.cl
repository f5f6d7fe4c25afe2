// The variant split_k of sgemv.cl: the terms are divided among groups as well. There is a `gemv` for plain A and two
// for transposed A, the second for groups of one item, and `reduce`, which adds the chunks.

#define SLICES (WORK_GROUP / ROW_LANES)
// Elements that the lanes of a row read in one step.
#define STRIP (ROW_LANES * VECTOR_WIDTH)

// VECTOR_WIDTH elements of a row by loads that are ROW_LANES loads apart: together the lanes read a strip without gaps.
// LOAD is LOAD_A or LOAD_X.
#if LOAD_WIDTH == VECTOR_WIDTH
#define STRIP_OF(LOAD, row) LOAD(row)
#elif VECTOR_WIDTH == 8
#define STRIP_OF(LOAD, row) (float8)(LOAD(row), LOAD((row) + 4 * ROW_LANES))
#else
#define STRIP_OF(LOAD, row) \
  (float16)(LOAD(row), LOAD((row) + 4 * ROW_LANES), LOAD((row) + 8 * ROW_LANES), LOAD((row) + 12 * ROW_LANES))
#endif

// Stores the result of a sum of all terms, or a chunk's sum for `reduce`.
static inline void emit(const int output, const float sum, const int outputs, const float alpha, const float beta,
                        global const float* y_in, global float* y, global float* partial) {
  if (PARTIAL) {
    partial[get_group_id(1) * (size_t)outputs + output] = sum;
  } else {
    y[output] = result(sum, alpha, beta, y_in + output);
  }
}

#if !TRANSPOSED
#include "sgemv/split_k_plain.cl"
#elif ROW_LANES > 1
#include "sgemv/split_k_transposed.cl"
#else
#include "sgemv/split_k_single_item.cl"
#endif

// Adds the chunks of each output. With REDUCE_OUTPUTS < REDUCE_GROUP several lanes share an output, as there may be few
// outputs and many chunks.
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
