// fem: forces of a patch of elements, added up in local memory.

#define PATCH_NODES (PATCH / 2)

// element_offsets, node_offsets: of a patch, in `corners` and `lame`, and in `patch_nodes`. `corners` are places among the
// patch's nodes. Of each of these, sum_offsets (one more for each patch than it has nodes) counts from the patch's begin in
// `sums`, whose entries are 4 * element + corner of the patch.
kernel GROUP_OF(WORK_GROUP, 1)
void force(global const int* restrict element_offsets, global const int* restrict node_offsets,
           global const ushort4* restrict corners, global const float2* restrict lame,
           global const int* restrict patch_nodes, global const ushort* restrict sum_offsets,
           global const ushort* restrict sums, global const float* restrict x, global const float* restrict u,
           global float4* restrict forces, const int nodes) {
  local float of_corner[12][PATCH];
  const int item = (int)get_local_id(0);
  const int patch = (int)get_group_id(0);
  const int first_element = element_offsets[patch];
  const int first_node = node_offsets[patch];
  const int element_count = element_offsets[patch + 1] - first_element;
  const int node_count = node_offsets[patch + 1] - first_node;
#if MEMORY == MEMORY_LOCAL
  local float staged[6][PATCH_NODES];
  for (int i = item; i < node_count; i += WORK_GROUP) {
    const int node = patch_nodes[first_node + i];
    const float4 at = load_vector(x, node, nodes);
    const float4 moved = load_vector(u, node, nodes);
    staged[0][i] = at.x;
    staged[1][i] = at.y;
    staged[2][i] = at.z;
    staged[3][i] = moved.x;
    staged[4][i] = moved.y;
    staged[5][i] = moved.z;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (int i = item; i < element_count; i += WORK_GROUP) {
    const ushort4 places = corners[first_element + i];
    const int place[4] = {places.x, places.y, places.z, places.w};
    float4 at[4];
    float4 moved[4];
    UNROLL_WHOLE
    for (int a = 0; a < 4; ++a) {
#if MEMORY == MEMORY_LOCAL
      at[a] = (float4)(staged[0][place[a]], staged[1][place[a]], staged[2][place[a]], 0);
      moved[a] = (float4)(staged[3][place[a]], staged[4][place[a]], staged[5][place[a]], 0);
#else
      const int node = patch_nodes[first_node + place[a]];
      at[a] = load_vector(x, node, nodes);
      moved[a] = load_vector(u, node, nodes);
#endif
    }
    float4 of_element[4];
    element_forces(at, moved, lame[first_element + i], of_element);
    UNROLL_WHOLE
    for (int a = 0; a < 4; ++a) {
      of_corner[3 * a][i] = of_element[a].x;
      of_corner[3 * a + 1][i] = of_element[a].y;
      of_corner[3 * a + 2][i] = of_element[a].z;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  global const ushort* const offsets = sum_offsets + first_node + patch;
  global const ushort* const entries = sums + (size_t)first_element * 4;
  for (int i = item; i < node_count; i += WORK_GROUP) {
    float4 force = (float4)(0);
    const int end = offsets[i + 1];
    for (int k = offsets[i]; k < end; ++k) {
      const int element = entries[k] / 4;
      const int row = entries[k] % 4 * 3;
      force += (float4)(of_corner[row][element], of_corner[row + 1][element], of_corner[row + 2][element], 0);
    }
    forces[first_node + i] = force;
  }
}
