// saxpy: y = a x + y over n floats. 12 bytes and 2 operations per element, so memory is the limit.
// Source: C. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage", ACM TOMS 5(3), 1979.
//
// Index map: a group has GRANULARITY * WORK_GROUP vectors of VECTOR_WIDTH neighbours, a work-item GRANULARITY of them:
// in VARIANT_INTERLEAVED every WORK_GROUP-th, in VARIANT_CHUNKED a run of neighbours. UNROLL is of the loop over them.
// With PADDING the arrays hold the elements of whole groups, and no tail is tested for.

kernel GROUP_OF(WORK_GROUP, 1) void saxpy(const float a, const ulong n, global const float* restrict x,
                                          global float* restrict y) {
  const size_t first = get_group_id(0) * GRANULARITY * WORK_GROUP;
  UNROLL_LOOP(UNROLL)
  for (uint j = 0; j < GRANULARITY; ++j) {
    const size_t vector = VARIANT == VARIANT_INTERLEAVED ? j * WORK_GROUP + get_local_id(0)
                                                         : get_local_id(0) * GRANULARITY + j;
    const size_t at = (first + vector) * VECTOR_WIDTH;
    if (PADDING || at + VECTOR_WIDTH <= n) {
      STOREV(MULTIPLY_ADD((realv)(a), LOADV(at, x), LOADV(at, y)), at, y);
    } else {
      for (size_t i = at; i < n; ++i) y[i] = MULTIPLY_ADD(a, x[i], y[i]);
    }
  }
}
