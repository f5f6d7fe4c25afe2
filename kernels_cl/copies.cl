// Copies of vectors (realv) from global to local memory that proceed while the work-item computes and need no registers:
// COPY_ASYNC begins one, COPIES_TOLD ends a batch of them, WAIT_FOR_COPIES(n) waits until at most the last n batches of
// this work-item are under way. Copies of other work-items are visible after these have waited and all passed a
// barrier. `to` and `from` are aligned to the vector. If the device has no such copies, each is made at once.
#if HAS_ASYNC_COPIES
INLINED void copy_async(local realv* to, global const realv* from) {
#if VECTOR_WIDTH == 4
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"((uint)(size_t)to), "l"(from) : "memory");
#else
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"((uint)(size_t)to), "l"(from), "n"(sizeof(realv))
               : "memory");
#endif
}
#define COPY_ASYNC(to, from) copy_async((local realv*)(to), (global const realv*)(from))
#define COPIES_TOLD() asm volatile("cp.async.commit_group;" : : : "memory")
#define WAIT_FOR_COPIES(n) asm volatile("cp.async.wait_group %0;" : : "n"(n) : "memory")
#else
#define COPY_ASYNC(to, from) (*(local realv*)(to) = *(global const realv*)(from))
#define COPIES_TOLD()
#define WAIT_FOR_COPIES(n)
#endif
