// The variant primitive of rpes.cl, the paper's: of an integral the term number `t` has the primitives t / 27, t / 9 % 3,
// t / 3 % 3, t % 3 (for three of them).

INLINED float squared_distance(const float4 a, const float4 b) {
  const float4 d = a - b;
  return MULTIPLY_ADD(d.x, d.x, MULTIPLY_ADD(d.y, d.y, d.z * d.z));
}

INLINED float term_of(const float2 s, const float2 t, const float2 v, const float2 w, const float4 ri, const float4 rj,
                      const float4 rk, const float4 rl, TABLE table) {
  const float p = s.x + t.x;
  const float q = v.x + w.x;
  const float exponent = s.x * t.x / p * squared_distance(ri, rj) + v.x * w.x / q * squared_distance(rk, rl);
  const float root = reciprocal_root(p + q);
  const float prefactor = TWO_PI_5_2 * (s.y * t.y * v.y * w.y) / (p * q) * root * exponential(-exponent);
  if (SCREENING == SCREENING_QUARTET && prefactor * prefactor <= 1e-23f) return 0.0f;
  const float4 from = (s.x * ri + t.x * rj) / p - (v.x * rk + w.x * rl) / q;
  const float square = MULTIPLY_ADD(from.x, from.x, MULTIPLY_ADD(from.y, from.y, from.z * from.z));
  return prefactor * boys(p * q * root * root * square, table);
}

kernel GROUP_OF(WORK_GROUP, 1)
void terms(global const float4* restrict centres, global const float2* restrict primitives,
           global const int4* restrict quartets, global const float4* restrict table, global float* restrict sums) {
  TABLE_OF_GROUP(table)
  local float values[WORK_GROUP];
  const int item = (int)get_local_id(0);
  const size_t group = get_group_id(0);
  const int4 atoms = quartets[group / GROUPS_OF_INTEGRAL];
  const int t = (int)(group % GROUPS_OF_INTEGRAL) * WORK_GROUP + item;
  float value = 0.0f;
  if (t < TERMS) {
    value = term_of(primitives[t / (PAIRS_OF_PRIMITIVES * PRIMITIVES)],
                    primitives[t / PAIRS_OF_PRIMITIVES % PRIMITIVES], primitives[t / PRIMITIVES % PRIMITIVES],
                    primitives[t % PRIMITIVES], centres[atoms.x], centres[atoms.y], centres[atoms.z], centres[atoms.w],
                    OWN_TABLE(table));
  }
  values[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (REDUCTION == REDUCTION_TREE) {
    for (int half_group = WORK_GROUP / 2; half_group > 0; half_group /= 2) {
      if (item < half_group) values[item] += values[item + half_group];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  } else if (item == 0) {
    for (int i = 1; i < WORK_GROUP; ++i) values[0] += values[i];
  }
  if (item == 0) sums[group] = values[0];
}

kernel GROUP_OF(WORK_GROUP, 1)
void add_groups(const ulong count, global const float* restrict sums, global float* restrict integrals) {
  const size_t i = get_global_id(0);
  if (i < count) {
    float sum = 0.0f;
    for (int g = 0; g < GROUPS_OF_INTEGRAL; ++g) sum += sums[i * GROUPS_OF_INTEGRAL + g];
    integrals[i] = sum;
  }
}
