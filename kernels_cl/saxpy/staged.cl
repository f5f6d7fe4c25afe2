// The variant staged of saxpy.cl.
//
// A group copies WORK_GROUP vectors of x and of y at a time, a stage, into local memory, SHARE times; WORK_GROUP
// work-items compute from there. Who copies: LOADERS further work-items that do nothing else (LOADER_SPLIT), or
// asynchronous copies of the whole group (LOADER_ASYNC). With BUFFERING_DOUBLE a stage is copied while the one before is
// computed, with BUFFERING_SINGLE before it is. UNROLL is of the loop in which loading work-items copy.
// Source: M. Bauer, H. Cook, B. Khailany, "CudaDMA: optimizing GPU memory bandwidth via warp specialization", SC 2011,
// section 5 and figure 9. With BARRIER_GROUP all work-items meet once per stage, at OpenCL's barrier for the whole group;
// with BARRIER_NAMED loading and computing ones meet at barriers of each buffer. With PREFETCH loading work-items read the
// next stage into registers before they wait.
#include "named_barriers.cl"

#define STAGE (WORK_GROUP * VECTOR_WIDTH)
#define BUFFERS (BUFFERING == BUFFERING_DOUBLE ? 2 : 1)

// Elements of a stage that exist.
static inline uint elements_from(const size_t first, const ulong n) {
  return PADDING ? STAGE : (uint)min((ulong)STAGE, n - first);
}

// The first `count` elements of a stage; this is loader `lane`.
static inline void copy_stage(local float* to, global const float* from, const uint count, const uint lane) {
  UNROLL_LOOP(UNROLL)
  for (uint at = lane * VECTOR_WIDTH; at < STAGE; at += LOADERS * VECTOR_WIDTH) {
    if (PADDING || at + VECTOR_WIDTH <= count) {
      VECTOR_AT(local, to + at) = VECTOR_AT(global const, from + at);
    } else {
      for (uint i = at; i < count; ++i) to[i] = from[i];
    }
  }
}

// Vectors of a stage that a loader has in registers, with PREFETCH.
#define HELD (PREFETCH && LOADER == LOADER_SPLIT ? (WORK_GROUP + LOADERS - 1) / LOADERS : 1)

static inline void fetch_stage(realv* held, global const float* from, const uint count, const uint lane) {
  UNROLL_WHOLE
  for (uint k = 0; k < HELD; ++k) {
    const uint at = (lane + k * LOADERS) * VECTOR_WIDTH;
    if (at < STAGE && (PADDING || at + VECTOR_WIDTH <= count)) held[k] = VECTOR_AT(global const, from + at);
  }
}

// Stores what fetch_stage read; elements that are no whole vector are copied now.
static inline void store_stage(local float* to, const realv* held, global const float* from, const uint count,
                               const uint lane) {
  UNROLL_WHOLE
  for (uint k = 0; k < HELD; ++k) {
    const uint at = (lane + k * LOADERS) * VECTOR_WIDTH;
    if (at < STAGE && (PADDING || at + VECTOR_WIDTH <= count)) {
      VECTOR_AT(local, to + at) = held[k];
    } else {
      for (uint i = at; i < count; ++i) to[i] = from[i];
    }
  }
}

// The result of work-item `item`.
static inline void compute_stage(const float a, local const float* x, local const float* y, global float* to,
                                 const uint count, const uint item) {
  const uint at = item * VECTOR_WIDTH;
  if (PADDING || at + VECTOR_WIDTH <= count) {
    VECTOR_AT(global, to + at) = MULTIPLY_ADD((realv)(a), VECTOR_AT(local const, x + at), VECTOR_AT(local const, y + at));
  } else {
    for (uint i = at; i < count; ++i) to[i] = MULTIPLY_ADD(a, x[i], y[i]);
  }
}

