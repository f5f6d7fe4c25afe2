// The variant global of fft_1d.cl: a work-item does the whole transform of R numbers of a column.

kernel GROUP_OF(WORK_GROUP, 1)
void fft(global const float2* restrict from, global float2* restrict to, const ulong columns, const int log_n,
         const int log_before, const float scale) {
  const size_t items = get_global_size(0);
  const int log_columns = log_n - PASS_BITS;  // of one transform
  UNROLL_LOOP(UNROLL)
  for (int g = 0; g < GRANULARITY; ++g) {
    const size_t column = get_global_id(0) + g * items;
    if (column < columns) {
      const size_t begin = column >> log_columns << log_n;
      const uint i = (uint)(column & (((size_t)1 << log_columns) - 1));
      const uint k = i & ((1u << log_before) - 1);
      float re[R];
      float im[R];
      UNROLL_WHOLE
      for (int r = 0; r < R; ++r) {
        const float2 number = from[begin + i + ((size_t)r << log_columns)];
        re[r] = INVERSE ? number.y : number.x;
        im[r] = INVERSE ? number.x : number.y;
        if (r > 0 && !IS_FIRST) turn(&re[r], &im[r], r * k, log_before + PASS_BITS);
      }
      DFT(re, im, PASS_BITS, 0, 1);
      UNROLL_WHOLE
      for (int o = 0; o < R; ++o) {
        const float real = re[PLACE(PASS_BITS, o)] * scale;
        const float imaginary = im[PLACE(PASS_BITS, o)] * scale;
        to[begin + ((size_t)(i - k) << PASS_BITS) + k + ((size_t)o << log_before)] =
            (float2)(INVERSE ? imaginary : real, INVERSE ? real : imaginary);
      }
    }
  }
}
