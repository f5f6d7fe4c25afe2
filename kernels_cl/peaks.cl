// What a device can do at most: bandwidths, arithmetic rates, local memory. The yardstick of every other kernel.
//
// Every kernel leaves a result that depends on all it did, so that no compiler can drop or fold the work; inputs come
// from buffers, so that nothing is known when it is compiled.
//
// Index map: the streaming kernels walk an array of `count` vectors. ACCESS_ADJACENT: neighbouring work-items take
// neighbouring vectors and step by the global size (what a GPU coalesces). ACCESS_CHUNKED: a work-item takes one
// contiguous piece (what a CPU prefetches).
//
// Parameters
//   VECTOR_WIDTH  elements per load and per arithmetic operation: 1 2 4 8 16
//   ACCESS        ACCESS_ADJACENT or ACCESS_CHUNKED, for the streaming kernels
//   FUSED         1: multiply-add by fma(); 0: by mad()
//   STRIDE        distance in words between the local addresses of neighbouring work-items, for local_read
//
// Method after McCalpin's STREAM (kernels and the counting of bytes) and after Konstantinidis and Cotronis, "A
// quantitative roofline model for GPU kernel performance estimation using micro-benchmarks" (2017), for the rates.

#ifndef VECTOR_WIDTH
#error "peaks.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#ifndef ACCESS
#error "peaks.cl: ACCESS must be ACCESS_ADJACENT or ACCESS_CHUNKED"
#endif
#ifndef FUSED
#error "peaks.cl: FUSED must be 0 or 1"
#endif
#ifndef STRIDE
#error "peaks.cl: STRIDE must be a distance in words"
#endif

#if ACCESS == ACCESS_ADJACENT
#define FIRST(count) get_global_id(0)
#define LAST(count) (count)
#define STEP get_global_size(0)
#else
#define CHUNK(count) (((count) + get_global_size(0) - 1) / get_global_size(0))
#define FIRST(count) (get_global_id(0) * CHUNK(count))
#define LAST(count) min((size_t)(count), (get_global_id(0) + 1) * CHUNK(count))
#define STEP 1
#endif

// Four loads under way at a time: one alone would measure latency.
kernel void stream_read(global const realv* restrict a, global float* restrict out, const ulong count) {
  realv sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
  const size_t last = LAST(count);
  size_t i = FIRST(count);
  for (; i + 3 * STEP < last; i += 4 * STEP) {
    sum0 += a[i];
    sum1 += a[i + STEP];
    sum2 += a[i + 2 * STEP];
    sum3 += a[i + 3 * STEP];
  }
  for (; i < last; i += STEP) sum0 += a[i];
  out[get_global_id(0)] = SUMV((sum0 + sum1) + (sum2 + sum3));
}

kernel void stream_write(global realv* restrict a, const float value, const ulong count) {
  const size_t last = LAST(count);
  for (size_t i = FIRST(count); i < last; i += STEP) a[i] = (realv)(value);
}

kernel void stream_copy(global const realv* restrict a, global realv* restrict b, const ulong count) {
  const size_t last = LAST(count);
  size_t i = FIRST(count);
  for (; i + 3 * STEP < last; i += 4 * STEP) {
    const realv v0 = a[i], v1 = a[i + STEP], v2 = a[i + 2 * STEP], v3 = a[i + 3 * STEP];
    b[i] = v0;
    b[i + STEP] = v1;
    b[i + 2 * STEP] = v2;
    b[i + 3 * STEP] = v3;
  }
  for (; i < last; i += STEP) b[i] = a[i];
}

kernel void stream_triad(global const realv* restrict a, global realv* restrict b, const float factor,
                         const ulong count) {
  const size_t last = LAST(count);
  for (size_t i = FIRST(count); i < last; i += STEP) b[i] = a[i] + factor * b[i];
}

// Eight independent chains of multiply-adds: more than any pipeline is deep.
#define CHAINS 8
#if FUSED
#define STEP_REAL(a, b, c) fma(a, b, c)
#else
#define STEP_REAL(a, b, c) mad(a, b, c)
#endif

kernel void multiply_add(global const float* restrict in, global float* restrict out, const uint loops) {
  const realv factor = (realv)(in[0]);
  const realv summand = (realv)(in[1]);
  realv chain[CHAINS];
  for (int k = 0; k < CHAINS; ++k) chain[k] = (realv)((float)get_global_id(0) + (float)k);
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (int k = 0; k < CHAINS; ++k) chain[k] = STEP_REAL(chain[k], factor, summand);
  }
  realv sum = chain[0];
  for (int k = 1; k < CHAINS; ++k) sum += chain[k];
  out[get_global_id(0)] = SUMV(sum);
}

// One addition and one exclusive-or a step. Linear in each alone, but not together: they cannot be folded.
kernel void integer(global const uint* restrict in, global uint* restrict out, const uint loops) {
  const wordv summand = (wordv)(in[0]);
  const wordv mask = (wordv)(in[1]);
  wordv chain[CHAINS];
  for (int k = 0; k < CHAINS; ++k) chain[k] = (wordv)((uint)get_global_id(0) + (uint)k);
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (int k = 0; k < CHAINS; ++k) chain[k] = (chain[k] + summand) ^ mask;
  }
  wordv sum = chain[0];
  for (int k = 1; k < CHAINS; ++k) sum ^= chain[k];
#if VECTOR_WIDTH == 1
  out[get_global_id(0)] = sum;
#else
  out[get_global_id(0)] = sum.s0 ^ sum.s1;
#endif
}

// Functions of three inputs, (x & y) ^ z, each of the eight chains fed by its neighbours: one instruction where the
// device has three-input logic, two elsewhere. Counted as one operation.
kernel void logic(global const uint* restrict in, global uint* restrict out, const uint loops) {
  const wordv mask = (wordv)(in[0]);
  wordv chain[CHAINS];
  for (int k = 0; k < CHAINS; ++k) chain[k] = (wordv)((uint)get_global_id(0) * 2654435761u + (uint)k);
  for (uint i = 0; i < loops; ++i) {
    UNROLL_LOOP(8)
    for (int k = 0; k < CHAINS; ++k) chain[k] = (chain[k] & chain[(k + 1) % CHAINS]) ^ (chain[(k + 3) % CHAINS] | mask);
  }
  wordv sum = chain[0];
  for (int k = 1; k < CHAINS; ++k) sum ^= chain[k];
#if VECTOR_WIDTH == 1
  out[get_global_id(0)] = sum;
#else
  out[get_global_id(0)] = sum.s0 ^ sum.s1;
#endif
}

// Neighbouring work-items read local words STRIDE apart: 1 without bank conflicts, 32 with as many as there are banks.
#define LOCAL_WORDS 4096
kernel void local_read(global const uint* restrict in, global uint* restrict out, const uint loops) {
  local uint words[LOCAL_WORDS];
  for (uint i = get_local_id(0); i < LOCAL_WORDS; i += get_local_size(0)) words[i] = in[0] + i;
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
