// The variant direct of tpacf.cl: a work-item takes a point against all its partners, and counts in global memory.

kernel GROUP_OF(WORK_GROUP, 1) void pairs(global const float4* restrict points, GIVEN_SPACE const lookup_entry* restrict given,
                                          const int n, const int sets, const int a_span, const int b_span, const int a_jobs,
                                          const int b_jobs, const int rows, global uint* restrict partial) {
#if MEMORY == MEMORY_LOCAL
  local lookup_entry lookup[LOOKUPS];
  for (int i = (int)get_local_id(0); i < LOOKUPS; i += WORK_GROUP) lookup[i] = given[i];
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  GIVEN_SPACE const lookup_entry* lookup = given;
#endif
  const int row = (int)(get_global_id(0) / n);
  if (row >= rows) return;
  const int i = (int)(get_global_id(0) % n);
  const job work = job_of(row, n, sets, n, n, 1, 1);
  const float4 a = prepared(points[(size_t)work.a * n + i]);
  UNROLL_LOOP(UNROLL)
  for (int j = work.self ? i + 1 : 0; j < n; ++j) {
    const float4 b = points[(size_t)work.b * n + j];
    atomic_inc(partial + (size_t)slot_of(VALUE_OF(a, b), lookup) * rows + row);
  }
}
