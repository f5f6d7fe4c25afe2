// Transforms of 2, 4, 8 and 16 numbers in registers: the numbers at `first`, `first` + `step`, ... of two arrays. All
// indices are constants after inlining and unrolling. Output m comes to lie at place PLACE(bits, m) of the sequence.

#define PLACE(bits, m) ((bits) == 4 ? (m) % 4 * 4 + (m) / 4 : (bits) == 3 ? (m) % 4 * 2 + (m) / 4 : (m))

INLINED void dft_2(numbers* re, numbers* im, const int a, const int b) {
  const numbers real = re[a] - re[b];
  const numbers imaginary = im[a] - im[b];
  re[a] += re[b];
  im[a] += im[b];
  re[b] = real;
  im[b] = imaginary;
}

INLINED void dft_4(numbers* re, numbers* im, const int a, const int b, const int c, const int d) {
  dft_2(re, im, a, c);
  dft_2(re, im, b, d);
  dft_2(re, im, a, b);
  // c - i d, c + i d; and the outputs in order: a, c - i d, b, c + i d.
  const numbers re_1 = re[c] + im[d];
  const numbers im_1 = im[c] - re[d];
  const numbers re_3 = re[c] - im[d];
  const numbers im_3 = im[c] + re[d];
  re[c] = re[b];
  im[c] = im[b];
  re[b] = re_1;
  im[b] = im_1;
  re[d] = re_3;
  im[d] = im_3;
}

// Times (cosine - i sine).
INLINED void turn_by(numbers* re, numbers* im, const int at, const float cosine, const float sine) {
  const numbers real = re[at];
  re[at] = MULTIPLY_ADD(real, (numbers)(cosine), im[at] * (numbers)(sine));
  im[at] = im[at] * (numbers)(cosine) - real * (numbers)(sine);
}

// Times -i.
INLINED void turn_by_quarter(numbers* re, numbers* im, const int at) {
  const numbers real = re[at];
  re[at] = im[at];
  im[at] = -real;
}

#define ROOT_HALF 0.70710678f
#define COS_16TH 0.92387953f
#define SIN_16TH 0.38268343f

// 8 = 2 x 4: input n1 + 2 n2, output k2 + 4 k1.
INLINED void dft_8(numbers* re, numbers* im, const int f, const int s) {
  dft_4(re, im, f, f + 2 * s, f + 4 * s, f + 6 * s);
  dft_4(re, im, f + s, f + 3 * s, f + 5 * s, f + 7 * s);
  turn_by(re, im, f + 3 * s, ROOT_HALF, ROOT_HALF);
  turn_by_quarter(re, im, f + 5 * s);
  turn_by(re, im, f + 7 * s, -ROOT_HALF, ROOT_HALF);
  UNROLL_WHOLE
  for (int k = 0; k < 4; ++k) dft_2(re, im, f + 2 * k * s, f + (2 * k + 1) * s);
}

// 16 = 4 x 4: input n1 + 4 n2, output k2 + 4 k1.
INLINED void dft_16(numbers* re, numbers* im, const int f, const int s) {
  UNROLL_WHOLE
  for (int n = 0; n < 4; ++n) dft_4(re, im, f + n * s, f + (n + 4) * s, f + (n + 8) * s, f + (n + 12) * s);
  turn_by(re, im, f + 5 * s, COS_16TH, SIN_16TH);
  turn_by(re, im, f + 6 * s, ROOT_HALF, ROOT_HALF);
  turn_by(re, im, f + 7 * s, SIN_16TH, COS_16TH);
  turn_by(re, im, f + 9 * s, ROOT_HALF, ROOT_HALF);
  turn_by_quarter(re, im, f + 10 * s);
  turn_by(re, im, f + 11 * s, -ROOT_HALF, ROOT_HALF);
  turn_by(re, im, f + 13 * s, SIN_16TH, COS_16TH);
  turn_by(re, im, f + 14 * s, -ROOT_HALF, ROOT_HALF);
  turn_by(re, im, f + 15 * s, -COS_16TH, -SIN_16TH);
  UNROLL_WHOLE
  for (int k = 0; k < 4; ++k) dft_4(re, im, f + 4 * k * s, f + (4 * k + 1) * s, f + (4 * k + 2) * s, f + (4 * k + 3) * s);
}

// The one of 2^bits numbers.
#define DFT(re, im, bits, first, step)                                                                          \
  do {                                                                                                          \
    if ((bits) == 1) dft_2(re, im, (first), (first) + (step));                                                  \
    if ((bits) == 2) dft_4(re, im, (first), (first) + (step), (first) + 2 * (step), (first) + 3 * (step));      \
    if ((bits) == 3) dft_8(re, im, (first), (step));                                                            \
    if ((bits) == 4) dft_16(re, im, (first), (step));                                                           \
  } while (0)
