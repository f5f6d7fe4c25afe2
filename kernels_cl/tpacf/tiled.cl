// The variants tiled and columns of tpacf.cl: partners in tiles, histograms in local memory.

#if VARIANT == VARIANT_TILED
#define COLUMNS HISTOGRAMS
typedef struct {
  float x, y, z;
} tile_point;
#else
#define COLUMNS WORK_GROUP
typedef float4 tile_point;  // one load of 16 bytes
#endif

typedef local uint counters[COLUMNS + PADDING];

// The work-item's points against `count` partners, beginning with number `first`. With `masked`, point g has the
// partners from first_partner[g] on.
INLINED void count_tile(const float4* a, const int* first_partner, const int masked, const local tile_point* tile,
                        const int first, const int count, TABLE_SPACE const lookup_entry* lookup, counters* counts) {
  UNROLL_LOOP(UNROLL)
  for (int j = 0; j < count; ++j) {
    const tile_point b = tile[j];
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      if (masked && first + j < first_partner[g]) continue;
      const int slot = slot_of(VALUE_OF(a[g], b), lookup);
#if VARIANT == VARIANT_TILED
      atomic_inc(&counts[slot][get_local_id(0) % HISTOGRAMS]);
#else
      ++counts[slot][get_local_id(0)];
#endif
    }
  }
}

kernel GROUP_OF(WORK_GROUP, 1) void pairs(global const float4* restrict points, GIVEN_SPACE const lookup_entry* restrict given,
                                          const int n, const int sets, const int a_span, const int b_span, const int a_jobs,
                                          const int b_jobs, const int rows, global uint* restrict partial) {
  local tile_point tile[WORK_GROUP];
  local uint counts[SLOTS][COLUMNS + PADDING];
  const int item = (int)get_local_id(0);
#if MEMORY == MEMORY_LOCAL
  local lookup_entry lookup[LOOKUPS];
  for (int i = item; i < LOOKUPS; i += WORK_GROUP) lookup[i] = given[i];
#else
  GIVEN_SPACE const lookup_entry* lookup = given;
#endif
  for (int i = item; i < SLOTS * COLUMNS; i += WORK_GROUP) counts[i / COLUMNS][i % COLUMNS] = 0;
  const job work = job_of((int)get_group_id(0), n, sets, a_span, b_span, a_jobs, b_jobs);
  for (int first = work.b_begin; first < work.b_end; first += WORK_GROUP) {
    const int count = min(WORK_GROUP, work.b_end - first);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < count) {
      const float4 point = points[(size_t)work.b * n + first + item];
      tile[item].x = point.x;
      tile[item].y = point.y;
      tile[item].z = point.z;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int a_end = work.self ? min(work.a_end, first + count - 1) : work.a_end;  // beyond, none has a partner here
    for (int begin = work.a_begin; begin < a_end; begin += WORK_GROUP * GRANULARITY) {
      float4 a[GRANULARITY];
      int first_partner[GRANULARITY];
      UNROLL_WHOLE
      for (int g = 0; g < GRANULARITY; ++g) {
        const int i = begin + g * WORK_GROUP + item;
        a[g] = prepared(points[(size_t)work.a * n + min(i, n - 1)]);
        first_partner[g] = i >= work.a_end ? n : work.self ? i + 1 : 0;
      }
      const int behind = begin + WORK_GROUP * GRANULARITY;
      if (behind <= work.a_end && (!work.self || behind <= first)) {
        count_tile(a, first_partner, 0, tile, first, count, lookup, counts);
      } else {
        count_tile(a, first_partner, 1, tile, first, count, lookup, counts);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int slot = item; slot < SLOTS; slot += WORK_GROUP) {
    uint sum = 0;
    // Each begins at a column, and so at a bank, of its own.
    for (int column = 0; column < COLUMNS; ++column) sum += counts[slot][(column + slot) % COLUMNS];
    partial[(size_t)slot * rows + get_group_id(0)] = sum;
  }
}
