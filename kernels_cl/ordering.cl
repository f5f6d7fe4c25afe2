// How work-groups of one launch wait for each other: every flag, lock and fence among groups consists of these
// operations. The host asks for them (GROUPS_WAIT, Macros::allow_inter_group_sync) only if groups that have started
// continue to run, which is tested on the device (kernels_cl/progress.cl).
//
//   Ordered atomics: those of OpenCL C 2.0 or 3.0, by its memory model, at the scope of the device.
//   PTX: volatile accesses and membar.gl, where the driver offers no more than that.
//   GROUPS_WAIT 0: volatile accesses. Launches order the groups: whatever is waited for was written by an earlier
//   launch, and every lock is free.
//
// A work-item that publishes for its group, or observes for it, does so behind or before a barrier of the group.

#ifndef ORDERING_CL
#define ORDERING_CL

#if GROUPS_WAIT && HAS_ORDERED_ATOMICS

typedef atomic_uint flag_t;

#define RELAXED memory_order_relaxed, memory_scope_device

// Reads a flag, and orders nothing.
INLINED uint peek(global flag_t* flag) { return atomic_load_explicit(flag, RELAXED); }
// Behind it everything is visible that was published before the flags were set that the work-item has peeked at.
INLINED void acquire_peeked(void) {
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
}
// Sets a flag, and orders nothing.
INLINED void leave(global flag_t* flag, const uint value) { atomic_store_explicit(flag, value, RELAXED); }
// Sets a flag, by which everything becomes visible that was written before.
INLINED void publish(global flag_t* flag, const uint value) {
  atomic_store_explicit(flag, value, memory_order_release, memory_scope_device);
}
// Counts by 1, and orders nothing; returns the number before: no two get the same.
INLINED uint draw_number(global flag_t* counter) { return atomic_fetch_add_explicit(counter, 1u, RELAXED); }
// Counts by 1; returns the number with this one. Publishes what was written before, and acquires what those did that
// were counted before.
INLINED uint arrive(global flag_t* counter) {
  return atomic_fetch_add_explicit(counter, 1u, memory_order_acq_rel, memory_scope_device) + 1;
}
// Sets bits, and orders nothing; returns the value before.
INLINED uint raise_bits(global flag_t* flag, const uint bits) { return atomic_fetch_or_explicit(flag, bits, RELAXED); }
// Sets the flag to `to` if it is `from`, and orders nothing; true where it did.
INLINED int change(global flag_t* flag, const uint from, const uint to) {
  uint expected = from;
  return atomic_compare_exchange_strong_explicit(flag, &expected, to, memory_order_relaxed, RELAXED);
}
// True where the lock was free; then it is held, and what was written under it is visible.
INLINED int try_lock(global flag_t* lock) {
  return atomic_exchange_explicit(lock, 1u, memory_order_acquire, memory_scope_device) == 0;
}
// Leaves a vector's words, `values`, each of them a flag of its own.
#define LEAVE_EACH(vector_type, to, values) \
  for (uint word = 0; word < sizeof(vector_type) / sizeof(uint); ++word) leave((to) + word, (values)[word])

#else

typedef uint flag_t;

#if !GROUPS_WAIT
#define FENCE()
#elif HAS_INLINE_PTX
#define FENCE() asm volatile("membar.gl;" ::: "memory")
#else
#error "ordering.cl: nothing here orders groups that wait for each other"
#endif

INLINED uint peek(global flag_t* flag) { return *(global volatile uint*)flag; }
INLINED void acquire_peeked(void) { FENCE(); }
INLINED void leave(global flag_t* flag, const uint value) { *(global volatile uint*)flag = value; }
INLINED void publish(global flag_t* flag, const uint value) {
  FENCE();
  leave(flag, value);
}
INLINED uint draw_number(global flag_t* counter) { return atomic_inc(counter); }
INLINED uint arrive(global flag_t* counter) {
  FENCE();
  const uint before = atomic_inc(counter);
  FENCE();
  return before + 1;
}
INLINED uint raise_bits(global flag_t* flag, const uint bits) { return atomic_or(flag, bits); }
INLINED int change(global flag_t* flag, const uint from, const uint to) { return atomic_cmpxchg(flag, from, to) == from; }
INLINED int try_lock(global flag_t* lock) {
  const int was_free = atomic_xchg(lock, 1) == 0;
  FENCE();
  return was_free;
}
#define LEAVE_EACH(vector_type, to, values) *(global volatile vector_type*)(to) = *(const vector_type*)(values)

#endif

INLINED void unlock(global flag_t* lock) { publish(lock, 0); }

// Whether the group is the last of `groups` that count by `left`, which is 0 before and behind the launch: only then it sees
// what all of them wrote. All its work-items take part; `is_last` is theirs.
INLINED int is_last_of(const uint groups, global flag_t* left, local int* is_last) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    *is_last = arrive(left) == groups;
    if (*is_last) leave(left, 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return *is_last;
}

// Waits until the flag is at least `least`; returns it. What was published with it is visible.
INLINED uint await(global flag_t* flag, const uint least) {
  uint seen = peek(flag);
  while (seen < least) seen = peek(flag);
  acquire_peeked();
  return seen;
}

#endif
