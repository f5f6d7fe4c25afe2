// The peak rates of a device: memory bandwidth, arithmetic, local memory. Other kernels are compared with them.
//
// The result of every kernel depends on all its operations, so that no compiler can remove or fold them; the inputs
// come from buffers, so that no operand is known at compile time.
//
// Index map: the streaming kernels read or write an array of `count` vectors, cut into one contiguous chunk for each
// work-group, whose work-items take adjacent vectors. A GPU coalesces the accesses of groups of hundreds of work-items
// with a few vectors each; a CPU prefetches those of groups of one work-item with a long chunk each.
//
// Parameters
//   VECTOR_WIDTH  elements per load and per arithmetic operation: 1 2 4 8 16
//   GROUP         work-group size
//   STRIDE        for local_read: distance between the local addresses of adjacent work-items, in words
//
// Method: McCalpin's STREAM (kernels and counting of bytes); for the arithmetic rates, Konstantinidis and Cotronis, "A
// quantitative roofline model for GPU kernel performance estimation using micro-benchmarks" (2017).

// The group's own chunk: the vectors from `first` (of this work-item) up to `last`; `chunk` vectors, the last chunk of
// the array may have fewer. It starts with reading its own chunk.
#define OWN_CHUNK                                                                    \
  const size_t groups = get_num_groups(0), chunk = (count + groups - 1) / groups;    \
  const size_t first = get_group_id(0) * chunk + get_local_id(0);                    \
  const size_t last = min((size_t)count, (get_group_id(0) + 1) * chunk);             \
  size_t source_chunk = get_group_id(0)

// In each of `passes` passes a group reads another chunk, a third of the array further on, so that neither its
// first-level cache holds the chunk nor an adjacent group has just read it; it writes its own chunk only. SHIFT is the
// distance, in vectors, of the chunk that it reads from its own; instead of a chunk with fewer vectors it reads its
// own.
#define SHIFT \
  ((source_chunk + 1) * chunk <= count ? (long)(source_chunk * chunk) - (long)(get_group_id(0) * chunk) : 0L)
#define NEXT_CHUNK source_chunk = (source_chunk + groups / 3 + 1) % groups

// Four independent loads at a time: one alone would measure latency.
kernel GROUP_OF(GROUP, 1) void stream_read(global const realv* restrict a, global float* restrict out,
                                           const ulong count, const uint passes) {
  realv sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
  OWN_CHUNK;
  for (uint pass = 0; pass < passes; ++pass) {
    global const realv* const source = a + SHIFT;
    size_t i = first;
    for (; i + 3 * GROUP < last; i += 4 * GROUP) {
      sum0 += source[i];
      sum1 += source[i + GROUP];
      sum2 += source[i + 2 * GROUP];
      sum3 += source[i + 3 * GROUP];
    }
    for (; i < last; i += GROUP) sum0 += source[i];
    NEXT_CHUNK;
  }
  // The input has no such sum: the sum must be computed, but is not written.
  const float sum = SUMV((sum0 + sum1) + (sum2 + sum3));
  if (sum == 0.5f) out[0] = sum;
}

kernel GROUP_OF(GROUP, 1) void stream_write(global realv* restrict a, const float value, const ulong count,
                                            const uint passes) {
  const size_t chunk = (count + get_num_groups(0) - 1) / get_num_groups(0);
  const size_t last = min((size_t)count, (get_group_id(0) + 1) * chunk);
  for (uint pass = 0; pass < passes; ++pass) {
    for (size_t i = get_group_id(0) * chunk + get_local_id(0); i < last; i += GROUP) a[i] = (realv)(value + pass);
  }
}

kernel GROUP_OF(GROUP, 1) void stream_copy(global const realv* restrict a, global realv* restrict b,
                                           const ulong count, const uint passes) {
  OWN_CHUNK;
  for (uint pass = 0; pass < passes; ++pass) {
    global const realv* const source = a + SHIFT;
    size_t i = first;
    for (; i + 3 * GROUP < last; i += 4 * GROUP) {
      const realv v0 = source[i], v1 = source[i + GROUP], v2 = source[i + 2 * GROUP], v3 = source[i + 3 * GROUP];
      b[i] = v0;
      b[i + GROUP] = v1;
      b[i + 2 * GROUP] = v2;
      b[i + 3 * GROUP] = v3;
    }
    for (; i < last; i += GROUP) b[i] = source[i];
    NEXT_CHUNK;
  }
}

