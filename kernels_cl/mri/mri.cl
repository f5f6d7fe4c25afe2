// Reconstruction of magnetic resonance images from samples at any places k of the Fourier space. Each voxel at x is a direct
// sum over the samples.
//
//   Q(x)       = sum of |phi_j|^2 exp(i 2 pi k_j.x)          (kind=q)
//   (F^H d)(x) = sum of conj(phi_j) d_j exp(i 2 pi k_j.x)    (kind=fhd)
//
// The kernel `weights` computes the factors of the exponentials, |phi|^2 or the two parts of conj(phi) d; `mri` sums. A sample
// is (kx, ky, kz, weight), SAMPLE_FLOATS floats. Lengths are such that k.x is in turns.
//
// Variants:
//   direct  a voxel per work-item; the samples in constant memory, where all work-items read the same one (direct.cl)
//   tiled   GRANULARITY vectors of voxels per work-item; the phase stays in turns, and only its fraction goes into
//           sine and cosine (tiled.cl)
// Source: S. S. Stone et al., "Accelerating advanced MRI reconstructions on GPUs", Computing Frontiers 2008, for the method
// of `direct` (MRI-Q and MRI-FHD of S. Ryoo et al., PPoPP 2008 and JPDC 68(10), 2008).
//
// Index map: group g has WORK_GROUP * GRANULARITY vectors of VECTOR_WIDTH neighbouring voxels from g times as many on, a
// work-item every WORK_GROUP-th of them.
//
// Parameters:
//   VARIANT             VARIANT_DIRECT or VARIANT_TILED
//   WORK_GROUP          work-items of a group
//   GRANULARITY         vectors of voxels per work-item (1 in direct)
//   VECTOR_WIDTH        voxels in a vector (1 in direct)
//   UNROLL              of the loop over the samples
//   PADDING             1: results are padded to whole groups, and no end is tested for; voxels always are
//   SAMPLES_PER_LAUNCH  samples in constant memory at a time, 0: as many as it holds (the host's affair)
//   LAYOUT              of the samples: LAYOUT_SOA, an array for each of their numbers; LAYOUT_AOS, one after the other
//   FUNCTIONS           sine and cosine: FUNCTIONS_PRECISE (sin, cos; tiled: sinpi, cospi), FUNCTIONS_NATIVE; tiled:
//                       FUNCTIONS_POLYNOMIAL, FUNCTIONS_MIXED (every fourth vector of a work-item polynomial, all others
//                       native)
//   MEMORY              tiled: where the samples are, MEMORY_CONSTANT or MEMORY_GLOBAL
//   DATA_MEMORY         direct: the same, DATA_MEMORY_CONSTANT or DATA_MEMORY_GLOBAL
//   ACCUMULATE          direct: where a voxel's position and its sums are, ACCUMULATE_REGISTER, or ACCUMULATE_LOCAL: in
//                       local memory, five words per work-item, the 20.1 bytes that the principles print
// and from the host KIND_FHD, 0 or 1.
//
// Arrays on the device: signals [samples][2 or 4] (phi, and d with fhd), voxels [3][voxels_pitch], results [2][results_pitch] (real and imaginary parts). A launch has
// `count` samples; all but the first add to the results (`add`).

#define SAMPLE_FLOATS (4 + KIND_FHD)

#if VARIANT == VARIANT_TILED ? MEMORY == MEMORY_GLOBAL : DATA_MEMORY == DATA_MEMORY_GLOBAL
#define SAMPLES global const float* restrict
#else
#define SAMPLES constant float* restrict
#endif

#if LAYOUT == LAYOUT_AOS
#define SAMPLE(i, part) samples[(i) * SAMPLE_FLOATS + (part)]
#else
#define SAMPLE(i, part) samples[(part) * count + (i)]
#endif

// Weighs the `count` samples of a launch, one per work-item.
kernel void weights(const int count, global const float* restrict signals, global float* restrict samples) {
  const int i = get_global_id(0);
  if (i >= count) return;
  global const float* const signal = signals + 2 * (1 + KIND_FHD) * (size_t)i;
  const float real = signal[0];
  const float imaginary = signal[1];
#if KIND_FHD
  SAMPLE(i, 3) = real * signal[2] + imaginary * signal[3];
  SAMPLE(i, 4) = real * signal[3] - imaginary * signal[2];
#else
  SAMPLE(i, 3) = real * real + imaginary * imaginary;
#endif
}

// Adds the sample with this weight to the sums of a vector of voxels.
#if KIND_FHD
#define ADD_SAMPLE(i, cosine, sine, re, im)                                                                \
  re = MULTIPLY_ADD((realv)(-SAMPLE(i, 4)), sine, MULTIPLY_ADD((realv)(SAMPLE(i, 3)), cosine, re));      \
  im = MULTIPLY_ADD((realv)(SAMPLE(i, 3)), sine, MULTIPLY_ADD((realv)(SAMPLE(i, 4)), cosine, im))
#else
#define ADD_SAMPLE(i, cosine, sine, re, im)                   \
  re = MULTIPLY_ADD((realv)(SAMPLE(i, 3)), cosine, re); \
  im = MULTIPLY_ADD((realv)(SAMPLE(i, 3)), sine, im)
#endif

// Stores the sums of a vector of voxels, `left` of them exist if nothing is padded.
INLINED void store_voxels(global float* to, realv sums, const long left, const int add) {
  if (PADDING || left >= VECTOR_WIDTH) {
    if (add) sums += LOADV(0, to);
    STOREV(sums, 0, to);
  } else {
    float voxels[VECTOR_WIDTH];
    STOREV(sums, 0, voxels);
    for (int i = 0; i < left; ++i) to[i] = add ? to[i] + voxels[i] : voxels[i];
  }
}

#if VARIANT == VARIANT_DIRECT
#include "mri/direct.cl"
#else
#include "mri/tiled.cl"
#endif
