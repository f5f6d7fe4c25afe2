// fem: forces of a patch of edges, added up in local memory.

#define PATCH_NODES (PATCH > 512 ? 256 : PATCH / 2)  // a place among them fits in 8 bits

// Each edge belongs to one of its ends, and all nodes of a patch have about as many. A work-item has a node: it adds up the
// forces of the node's own edges on the node, and their forces on the other ends go to local memory.
//
// edge_offsets, node_offsets: of a patch, in `others` and `slots`, and in `patch_nodes`, `owned` and `counts`. The nodes are
// sorted by their number of own edges, most first. First come the first edges of all nodes, then the second ones of all
// nodes that have one, and so on: so that work-items side by side read blocks side by side. turn_offsets: of a patch, in
// `turns`, which count where the first edges, the second ones and so on begin. `others` are the places of the other ends
// among the patch's nodes.
// `slots` are the places in `of_end` of the forces on other ends. `owned` are, of a node, the place there of the sum of its
// own edges, and their number. There, with these sums as first forces, lie the first forces of all nodes, then the second
// ones, and so on: as in staged, in an order of nodes of its own, which is also that of `counts` and `forces`.
// `blocks` has the first four entries of the blocks of all edges, column by column, then the next four of all, then the last.
kernel GROUP_OF(WORK_GROUP, 1)
void force(global const int* restrict edge_offsets, global const int* restrict node_offsets,
           global const int* restrict turn_offsets, global const int* restrict rank_offsets,
           global const uchar* restrict others, global const ushort* restrict slots,
           global const float* restrict blocks, global const int* restrict patch_nodes,
           global const uchar2* restrict owned, global const ushort* restrict counts,
           global const ushort* restrict turns, global const ushort* restrict ranks, global const float* restrict u,
           global float4* restrict forces, const int edges, const int nodes) {
  local float of_end[3][PATCH + PATCH_NODES];
  const int item = (int)get_local_id(0);
  const int patch = (int)get_group_id(0);
  const int first_edge = edge_offsets[patch];
  const int first_node = node_offsets[patch];
  const int node_count = node_offsets[patch + 1] - first_node;
  global const ushort* const turn_begins = turns + turn_offsets[patch];
  global const ushort* const rank_begins = ranks + rank_offsets[patch];
#if MEMORY == MEMORY_LOCAL
  local float staged[3][PATCH_NODES];
  for (int i = item; i < node_count; i += WORK_GROUP) {
    const float4 moved = load_vector(u, patch_nodes[first_node + i], nodes);
    staged[0][i] = moved.x;
    staged[1][i] = moved.y;
    staged[2][i] = moved.z;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#define DISPLACEMENT(place) (float4)(staged[0][place], staged[1][place], staged[2][place], 0)
#else
#define DISPLACEMENT(place) load_vector(u, patch_nodes[first_node + (place)], nodes)
#endif
  for (int i = item; i < node_count; i += WORK_GROUP) {
    const float4 moved = DISPLACEMENT(i);
    const uchar2 own = owned[first_node + i];
    const int end = own.y;
    float4 sum = (float4)(0);
    for (int k = 0; k < end; ++k) {
      const size_t edge = (size_t)(first_edge + turn_begins[k] + i);
      const float4 low = ((global const float4*)blocks)[edge];
      const float4 high = ((global const float4*)blocks)[(size_t)edges + edge];
      const float last = blocks[8 * (size_t)edges + edge];
      const int slot = slots[edge];
      const int other = others[edge];
      const float4 difference = moved - DISPLACEMENT(other);
      sum.x += dot_of((float4)(low.x, low.w, high.z, 0), difference);
      sum.y += dot_of((float4)(low.y, high.x, high.w, 0), difference);
      sum.z += dot_of((float4)(low.z, high.y, last, 0), difference);
      of_end[0][slot] = -dot_of(low, difference);
      of_end[1][slot] = -dot_of((float4)(low.w, high.x, high.y, 0), difference);
      of_end[2][slot] = -dot_of((float4)(high.z, high.w, last, 0), difference);
    }
    of_end[0][own.x] = sum.x;
    of_end[1][own.x] = sum.y;
    of_end[2][own.x] = sum.z;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < node_count; i += WORK_GROUP)
    forces[first_node + i] = sum_of_forces(of_end[0], of_end[1], of_end[2], rank_begins, i, counts[first_node + i]);
}
