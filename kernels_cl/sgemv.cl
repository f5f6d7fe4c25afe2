// Matrix-vector product in single precision: y = alpha * op(A) * x + beta * y_in, op(A) being A or its transpose.
//
// A is row-major, m x n, and its rows begin LD elements apart. The result has `outputs` elements (m, or n where
// transposed), each the sum of `terms` products (n, or m). Plain A has the terms of an output side by side in memory;
// transposed A has the outputs side by side: that is the layout of the paper, whose matrix is column-major. With
// beta = 0 y_in is not read, and with alpha = 0 the sums do not count (as in BLAS), whatever they hold.
//
// Index map: outputs come in slots. A slot is one row of plain A, or VECTOR_WIDTH neighbouring columns of transposed
// A, so that a vector load always runs along a row: over terms in plain A, over outputs in transposed A.
//   row_per_item    work-item i of group b has the slots (b * GRANULARITY + g) * WORK_GROUP + i
//   row_per_group   group b has the slots b * GRANULARITY + g; its items share the terms and reduce in local memory
//   vec_*, both_*   as row_per_item; the terms come in stages of TILE. The stage's part of x (vec_*), or of x and A
//                   (both_*), is staged in local memory by loaders: lanes of their own, or asynchronous copies
//     *_single      one buffer: loading and computing alternate
//     *_double      two buffers, each with loaders of its own: two sets of lanes, of which one rests at any time, or
//                   two copies under way at once
//     *_manual      two buffers and one set of loaders that serves them in turn
//   split_k         group (b, s) adds up the s-th chunk of the terms; more than one chunk is added by `reduce`.
//                   Plain: ROW_LANES items side by side share a row, the group has WORK_GROUP / ROW_LANES rows at once
//                   and GRANULARITY times as many in all. Transposed: ROW_LANES items side by side cover
//                   ROW_LANES * GRANULARITY slots, the group takes WORK_GROUP / ROW_LANES terms at once. ROW_LANES = 1
//                   transposed: a group is one item, which keeps its sums in memory and streams along
//                   GRANULARITY * UNROLL rows
//
// Parameters (all whole numbers; a missing one is an error):
//   VARIANT       VARIANT_ROW_PER_ITEM ... VARIANT_SPLIT_K
//   WORK_GROUP    work-items per group; in vec_* and both_* those that compute. A power of two
//   GRANULARITY   slots per work-item (per group in row_per_group; rows at once for a transposed item alone)
//   VECTOR_WIDTH  1, 2, 4, 8 or 16: width of loads and arithmetic
//   UNROLL        of the loop over the terms: a hint, in split_k certain
//   PADDING       rows of A in device memory begin at multiples of this many elements, 0: LD is the caller's
//   TILE          terms per stage (vec_*, both_*), a multiple of 16
//   LOADER        LOADER_ASYNC: async_work_group_copy. LOADER_SPLIT: lanes of their own beside those that compute
//   LOADERS       loading lanes per set (LOADER_SPLIT)
//   LANES         split_k: items per row as asked for, 0: the host chooses; see ROW_LANES
//   SPLITS        split_k: chunks as asked for, 0: the host chooses; the kernel takes `chunk`
// and from the host:
//   TRANSPOSED    0 or 1
//   ALIGNED       1: rows begin at multiples of a load's width, so that it can be a single instruction
//   ROW_LANES     items side by side on a row in split_k, a power of two up to WORK_GROUP; else 1
//   PARTIAL       1: split_k writes sums of chunks for `reduce`; 0: y itself
//
// Preconditions: 1 <= outputs, terms <= 2^30; the allocation of A is readable for 64 elements, and in split_k for
// ROW_LANES * VECTOR_WIDTH elements, past its end (their values do not matter); chunk is a multiple of
// ROW_LANES * VECTOR_WIDTH in plain A; A and x are aligned to 64 bytes.
//
// Staging, buffering and specialised loaders: M. Bauer, H. Cook, B. Khailany, "CudaDMA: optimizing GPU memory
// bandwidth via warp specialization", SC 2011, sections 3.1, 4.3 and 6.1. OpenCL has one barrier for the whole group,
// so that loaders and computing lanes meet once per stage.

#ifndef VARIANT
#error "sgemv.cl: VARIANT must be one of the VARIANT_... names"
#endif
#ifndef WORK_GROUP
#error "sgemv.cl: WORK_GROUP must be a power of two"
#endif
#ifndef GRANULARITY
#error "sgemv.cl: GRANULARITY must be at least 1"
#endif
#ifndef VECTOR_WIDTH
#error "sgemv.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#ifndef UNROLL
#error "sgemv.cl: UNROLL must be at least 1"
#endif
#ifndef PADDING
#error "sgemv.cl: PADDING must be a number of elements or 0"
#endif
#ifndef TILE
#error "sgemv.cl: TILE must be a multiple of 16"
#endif
#ifndef LOADER
#error "sgemv.cl: LOADER must be LOADER_ASYNC or LOADER_SPLIT"
#endif
#ifndef LOADERS
#error "sgemv.cl: LOADERS must be at least 1"
#endif
#ifndef LANES
#error "sgemv.cl: LANES must be a power of two or 0"
#endif
#ifndef SPLITS
#error "sgemv.cl: SPLITS must be a number of chunks or 0"
#endif
#if !defined(TRANSPOSED) || !defined(ALIGNED) || !defined(ROW_LANES) || !defined(PARTIAL)
#error "sgemv.cl: TRANSPOSED, ALIGNED, ROW_LANES and PARTIAL must be defined by the host"
#endif
#if WORK_GROUP < 1 || (WORK_GROUP & (WORK_GROUP - 1)) || WORK_GROUP % ROW_LANES || TILE % 16 || TILE < 16
#error "sgemv.cl: WORK_GROUP must be a power of two and a multiple of ROW_LANES, TILE a multiple of 16"
#endif

#if VARIANT == VARIANT_VEC_SINGLE || VARIANT == VARIANT_VEC_DOUBLE || VARIANT == VARIANT_VEC_MANUAL
#define STAGES_VECTOR 1
#define STAGES_MATRIX 0
#elif VARIANT == VARIANT_BOTH_SINGLE || VARIANT == VARIANT_BOTH_DOUBLE || VARIANT == VARIANT_BOTH_MANUAL
#define STAGES_VECTOR 1
#define STAGES_MATRIX 1
#elif VARIANT == VARIANT_ROW_PER_ITEM || VARIANT == VARIANT_ROW_PER_GROUP || VARIANT == VARIANT_SPLIT_K
#define STAGES_VECTOR 0
#define STAGES_MATRIX 0
#else
#error "sgemv.cl: VARIANT is none of the known ones"
#endif

// Elements of a row that one load takes without a gap: lanes side by side read at most 16 bytes each, so that what
// they read together is contiguous; a lane alone reads its whole vector.
#if VARIANT == VARIANT_SPLIT_K && ROW_LANES > 1 && VECTOR_WIDTH > 4
#define PIECE 4
#else
#define PIECE VECTOR_WIDTH
#endif

#if PIECE == 1
typedef float piecev;
#else
typedef JOIN(float, PIECE) piecev;
#endif
#if ALIGNED || PIECE == 1
#define LOAD_PIECE(pointer) (*(const global piecev*)(pointer))
#else
#define LOAD_PIECE(pointer) JOIN(vload, PIECE)(0, (pointer))
#endif
// x is aligned whatever A is.
#define LOAD_X(pointer) (*(const global piecev*)(pointer))

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
#define LOAD_MATRIX(pointer) LOAD_PIECE(pointer)
#endif
#if STAGES_VECTOR
#define VECTOR_SPACE local
#define LOAD_VECTOR(pointer) LOADV(0, pointer)
#else
#define VECTOR_SPACE global
#define LOAD_VECTOR(pointer) LOAD_X(pointer)
#endif

// The slots of a work-item. Without the hint compilers leave wide vectors rolled up, and then the sums in memory.
#define FOR_EACH_SLOT(g)       \
  UNROLL_LOOP(GRANULARITY) \
  for (int g = 0; g < GRANULARITY; ++g)

// Pointers of helpers are not `restrict`: inlining would turn that into a marker that Oclgrind does not know.

float result(const float sum, const float alpha, const float beta, global const float* y_in) {
  const float scaled = alpha == 0.0f ? 0.0f : alpha * sum;
  return beta == 0.0f ? scaled : MULTIPLY_ADD(beta, *y_in, scaled);
}

#if VARIANT != VARIANT_SPLIT_K

