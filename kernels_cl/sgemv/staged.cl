// The variants vec_* and both_* of sgemv.cl: x, or x and A, are staged in local memory, TILE terms at a time, by
// asynchronous copies or by lanes that only load.

#include "named_barriers.cl"

#define IS_SINGLE (VARIANT == VARIANT_VEC_SINGLE || VARIANT == VARIANT_BOTH_SINGLE)
#define IS_DOUBLE (VARIANT == VARIANT_VEC_DOUBLE || VARIANT == VARIANT_BOTH_DOUBLE)
#define IS_MANUAL (VARIANT == VARIANT_VEC_MANUAL || VARIANT == VARIANT_BOTH_MANUAL)
#define BUFFERS (IS_SINGLE ? 1 : 2)
// Lanes that load a stage by ordinary loads.
#define LOADING_LANES (LOADER == LOADER_ALL ? WORK_GROUP : LOADERS)
#define SLOTS_PER_GROUP (WORK_GROUP * GRANULARITY)
#define MATRIX_TILE (STAGES_MATRIX ? TILE_LINES * TILE_LINE : 1)

// The part of the problem that a group computes.
typedef struct {
  global const float* matrix;  // from the group's first slot on
  global const float* x;
  ulong ld;
  int terms;
  int slots;  // of the group that exist
} Problem;

static inline int terms_in_stage(const Problem* problem, const int stage) {
  return min(TILE, problem->terms - stage * TILE);
}

// Rows of A that a stage needs, and elements in each of them.
static inline int lines_in_stage(const Problem* problem, const int count) {
  return TRANSPOSED ? count : problem->slots;
}
static inline int line_length(const Problem* problem, const int count) {
  return TRANSPOSED ? problem->slots * OUTPUTS_PER_SLOT : count;
}
static inline global const float* stage_of_matrix(const Problem* problem, const int stage) {
  return problem->matrix + (TRANSPOSED ? (size_t)stage * TILE * problem->ld : (size_t)stage * TILE);
}

// Copies `count` elements of x into local memory; this is loader `lane` of LOADING_LANES.
static inline void load_run(local float* to, global const float* from, const int count, const int lane) {
  const int whole = count - count % VECTOR_WIDTH;
  for (int i = lane * VECTOR_WIDTH; i < whole; i += LOADING_LANES * VECTOR_WIDTH) STOREV(LOAD_X(from + i), i, to);
  for (int i = whole + lane; i < count; i += LOADING_LANES) to[i] = from[i];
}

// Vectors of x that a loader has in registers, with PREFETCH.
#define HELD (PREFETCH ? (TILE / VECTOR_WIDTH + LOADERS - 1) / LOADERS : 1)

static inline void fetch_run(realv* held, global const float* from, const int count, const int lane) {
  UNROLL_WHOLE
  for (int k = 0; k < HELD; ++k) {
    const int i = (lane + k * LOADERS) * VECTOR_WIDTH;
    if (i + VECTOR_WIDTH <= count) held[k] = LOAD_X(from + i);
  }
}

// Stores what fetch_run read; elements that are no whole vector are copied now.
static inline void store_run(local float* to, const realv* held, global const float* from, const int count,
                             const int lane) {
  UNROLL_WHOLE
  for (int k = 0; k < HELD; ++k) {
    const int i = (lane + k * LOADERS) * VECTOR_WIDTH;
    if (i + VECTOR_WIDTH <= count) STOREV(held[k], 0, to + i);
  }
  for (int i = count - count % VECTOR_WIDTH + lane; i < count; i += LOADERS) to[i] = from[i];
}

// Copies a stage by loading lanes; x from `held` with PREFETCH. All lines together are one sequence of vectors, so that no lane is idle where lines
// are short.
static inline void load_stage(const Problem* problem, const int stage, local float* vector_tile,
                              local float* matrix_tile, const realv* held, const int lane) {
  const int count = terms_in_stage(problem, stage);
  if (PREFETCH) {
    store_run(vector_tile, held, problem->x + stage * TILE, count, lane);
  } else {
    load_run(vector_tile, problem->x + stage * TILE, count, lane);
  }
  if (!STAGES_MATRIX) return;
  const int length = line_length(problem, count);
  const int vectors = (length + VECTOR_WIDTH - 1) / VECTOR_WIDTH;
  global const float* from = stage_of_matrix(problem, stage);
  UNROLL_LOOP(UNROLL)
  for (int i = lane; i < lines_in_stage(problem, count) * vectors; i += LOADING_LANES) {
    const int line = i / vectors;
    const int column = (i - line * vectors) * VECTOR_WIDTH;
    global const float* source = from + line * problem->ld + column;
    local float* target = matrix_tile + line * TILE_LINE + column;
    if (column + VECTOR_WIDTH <= length) {
      STOREV(LOAD_A(source), 0, target);
    } else {
      for (int rest = 0; rest < length - column; ++rest) target[rest] = source[rest];
    }
  }
}

