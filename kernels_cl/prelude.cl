// Prepended to every kernel file: capabilities, inlining and unrolling, vector types by width.
//
// The host passes HAS_FMA, HAS_FP64, HAS_IMAGES, HAS_INLINE_PTX, HAS_ASYNC_COPIES (for copies.cl), HAS_LOCAL_MEMORY
// (on-chip local memory), HAS_ORDERED_ATOMICS (that acquire and release at the scope of the device) and GROUPS_WAIT as
// 0 or 1. Kernels ask for capabilities, never for vendors. GROUPS_WAIT says that groups of the program wait for each
// other in one launch: only then it has ordered atomics, and may be built as OpenCL C 3.0 or 2.0. So may a program whose
// lanes shuffle; all others are OpenCL C 1.2.

#if !defined(HAS_FMA) || !defined(HAS_FP64) || !defined(HAS_IMAGES) || !defined(HAS_INLINE_PTX) || \
    !defined(HAS_ASYNC_COPIES) || !defined(HAS_LOCAL_MEMORY) || !defined(HAS_ORDERED_ATOMICS) || !defined(GROUPS_WAIT)
#error "prelude.cl: the HAS_... capabilities must be defined by the host"
#endif

#if HAS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// JOIN(a, b) expands its arguments first: JOIN(float, VECTOR_WIDTH) is float4.
#define JOIN_RAW(a, b) a##b
#define JOIN(a, b) JOIN_RAW(a, b)

// Hints to unroll the next loop `n` times (1: not at all), or completely. Where unrolling must be certain, write an
// inner loop with a constant trip count.
#define PRAGMA(text) _Pragma(#text)
#define UNROLL_LOOP(n) PRAGMA_UNROLL(n)
#define PRAGMA_UNROLL(n) PRAGMA(unroll n)
#define UNROLL_WHOLE PRAGMA(unroll)

// Functions in kernels are `static inline`: a C99 function that is only `inline` has no external definition, and some
// compilers then fail to link. INLINED is for functions that must be inlined, which `inline` leaves to the compiler:
// for example where an array in registers is passed by pointer and must not move to memory. Their parameters are not
// `restrict`: after inlining, that becomes a scope that Oclgrind 21.10 does not support.
#define INLINED static inline __attribute__((always_inline))

// The work-group size of a kernel, where it is known at compile time: the compiler can allocate registers and form
// loops for it, and PoCL does not compile again at the first launch.
#define GROUP_OF(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

// A non-temporal store, where the compiler has one: an ordinary store would first load the cache line that it
// overwrites. `pointer` must be aligned to its type.
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, pointer) __builtin_nontemporal_store((value), (pointer))
#endif
#endif
#ifndef STREAM
#define STREAM(value, pointer) (*(pointer) = (value))
#endif

// Vectors of VECTOR_WIDTH floats (realv) and 32-bit words (wordv, intv); width 1 is a plain scalar, since OpenCL has no
// vload1. LOADV and STOREV take an index in elements and need no alignment beyond the element's. WORDS_OF and REALS_OF
// give the bits of a realv as a wordv, and back.
#ifdef VECTOR_WIDTH
#if VECTOR_WIDTH == 1
typedef float realv;
typedef uint wordv;
typedef int intv;
#define LOADV(index, pointer) ((pointer)[index])
#define STOREV(value, index, pointer) ((pointer)[index] = (value))
#define WORDS_OF(v) as_uint(v)
#define REALS_OF(v) as_float(v)
#elif VECTOR_WIDTH == 2 || VECTOR_WIDTH == 4 || VECTOR_WIDTH == 8 || VECTOR_WIDTH == 16
typedef JOIN(float, VECTOR_WIDTH) realv;
typedef JOIN(uint, VECTOR_WIDTH) wordv;
typedef JOIN(int, VECTOR_WIDTH) intv;
#define LOADV(index, pointer) JOIN(vload, VECTOR_WIDTH)(0, (pointer) + (index))
#define STOREV(value, index, pointer) JOIN(vstore, VECTOR_WIDTH)((value), 0, (pointer) + (index))
#define WORDS_OF(v) JOIN(as_uint, VECTOR_WIDTH)(v)
#define REALS_OF(v) JOIN(as_float, VECTOR_WIDTH)(v)
#else
#error "VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif

// Horizontal sum: adds the two halves of the vector until one element is left.
#if VECTOR_WIDTH == 1
#define SUMV(v) (v)
#elif VECTOR_WIDTH == 2
#define SUMV(v) ((v).x + (v).y)
#elif VECTOR_WIDTH == 4
static inline float sum_of_4(float4 v) { return (v.x + v.z) + (v.y + v.w); }
#define SUMV(v) sum_of_4(v)
#elif VECTOR_WIDTH == 8
static inline float sum_of_8(float8 v) {
  const float4 h = v.lo + v.hi;
  return (h.x + h.z) + (h.y + h.w);
}
#define SUMV(v) sum_of_8(v)
#elif VECTOR_WIDTH == 16
static inline float sum_of_16(float16 v) {
  const float8 g = v.lo + v.hi;
  const float4 h = g.lo + g.hi;
  return (h.x + h.z) + (h.y + h.w);
}
#define SUMV(v) sum_of_16(v)
#endif
#endif

// a * b + c in the fastest form: fma() where it is native, plain arithmetic where the device would emulate it.
#if HAS_FMA
#define MULTIPLY_ADD(a, b, c) fma((a), (b), (c))
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif
