// fem: forces, an element per work-item.

#if VARIANT == VARIANT_ELEMENT_ATOMIC
INLINED void add_atomically(global float* to, const float value) {
#if ATOMICS == ATOMICS_PTX
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to), "f"(value) : "memory");
#else
  global uint* const word = (global uint*)to;
  uint seen = as_uint(0.0f);  // the first exchange reads the sum so far, or succeeds if there is none
  uint before;
  do {
    before = seen;
    seen = atomic_cmpxchg(word, before, as_uint(as_float(before) + value));
  } while (seen != before);
#endif
}
#endif

// Of `count` elements from `first` on.
kernel GROUP_OF(WORK_GROUP, 1)
void force(global const int4* restrict elements, global const float2* restrict lame, const int first, const int count,
           global const float* restrict x, global const float* restrict u, global float* forces, const int nodes) {
  const int i = (int)get_global_id(0);
  if (i >= count) return;
  const int element = first + i;
  const int4 corners = elements[element];
  const int node[4] = {corners.x, corners.y, corners.z, corners.w};
  float4 at[4];
  float4 moved[4];
  UNROLL_WHOLE
  for (int a = 0; a < 4; ++a) {
    at[a] = load_vector(x, node[a], nodes);
    moved[a] = load_vector(u, node[a], nodes);
  }
  float4 of_corner[4];
  element_forces(at, moved, lame[element], of_corner);
  UNROLL_WHOLE
  for (int a = 0; a < 4; ++a) {
#if VARIANT == VARIANT_NODE_GATHER
    ((global float4*)forces)[(size_t)element * 4 + a] = of_corner[a];
#elif VARIANT == VARIANT_COLOURED
    store_vector(forces, node[a], nodes, load_vector(forces, node[a], nodes) + of_corner[a]);
#else
    add_atomically(forces + COMPONENT(node[a], 0), of_corner[a].x);
    add_atomically(forces + COMPONENT(node[a], 1), of_corner[a].y);
    add_atomically(forces + COMPONENT(node[a], 2), of_corner[a].z);
#endif
  }
}