// Starts the copies of a stage; all work-items must call it. The event is of all copies together.
static inline event_t start_stage(const Problem* problem, const int stage, local float* vector_tile,
                                  local float* matrix_tile) {
  const int count = terms_in_stage(problem, stage);
  event_t copied = async_work_group_copy(vector_tile, problem->x + stage * TILE, (size_t)count, 0);
  if (STAGES_MATRIX) {
    global const float* from = stage_of_matrix(problem, stage);
    for (int line = 0; line < lines_in_stage(problem, count); ++line) {
      copied = async_work_group_copy(matrix_tile + line * TILE_LINE, from + line * problem->ld,
                                     (size_t)line_length(problem, count), copied);
    }
  }
  return copied;
}

static inline void compute_stage(realv* sums, const Problem* problem, const int stage,
                                 local const float* vector_tile, local const float* matrix_tile, const int lane) {
  MATRIX_SPACE const float* slots[GRANULARITY];
  FOR_EACH_SLOT(g) {
    const int slot = min(lane + g * WORK_GROUP, problem->slots - 1);
#if STAGES_MATRIX
    slots[g] = matrix_tile + slot * (TRANSPOSED ? VECTOR_WIDTH : TILE_LINE);
#else
    slots[g] = stage_of_matrix(problem, stage) + (TRANSPOSED ? (size_t)slot * VECTOR_WIDTH : slot * problem->ld);
#endif
  }
  fold(sums, slots, STAGES_MATRIX ? (ulong)TILE_LINE : problem->ld, vector_tile, terms_in_stage(problem, stage), 0, 1);
}

kernel GROUP_OF(GROUP_ITEMS, 1)
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

  realv held[HELD];
#if LOADER == LOADER_SPLIT && BARRIER == BARRIER_NAMED
  const int meeting = WORK_GROUP + LOADERS;  // lanes that share a buffer's barriers
  if (lane >= WORK_GROUP) {
    const int sets = IS_DOUBLE ? 2 : 1;
    const int loader = (lane - WORK_GROUP) % LOADERS;
    for (int stage = (lane - WORK_GROUP) / LOADERS; stage < stages; stage += sets) {
      const int buffer = stage % BUFFERS;
      if (PREFETCH) fetch_run(held, x + stage * TILE, terms_in_stage(&problem, stage), loader);
      wait_at(BUFFER_FREE(buffer), meeting);
      load_stage(&problem, stage, vector_tiles[buffer], matrix_tiles[buffer], held, loader);
      arrive_at(BUFFER_FULL(buffer), meeting);
    }
  } else {
    for (int stage = 0; stage < min(BUFFERS, stages); ++stage) arrive_at(BUFFER_FREE(stage), meeting);
    for (int stage = 0; stage < stages; ++stage) {
      const int buffer = stage % BUFFERS;
      wait_at(BUFFER_FULL(buffer), meeting);
      compute_stage(sums, &problem, stage, vector_tiles[buffer], matrix_tiles[buffer], lane);
      if (stage + BUFFERS < stages) arrive_at(BUFFER_FREE(buffer), meeting);
    }
  }
#elif LOADER == LOADER_SPLIT
  // Each iteration loads one stage and computes one: with one buffer the same, after it has arrived, else the one
  // before.
  const int lead = BUFFERS - 1;
  if (PREFETCH && lane >= WORK_GROUP) {
    const int own = (lane - WORK_GROUP) / LOADERS;  // the first stage of this set
    if (own < stages) fetch_run(held, x + own * TILE, terms_in_stage(&problem, own), (lane - WORK_GROUP) % LOADERS);
  }
  for (int stage = -lead; stage < stages; ++stage) {
    const int incoming = stage + lead;
    const int set = IS_DOUBLE ? incoming % 2 : 0;
    const int loader = lane - WORK_GROUP - set * LOADERS;
    if (loader >= 0 && loader < LOADERS && incoming < stages) {
      load_stage(&problem, incoming, vector_tiles[incoming % BUFFERS], matrix_tiles[incoming % BUFFERS], held, loader);
      const int later = incoming + (IS_DOUBLE ? 2 : 1);
      if (PREFETCH && later < stages) fetch_run(held, x + later * TILE, terms_in_stage(&problem, later), loader);
    }
    if (IS_SINGLE) barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < WORK_GROUP && stage >= 0) {
      compute_stage(sums, &problem, stage, vector_tiles[stage % BUFFERS], matrix_tiles[stage % BUFFERS], lane);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#elif LOADER == LOADER_ALL
  for (int stage = 0; stage < stages; ++stage) {
    load_stage(&problem, stage, vector_tiles[0], matrix_tiles[0], held, lane);
    barrier(CLK_LOCAL_MEM_FENCE);
    compute_stage(sums, &problem, stage, vector_tiles[0], matrix_tiles[0], lane);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  // Copies in flight while a stage is computed: none (single), or that of the next stage (manual, double).
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