kernel GROUP_OF(GROUP, 1) void stream_triad(global const realv* restrict a, global const realv* restrict b,
                                            global realv* restrict c, const float factor, const ulong count,
                                            const uint passes) {
  OWN_CHUNK;
  for (uint pass = 0; pass < passes; ++pass) {
    const long shift = SHIFT;
    global const realv* const x = a + shift;
    global const realv* const y = b + shift;
    size_t i = first;
    for (; i + 3 * GROUP < last; i += 4 * GROUP) {
      const realv v0 = x[i] + factor * y[i], v1 = x[i + GROUP] + factor * y[i + GROUP];
      const realv v2 = x[i + 2 * GROUP] + factor * y[i + 2 * GROUP];
      const realv v3 = x[i + 3 * GROUP] + factor * y[i + 3 * GROUP];
      c[i] = v0;
      c[i + GROUP] = v1;
      c[i + 2 * GROUP] = v2;
      c[i + 3 * GROUP] = v3;
    }
    for (; i < last; i += GROUP) c[i] = x[i] + factor * y[i];
    NEXT_CHUNK;
  }
}

// Eight independent dependency chains: more than the latency of any arithmetic pipeline needs. Their initial values
// differ in every lane, so that no compiler computes one lane for all.
#define CHAINS 8
#if VECTOR_WIDTH == 1
#define TO_REALV convert_float
#else
#define TO_REALV JOIN(convert_float, VECTOR_WIDTH)
#endif

static inline wordv lane_numbers(void) {
  uint lanes[VECTOR_WIDTH];
  for (uint k = 0; k < VECTOR_WIDTH; ++k) lanes[k] = (uint)get_global_id(0) * VECTOR_WIDTH + k;
  return LOADV(0, lanes);
}

kernel GROUP_OF(GROUP, 1) void multiply_add(global const float* restrict in, global float* restrict out,
                                            const uint loops) {
  const realv factor = (realv)(in[0]);
  const realv summand = (realv)(in[1]);
  realv chain[CHAINS];
  for (int k = 0; k < CHAINS; ++k) chain[k] = TO_REALV(lane_numbers() + (uint)k);
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (int k = 0; k < CHAINS; ++k) chain[k] = MULTIPLY_ADD(chain[k], factor, summand);
  }
  realv sum = chain[0];
  for (int k = 1; k < CHAINS; ++k) sum += chain[k];
  out[get_global_id(0)] = SUMV(sum);
}

// A value that depends on every lane of every chain.
static inline uint folded(const wordv* chain) {
  wordv sum = chain[0];
  for (int k = 1; k < CHAINS; ++k) sum ^= chain[k];
  uint lanes[VECTOR_WIDTH];
  STOREV(sum, 0, lanes);
  uint result = lanes[0];
  for (int k = 1; k < VECTOR_WIDTH; ++k) result = result * 3u + lanes[k];
  return result;
}

// One addition and one exclusive-or per step: a chain of either alone could be folded, a chain of both cannot.
kernel GROUP_OF(GROUP, 1) void integer(global const uint* restrict in, global uint* restrict out, const uint loops) {
  const wordv summand = (wordv)(in[0]);
  const wordv mask = (wordv)(in[1]);
  wordv chain[CHAINS];
  for (int k = 0; k < CHAINS; ++k) chain[k] = lane_numbers() + (uint)k;
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (int k = 0; k < CHAINS; ++k) chain[k] = (chain[k] + summand) ^ mask;
  }
  out[get_global_id(0)] = folded(chain);
}

// x = (x & y) ^ z, where y and z are two other chains: one instruction where the device has three-input logic, two
// elsewhere; counted as two operations.
kernel GROUP_OF(GROUP, 1) void logic(global const uint* restrict in, global uint* restrict out, const uint loops) {
  wordv chain[CHAINS];
  for (int k = 0; k < CHAINS; ++k) chain[k] = (lane_numbers() + in[0]) * (2654435761u + 2u * (uint)k);
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (int k = 0; k < CHAINS; ++k) chain[k] = (chain[k] & chain[(k + 1) % CHAINS]) ^ chain[(k + 3) % CHAINS];
  }
  out[get_global_id(0)] = folded(chain);
}

// Adjacent work-items read local words STRIDE apart: without bank conflicts at 1, with as many as there are banks at
// 32.
#define LOCAL_WORDS 4096
kernel GROUP_OF(GROUP, 1) void local_read(global const uint* restrict in, global uint* restrict out,
                                          const uint loops) {
  local uint words[LOCAL_WORDS];
  for (uint i = get_local_id(0); i < LOCAL_WORDS; i += GROUP) words[i] = in[0] + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint index = (uint)get_local_id(0) * STRIDE;
  uint sum = 0;
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (uint k = 0; k < 8; ++k) sum += words[(index + k * 8u * STRIDE) & (LOCAL_WORDS - 1u)];
    index += 1u + (sum & in[1]);  // in[1] is 0, which the compiler cannot know: the address depends on the sum
  }
  out[get_global_id(0)] = sum;
}
