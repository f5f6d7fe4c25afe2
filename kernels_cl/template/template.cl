// template: y = x^2 for n floats. 8 bytes and 1 operation per element, so memory is the limit.
//
// Index map: a work-item computes GRANULARITY elements: in VARIANT_STRIDED every get_global_size(0)-th, in
// VARIANT_CHUNKED neighbours. If GRANULARITY does not divide n, the last work-items have fewer.
//
//   VARIANT       VARIANT_STRIDED or VARIANT_CHUNKED: which elements a work-item computes
//   GRANULARITY   elements per work-item

kernel void square(const ulong n, global const float* restrict x, global float* restrict y) {
  for (uint j = 0; j < GRANULARITY; ++j) {
    const size_t i = VARIANT == VARIANT_STRIDED ? j * get_global_size(0) + get_global_id(0)
                                                : get_global_id(0) * GRANULARITY + j;
    if (i < n) y[i] = x[i] * x[i];
  }
}
