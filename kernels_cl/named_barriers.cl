// Barriers at which some work-items of a group arrive without waiting, while others wait (BARRIER_NAMED): how loading
// work-items and computing ones meet in M. Bauer, H. Cook, B. Khailany, "CudaDMA: optimizing GPU memory bandwidth via warp
// specialization", SC 2011, section 4.2. `items` counts both kinds; whole warps take part.
//
// Loaders wait until a buffer is free, fill it and arrive at the barrier where the computing work-items wait until it is
// full. Barrier 0 is that of barrier().

#if BARRIER == BARRIER_NAMED
#if !HAS_INLINE_PTX
#error "named_barriers.cl: BARRIER_NAMED needs a compiler that accepts PTX"
#endif

#define BUFFER_FREE(buffer) (1 + 2 * (buffer))
#define BUFFER_FULL(buffer) (2 + 2 * (buffer))
#define COMPUTING 5  // of the computing work-items alone

static inline void arrive_at(const int name, const int items) {
  asm volatile("bar.arrive %0, %1;" : : "r"(name), "r"(items) : "memory");
}
static inline void wait_at(const int name, const int items) {
  asm volatile("bar.sync %0, %1;" : : "r"(name), "r"(items) : "memory");
}
#endif
