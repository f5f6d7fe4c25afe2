// Matrix-vector product in single precision: y = alpha * op(A) * x + beta * y_in, op(A) being A or its transpose.
//
// A is row-major, m x n, and its rows begin `ld` elements apart. The result has `outputs` elements (m, or n where
// transposed), each the sum of `terms` products (n, or m). Plain A has the terms of an output side by side in memory;
// transposed A has the outputs side by side: that is the layout of the paper, whose matrix is column-major. With
// beta = 0 y_in is not read, and with alpha = 0 the sums are ignored (as in BLAS), whatever their values.
//
// Index map: outputs are grouped in slots. A slot is one row of plain A, or VECTOR_WIDTH neighbouring columns of
// transposed A, so that a vector load always runs along a row: over terms in plain A, over outputs in transposed A.
//   row_per_item    work-item i of group b has the slots (b * GRANULARITY + g) * WORK_GROUP + i
//   row_per_group   group b has the slots b * GRANULARITY + g; its items share the terms and reduce in local memory
//   vec_*, both_*   as row_per_item; the terms are processed in stages of TILE. The stage's part of x (vec_*), or of x
//                   and A (both_*), is staged in local memory by loaders: separate lanes, or asynchronous copies
//     *_single      one buffer: loading and computing alternate
//     *_double      two buffers, each with its own loaders: two sets of lanes, one of which is idle at any time, or
//                   two copies in flight at once
//     *_manual      two buffers and one set of loaders that fills them in turn
//   split_k         group (b, s) adds up the s-th chunk of the terms; several chunks are added at the end.
//                   Plain: ROW_LANES items side by side share a row, the group has WORK_GROUP / ROW_LANES rows at once
//                   and GRANULARITY times as many in all. Transposed: ROW_LANES items side by side cover
//                   ROW_LANES * GRANULARITY slots, the group takes WORK_GROUP / ROW_LANES terms at once. ROW_LANES = 1
//                   transposed: a group is one item, which keeps its sums in memory and adds GRANULARITY * UNROLL rows
//                   to them at once. SHORT_ROWS > 0: an item takes VECTOR_WIDTH whole rows at once, and GRANULARITY * UNROLL times
//                   as many of transposed A
// Each group of variants has a file: rows.cl, staged.cl (vec_*, both_*), split_k.cl.
//
// Parameters (all integers):
//   VARIANT       VARIANT_ROW_PER_ITEM ... VARIANT_SPLIT_K
//   WORK_GROUP    work-items per group; in vec_* and both_* those that compute. A power of two
//   GRANULARITY   slots per work-item (per group in row_per_group; rows at once in transposed groups of one item)
//   VECTOR_WIDTH  1, 2, 4, 8 or 16: width of loads and arithmetic
//   UNROLL        of the loop over the terms: a hint, in split_k certain
//   PADDING       rows of A in device memory begin at multiples of this many elements, 0: as in the problem
//   TILE          terms per stage (vec_*, both_*), a multiple of 16
//   LOADER        LOADER_ASYNC: async_work_group_copy. LOADER_SPLIT: separate lanes in addition to those that compute.
//                 LOADER_ALL: all lanes load a stage, then all compute (vec_single, both_single)
//   LOADERS       loading lanes per set (LOADER_SPLIT)
//   BARRIER       LOADER_SPLIT: loaders and computing lanes meet once per stage at a barrier of the group (BARRIER_GROUP),
//                 or at barriers of each buffer (BARRIER_NAMED, which needs PTX)
//   PREFETCH      LOADER_SPLIT: 1: loaders read the next stage's part of x into registers before they wait
//   LANES         split_k: items per row as requested, 0: the host chooses; see ROW_LANES
//   SPLITS        split_k: chunks as requested, 0: the host chooses; the kernel takes `chunk`
//   FINISH        split_k: who adds several chunks. FINISH_LAUNCH: `reduce`. FINISH_GROUP: of the groups that have the same
//                 outputs the one that is last
// and from the host:
//   TRANSPOSED    0 or 1
//   ALIGNED       1: rows begin at multiples of a load's width, so that it can be a single instruction
//   GROUP_ITEMS   vec_*, both_*: all work-items of a group, those that compute and those that load
//   TILE_LINE, TILE_LINES  both_*: the staged part of A in local memory, rows of A: elements in each, and their number
//   ROW_LANES     items side by side on a row in split_k, a power of two up to WORK_GROUP; else 1
//   SHORT_ROWS    split_k: elements of a row, if there are at most 8 and no gaps between rows; else 0, and for plain A on
//                 a GPU
//   SHORT_ROWS_PER_GROUP  split_k: rows of a group, of plain A with SHORT_ROWS > 0
//   PARTIAL       1: split_k writes sums of chunks, which are added later; 0: y itself
//   COLUMNS_PER_ITEM  split_k: columns of a transposed group of one item
//   REDUCE_GROUP, REDUCE_OUTPUTS  split_k: work-items and outputs of a group in `reduce`
//
// Preconditions: 1 <= outputs, terms <= 2^30; the allocation of A is readable for 64 elements, and in split_k for
// ROW_LANES * VECTOR_WIDTH elements, past its end (their values do not matter); chunk is a multiple of
// ROW_LANES * VECTOR_WIDTH in plain A; A and x are aligned to 64 bytes.
//
// Staging, buffering and specialised loaders: M. Bauer, H. Cook, B. Khailany, "CudaDMA: optimizing GPU memory
// bandwidth via warp specialization", SC 2011, sections 3.1, 4.2, 4.3 and 6.1.

