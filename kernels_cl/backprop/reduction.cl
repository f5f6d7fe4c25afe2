// How a group of backprop.cl adds its rows.

// The sum of a column over the rows of the group, for the work-items of the first row; work-item `item` has `sum` of its
// column and row. All work-items call it; `products` has WORK_GROUP elements, and may be used again behind it.
INLINED realv sum_of_rows(realv sum, local realv* products, const uint item) {
#if REDUCTION == REDUCTION_TREE
  products[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_rows = ROWS / 2; half_rows > 0; half_rows /= 2) {
    if (item < half_rows * LANES) products[item] += products[item + half_rows * LANES];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return products[item];
#else
  uint stride = LANES;  // from a sum to the next one of its column
#if SHUFFLE
  // Among the rows that lanes shuffling with each other have.
  for (uint distance = SUB_GROUP / 2; distance >= LANES; distance /= 2) {
    float elements[VECTOR_WIDTH];
    STOREV(sum, 0, elements);
    UNROLL_WHOLE
    for (uint e = 0; e < VECTOR_WIDTH; ++e) {
      elements[e] += as_float(lane_value(as_int(elements[e]), lane_number() + distance));
    }
    sum = LOADV(0, elements);
  }
  stride = LANES < SUB_GROUP ? SUB_GROUP : LANES;
#endif
  products[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < LANES) {
    for (uint from = item + stride; from < WORK_GROUP; from += stride) sum += products[from];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
#endif
}
