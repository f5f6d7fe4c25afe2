// The kernel `reduce` of matmul.cl: adds the matrices of all shares. REDUCE_PARTS work-items for each of ADDED neighbouring
// elements have a share in turn. Elements are vectors in blocked, where rows are whole vectors.

#if VARIANT == VARIANT_BLOCKED
typedef realv summed;
#else
typedef float summed;
#endif

#define ADDED (REDUCE_GROUP / REDUCE_PARTS)
kernel GROUP_OF(REDUCE_GROUP, 1) void reduce(const global summed* restrict partial, global summed* restrict c,
                                             const ulong elements, const int shares) {
  const int place = (int)get_local_id(0) % ADDED;
  const int part = (int)get_local_id(0) / ADDED;
  const size_t at = get_group_id(0) * ADDED + place;
  summed sum = 0.0f;
  if (at < elements) {
    UNROLL_LOOP(8)
    for (int other = part; other < shares; other += REDUCE_PARTS) sum += partial[other * elements + at];
  }
#if REDUCE_PARTS > 1
  local summed of_part[REDUCE_PARTS][ADDED];
  of_part[part][place] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (part > 0) return;
  UNROLL_WHOLE
  for (int other = 1; other < REDUCE_PARTS; ++other) sum += of_part[other][place];
#endif
  if (at < elements) c[at] = sum;
}