#if WORK_GROUP % ROW_LANES != 0
#error "sgemv.cl: WORK_GROUP must be a multiple of ROW_LANES"
#endif

#if VARIANT == VARIANT_VEC_SINGLE || VARIANT == VARIANT_VEC_DOUBLE || VARIANT == VARIANT_VEC_MANUAL
#define STAGES_VECTOR 1
#define STAGES_MATRIX 0
#elif VARIANT == VARIANT_BOTH_SINGLE || VARIANT == VARIANT_BOTH_DOUBLE || VARIANT == VARIANT_BOTH_MANUAL
#define STAGES_VECTOR 1
#define STAGES_MATRIX 1
#else
#define STAGES_VECTOR 0
#define STAGES_MATRIX 0
#endif

// Elements of a row that one load reads: lanes side by side read at most 16 bytes each, so that what they read together
// is contiguous; a single lane reads its whole vector.
#if VARIANT == VARIANT_SPLIT_K && ROW_LANES > 1 && VECTOR_WIDTH > 4
#define LOAD_WIDTH 4
#else
#define LOAD_WIDTH VECTOR_WIDTH
#endif

#if LOAD_WIDTH == 1
typedef float load_t;
#else
typedef JOIN(float, LOAD_WIDTH) load_t;
#endif
#if ALIGNED || LOAD_WIDTH == 1
#define LOAD_A(pointer) (*(const global load_t*)(pointer))
#else
#define LOAD_A(pointer) JOIN(vload, LOAD_WIDTH)(0, (pointer))
#endif
// x is aligned whatever A is.
#define LOAD_X(pointer) (*(const global load_t*)(pointer))

#if VECTOR_WIDTH == 1
#define FIRST(v) (v)
#else
#define FIRST(v) (v).s0
#endif

#if TRANSPOSED
#define TERMS_PER_STEP 1
#define OUTPUTS_PER_SLOT VECTOR_WIDTH
#else
#define TERMS_PER_STEP VECTOR_WIDTH
#define OUTPUTS_PER_SLOT 1
#endif

#if STAGES_MATRIX
#define MATRIX_SPACE local
#define LOAD_MATRIX(pointer) LOADV(0, pointer)
#else
#define MATRIX_SPACE global
#define LOAD_MATRIX(pointer) LOAD_A(pointer)
#endif
#if STAGES_VECTOR
#define VECTOR_SPACE local
#define LOAD_VECTOR(pointer) LOADV(0, pointer)
#else
#define VECTOR_SPACE global
#define LOAD_VECTOR(pointer) LOAD_X(pointer)
#endif

// The slots of a work-item. Without the hint compilers do not unroll the loop for wide vectors, and then the sums are
// in memory, not in registers.
#define FOR_EACH_SLOT(g)   \
  UNROLL_LOOP(GRANULARITY) \
  for (int g = 0; g < GRANULARITY; ++g)

// Pointers of helpers are not `restrict`: see prelude.cl.

static inline float result(const float sum, const float alpha, const float beta, global const float* y_in) {
  const float scaled = alpha == 0.0f ? 0.0f : alpha * sum;
  return beta == 0.0f ? scaled : MULTIPLY_ADD(beta, *y_in, scaled);
}

#if VARIANT != VARIANT_SPLIT_K
#include "sgemv/slots.cl"
#if !STAGES_VECTOR
#include "sgemv/rows.cl"
#else
#include "sgemv/staged.cl"
#endif
#else
#include "sgemv/split_k.cl"
#endif
