// backprop: one step of training a network of one hidden layer by back propagation.
//
//   hidden  h_j = s(w_0j + sum of x_i w_ij)            s(t) = 1 / (1 + exp(-t)); row 0 of the weights is the bias
//   output  o_k = s(v_0k + sum of h_j v_jk)
//   errors  d_k = o_k (1 - o_k) (t_k - o_k),  e_j = h_j (1 - h_j) sum of d_k v_jk, with the weights before
//   changes of v_jk: rate d_k h_j + momentum * its last change; of w_ij: rate e_j x_i + momentum * its last change
//
// `forward` leaves a sum for each group and hidden unit, `finish` (or the host) adds these and does all that is small:
// hidden units, outputs, errors, the second layer's weights. `update` changes the first layer's weights. Memory is the
// limit: weights are read once forward, and they and their changes are read and written once backward.
//
// Source: S. Che et al., "A performance study of general-purpose applications on graphics processors using CUDA", Journal of
// Parallel and Distributed Computing 68(10), 2008, section 6.2: products in local memory, a combining tree in which half
// of the work-items drop out at each step, partial sums in global memory. The rule with momentum: D. E. Rumelhart, G. E.
// Hinton, R. J. Williams, "Learning representations by back-propagating errors", Nature 323, 1986.
//
// Index map: weights are rows of `vectors` vectors of VECTOR_WIDTH hidden units, a row for each input. A group has LANES
// columns of them, those of its second number, and WORK_GROUP / LANES rows at a time; work-item i has column i % LANES and
// row i / LANES of these. GRANULARITY times so many rows are a chunk. In VARIANT_BLOCKS a group has one chunk, in
// VARIANT_STRIDED every so-manieth of them.
//
// Macro          meaning
// VARIANT        VARIANT_BLOCKS, VARIANT_STRIDED
// WORK_GROUP     work-items of a group
// GRANULARITY    rows of a work-item in a chunk
// VECTOR_WIDTH   neighbouring hidden units in a vector
// UNROLL         of the loop over the rows of a chunk
// PADDING        rows of weights are padded by zeros to a multiple of this many units (0: of VECTOR_WIDTH); done by the host
// REDUCTION      how a group adds its rows: REDUCTION_TREE, REDUCTION_ITEM (a work-item for each column), REDUCTION_SUB_GROUP
//                (shuffles among lanes, then as ITEM)
// FINISH         FINISH_DEVICE, FINISH_HOST: who does what is small
// GROUPS         VARIANT_STRIDED: groups for each unit of the device; the host launches them
// and from the host LANES, a power of two, and those of lanes.cl

#include "lanes.cl"

#define ROWS (WORK_GROUP / LANES)
#define ANY_KERNEL kernel LANES_OF_SUB_GROUP GROUP_OF(WORK_GROUP, 1)

#if SHUFFLE
INLINED uint item_number(void) { return lanes_number() * SUB_GROUP + lane_number(); }
#else
INLINED uint item_number(void) { return get_local_id(0); }
#endif

// Row 0 is the bias, whose input is 1.
static inline float input_of_row(const global float* inputs, const uint row) { return row == 0 ? 1.0f : inputs[row - 1]; }

#include "backprop/reduction.cl"
#if FINISH == FINISH_DEVICE
#include "backprop/finish.cl"
#endif

// `partial` has a row for each group.
ANY_KERNEL void forward(const global realv* restrict weights, const global float* restrict inputs,
                        global realv* restrict partial, const uint rows, const uint vectors, const uint chunks) {
  local realv products[WORK_GROUP];
  const uint item = item_number();
  const uint column = get_group_id(1) * LANES + item % LANES;
  realv sum = 0.0f;
  if (column < vectors) {
    for (uint chunk = get_group_id(0); chunk < chunks; chunk += get_num_groups(0)) {
      UNROLL_LOOP(UNROLL)
      for (uint g = 0; g < GRANULARITY; ++g) {
        const uint row = (chunk * GRANULARITY + g) * ROWS + item / LANES;
        if (row < rows) {
          sum = MULTIPLY_ADD((realv)(input_of_row(inputs, row)), weights[(size_t)row * vectors + column], sum);
        }
      }
    }
  }
  sum = sum_of_rows(sum, products, item);
  if (item < LANES && column < vectors) partial[get_group_id(0) * (size_t)vectors + column] = sum;
}

ANY_KERNEL void update(global realv* restrict weights, global realv* restrict changes, const global float* restrict inputs,
                       const global realv* restrict errors, const uint rows, const uint vectors, const uint chunks,
                       const float rate, const float momentum) {
  const uint item = item_number();
  const uint column = get_group_id(1) * LANES + item % LANES;
  if (column >= vectors) return;
  const realv error = rate * errors[column];
  for (uint chunk = get_group_id(0); chunk < chunks; chunk += get_num_groups(0)) {
    UNROLL_LOOP(UNROLL)
    for (uint g = 0; g < GRANULARITY; ++g) {
      const uint row = (chunk * GRANULARITY + g) * ROWS + item / LANES;
      if (row < rows) {
        const size_t at = (size_t)row * vectors + column;
        const realv change = MULTIPLY_ADD(error, (realv)(input_of_row(inputs, row)), momentum * changes[at]);
        changes[at] = change;
        weights[at] += change;
      }
    }
  }
}
