// 1 / sqrt and exp of rpes.cl.

// 1 / sqrt(x) for normal x; for its constants and error see newton_rsqrt in cp/cp.cl: at most 1.8 * 2^-24.
INLINED realv newton_root(const realv x) {
  realv y = REALS_OF((wordv)(0x5f1ffff9u) - (WORDS_OF(x) >> 1));
  y *= MULTIPLY_ADD(x * -0.703952253f, y * y, (realv)(0.703952253f * 2.38924456f));
  const realv e = MULTIPLY_ADD(-x * y, y, (realv)(1.0f));
  return MULTIPLY_ADD(y * e, MULTIPLY_ADD(e, (realv)(0.375f), (realv)(0.5f)), y);
}

INLINED realv reciprocal_root(const realv x) {
#if FUNCTIONS == FUNCTIONS_PRECISE
  return rsqrt(x);
#elif FUNCTIONS == FUNCTIONS_NATIVE && HAS_INLINE_PTX && VECTOR_WIDTH == 1
  // Without what NVIDIA's compiler adds to native_rsqrt for subnormal x.
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#elif FUNCTIONS == FUNCTIONS_NATIVE
  return native_rsqrt(x);
#else
  return newton_root(x);
#endif
}

INLINED float exponential(const float x) { return FUNCTIONS == FUNCTIONS_NATIVE ? native_exp(x) : exp(x); }
