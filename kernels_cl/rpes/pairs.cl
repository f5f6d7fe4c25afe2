// The variant pairs of rpes.cl. All functions have the same exponents, so that p, q, and what follows from both are the
// same for all pairs of functions: scales[b][c] has p q / (p + q) and 1 / sqrt(p + q) of the pairs b and c of primitives.
//
// What belongs to a pair of primitives is in [field][pair of primitives][pair of functions], rows of `pitch` floats; the
// fields are P's coordinates and K = sqrt(2 pi^(5/2)) c_s c_t exp(-a_s a_t / p R^2) / p.

#define ROOT_TWO_PI_5_2 5.91496717f

kernel GROUP_OF(WORK_GROUP, 1)
void make_pairs(const uint count, const uint pitch, global const float4* restrict centres,
                global const float2* restrict primitives, global const int2* restrict atoms,
                global float* restrict pairs) {
  const uint item = (uint)get_global_id(0);
  const uint pair = item % pitch;
  const uint b = item / pitch;
  if (b < PAIRS_OF_PRIMITIVES) {
    // The pairs behind the last one fill its row up.
    const int2 of = atoms[min(pair, count - 1)];
    const float2 s = primitives[b / PRIMITIVES];
    const float2 t = primitives[b % PRIMITIVES];
    const float4 ri = centres[of.x], rj = centres[of.y];
    const float4 d = ri - rj;
    const float square = MULTIPLY_ADD(d.x, d.x, MULTIPLY_ADD(d.y, d.y, d.z * d.z));
    const float inverse = 1.0f / (s.x + t.x);
    const float4 centre = (s.x * ri + t.x * rj) * inverse;
    const size_t field = (size_t)PAIRS_OF_PRIMITIVES * pitch;
    global float* const to = pairs + (size_t)b * pitch + pair;
    to[0] = centre.x;
    to[field] = centre.y;
    to[2 * field] = centre.z;
    to[3 * field] = ROOT_TWO_PI_5_2 * s.y * t.y * inverse * exponential(-s.x * t.x * inverse * square);
  }
}

kernel GROUP_OF(WORK_GROUP, 1)
void multiply_pairs(const uint count, const uint pitch, global const float* restrict pairs,
                    constant float2* restrict scales, global const uint* restrict starts,
                    global const float4* restrict table, global float* restrict integrals) {
  TABLE_OF_GROUP(table)
  const uint first_row = (uint)get_group_id(1) * GRANULARITY;
  const size_t field = (size_t)PAIRS_OF_PRIMITIVES * pitch;
#if MEMORY == MEMORY_LOCAL
  local float4 rows[GRANULARITY * PAIRS_OF_PRIMITIVES];
  for (int i = (int)get_local_id(0); i < GRANULARITY * PAIRS_OF_PRIMITIVES; i += WORK_GROUP) {
    global const float* const from =
        pairs + (size_t)(i % PAIRS_OF_PRIMITIVES) * pitch + min(first_row + i / PAIRS_OF_PRIMITIVES, count - 1);
    rows[i] = (float4)(from[0], from[field], from[2 * field], from[3 * field]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  // The integrals of each row, and of the longest one.
  uint columns[GRANULARITY];
  uint most = 0;
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) {
    const uint row = first_row + g;
    columns[g] = row < count ? starts[row + 1] - starts[row] : 0;
    most = max(most, columns[g]);
  }
  const uint column = ((uint)get_group_id(0) * WORK_GROUP + (uint)get_local_id(0)) * VECTOR_WIDTH;
  if (column < most) {
    realv sums[GRANULARITY];
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) sums[g] = (realv)0.0f;
    UNROLL_LOOP(1)
    for (int c = 0; c < PAIRS_OF_PRIMITIVES; ++c) {
      global const float* const ket = pairs + (size_t)c * pitch + column;
      const realv x = LOADV(0, ket);
      const realv y = LOADV(field, ket);
      const realv z = LOADV(2 * field, ket);
      const realv k = LOADV(3 * field, ket);
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        realv sum = (realv)0.0f;
        UNROLL_LOOP(UNROLL)
        for (int b = 0; b < PAIRS_OF_PRIMITIVES; ++b) {
#if MEMORY == MEMORY_LOCAL
          const float4 bra = rows[g * PAIRS_OF_PRIMITIVES + b];
#else
          global const float* const from = pairs + (size_t)b * pitch + min(first_row + g, count - 1);
          const float4 bra = (float4)(from[0], from[field], from[2 * field], from[3 * field]);
#endif
          const float2 scale = scales[b * PAIRS_OF_PRIMITIVES + c];
          const realv dx = x - bra.x;
          const realv dy = y - bra.y;
          const realv dz = z - bra.z;
          const realv square = MULTIPLY_ADD(dx, dx, MULTIPLY_ADD(dy, dy, dz * dz));
          sum = MULTIPLY_ADD((realv)(bra.w * scale.y), boys(scale.x * square, OWN_TABLE(table)), sum);
        }
        sums[g] = MULTIPLY_ADD(k, sum, sums[g]);
      }
    }
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      if (column < columns[g]) {
        global float* const to = integrals + starts[first_row + g] + column;
        if (column + VECTOR_WIDTH <= columns[g]) {
          STOREV(sums[g], 0, to);
        } else {
          float values[VECTOR_WIDTH];
          STOREV(sums[g], 0, values);
          for (int i = 0; i < VECTOR_WIDTH && column + i < columns[g]; ++i) to[i] = values[i];
        }
      }
    }
  }
}