kernel GROUP_OF(GROUP_ITEMS, 1) void saxpy(const float a, const ulong n, global const float* restrict x,
                                           global float* restrict y) {
  OCCUPY_LOCAL_MEMORY
  local float tile_x[BUFFERS][STAGE] __attribute__((aligned(64)));
  local float tile_y[BUFFERS][STAGE] __attribute__((aligned(64)));
  const size_t first = get_group_id(0) * SHARE * STAGE;
  const int stages = PADDING ? SHARE : (int)min((ulong)SHARE, (n - first + STAGE - 1) / STAGE);
  const uint item = get_local_id(0);
#if LOADER == LOADER_SPLIT
  realv held_x[HELD];
  realv held_y[HELD];
#endif
#if LOADER == LOADER_SPLIT && BARRIER == BARRIER_NAMED
  if (item >= WORK_GROUP) {
    const uint loader = item - WORK_GROUP;
    for (int stage = 0; stage < stages; ++stage) {
      const int buffer = stage % BUFFERS;
      const size_t at = first + stage * STAGE;
      const uint count = elements_from(at, n);
      if (PREFETCH) {
        fetch_stage(held_x, x + at, count, loader);
        fetch_stage(held_y, y + at, count, loader);
      }
      wait_at(BUFFER_FREE(buffer), GROUP_ITEMS);
      if (PREFETCH) {
        store_stage(tile_x[buffer], held_x, x + at, count, loader);
        store_stage(tile_y[buffer], held_y, y + at, count, loader);
      } else {
        copy_stage(tile_x[buffer], x + at, count, loader);
        copy_stage(tile_y[buffer], y + at, count, loader);
      }
      arrive_at(BUFFER_FULL(buffer), GROUP_ITEMS);
    }
  } else {
    for (int stage = 0; stage < min(BUFFERS, stages); ++stage) arrive_at(BUFFER_FREE(stage), GROUP_ITEMS);
    for (int stage = 0; stage < stages; ++stage) {
      const int buffer = stage % BUFFERS;
      const size_t at = first + stage * STAGE;
      wait_at(BUFFER_FULL(buffer), GROUP_ITEMS);
      compute_stage(a, tile_x[buffer], tile_y[buffer], y + at, elements_from(at, n), item);
      if (stage + BUFFERS < stages) arrive_at(BUFFER_FREE(buffer), GROUP_ITEMS);
    }
  }
#elif LOADER == LOADER_SPLIT
  // Some work-items read from y what others write: barriers between the two order global memory as well.
  // Each iteration loads one stage and computes one: with one buffer the same, else the one before.
  const int lead = BUFFERS - 1;
  if (PREFETCH && item >= WORK_GROUP) {
    fetch_stage(held_x, x + first, elements_from(first, n), item - WORK_GROUP);
    fetch_stage(held_y, y + first, elements_from(first, n), item - WORK_GROUP);
  }
  // Nothing needs this barrier but PoCL 5.0, which in some builds compiles a loop with barriers wrongly where none stands
  // before it.
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stage = -lead; stage < stages; ++stage) {
    const int incoming = stage + lead;
    if (item >= WORK_GROUP && incoming < stages) {
      const size_t at = first + incoming * STAGE;
      const uint count = elements_from(at, n);
      const uint loader = item - WORK_GROUP;
      if (PREFETCH) {
        store_stage(tile_x[incoming % BUFFERS], held_x, x + at, count, loader);
        store_stage(tile_y[incoming % BUFFERS], held_y, y + at, count, loader);
        if (incoming + 1 < stages) {
          const uint next_count = elements_from(at + STAGE, n);
          fetch_stage(held_x, x + at + STAGE, next_count, loader);
          fetch_stage(held_y, y + at + STAGE, next_count, loader);
        }
      } else {
        copy_stage(tile_x[incoming % BUFFERS], x + at, count, loader);
        copy_stage(tile_y[incoming % BUFFERS], y + at, count, loader);
      }
    }
    if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (item < WORK_GROUP && stage >= 0) {
      const size_t at = first + stage * STAGE;
      compute_stage(a, tile_x[stage % BUFFERS], tile_y[stage % BUFFERS], y + at, elements_from(at, n), item);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
#else
  event_t copied[BUFFERS];
  barrier(CLK_LOCAL_MEM_FENCE);  // for PoCL 5.0, as above
  for (int stage = 1 - BUFFERS; stage < stages; ++stage) {
    const int incoming = stage + BUFFERS - 1;
    if (incoming < stages) {
      const size_t at = first + incoming * STAGE;
      const event_t event = async_work_group_copy(tile_x[incoming % BUFFERS], x + at, elements_from(at, n), 0);
      copied[incoming % BUFFERS] =
          async_work_group_copy(tile_y[incoming % BUFFERS], y + at, elements_from(at, n), event);
    }
    if (stage >= 0) {
      const size_t at = first + stage * STAGE;
      wait_group_events(1, &copied[stage % BUFFERS]);
      compute_stage(a, tile_x[stage % BUFFERS], tile_y[stage % BUFFERS], y + at, elements_from(at, n), item);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
}
