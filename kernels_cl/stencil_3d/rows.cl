// The variant streaming of stencil_3d.cl with one work-item in a group: it computes STRIP columns of GRANULARITY rows in
// vectors along x, plane after plane, so that the nine planes of its rows stay in a cache. All neighbours are loaded.

INLINED realv load_at(global const float* pointer) { return *(global const packed_realv*)pointer; }

INLINED realv next_vector(global const float* centre, const size_t stride, const size_t plane, const float c0,
                          const float4 c) {
  const float coefficients[RADIUS] = {c.x, c.y, c.z, c.w};
  realv sum = (realv)(c0) * load_at(centre);
  UNROLL_WHOLE
  for (int k = 1; k <= RADIUS; ++k) {
    const realv neighbours = ((load_at(centre - k) + load_at(centre + k)) +
                              (load_at(centre - k * stride) + load_at(centre + k * stride))) +
                             (load_at(centre - k * plane) + load_at(centre + k * plane));
    sum = MULTIPLY_ADD((realv)(coefficients[k - 1]), neighbours, sum);
  }
  return sum;
}

kernel GROUP_OF(1, 1)
void stencil(global const float* restrict from, global float* restrict to, const int nx, const int ny, const int nz,
          const int stride, const int planes, const float c0, const float4 c) {
  const grid_shape shape = {nx, ny, nz, stride};
  const size_t plane = (size_t)ny * stride;
  const int first_x = RADIUS + (int)get_group_id(0) * STRIP;
  const int first_y = RADIUS + (int)get_group_id(1) * GRANULARITY;
  const int first_z = RADIUS + (int)get_group_id(2) * planes;
  const int cols = min(STRIP, nx - RADIUS - first_x);
  const int whole = cols / VECTOR_WIDTH * VECTOR_WIDTH;
  for (int z = first_z; z < min(first_z + planes, nz - RADIUS); ++z) {
    for (int y = first_y; y < min(first_y + GRANULARITY, ny - RADIUS); ++y) {
      global const float* const centre = from + row_begin(shape, y, z) + first_x;
      global float* const target = to + row_begin(shape, y, z) + first_x;
      UNROLL_LOOP(UNROLL)
      for (int x = 0; x < whole; x += VECTOR_WIDTH) {
        const realv value = next_vector(centre + x, (size_t)stride, plane, c0, c);
        if (PADDING) {
          STREAM(value, (global realv*)(target + x));
        } else {
          *(global packed_realv*)(target + x) = value;
        }
      }
      if (whole < cols) {
        // The last vector's loads may reach over the end of the row, into 32 elements that may be read.
        float values[VECTOR_WIDTH];
        STOREV(next_vector(centre + whole, (size_t)stride, plane, c0, c), 0, values);
        for (int k = 0; k < cols - whole; ++k) target[whole + k] = values[k];
      }
    }
  }
}
