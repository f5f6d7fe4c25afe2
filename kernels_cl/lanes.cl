// Lanes: SUB_GROUP neighbouring work-items, which pass values to each other in registers. A file that lets its
// work-items do so includes this one. Where SHUFFLE is 0 no function here exists, and the file passes values through
// local memory, with as few barriers as it needs.
//
// Chosen by the host (harness/program/lanes.hpp):
// SHUFFLE            0: lanes do not shuffle; SHUFFLE_SUB_GROUPS: by cl_khr_subgroup_shuffle; SHUFFLE_PTX: by inline PTX
// SUB_GROUP          how many lanes shuffle with each other: 8, 16, 32 or 64; 1 where they do not
// REQUIRE_SUB_GROUP  1: the kernel requires SUB_GROUP (cl_intel_required_subgroup_size); 0: the host queries the built
//                    kernel and runs it only if its sub-groups have that size
//
// Preconditions: groups have one dimension and a multiple of SUB_GROUP work-items; all lanes of a sub-group take part.
#define SHUFFLE_SUB_GROUPS 1
#define SHUFFLE_PTX 2

#if SHUFFLE == SHUFFLE_PTX && !(HAS_INLINE_PTX && SUB_GROUP == 32)
#error "lanes.cl: SHUFFLE_PTX requires SUB_GROUP=32 and a compiler with inline PTX"
#endif

// For the head of a kernel whose lanes shuffle.
#if SHUFFLE == SHUFFLE_SUB_GROUPS && REQUIRE_SUB_GROUP
#define LANES_OF_SUB_GROUP __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))
#else
#define LANES_OF_SUB_GROUP
#endif

#if SHUFFLE == SHUFFLE_SUB_GROUPS

// How OpenCL numbers the items of a group in sub-groups is up to the device.
INLINED int lane_number(void) { return (int)get_sub_group_local_id(); }
// The number of these lanes among those of the group.
INLINED int lanes_number(void) { return (int)get_sub_group_id(); }

// The value of another lane, modulo SUB_GROUP.
INLINED int lane_value(const int value, const int lane) {
  return sub_group_shuffle(value, (uint)lane % SUB_GROUP);
}
// The value of the lane before, and behind; at the ends one of any lane.
INLINED float lane_before(const float value) {
  return sub_group_shuffle(value, (get_sub_group_local_id() - 1) % SUB_GROUP);
}
INLINED float lane_behind(const float value) {
  return sub_group_shuffle(value, (get_sub_group_local_id() + 1) % SUB_GROUP);
}

#elif SHUFFLE == SHUFFLE_PTX
INLINED int lane_number(void) { return (int)((uint)get_local_id(0) % SUB_GROUP); }
INLINED int lanes_number(void) { return (int)((uint)get_local_id(0) / SUB_GROUP); }

INLINED int lane_value(const int value, const int lane) {
  int result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(value), "r"(lane));
  return result;
}
INLINED float lane_before(const float value) {
  float result;
  asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=f"(result) : "f"(value));
  return result;
}
INLINED float lane_behind(const float value) {
  float result;
  asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(result) : "f"(value));
  return result;
}
#endif
