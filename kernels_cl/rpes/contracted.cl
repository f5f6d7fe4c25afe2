// The variant contracted of rpes.cl.

// Of a pair of primitives: P, and K = c_s c_t exp(-a_s a_t / p R^2) / p.
INLINED float4 pair_of(const float2 s, const float2 t, const float4 ri, const float4 rj) {
  const float4 d = ri - rj;
  const float square = MULTIPLY_ADD(d.x, d.x, MULTIPLY_ADD(d.y, d.y, d.z * d.z));
  const float inverse = 1.0f / (s.x + t.x);
  const float4 centre = (s.x * ri + t.x * rj) * inverse;
  return (float4)(centre.xyz, s.y * t.y * inverse * exponential(-s.x * t.x * inverse * square));
}

kernel GROUP_OF(WORK_GROUP, 1)
void contract(const ulong count, global const float4* restrict centres, global const float2* restrict primitives,
              global const int4* restrict quartets, global const float4* restrict table,
              global float* restrict integrals) {
  TABLE_OF_GROUP(table)
  for (int g = 0; g < GRANULARITY; ++g) {
    const size_t i = (get_group_id(0) * GRANULARITY + g) * WORK_GROUP + get_local_id(0);
    if (i >= count) continue;
    const int4 atoms = quartets[i];
    const float4 ri = centres[atoms.x], rj = centres[atoms.y], rk = centres[atoms.z], rl = centres[atoms.w];
    float4 kets[PAIRS_OF_PRIMITIVES];
    float sums[PAIRS_OF_PRIMITIVES];
    for (int v = 0; v < PRIMITIVES; ++v) {
      for (int w = 0; w < PRIMITIVES; ++w) {
        kets[v * PRIMITIVES + w] = pair_of(primitives[v], primitives[w], rk, rl);
        sums[v * PRIMITIVES + w] = primitives[v].x + primitives[w].x;
      }
    }
    float integral = 0.0f;
    for (int bra = 0; bra < PAIRS_OF_PRIMITIVES; ++bra) {
      const float2 s = primitives[bra / PRIMITIVES];
      const float2 t = primitives[bra % PRIMITIVES];
      const float p = s.x + t.x;
      const float4 left = pair_of(s, t, ri, rj);
      for (int ket = 0; ket < PAIRS_OF_PRIMITIVES; ++ket) {
        const float4 right = kets[ket];
        const float root = reciprocal_root(p + sums[ket]);
        const float prefactor = TWO_PI_5_2 * left.w * right.w * root;
        if (SCREENING == SCREENING_QUARTET && prefactor * prefactor <= 1e-23f) continue;
        const float4 d = left - right;
        const float square = MULTIPLY_ADD(d.x, d.x, MULTIPLY_ADD(d.y, d.y, d.z * d.z));
        integral = MULTIPLY_ADD(prefactor, boys(p * sums[ket] * root * root * square, OWN_TABLE(table)), integral);
      }
    }
    integrals[i] = integral;
  }
}
