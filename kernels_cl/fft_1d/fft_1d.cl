// Discrete Fourier transform of one dimension in single precision, of batches of n complex numbers, n a power of two:
//
//   forward  X[k] = sum over j of x[j] exp(-2 pi i j k / n)
//   inverse  x[j] = 1/n sum over k of X[k] exp(+2 pi i j k / n)
//
// Passes. n is a product of radices, and a pass does one of them (T. G. Stockham, "High-speed convolution and
// correlation", AFIPS Spring Joint Computer Conference, 1966): with `before` the product of the radices before, the pass
// of radix R has n/R columns; column i, with k = i mod before,
//   reads      x[i + r n/R] for r = 0 .. R-1
//   multiplies them by exp(-2 pi i r k / (before R))
//   does a transform of R numbers
//   writes     y[(i - k) R + k + o before] for o = 0 .. R-1
// and after the last pass results are in order. The inverse transform is the forward one with real and imaginary parts
// swapped, before and after.
//
// Limit. A pass reads and writes 16 bytes per number; all passes together have 5 log2 n operations per number. So memory
// is the limit, and the number of passes counts: with radices up to 512, three for n = 2^26, one for n up to 512; up to
// 2048, two for n = 2^22.
//
// Variants:
//   global    a pass for each factor RADIX of n, in registers of a work-item (global.cl)
//   staged    passes of radix 128 whose columns other work-items load (staged.cl): M. Bauer, H. Cook and B. Khailany,
//             "CudaDMA: optimizing GPU memory bandwidth via warp specialization", SC '11, section 6.3
//   stockham  passes of large radices; in groups, which exchange numbers through local memory (groups.cl), or by a
//             work-item alone, in private memory (alone.cl)
//
// Index map. global: work-item j of batch b has the columns j, j + items, ... Elsewhere a group has COLUMNS neighbouring
// columns of a pass, counted over all batches; of a column with R numbers each of R / POINTS work-items has every
// (R / POINTS)-th number.
//
// Macro         meaning
// VARIANT       see above
// WORK_GROUP    work-items of a group that compute; 1 in stockham: alone
// GRANULARITY   global: columns of a work-item; staged: numbers of a tile that a loading work-item loads; stockham:
//               POINTS, numbers of a work-item; alone: radix of the stages that a pass is made of
// VECTOR_WIDTH  staged: numbers of a load (1: float2, 2: float4); stockham, alone: columns in a vector; in groups: numbers
//               of a store, where the last stage leaves neighbours to a work-item
// UNROLL        global: of the loop over columns; staged, and stockham in groups: tiles of a group; alone: vectors of
//               columns of a work-item
// PADDING       numbers of local memory that are left out behind each 16, in groups
// RADIX         largest radix of a pass
// LAYOUT        staged: LAYOUT_ROWS: a tile has its columns side by side in local memory, as they come; LAYOUT_COLUMNS:
//               one behind the other
// BARRIER       staged: how loaders meet the others: BARRIER_GROUP: at a barrier of the group; BARRIER_NAMED: at barriers
//               of each buffer, which needs PTX
// PREFETCH      staged: 1: loaders read the next tile into registers before they wait
// ROOTS         stockham: ROOTS_COMPUTED: roots of unity are computed where they are needed (roots.cl);
//               ROOTS_TABLE: they are read (stages.cl); alone: those of neighbouring k, between passes
// EXCHANGE      stockham, in groups: EXCHANGE_PAIRS: numbers go through local memory whole; EXCHANGE_PARTS: first the real,
//               then the imaginary parts, in half of it
// SUBMISSION    how the host submits launches; nothing here depends on it
// and from the host, for each pass:
// PASS_BITS     binary logarithm of this pass's radix R
// COLUMNS       columns of a group
// IS_FIRST      whether `before` is 1
// ACROSS        whether the columns of a group are neighbours in the input; else a column's own numbers are
// STREAMS       alone: whether what the pass writes does not, or need not, stay in caches
// INVERSE       1: real and imaginary parts are swapped when numbers are read and written
//
// Arrays have `batch` times n = 2^log_n complex numbers, real and imaginary part side by side; `before` is 2^log_before.
// `scale` multiplies what is written.

#define R (1 << PASS_BITS)
#define IS_ALONE (VARIANT == VARIANT_STOCKHAM && WORK_GROUP == 1)

// What butterflies compute with: a number of each of VECTOR_WIDTH columns, or one number.
#if IS_ALONE && VECTOR_WIDTH > 1
typedef realv numbers;
typedef wordv indices;
#define TO_FLOATS(x) JOIN(convert_float, VECTOR_WIDTH)(x)
#define AS_FLOATS(x) JOIN(as_float, VECTOR_WIDTH)(x)
#define AS_INDICES(x) JOIN(as_uint, VECTOR_WIDTH)(x)
#define AS_SIGNED(x) JOIN(as_int, VECTOR_WIDTH)(x)
#else
typedef float numbers;
typedef uint indices;
#define TO_FLOATS(x) convert_float(x)
#define AS_FLOATS(x) as_float(x)
#define AS_INDICES(x) as_uint(x)
#define AS_SIGNED(x) as_int(x)
#endif

#include "fft_1d/roots.cl"
#include "fft_1d/butterflies.cl"

#if VARIANT == VARIANT_GLOBAL
#include "fft_1d/global.cl"
#elif VARIANT == VARIANT_STAGED
#include "fft_1d/staged.cl"
#elif IS_ALONE
#include "fft_1d/alone.cl"
#else
#include "fft_1d/groups.cl"
#endif
