// The variant untiled of matmul.cl: each work-item reads a row of A and a column of B from global memory.

kernel GROUP_OF(WORK_GROUP, WORK_GROUP) void matmul(global const float* restrict a, global const float* restrict b,
                                                    global float* restrict c, const int cols, const int terms) {
  size_t index_a = get_global_id(1) * terms;
  size_t index_b = get_global_id(0);
  float sum = 0.0f;
  UNROLL_LOOP(UNROLL)
  for (int i = 0; i < terms; ++i) {
    sum = MULTIPLY_ADD(a[index_a], b[index_b], sum);
    ++index_a;
    index_b += cols;
  }
  c[get_global_id(1) * cols + get_global_id(0)] = sum;
}
