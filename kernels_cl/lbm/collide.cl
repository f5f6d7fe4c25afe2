// The collision of lbm.cl, in registers, of VECTOR_WIDTH cells at a time.

#define IS_SHIFTED (STORAGE != STORAGE_FLOAT)

// The two directions a and -a, with c.u of the first and omega times their weight.
INLINED void relax_pair(realv* a, realv* b, const realv cu, const float weight, const realv density, const realv base,
                        const float keep, const intv solid) {
  const realv weighted = weight * density;
  const realv even = MULTIPLY_ADD(4.5f * weighted * cu, cu, weight * base);
  const realv odd = 3.0f * weighted * cu;
  const realv old_a = *a;
  const realv old_b = *b;
  *a = select(MULTIPLY_ADD((realv)keep, old_a, even + odd), old_b, solid);
  *b = select(MULTIPLY_ADD((realv)keep, old_b, even - odd), old_a, solid);
}

// f of VECTOR_WIDTH cells becomes f'. With IS_SHIFTED, f holds f - W: the density is 1 more than their sum, and the
// equilibrium W rho less W is W times that sum.
INLINED void collide(realv* f, const intv flags, const float omega) {
  const realv sum = ((f[0] + (f[1] + f[2])) + ((f[3] + f[4]) + (f[5] + f[6]))) +
                    (((f[7] + f[10]) + (f[8] + f[9])) +
                     (((f[11] + f[14]) + (f[12] + f[13])) + ((f[15] + f[18]) + (f[16] + f[17]))));
  const realv density = IS_SHIFTED ? 1.0f + sum : sum;
  const realv inverse = 1.0f / density;
  const intv solid = flags == OBSTACLE;
  const intv driven = flags == ACCELERATED;
  realv ux = ((f[3] - f[4]) + ((f[7] - f[10]) + (f[9] - f[8]))) + ((f[15] - f[18]) + (f[16] - f[17]));
  realv uy = ((f[1] - f[2]) + ((f[7] - f[10]) - (f[9] - f[8]))) + ((f[11] - f[14]) + (f[12] - f[13]));
  realv uz = ((f[5] - f[6]) + ((f[11] - f[14]) - (f[12] - f[13]))) + ((f[15] - f[18]) - (f[16] - f[17]));
  ux = select(ux * inverse, (realv)0.005f, driven);
  uy = select(uy * inverse, (realv)0.002f, driven);
  uz = select(uz * inverse, (realv)0.0f, driven);
  const realv square = MULTIPLY_ADD(ux, ux, MULTIPLY_ADD(uy, uy, uz * uz));
  const realv base = MULTIPLY_ADD(-1.5f * density, square, sum);
  const float keep = 1.0f - omega;
  f[0] = select(MULTIPLY_ADD((realv)keep, f[0], omega * (1.0f / 3) * base), f[0], solid);
  const float straight = omega * (1.0f / 18);
  const float diagonal = omega * (1.0f / 36);
  relax_pair(f + 1, f + 2, uy, straight, density, base, keep, solid);
  relax_pair(f + 3, f + 4, ux, straight, density, base, keep, solid);
  relax_pair(f + 5, f + 6, uz, straight, density, base, keep, solid);
  relax_pair(f + 7, f + 10, ux + uy, diagonal, density, base, keep, solid);
  relax_pair(f + 9, f + 8, ux - uy, diagonal, density, base, keep, solid);
  relax_pair(f + 11, f + 14, uy + uz, diagonal, density, base, keep, solid);
  relax_pair(f + 12, f + 13, uy - uz, diagonal, density, base, keep, solid);
  relax_pair(f + 15, f + 18, ux + uz, diagonal, density, base, keep, solid);
  relax_pair(f + 16, f + 17, ux - uz, diagonal, density, base, keep, solid);
}
