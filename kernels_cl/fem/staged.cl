// fem: forces of a patch of elements or edges (its items), added up in local memory.

// What bounds `staged`: on an H100, with 99^3 boxes, layout=float4, patch=512 and work_group=128, `force` takes 141 of the
// 190 us of a step. Places of 8 bits, 4 bytes fewer for each element, saved 2 % of that, loads ahead of the barrier 1 %, and
// reads of local memory as vectors nothing: so neither bytes nor latency decide alone. By a count of conflicts of banks on
// the host, a warp's read of a corner takes 2.0 accesses, and its write of a force 3.5. All its accesses to local memory and
// the L1 cache then take about two thirds of the time.

#if VARIANT == VARIANT_EDGES
#define CORNERS 2
#define CORNERS_OF(list) {(list).x, (list).y}
#define SLOTS ushort2
#define PATCH_NODES (PATCH > 512 ? 256 : PATCH / 2)
#define PLACES uchar2
#define DATA float
#define STAGED_FLOATS 3
#else
#define CORNERS 4
#define CORNERS_OF(list) {(list).x, (list).y, (list).z, (list).w}
#define SLOTS ushort4
#define PATCH_NODES (PATCH / 2)
#if PATCH_NODES <= 256  // a place of a patch's nodes fits in 8 bits
#define PLACES uchar4
#else
#define PLACES ushort4
#endif
#define DATA float2
#define STAGED_FLOATS 6
#endif

// The forces of an edge's two ends, of their displacements. `blocks` has the first four entries of the blocks of all `edges`,
// column by column, then the next four of all, then the last.
INLINED void edge_forces(const float4* u, global const float* blocks, const size_t edges, const size_t edge,
                         float4* forces) {
  const float4 low = ((global const float4*)blocks)[edge];
  const float4 high = ((global const float4*)blocks)[edges + edge];
  const float last = blocks[8 * edges + edge];
  const float4 difference = u[0] - u[1];
  forces[0] = (float4)(dot_of((float4)(low.x, low.w, high.z, 0), difference),
                       dot_of((float4)(low.y, high.x, high.w, 0), difference),
                       dot_of((float4)(low.z, high.y, last, 0), difference), 0);
  forces[1] = -(float4)(dot_of(low, difference), dot_of((float4)(low.w, high.x, high.y, 0), difference),
                        dot_of((float4)(high.z, high.w, last, 0), difference), 0);
}

// item_offsets, node_offsets: of a patch, in `corners`, `slots` and `data`, and in `patch_nodes` and `counts`. `corners`
// are places among the patch's nodes, sorted by their number of items, most first. `counts` are these numbers.
// In `of_corner` lies the first force of each node, then the second one of all nodes that have one, and so on: so that
// work-items side by side add up about as many forces, which lie side by side. `slots` are the places there of an item's
// forces. rank_offsets: of a patch, in `ranks`, which count where the first forces, the second ones and so on begin.
// `data` are Lame's parameters of elements, or blocks of edges.
kernel GROUP_OF(WORK_GROUP, 1)
void force(global const int* restrict item_offsets, global const int* restrict node_offsets,
           global const int* restrict rank_offsets, global const PLACES* restrict corners,
           global const SLOTS* restrict slots, global const DATA* restrict data,
           global const int* restrict patch_nodes, global const ushort* restrict counts,
           global const ushort* restrict ranks, global const float* restrict u,
#if VARIANT == VARIANT_STAGED
           global const float* restrict x,
#endif
           global float4* restrict forces, const int nodes) {
  local float of_corner[3][CORNERS * PATCH];
  const int item = (int)get_local_id(0);
  const int patch = (int)get_group_id(0);
  const int first = item_offsets[patch];
  const int first_node = node_offsets[patch];
  const int count = item_offsets[patch + 1] - first;
  const int node_count = node_offsets[patch + 1] - first_node;
  global const ushort* const begins = ranks + rank_offsets[patch];
#if MEMORY == MEMORY_LOCAL
  local float staged[STAGED_FLOATS][PATCH_NODES];
  for (int i = item; i < node_count; i += WORK_GROUP) {
    const int node = patch_nodes[first_node + i];
    const float4 moved = load_vector(u, node, nodes);
    staged[0][i] = moved.x;
    staged[1][i] = moved.y;
    staged[2][i] = moved.z;
#if VARIANT == VARIANT_STAGED
    const float4 at = load_vector(x, node, nodes);
    staged[3][i] = at.x;
    staged[4][i] = at.y;
    staged[5][i] = at.z;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (int i = item; i < count; i += WORK_GROUP) {
    const PLACES places = corners[first + i];
    const SLOTS to = slots[first + i];
    const int place[CORNERS] = CORNERS_OF(places);
    const int slot[CORNERS] = CORNERS_OF(to);
    float4 moved[CORNERS];
    float4 of_item[CORNERS];
    UNROLL_WHOLE
    for (int a = 0; a < CORNERS; ++a) {
#if MEMORY == MEMORY_LOCAL
      moved[a] = (float4)(staged[0][place[a]], staged[1][place[a]], staged[2][place[a]], 0);
#else
      moved[a] = load_vector(u, patch_nodes[first_node + place[a]], nodes);
#endif
    }
#if VARIANT == VARIANT_EDGES
    edge_forces(moved, data, (size_t)item_offsets[get_num_groups(0)], (size_t)(first + i), of_item);
#else
    float4 at[CORNERS];
    UNROLL_WHOLE
    for (int a = 0; a < CORNERS; ++a) {
#if MEMORY == MEMORY_LOCAL
      at[a] = (float4)(staged[3][place[a]], staged[4][place[a]], staged[5][place[a]], 0);
#else
      at[a] = load_vector(x, patch_nodes[first_node + place[a]], nodes);
#endif
    }
    element_forces(at, moved, data[first + i], of_item);
#endif
    UNROLL_WHOLE
    for (int a = 0; a < CORNERS; ++a) {
      of_corner[0][slot[a]] = of_item[a].x;
      of_corner[1][slot[a]] = of_item[a].y;
      of_corner[2][slot[a]] = of_item[a].z;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < node_count; i += WORK_GROUP) {
    float4 force = (float4)(0);
    const int end = counts[first_node + i];
    UNROLL_LOOP(4)
    for (int k = 0; k < end; ++k) {
      const int slot = begins[k] + i;
      force.x += of_corner[0][slot];
      force.y += of_corner[1][slot];
      force.z += of_corner[2][slot];
    }
    forces[first_node + i] = force;
  }
}