// Writes the outputs of a slot that exist; a slot past the last one writes nothing.
void finish(const int slot, const realv sum, const int outputs, const float alpha, const float beta,
            global const float* y_in, global float* y) {
  float sums[OUTPUTS_PER_SLOT];
  if (TRANSPOSED) {
    STOREV(sum, 0, sums);
  } else {
    sums[0] = SUMV(sum);
  }
  UNROLL_LOOP(OUTPUTS_PER_SLOT)
  for (int i = 0; i < OUTPUTS_PER_SLOT; ++i) {
    const int output = slot * OUTPUTS_PER_SLOT + i;
    if (output < outputs) y[output] = result(sums[i], alpha, beta, y_in + output);
  }
}

int number_of_slots(const int outputs) { return (outputs + OUTPUTS_PER_SLOT - 1) / OUTPUTS_PER_SLOT; }

// Where a slot's elements begin. Slots past the last one read the last one's.
size_t slot_offset(const int slot, const int outputs, const ulong ld) {
  const int existing = min(slot, number_of_slots(outputs) - 1);
  return TRANSPOSED ? (size_t)existing * VECTOR_WIDTH : (size_t)existing * ld;
}

// Adds to each slot's sum its products with x[0 .. count), of which this is lane `lane` of `lanes` that share them.
void fold(realv* sums, MATRIX_SPACE const float* const* slots, const ulong ld, VECTOR_SPACE const float* x,
          const int count, const int lane, const int lanes) {
  const int whole = count - count % TERMS_PER_STEP;
  UNROLL_LOOP(UNROLL)
  for (int k = lane * TERMS_PER_STEP; k < whole; k += lanes * TERMS_PER_STEP) {
    const size_t offset = TRANSPOSED ? k * ld : (size_t)k;
    const realv factor = TRANSPOSED ? (realv)(x[k]) : LOAD_VECTOR(x + k);
    FOR_EACH_SLOT(g) {
      sums[g] = MULTIPLY_ADD(LOAD_MATRIX(slots[g] + offset), factor, sums[g]);
    }
  }
  if (TRANSPOSED) return;
  for (int k = whole + lane; k < count; k += lanes) {
    FOR_EACH_SLOT(g) FIRST(sums[g]) = MULTIPLY_ADD(slots[g][k], x[k], FIRST(sums[g]));
  }
}

#endif

#if VARIANT == VARIANT_ROW_PER_ITEM

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y) {
  const int first = (int)get_group_id(0) * GRANULARITY * WORK_GROUP + (int)get_local_id(0);
  realv sums[GRANULARITY];
  global const float* slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    slots[g] = matrix + slot_offset(first + g * WORK_GROUP, outputs, ld);
  }
  fold(sums, slots, ld, x, terms, 0, 1);
  FOR_EACH_SLOT(g) finish(first + g * WORK_GROUP, sums[g], outputs, alpha, beta, y_in, y);
}

#elif VARIANT == VARIANT_ROW_PER_GROUP

