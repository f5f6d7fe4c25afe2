// The variant split_k of sgemv.cl: the terms are divided among groups as well. There are two `gemv` for plain A, the second
// for short rows, and three for transposed A, the second for short rows, the third for groups of one item; and `reduce`,
// which adds the chunks where groups do not.
#include "ordering.cl"

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

// Adds the chunks of the outputs from `first` on, as many as `together`, in a group of `items`: where these are more,
// several share an output, as there may be few outputs and many chunks.
static inline void add_chunks(const int first, const int together, const int items, const int outputs, const int chunks,
                              const float alpha, const float beta, global const float* partial,
                              global const float* y_in, global float* y, local float* folded) {
  const int item = (int)get_local_id(0);
  const int output = first + item % together;
  float sum = 0.0f;
  if (output < outputs) {
    UNROLL_LOOP(8)
    for (int c = item / together; c < chunks; c += items / together) sum += partial[c * (size_t)outputs + output];
  }
  if (together < items) {
    folded[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int i = item % together; i < min(items, chunks * together); i += together) sum += folded[i];
  }
  if (item < together && output < outputs) y[output] = result(sum, alpha, beta, y_in + output);
}

#define FINISHES (PARTIAL && FINISH == FINISH_GROUP)
#if SHORT_ROWS > 0
#define GROUP_OUTPUTS REDUCE_OUTPUTS
#else
#define GROUP_OUTPUTS (GRANULARITY * (TRANSPOSED ? STRIP : SLICES))
#endif
#define TOGETHER (GROUP_OUTPUTS < WORK_GROUP ? GROUP_OUTPUTS : WORK_GROUP)

// Adds all chunks of the group's outputs if it is the last that has left its sums of them. `left` has a count for each
// range of outputs, of the groups that did: 0 before and behind the launch.
static inline void add_chunks_if_last(const int outputs, const float alpha, const float beta, global const float* partial,
                                      global const float* y_in, global float* y, global flag_t* left,
                                      local float* folded, local int* is_last) {
  const int range = (int)get_group_id(0);
  const int chunks = (int)get_num_groups(1);
  if (!is_last_of((uint)chunks, left + range, is_last)) return;
  for (int o = 0; o < GROUP_OUTPUTS; o += TOGETHER) {
    add_chunks(range * GROUP_OUTPUTS + o, TOGETHER, WORK_GROUP, outputs, chunks, alpha, beta, partial, y_in, y, folded);
  }
}

// Rows of A, or vectors of rows, that a work-item takes at once.
#define ROWS_AT_ONCE (GRANULARITY * UNROLL)

// Vectors that need no alignment beyond the element's. PoCL stores a float16 by vstore16 in three parts.
typedef realv packed_realv __attribute__((aligned(4)));

#if !TRANSPOSED && SHORT_ROWS > 0
#include "sgemv/split_k_short_rows_plain.cl"
#elif !TRANSPOSED
#include "sgemv/split_k_plain.cl"
#elif SHORT_ROWS > 0
#include "sgemv/split_k_short_rows.cl"
#elif ROW_LANES > 1
#include "sgemv/split_k_transposed.cl"
#else
#include "sgemv/split_k_single_item.cl"
#endif

// Adds the chunks of each output.
kernel GROUP_OF(REDUCE_GROUP, 1)
void reduce(const int outputs, const int chunks, const float alpha, const float beta,
            global const float* restrict partial, global const float* restrict y_in,
            global float* restrict y) {
  local float folded[REDUCE_GROUP];
  add_chunks((int)get_group_id(0) * REDUCE_OUTPUTS, REDUCE_OUTPUTS, REDUCE_GROUP, outputs, chunks, alpha, beta, partial, y_in,
             y, folded);
}
