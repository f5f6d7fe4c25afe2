// Electron repulsion integrals over contracted s functions, all with the same PRIMITIVES exponents a_s and coefficients c_s:
//   (ij|kl) = sum over s, t, v, w of c_s c_t c_v c_w 2 pi^(5/2) / (p q sqrt(p + q)) exp(-a_s a_t / p R_ij^2)
//             exp(-a_v a_w / q R_kl^2) F0(p q / (p + q) R_PQ^2)
// with p = a_s + a_t, q = a_v + a_w, P = (a_s r_i + a_t r_j) / p, Q likewise, F0(x) = integral of exp(-x t^2) over t = 0 .. 1.
// A primitive quartet, one term, is counted as 40 operations. The special functions and the arithmetic are the limit:
// an integral of PRIMITIVES^4 terms is 4 bytes.
//
// Variants:
//   primitive   a work-item per term, groups of terms of one integral; then the sums of the groups are added
//               (primitive.cl)
//   contracted  a work-item has integrals, each with all of its terms (contracted.cl)
//   pairs       first K, P of all pairs of functions; then the matrix of pairs by pairs in tiles: a work-item has
//               GRANULARITY rows of VECTOR_WIDTH columns (pairs.cl)
// Not built: terms in the order of F0's argument. With F0_POLYNOMIAL there is one branch, at x = 16.
// Source: S. Ryoo et al., "Optimization principles ...", PPoPP 2008, and Parboil's rpes for the groups of `primitive`;
// S. Obara, A. Saika, "Efficient recursive computation of molecular integrals ...", J. Chem. Phys. 84, 1986.
//
// Index map: primitive: group g has terms of the integral g / GROUPS_OF_INTEGRAL. contracted: work-items side by side have
// integrals side by side, and GRANULARITY of them a group apart. pairs: (get_group_id(0), get_group_id(1)) is a tile of
// WORK_GROUP * VECTOR_WIDTH columns kl and GRANULARITY rows ij; row ij has its integrals from starts[ij] on.
//
// Parameters:
//   VARIANT       VARIANT_PRIMITIVE, VARIANT_CONTRACTED or VARIANT_PAIRS
//   WORK_GROUP    work-items of a group
//   GRANULARITY   integrals per work-item; pairs: rows of them (1 in primitive)
//   VECTOR_WIDTH  pairs: neighbouring integrals in a vector (1 elsewhere)
//   UNROLL        pairs: of the loop over the primitives of a row
//   F0            F0_INTERVALS: polynomials by intervals; F0_TABLE: Taylor's series of third order around points 1/16
//                 apart; F0_POLYNOMIAL: one of degree 16 below x = 16; F0_ERF: by erf
//   MEMORY        where the table of F0 and pairs' rows are: MEMORY_GLOBAL, or MEMORY_LOCAL, a copy of each group
//   SCREENING     SCREENING_QUARTET: terms whose prefactor squared is at most 1e-23 are left out; SCREENING_NONE
//   FUNCTIONS     1 / sqrt and exp: FUNCTIONS_PRECISE, FUNCTIONS_NATIVE; FUNCTIONS_NEWTON, roots by integers and
//                 multiply-adds
//   REDUCTION     primitive: of a group: REDUCTION_TREE, or REDUCTION_ITEM, by its first work-item
// and from the host PRIMITIVES.

#define PAIRS_OF_PRIMITIVES (PRIMITIVES * PRIMITIVES)
#define TERMS (PAIRS_OF_PRIMITIVES * PAIRS_OF_PRIMITIVES)
#define GROUPS_OF_INTEGRAL ((TERMS + WORK_GROUP - 1) / WORK_GROUP)
#define ROOT_PI_HALF 0.886226925f   // sqrt(pi) / 2
#define TWO_PI_5_2 34.98683666f     // 2 pi^(5/2)
#define TABLE_END 16.0f
#define TABLE_POINTS 257

#include "rpes/functions.cl"
#include "rpes/boys.cl"
#if VARIANT == VARIANT_PRIMITIVE
#include "rpes/primitive.cl"
#elif VARIANT == VARIANT_CONTRACTED
#include "rpes/contracted.cl"
#else
#include "rpes/pairs.cl"
#endif
