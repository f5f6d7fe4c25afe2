// What all variants of saxpy.cl share. DUMMY is KiB of local memory that nobody uses, so that fewer groups share a unit.

// That n is never 0 the compiler does not know.
#if DUMMY
#define OCCUPY_LOCAL_MEMORY                \
  local volatile float dummy[DUMMY * 256]; \
  if (n == 0) dummy[get_local_id(0)] = a;
#else
#define OCCUPY_LOCAL_MEMORY
#endif

// Vectors begin at multiples of their size: a compiler that knows that loads them as a whole.
#define VECTOR_AT(space, pointer) (*(space realv*)(pointer))

// y += a x for the vector that begins at element `at`; behind the arrays' end nothing.
static inline void add_vector(const float a, global const float* x, global float* y, const size_t at, const ulong n) {
  if (PADDING || at + VECTOR_WIDTH <= n) {
    VECTOR_AT(global, y + at) = MULTIPLY_ADD((realv)(a), VECTOR_AT(global const, x + at), VECTOR_AT(global, y + at));
  } else {
    for (size_t i = at; i < n; ++i) y[i] = MULTIPLY_ADD(a, x[i], y[i]);
  }
}
