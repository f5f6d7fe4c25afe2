// fem: forces of a patch of edges, added up in local memory.

// What bounds it: a step of 99^3 boxes moves 446 MB with patch=512, 106 us at the peak of an H200's copies, and takes 159:
// `force` 117, with 65 % of the peak, and `advance` 36, with 59 %. Patches of 256 and 128 edges, with more sums for each
// node, take 178 and 249 us, and groups of 64 or 256 work-items 176 and 182: what a group waits for between its barriers
// decides, not bytes alone.

#define PATCH_NODES (PATCH > 512 ? 256 : PATCH / 2)  // a place among them fits in 8 bits

// Each edge belongs to one of its ends; the nodes of a patch own about as many edges each. A work-item has a node. It adds up
// the node's forces from its own edges in registers, and puts the opposite forces on the other ends into local memory.
// With PATCH = 1024 a patch of a large mesh has about 256 nodes, so that WORK_GROUP = 256 has one for each work-item.
//
// Own edges: the nodes of a patch are sorted by their number, most first. The first edge of each node comes first, then the
// second one of all nodes that have two, and so on, so that neighbouring work-items read neighbouring blocks.
//   edge_offsets   where a patch begins in `others` and `slots`
//   node_offsets   where it begins in `patch_nodes`, `owned`, `counts` and `forces`
//   turns          where, in the patch, the first edges begin, the second ones, and so on; turn_offsets: in `turns`
//   others         the place of an edge's other end among the patch's nodes
//   slots          where in `of_end` the force on the other end goes
//   owned          of a node: where in `of_end` the sum from its own edges goes, and how many these are
//   blocks         the first four entries, column by column, of the blocks of all `edges`, then the next four of all, then
//                  the last
//
// Sums: as in staged, `of_end` has the first force of each node, which is the sum from its own edges, then the second ones,
// and so on. Nodes are here sorted by their number of these forces, `counts`; `forces` has the same order.
//   ranks          where, in the patch, the first forces begin, the second ones, and so on; rank_offsets: in `ranks`
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
    UNROLL_LOOP(UNROLL)
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
