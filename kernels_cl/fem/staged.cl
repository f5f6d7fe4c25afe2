// fem: forces of a patch of elements, added up in local memory.

// What bounds it: on an H100, with 99^3 boxes, layout=float4, patch=512 and work_group=128, `force` takes 141 of the 190 us
// of a step. Places of 8 bits, 4 bytes fewer for each element, saved 2 % of that, loads ahead of the barrier 1 %, and reads
// of local memory as vectors nothing: so neither bytes nor latency decide alone. By a count of conflicts of banks on the
// host, a warp's read of a corner takes 2.0 accesses, and its write of a force 3.5. All its accesses to local memory and
// the L1 cache then take about two thirds of the time.

#define PATCH_NODES (PATCH / 2)

// A place of a patch's nodes fits in 8 bits.
#if PATCH_NODES <= 256
#define PLACES uchar4
#else
#define PLACES ushort4
#endif

// element_offsets, node_offsets: of a patch, in `corners`, `slots` and `lame`, and in `patch_nodes` and `counts`. `corners`
// are places among the patch's nodes, sorted by their number of elements, most first. `counts` are these numbers.
// In `of_corner` lies the first force of each node, then the second one of all nodes that have one, and so on: so that
// work-items side by side add up about as many forces, which lie side by side. `slots` are the places there of an element's
// forces. rank_offsets: of a patch, in `ranks`, which count where the first forces, the second ones and so on begin.
kernel GROUP_OF(WORK_GROUP, 1)
void force(global const int* restrict element_offsets, global const int* restrict node_offsets,
           global const int* restrict rank_offsets, global const PLACES* restrict corners,
           global const ushort4* restrict slots, global const float2* restrict lame,
           global const int* restrict patch_nodes, global const ushort* restrict counts,
           global const ushort* restrict ranks, global const float* restrict x, global const float* restrict u,
           global float4* restrict forces, const int nodes) {
  local float of_corner[3][4 * PATCH];
  const int item = (int)get_local_id(0);
  const int patch = (int)get_group_id(0);
  const int first_element = element_offsets[patch];
  const int first_node = node_offsets[patch];
  const int element_count = element_offsets[patch + 1] - first_element;
  const int node_count = node_offsets[patch + 1] - first_node;
  global const ushort* const begins = ranks + rank_offsets[patch];
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
    const PLACES places = corners[first_element + i];
    const ushort4 to = slots[first_element + i];
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
    const int slot[4] = {to.x, to.y, to.z, to.w};
    UNROLL_WHOLE
    for (int a = 0; a < 4; ++a) {
      of_corner[0][slot[a]] = of_element[a].x;
      of_corner[1][slot[a]] = of_element[a].y;
      of_corner[2][slot[a]] = of_element[a].z;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < node_count; i += WORK_GROUP)
    forces[first_node + i] = sum_of_forces(of_corner[0], of_corner[1], of_corner[2], begins, i, counts[first_node + i]);
}
