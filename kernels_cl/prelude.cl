// What every kernel file is built with: capabilities, vector types by width, unrolling.
//
// The host prepends this file and passes HAS_FMA, HAS_FP64, HAS_IMAGES, HAS_INLINE_PTX and HAS_LOCAL_MEMORY (on-chip
// local memory) as 0 or 1. Kernels ask for capabilities, never for vendors.

#if !defined(HAS_FMA) || !defined(HAS_FP64) || !defined(HAS_IMAGES) || !defined(HAS_INLINE_PTX) || \
    !defined(HAS_LOCAL_MEMORY)
#error "prelude.cl: the HAS_... capabilities must be defined by the host"
#endif

#if HAS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// JOIN(a, b) expands its arguments first: JOIN(float, VECTOR_WIDTH) is float4.
#define JOIN_RAW(a, b) a##b
#define JOIN(a, b) JOIN_RAW(a, b)

// A hint to unroll the loop that follows `n` times (1: not at all). Where unrolling must be certain, write an inner
// loop with a constant trip count.
#define PRAGMA(text) _Pragma(#text)
#define UNROLL_LOOP(n) PRAGMA_UNROLL(n)
#define PRAGMA_UNROLL(n) PRAGMA(unroll n)
// A hint to unroll the whole of a loop with a constant trip count.
#define UNROLL_WHOLE PRAGMA(unroll)

// Functions in kernels are `static inline`: C99's `inline` alone has no external definition, which some compilers then
// fail to link. INLINED where the call must vanish, for example since an array of registers passed by pointer must not
// become memory: plain `inline` leaves that to the compiler. No `restrict` on the parameters of such a function: once
// inlined, it becomes a scope that Oclgrind 21.10 does not know.
#define INLINED static inline __attribute__((always_inline))

// The work-group a kernel is launched with, where that is known when it is compiled: the compiler can plan registers and
// loops for it, and PoCL need not compile again at the first launch.
#define GROUP_OF(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

// Makes what other groups have written visible, and what this one has, to them: more than OpenCL 1.2 has words for.
// Where there is no PTX it does so on CPUs alone; elsewhere the host must order the groups by launches.
#if HAS_INLINE_PTX
#define DEVICE_FENCE() asm volatile("membar.gl;" ::: "memory")
#else
#define DEVICE_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

// A store past the caches, where the compiler knows any: a plain store would first fetch what it overwrites. `pointer` is
// aligned as its type asks.
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, pointer) __builtin_nontemporal_store((value), (pointer))
#endif
#endif
#ifndef STREAM
#define STREAM(value, pointer) (*(pointer) = (value))
#endif

// Vectors of VECTOR_WIDTH floats (realv) and 32-bit words (wordv, intv); width 1 is a plain scalar, for which OpenCL
// has no vload1. LOAD and STORE take an index in elements and need no alignment beyond the element's.
#ifdef VECTOR_WIDTH
#if VECTOR_WIDTH == 1
typedef float realv;
typedef uint wordv;
typedef int intv;
#define LOADV(index, pointer) ((pointer)[index])
#define STOREV(value, index, pointer) ((pointer)[index] = (value))
#elif VECTOR_WIDTH == 2 || VECTOR_WIDTH == 4 || VECTOR_WIDTH == 8 || VECTOR_WIDTH == 16
typedef JOIN(float, VECTOR_WIDTH) realv;
typedef JOIN(uint, VECTOR_WIDTH) wordv;
typedef JOIN(int, VECTOR_WIDTH) intv;
#define LOADV(index, pointer) JOIN(vload, VECTOR_WIDTH)(0, (pointer) + (index))
#define STOREV(value, index, pointer) JOIN(vstore, VECTOR_WIDTH)((value), 0, (pointer) + (index))
#else
#error "VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif

// Horizontal sum by folding halves.
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
