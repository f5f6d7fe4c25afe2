// F0 of rpes.cl. The polynomials are interpolations at Chebyshev's points of their interval, in the coordinate t = -1 .. 1 on
// it, where the sum of their coefficients' magnitudes is F0 at its begin: they lose nothing by cancellation.

#if F0 == F0_TABLE && MEMORY == MEMORY_LOCAL
#define TABLE local const float4*
#else
#define TABLE global const float4*
#endif

constant float boys_0_1[] = {0.855624392f,     -0.124546873f,    0.0175938175f,   -0.00202540034f,
                             0.000192766357f, -1.56588038e-05f, 1.09059571e-06f};
constant float boys_1_3[] = {0.598144005f,    -0.115702181f,     0.0264714706f,   -0.00539078908f,
                             0.000948409446f, -0.000144947176f, 1.9959777e-05f, -2.36917976e-06f};
constant float boys_3_5[] = {0.441040695f,    -0.0528406801f,    0.00876289601f,  -0.00144364269f,
                             0.000220447459f, -3.12955987e-05f, 3.89536176e-06f};
constant float boys_5_10[] = {0.323569528f,     -0.0538360415f,  0.0133437861f,    -0.00361101845f, 0.000993160748f,
                              -0.000266375816f, 6.90519233e-05f, -1.90200739e-05f, 4.32288702e-06f};
constant float boys_10_15[] = {0.250662683f,    -0.0250658955f,   0.00375944878f,  -0.000626186842f,
                               0.000109188621f, -1.95334569e-05f, 3.77322892e-06f, -6.80074433e-07f};
constant float boys_15_33[] = {0.180900314f,      -0.0339188186f,    0.00953966844f,    -0.0029809512f,
                               0.000978118502f,   -0.000331206582f,  0.000113867468f,   -3.71542022e-05f,
                               1.30446913e-05f,   -7.11468776e-06f,  2.53897081e-06f};
constant float boys_0_16[] = {0.313308687f,      -0.15648656f,     0.116694014f,      -0.0954584128f,   0.0799466065f,
                              -0.0661908402f,    0.0530599393f,    -0.0407755943f,    0.029382791f,     -0.0192065931f,
                              0.0124435237f,     -0.00892701498f,  0.0048032525f,     -0.000962025125f, 0.000632549454f,
                              -0.00121459212f,   0.000506998962f};

INLINED realv horner(const realv t, constant float* c, const int degree) {
  realv sum = (realv)c[degree];
  UNROLL_WHOLE
  for (int k = degree - 1; k >= 0; --k) sum = MULTIPLY_ADD(sum, t, (realv)c[k]);
  return sum;
}

// Of large x, erf(sqrt x) being 1.
INLINED realv boys_far(const realv x) { return ROOT_PI_HALF * reciprocal_root(x); }

INLINED realv boys(const realv x, TABLE table) {
#if F0 == F0_INTERVALS
  if (x < 1.0f) return x < 3e-7f ? 1.0f - x * (1.0f / 3) : horner(MULTIPLY_ADD(x, 2.0f, -1.0f), boys_0_1, 6);
  if (x < 3.0f) return horner(x - 2.0f, boys_1_3, 7);
  if (x < 5.0f) return horner(x - 4.0f, boys_3_5, 6);
  if (x < 10.0f) return horner(MULTIPLY_ADD(x, 0.4f, -3.0f), boys_5_10, 8);
  if (x < 15.0f) return horner(MULTIPLY_ADD(x, 0.4f, -5.0f), boys_10_15, 7);
  if (x < 33.0f) return horner((x - 24.0f) * (1.0f / 9), boys_15_33, 10);
  return boys_far(x);
#elif F0 == F0_TABLE
  if (x >= TABLE_END) return boys_far(x);
  const int point = (int)(x * 16.0f + 0.5f);
  const float d = MULTIPLY_ADD((float)point, -0.0625f, x);
  const float4 c = table[point];
  return MULTIPLY_ADD(MULTIPLY_ADD(MULTIPLY_ADD(c.w, d, c.z), d, c.y), d, c.x);
#elif F0 == F0_POLYNOMIAL
  const realv near = horner(MULTIPLY_ADD(min(x, TABLE_END), (realv)0.125f, (realv)-1.0f), boys_0_16, 16);
  return select(near, boys_far(max(x, TABLE_END)), x > TABLE_END);
#else
  const realv safe = max(x, 1e-6f);
  const realv root = sqrt(safe);
  return select(ROOT_PI_HALF * erf(root) / root, 1.0f - x * (1.0f / 3), x < 1e-6f);
#endif
}

#if F0 == F0_TABLE && MEMORY == MEMORY_LOCAL
#define TABLE_OF_GROUP(table)                                                                      \
  local float4 copied[TABLE_POINTS];                                                               \
  for (int i = (int)get_local_id(0); i < TABLE_POINTS; i += WORK_GROUP) copied[i] = (table)[i];    \
  barrier(CLK_LOCAL_MEM_FENCE);
#define OWN_TABLE(table) copied
#else
#define TABLE_OF_GROUP(table)
#define OWN_TABLE(table) table
#endif
