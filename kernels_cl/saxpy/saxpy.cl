// saxpy: y = a x + y over n floats. 12 bytes and 2 operations per element, so memory is the limit.
// Source: C. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage", ACM TOMS 5(3), 1979.
//
// Index map: a group has SHARE * WORK_GROUP vectors of VECTOR_WIDTH neighbours, a work-item SHARE of them:
// in VARIANT_INTERLEAVED every WORK_GROUP-th, in VARIANT_CHUNKED a run of neighbours. UNROLL is of the loop over them.
// With PADDING the arrays hold the elements of whole groups, and no tail is tested for. DUMMY is in vectors.cl,
// LOADER, LOADERS, BUFFERING, BARRIER and PREFETCH are in staged.cl. From the host: GROUP_ITEMS is the size of a group;
// SHARE is GRANULARITY, or with GROUPS above 0 what each of the GROUPS groups of a unit has to do. So few groups reside
// even where DUMMY cannot limit them: NVIDIA's OpenCL gives a group at most 48 KiB of the 228 KiB of a unit.
#include "saxpy/vectors.cl"
#if VARIANT == VARIANT_STAGED
#include "saxpy/staged.cl"
#else

kernel GROUP_OF(GROUP_ITEMS, 1) void saxpy(const float a, const ulong n, global const float* restrict x,
                                           global float* restrict y) {
  OCCUPY_LOCAL_MEMORY
  const size_t first = get_group_id(0) * SHARE * WORK_GROUP;
  UNROLL_LOOP(UNROLL)
  for (uint j = 0; j < SHARE; ++j) {
    const size_t vector = VARIANT == VARIANT_INTERLEAVED ? j * WORK_GROUP + get_local_id(0)
                                                         : get_local_id(0) * SHARE + j;
    add_vector(a, x, y, (first + vector) * VECTOR_WIDTH, n);
  }
}
#endif