#if TRANSPOSED
typedef realv shared_sum;
#define TO_SHARED(v) (v)
#else
typedef float shared_sum;
#define TO_SHARED(v) SUMV(v)
#endif

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y) {
  local shared_sum shared[WORK_GROUP];
  const int lane = (int)get_local_id(0);
  const int first = (int)get_group_id(0) * GRANULARITY;
  realv sums[GRANULARITY];
  global const float* slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    slots[g] = matrix + slot_offset(first + g, outputs, ld);
  }
  fold(sums, slots, ld, x, terms, lane, WORK_GROUP);
  FOR_EACH_SLOT(g) {
    shared[lane] = TO_SHARED(sums[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_width = WORK_GROUP / 2; half_width > 0; half_width /= 2) {
      if (lane < half_width) shared[lane] += shared[lane + half_width];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    // finish() folds a vector where the sum is spread over one; here it is whole already, or spread over outputs.
    if (lane == 0) {
      realv sum = 0.0f;
#if TRANSPOSED
      sum = shared[0];
#else
      FIRST(sum) = shared[0];
#endif
      finish(first + g, sum, outputs, alpha, beta, y_in, y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#elif STAGES_VECTOR

#define IS_SINGLE (VARIANT == VARIANT_VEC_SINGLE || VARIANT == VARIANT_BOTH_SINGLE)
#define IS_DOUBLE (VARIANT == VARIANT_VEC_DOUBLE || VARIANT == VARIANT_BOTH_DOUBLE)
#define IS_MANUAL (VARIANT == VARIANT_VEC_MANUAL || VARIANT == VARIANT_BOTH_MANUAL)
#define BUFFERS (IS_SINGLE ? 1 : 2)
#define LOADER_SETS (LOADER == LOADER_ASYNC ? 0 : (IS_DOUBLE ? 2 : 1))
#define ITEMS (WORK_GROUP + LOADER_SETS * LOADERS)
#define SLOTS_PER_GROUP (WORK_GROUP * GRANULARITY)
#define OUTPUTS_PER_GROUP (SLOTS_PER_GROUP * OUTPUTS_PER_SLOT)
// The staged part of A: its lines are rows of A. In plain A they are one column longer than a stage, so that lanes
// which read neighbouring lines do not meet in one bank.
#define LINE (TRANSPOSED ? OUTPUTS_PER_GROUP : TILE + 1)
#define LINES (TRANSPOSED ? TILE : OUTPUTS_PER_GROUP)
#define MATRIX_TILE (STAGES_MATRIX ? LINES * LINE : 1)

// What a group works on.
typedef struct {
  global const float* matrix;  // from the group's first slot on
  global const float* x;
  ulong ld;
  int terms;
  int slots;  // of the group that exist
} Problem;

int terms_in_stage(const Problem* problem, const int stage) { return min(TILE, problem->terms - stage * TILE); }

// Lines of A that a stage needs, and elements in each of them.
int lines_in_stage(const Problem* problem, const int count) { return TRANSPOSED ? count : problem->slots; }
int line_length(const Problem* problem, const int count) {
  return TRANSPOSED ? problem->slots * OUTPUTS_PER_SLOT : count;
}
global const float* stage_of_matrix(const Problem* problem, const int stage) {
  return problem->matrix + (TRANSPOSED ? (size_t)stage * TILE * problem->ld : (size_t)stage * TILE);
}

// Copies x[0 .. count) into local memory; this is loader `lane` of LOADERS.
void load_run(local float* to, global const float* from, const int count, const int lane) {
  const int whole = count - count % VECTOR_WIDTH;
  for (int i = lane * VECTOR_WIDTH; i < whole; i += LOADERS * VECTOR_WIDTH) STOREV(LOAD_X(from + i), i, to);
  for (int i = whole + lane; i < count; i += LOADERS) to[i] = from[i];
}

// Copies a stage by loading lanes. All lines together are one sequence of vectors, so that short lines leave no lane
// without work.
void load_stage(const Problem* problem, const int stage, local float* vector_tile, local float* matrix_tile,
                const int lane) {
  const int count = terms_in_stage(problem, stage);
  load_run(vector_tile, problem->x + stage * TILE, count, lane);
  if (!STAGES_MATRIX) return;
  const int length = line_length(problem, count);
  const int vectors = (length + VECTOR_WIDTH - 1) / VECTOR_WIDTH;
  global const float* from = stage_of_matrix(problem, stage);
  UNROLL_LOOP(UNROLL)
  for (int i = lane; i < lines_in_stage(problem, count) * vectors; i += LOADERS) {
    const int line = i / vectors;
    const int column = (i - line * vectors) * VECTOR_WIDTH;
    global const float* source = from + line * problem->ld + column;
    local float* target = matrix_tile + line * LINE + column;
    if (column + VECTOR_WIDTH <= length) {
      STOREV(LOAD_PIECE(source), 0, target);
    } else {
      for (int rest = 0; rest < length - column; ++rest) target[rest] = source[rest];
    }
  }
}

// Starts the copies of a stage; all work-items take part. The event stands for all of them.
event_t start_stage(const Problem* problem, const int stage, local float* vector_tile, local float* matrix_tile) {
  const int count = terms_in_stage(problem, stage);
  event_t copied = async_work_group_copy(vector_tile, problem->x + stage * TILE, (size_t)count, 0);
  if (STAGES_MATRIX) {
    global const float* from = stage_of_matrix(problem, stage);
    for (int line = 0; line < lines_in_stage(problem, count); ++line) {
      copied = async_work_group_copy(matrix_tile + line * LINE, from + line * problem->ld,
                                     (size_t)line_length(problem, count), copied);
    }
  }
  return copied;
}

void compute_stage(realv* sums, const Problem* problem, const int stage, local const float* vector_tile,
                   local const float* matrix_tile, const int lane) {
  MATRIX_SPACE const float* slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    const int slot = min(lane + g * WORK_GROUP, problem->slots - 1);
#if STAGES_MATRIX
    slots[g] = matrix_tile + slot * (TRANSPOSED ? VECTOR_WIDTH : LINE);
#else
    slots[g] = stage_of_matrix(problem, stage) + (TRANSPOSED ? (size_t)slot * VECTOR_WIDTH : slot * problem->ld);
#endif
  }
  fold(sums, slots, STAGES_MATRIX ? (ulong)LINE : problem->ld, vector_tile, terms_in_stage(problem, stage), 0, 1);
}

kernel GROUP_OF(ITEMS, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y) {
  local float vector_tiles[BUFFERS][TILE] __attribute__((aligned(64)));
  local float matrix_tiles[BUFFERS][MATRIX_TILE] __attribute__((aligned(64)));
  const int lane = (int)get_local_id(0);
  const int first = (int)get_group_id(0) * SLOTS_PER_GROUP;
  const Problem problem = {matrix + slot_offset(first, outputs, ld), x, ld, terms,
                           min(SLOTS_PER_GROUP, number_of_slots(outputs) - first)};
  const int stages = (terms + TILE - 1) / TILE;
  realv sums[GRANULARITY];
  FOR_EACH_SLOT(g) sums[g] = 0.0f;

#if LOADER == LOADER_SPLIT
  // Each turn loads one stage and computes another: the same one after it has come in (one buffer), or the one before.
  const int lead = BUFFERS - 1;
  for (int stage = -lead; stage < stages; ++stage) {
    const int incoming = stage + lead;
    const int set = IS_DOUBLE ? incoming % 2 : 0;
    const int loader = lane - WORK_GROUP - set * LOADERS;
    if (loader >= 0 && loader < LOADERS && incoming < stages) {
      load_stage(&problem, incoming, vector_tiles[incoming % BUFFERS], matrix_tiles[incoming % BUFFERS], loader);
    }
    if (IS_SINGLE) barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < WORK_GROUP && stage >= 0) {
      compute_stage(sums, &problem, stage, vector_tiles[stage % BUFFERS], matrix_tiles[stage % BUFFERS], lane);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  // Stages on their way when a stage is computed: none, the next (manual), or at its begin this and the next (double).
  event_t copied[BUFFERS];
  if (!IS_SINGLE) copied[0] = start_stage(&problem, 0, vector_tiles[0], matrix_tiles[0]);
  if (IS_DOUBLE && stages > 1) copied[1] = start_stage(&problem, 1, vector_tiles[1], matrix_tiles[1]);
  for (int stage = 0; stage < stages; ++stage) {
    const int now = stage % BUFFERS;
    const int next = (stage + 1) % BUFFERS;
    if (IS_SINGLE) copied[0] = start_stage(&problem, stage, vector_tiles[0], matrix_tiles[0]);
    wait_group_events(1, &copied[now]);
    if (IS_MANUAL && stage + 1 < stages) {
      copied[next] = start_stage(&problem, stage + 1, vector_tiles[next], matrix_tiles[next]);
    }
    compute_stage(sums, &problem, stage, vector_tiles[now], matrix_tiles[now], lane);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (IS_DOUBLE && stage + 2 < stages) {
      copied[now] = start_stage(&problem, stage + 2, vector_tiles[now], matrix_tiles[now]);
    }
  }
#endif

  if (lane < WORK_GROUP) {
    FOR_EACH_SLOT(g) finish(first + lane + g * WORK_GROUP, sums[g], outputs, alpha, beta, y_in, y);
  }
}

#else  // VARIANT_SPLIT_K

#define SLICES (WORK_GROUP / ROW_LANES)
// Elements that the lanes of a row read in one step.
#define STRIP (ROW_LANES * VECTOR_WIDTH)
// Columns whose sums an item that works alone keeps in its first-level cache (16 KiB).
#define COLUMNS_ALONE 4096

// VECTOR_WIDTH elements of a row in pieces that lie ROW_LANES pieces apart: together the lanes read a strip without
// gaps. LOAD is LOAD_PIECE or LOAD_X.
#if PIECE == VECTOR_WIDTH
#define STRIP_OF(LOAD, row) LOAD(row)
#elif VECTOR_WIDTH == 8
#define STRIP_OF(LOAD, row) (float8)(LOAD(row), LOAD((row) + 4 * ROW_LANES))
#else
#define STRIP_OF(LOAD, row) \
  (float16)(LOAD(row), LOAD((row) + 4 * ROW_LANES), LOAD((row) + 8 * ROW_LANES), LOAD((row) + 12 * ROW_LANES))
#endif

// A sum of all terms becomes a result; one of a chunk is left to `reduce`.
void emit(const int output, const float sum, const int outputs, const float alpha, const float beta,
          global const float* y_in, global float* y, global float* partial) {
  if (PARTIAL) {
    partial[get_group_id(1) * (size_t)outputs + output] = sum;
  } else {
    y[output] = result(sum, alpha, beta, y_in + output);
  }
}

#if !TRANSPOSED

void fold_strip(realv* sums, global const float* const* rows, global const float* x, const int k) {
  const realv factor = STRIP_OF(LOAD_X, x + k);
  FOR_EACH_SLOT(g) sums[g] = MULTIPLY_ADD(STRIP_OF(LOAD_PIECE, rows[g] + k), factor, sums[g]);
}

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* restrict partial,
          const int chunk) {
  local float folded[GRANULARITY][WORK_GROUP];
  const int item = (int)get_local_id(0);
  const int lane = item % ROW_LANES;
  const int first = (int)get_group_id(0) * SLICES * GRANULARITY + item / ROW_LANES;
  const int begin = (int)get_group_id(1) * chunk;
  const int end = begin + min(chunk, terms - begin);
  int k = first < outputs ? begin : end;

  realv sums[GRANULARITY];
  global const float* rows[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    rows[g] = matrix + (size_t)min(first + g * SLICES, outputs - 1) * ld;
  }
  for (; k <= end - UNROLL * STRIP; k += UNROLL * STRIP) {
    UNROLL_LOOP(UNROLL)
    for (int u = 0; u < UNROLL; ++u) fold_strip(sums, rows, x, k + u * STRIP + lane * PIECE);
  }
  for (; k <= end - STRIP; k += STRIP) fold_strip(sums, rows, x, k + lane * PIECE);
  for (k += lane; k < end; k += ROW_LANES) {
    FOR_EACH_SLOT(g) FIRST(sums[g]) = MULTIPLY_ADD(rows[g][k], x[k], FIRST(sums[g]));
  }

  FOR_EACH_SLOT(g) folded[g][item] = SUMV(sums[g]);
  for (int half_width = ROW_LANES / 2; half_width > 0; half_width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_width) {
      FOR_EACH_SLOT(g) folded[g][item] += folded[g][item + half_width];
    }
  }
  if (lane > 0) return;
  FOR_EACH_SLOT(g) {
    const int row = first + g * SLICES;
    if (row < outputs) emit(row, folded[g][item], outputs, alpha, beta, y_in, y, partial);
  }
}

#elif ROW_LANES > 1

void fold_row(realv* sums, global const float* row, const int* slots, const float factor) {
  FOR_EACH_SLOT(g) sums[g] = MULTIPLY_ADD(STRIP_OF(LOAD_PIECE, row + slots[g]), (realv)(factor), sums[g]);
}

// The inverse of STRIP_OF, to local memory.
void store_strip(local float* row, const realv strip) {
#if PIECE == VECTOR_WIDTH
  STOREV(strip, 0, row);
#elif VECTOR_WIDTH == 8
  vstore4(strip.lo, 0, row);
  vstore4(strip.hi, 0, row + 4 * ROW_LANES);
#else
  vstore4(strip.lo.lo, 0, row);
  vstore4(strip.lo.hi, 0, row + 4 * ROW_LANES);
  vstore4(strip.hi.lo, 0, row + 8 * ROW_LANES);
  vstore4(strip.hi.hi, 0, row + 12 * ROW_LANES);
#endif
}

kernel GROUP_OF(WORK_GROUP, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* restrict partial,
          const int chunk) {
  local float folded[SLICES][STRIP];
  const int item = (int)get_local_id(0);
  const int slice = item / ROW_LANES;
  const int group_column = (int)get_group_id(0) * STRIP * GRANULARITY;
  const int column = group_column + item % ROW_LANES * PIECE;
  const int begin = (int)get_group_id(1) * chunk;
  const int end = begin + min(chunk, terms - begin);

  realv sums[GRANULARITY];
  int slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    sums[g] = 0.0f;
    // Slots past the end of a row read the last one within it, which costs less than a branch.
    slots[g] = min(g, max(0, outputs - 1 - column) / STRIP) * STRIP;
  }
  // The slices take terms in turn, so that the whole group walks down one stretch of A.
  int k = column < outputs ? begin + slice : end;
  for (; k < end - (UNROLL - 1) * SLICES; k += UNROLL * SLICES) {
    UNROLL_LOOP(UNROLL)
    for (int u = 0; u < UNROLL; ++u) {
      fold_row(sums, matrix + (size_t)(k + u * SLICES) * ld + column, slots, x[k + u * SLICES]);
    }
  }
  for (; k < end; k += SLICES) fold_row(sums, matrix + (size_t)k * ld + column, slots, x[k]);

  FOR_EACH_SLOT(g) {
    store_strip(&folded[slice][item % ROW_LANES * PIECE], sums[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = item; c < STRIP; c += WORK_GROUP) {
      float sum = folded[0][c];
      for (int s = 1; s < SLICES; ++s) sum += folded[s][c];
      const int output = group_column + g * STRIP + c;
      if (output < outputs) emit(output, sum, outputs, alpha, beta, y_in, y, partial);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#else

// sums[0 .. width) += factors[0] * first row + factors[1] * second row ...
void add_rows(global float* sums, global const float* rows, const ulong ld, global const float* factors,
              const int width, const int number) {
  int c = 0;
  for (; c <= width - VECTOR_WIDTH; c += VECTOR_WIDTH) {
    realv sum = LOADV(c, sums);
    for (int r = 0; r < number; ++r) sum = MULTIPLY_ADD(LOAD_PIECE(rows + r * ld + c), (realv)(factors[r]), sum);
    STOREV(sum, c, sums);
  }
  for (; c < width; ++c) {
    float sum = sums[c];
    for (int r = 0; r < number; ++r) sum = MULTIPLY_ADD(rows[r * ld + c], factors[r], sum);
    sums[c] = sum;
  }
}

#define ROWS_AT_ONCE (GRANULARITY * UNROLL)

kernel GROUP_OF(1, 1)
void gemv(const int outputs, const int terms, const ulong ld, const float alpha, const float beta,
          global const float* restrict matrix, global const float* restrict x,
          global const float* restrict y_in, global float* restrict y, global float* restrict partial,
          const int chunk) {
  const int column = (int)get_group_id(0) * COLUMNS_ALONE;
  const int width = min(COLUMNS_ALONE, outputs - column);
  global float* sums = partial + get_group_id(1) * (size_t)outputs + column;
  int k = (int)get_group_id(1) * chunk;
  const int end = k + min(chunk, terms - k);
  for (int c = 0; c < width; ++c) sums[c] = 0.0f;
  for (; k <= end - ROWS_AT_ONCE; k += ROWS_AT_ONCE) {
    add_rows(sums, matrix + k * ld + column, ld, x + k, width, ROWS_AT_ONCE);
  }
  for (; k < end; ++k) add_rows(sums, matrix + k * ld + column, ld, x + k, width, 1);
}

#endif

// Adds the chunks of each output. Where lanes are cheap several of them share an output, as there may be few outputs
// and many chunks.
#define REDUCE_GROUP 128
#define REDUCE_OUTPUTS (ROW_LANES > 1 ? 32 : REDUCE_GROUP)

kernel GROUP_OF(REDUCE_GROUP, 1)
void reduce(const int outputs, const int chunks, const float alpha, const float beta,
            global const float* restrict partial, global const float* restrict y_in,
            global float* restrict y) {
  local float folded[REDUCE_GROUP];
  const int item = (int)get_local_id(0);
  const int output = (int)get_group_id(0) * REDUCE_OUTPUTS + item % REDUCE_OUTPUTS;
  float sum = 0.0f;
  if (output < outputs) {
    for (int c = item / REDUCE_OUTPUTS; c < chunks; c += REDUCE_GROUP / REDUCE_OUTPUTS) {
      sum += partial[c * (size_t)outputs + output];
    }
  }
  if (REDUCE_OUTPUTS < REDUCE_GROUP) {
    folded[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int i = item % REDUCE_OUTPUTS; i < REDUCE_GROUP; i += REDUCE_OUTPUTS) sum += folded[i];
  }
  if (item < REDUCE_OUTPUTS && output < outputs) y[output] = result(sum, alpha, beta, y_in + output);
}

#endif
