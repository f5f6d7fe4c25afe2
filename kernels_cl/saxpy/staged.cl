// The variant staged of saxpy.cl.
//
// A group copies WORK_GROUP vectors of x and of y at a time, a stage, into local memory, GRANULARITY times; WORK_GROUP
// work-items compute from there. Who copies: LOADERS further work-items that do nothing else (LOADER_SPLIT), or
// asynchronous copies of the whole group (LOADER_ASYNC). With BUFFERING_DOUBLE a stage is copied while the one before is
// computed, with BUFFERING_SINGLE before it is. UNROLL is of the loop in which loading work-items copy.
// Source: M. Bauer, H. Cook, B. Khailany, "CudaDMA: optimizing GPU memory bandwidth via warp specialization", SC 2011,
// section 5 and figure 9. OpenCL has one barrier for the whole group, so that all its work-items meet once per stage.

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
  const size_t first = get_group_id(0) * GRANULARITY * STAGE;
  const int stages = PADDING ? GRANULARITY : (int)min((ulong)GRANULARITY, (n - first + STAGE - 1) / STAGE);
  const uint item = get_local_id(0);
#if LOADER == LOADER_SPLIT
  // Some work-items read from y what others write: barriers between the two order global memory as well.
  // Each iteration loads one stage and computes one: with one buffer the same, else the one before.
  const int lead = BUFFERS - 1;
  // Nothing needs this barrier but PoCL 5.0, which in some builds compiles a loop with barriers wrongly where none stands
  // before it.
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stage = -lead; stage < stages; ++stage) {
    const int incoming = stage + lead;
    if (item >= WORK_GROUP && incoming < stages) {
      const size_t at = first + incoming * STAGE;
      copy_stage(tile_x[incoming % BUFFERS], x + at, elements_from(at, n), item - WORK_GROUP);
      copy_stage(tile_y[incoming % BUFFERS], y + at, elements_from(at, n), item - WORK_GROUP);
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
