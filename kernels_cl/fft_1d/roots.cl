// Roots of unity, computed alike on every device.
//
// The turn `numerator` / 2^bits, as a fraction of 32 bits, is a number of quarter turns and a rest of at most an eighth
// of a turn on either side. For bits up to 27 the rest has at most 24 significant bits and is a float exactly, so that the
// angle x, |x| <= pi/4, has two roundings. Taylor's polynomials up to x^9 and x^10 leave off less than 2^-29. Altogether
// sine and cosine are off by at most 2^-23.

// re + i im times exp(-2 pi i numerator / 2^bits), for 0 <= numerator < 2^bits and bits from 1 to 27.
INLINED void turn(numbers* re, numbers* im, const indices numerator, const int bits) {
  const indices fraction = numerator << (indices)(32 - bits);
  const indices quarters = (fraction + 0x20000000u) >> (indices)30;
  const numbers x = TO_FLOATS(AS_SIGNED(fraction - (quarters << (indices)30))) * (numbers)(1.4629180792671596e-9f);
  const numbers xx = x * x;
  numbers sine = MULTIPLY_ADD(xx, (numbers)(2.7557319e-6f), (numbers)(-1.9841270e-4f));
  sine = MULTIPLY_ADD(xx, sine, (numbers)(8.3333333e-3f));
  sine = MULTIPLY_ADD(xx, sine, (numbers)(-1.6666667e-1f));
  sine = MULTIPLY_ADD(xx * x, sine, x);
  numbers cosine = MULTIPLY_ADD(xx, (numbers)(-2.7557319e-7f), (numbers)(2.4801587e-5f));
  cosine = MULTIPLY_ADD(xx, cosine, (numbers)(-1.3888889e-3f));
  cosine = MULTIPLY_ADD(xx, cosine, (numbers)(4.1666667e-2f));
  cosine = MULTIPLY_ADD(xx, cosine, (numbers)(-0.5f));
  cosine = MULTIPLY_ADD(xx, cosine, (numbers)(1.0f));
  // A quarter turn makes (c, s) of (-s, c).
  const indices swapped = (indices)(0) - (quarters & (indices)1);
  const indices differing = (AS_INDICES(cosine) ^ AS_INDICES(sine)) & swapped;
  const indices c = AS_INDICES(cosine) ^ differing;
  const indices s = AS_INDICES(sine) ^ differing;
  const numbers root_re = AS_FLOATS(c ^ (((quarters + (indices)1) & (indices)2) << (indices)30));
  const numbers root_im = AS_FLOATS(s ^ ((quarters & (indices)2) << (indices)30));
  const numbers real = *re;
  *re = MULTIPLY_ADD(real, root_re, *im * root_im);
  *im = *im * root_re - real * root_im;
}
