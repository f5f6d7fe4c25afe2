// What a device can do at most: bandwidths, arithmetic rates, local memory. The yardstick of every other kernel.
//
// Every kernel leaves a result that depends on all it did, so that no compiler can drop or fold the work; inputs come
// from buffers, so that nothing is known when it is compiled.
//
// Index map: the streaming kernels walk an array of `count` vectors, cut into one contiguous piece for each work-group,
// whose work-items take neighbouring vectors. Groups of hundreds with a few vectors per work-item are what a GPU
// coalesces; groups of one work-item with a long piece each are what a CPU prefetches.
//
// Parameters
//   VECTOR_WIDTH  elements per load and per arithmetic operation: 1 2 4 8 16
//   GROUP         work-items of a group
//   STRIDE        distance in words between the local addresses of neighbouring work-items, for local_read
//
// Method after McCalpin's STREAM (kernels and the counting of bytes) and after Konstantinidis and Cotronis, "A
// quantitative roofline model for GPU kernel performance estimation using micro-benchmarks" (2017), for the rates.

#ifndef VECTOR_WIDTH
#error "peaks.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#ifndef GROUP
#error "peaks.cl: GROUP must be a number of work-items"
#endif
#ifndef STRIDE
#error "peaks.cl: STRIDE must be a distance in words"
#endif

// A group's own piece of the array: [first, last) for its first work-item, `piece` vectors if it is full.
#define OWN_PIECE                                                                    \
  const size_t groups = get_num_groups(0), piece = (count + groups - 1) / groups;    \
  const size_t first = get_group_id(0) * piece + get_local_id(0);                    \
  const size_t last = min((size_t)count, (get_group_id(0) + 1) * piece);             \
  size_t turn = get_group_id(0)

// In each of `passes` passes a group reads the piece whose `turn` it is, a third of the array further on, so that neither
// a first-level cache holds it nor a neighbour has just read it; what it writes is its own. The distance from its own
// piece; one that is not full is not read.
#define SHIFT ((turn + 1) * piece <= count ? (long)(turn * piece) - (long)(get_group_id(0) * piece) : 0L)
#define NEXT_TURN turn = (turn + groups / 3 + 1) % groups

// Four loads under way at a time: one alone would measure latency.
kernel GROUP_OF(GROUP, 1) void stream_read(global const realv* restrict a, global float* restrict out,
                                           const ulong count, const uint passes) {
  realv sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
  OWN_PIECE;
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
    NEXT_TURN;
  }
  // No piece sums to this: the sum is needed, and hardly anything is written.
  const float sum = SUMV((sum0 + sum1) + (sum2 + sum3));
  if (sum == 0.5f) out[0] = sum;
}

kernel GROUP_OF(GROUP, 1) void stream_write(global realv* restrict a, const float value, const ulong count,
                                            const uint passes) {
  const size_t piece = (count + get_num_groups(0) - 1) / get_num_groups(0);
  const size_t last = min((size_t)count, (get_group_id(0) + 1) * piece);
  for (uint pass = 0; pass < passes; ++pass) {
    for (size_t i = get_group_id(0) * piece + get_local_id(0); i < last; i += GROUP) a[i] = (realv)(value + pass);
  }
}

kernel GROUP_OF(GROUP, 1) void stream_copy(global const realv* restrict a, global realv* restrict b,
                                           const ulong count, const uint passes) {
  OWN_PIECE;
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
    NEXT_TURN;
  }
}

kernel GROUP_OF(GROUP, 1) void stream_triad(global const realv* restrict a, global const realv* restrict b,
                                            global realv* restrict c, const float factor, const ulong count,
                                            const uint passes) {
  OWN_PIECE;
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
    NEXT_TURN;
  }
}

// Eight independent chains: more than any pipeline is deep. They start from numbers that differ in every lane, so that
// no compiler computes one lane for all.
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

// Every lane of every chain ends in the result.
static inline uint folded(const wordv* chain) {
  wordv sum = chain[0];
  for (int k = 1; k < CHAINS; ++k) sum ^= chain[k];
  uint lanes[VECTOR_WIDTH];
  STOREV(sum, 0, lanes);
  uint result = lanes[0];
  for (int k = 1; k < VECTOR_WIDTH; ++k) result = result * 3u + lanes[k];
  return result;
}

// One addition and one exclusive-or a step. Linear in each alone, but not together: they cannot be folded.
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

// x = (x & y) ^ z, each chain fed by two others: one instruction where the device has three-input logic, two elsewhere;
// counted as two operations.
kernel GROUP_OF(GROUP, 1) void logic(global const uint* restrict in, global uint* restrict out, const uint loops) {
  wordv chain[CHAINS];
  for (int k = 0; k < CHAINS; ++k) chain[k] = (lane_numbers() + in[0]) * (2654435761u + 2u * (uint)k);
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (int k = 0; k < CHAINS; ++k) chain[k] = (chain[k] & chain[(k + 1) % CHAINS]) ^ chain[(k + 3) % CHAINS];
  }
  out[get_global_id(0)] = folded(chain);
}

// Neighbouring work-items read local words STRIDE apart: 1 without bank conflicts, 32 with as many as there are banks.
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
    index += 1u + (sum & in[1]);  // in[1] is 0: the address depends on what was read, and the compiler cannot know
  }
  out[get_global_id(0)] = sum;
}
