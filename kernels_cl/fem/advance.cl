// fem: the step of a node, from the sum of its forces.

kernel GROUP_OF(WORK_GROUP, 1)
void advance(global float* restrict forces, global const int* restrict offsets, global const int* restrict entries,
             global const float* restrict mass, const float dt, global float* restrict u, global float* restrict v,
             const int nodes) {
  const int node = (int)get_global_id(0);
  if (node >= nodes) return;
#if VARIANT == VARIANT_ELEMENT_ATOMIC || VARIANT == VARIANT_COLOURED
  const float4 force = load_vector(forces, node, nodes);
  store_vector(forces, node, nodes, (float4)(0));
#else
  float4 force = (float4)(0);
  const int end = offsets[node + 1];
  for (int k = offsets[node]; k < end; ++k) force += ((global const float4*)forces)[entries[k]];
#endif
  const float4 velocity = times(dt / mass[node], force, load_vector(v, node, nodes));
  store_vector(v, node, nodes, velocity);
  store_vector(u, node, nodes, times(dt, velocity, load_vector(u, node, nodes)));
}
