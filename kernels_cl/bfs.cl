// Breadth-first search: the level of every node, which is the fewest edges from the source to it; -1 where no path
// leads.
//
// VARIANT_TOPOLOGY: per level, `topology_expand` looks at every node, and those in the frontier mark their unvisited
// neighbours; `topology_update` turns the marks into the next frontier. One work-item per node, masks of bytes: the
// initial code of the thesis (results/published/README.md), and the classic formulation of Harish and Narayanan,
// "Accelerating large graph algorithms on the GPU using CUDA" (HiPC 2007).
//
// Index map: work-group g holds the nodes [g * L * GRANULARITY, (g + 1) * L * GRANULARITY), L being its size; its
// work-item i handles the nodes i, i + L, i + 2L, ... of them, so that neighbours in the group are neighbours in
// memory.
//
// | macro         | values          | meaning                                                                     |
// |---------------|-----------------|-----------------------------------------------------------------------------|
// | VARIANT       | VARIANT_...     | the algorithm                                                               |
// | WORK_GROUP    | 128 .. 1024     | work-items of a group (topology: before COARSENING)                         |
// | GRANULARITY   | 1 .. 32         | nodes per work-item                                                         |
// | VECTOR_WIDTH  | 1 2 4 8 16      | neighbours per load                                                         |
// | UNROLL        | 1 2 4 8         | loads per turn of the loop over a list; what is left over follows singly    |
// | PADDING       | 0 2 4 8 16      | lists are padded to a multiple of this with their own node (0: as they are) |
// | COARSENING    | COARSENING_...  | GRANULARITY makes fewer groups, or smaller ones (host only)                 |
// | OFFSET_BITS   | 32 64           | width of a position in the array of neighbours                              |
//
// Preconditions: lists are what PADDING says; every neighbour is a node; fewer than 2^30 nodes, so that a node's
// number fits an int.

#ifndef VARIANT
#error "bfs.cl: VARIANT must be one of VARIANT_TOPOLOGY"
#endif
#if VARIANT != VARIANT_TOPOLOGY
#error "bfs.cl: VARIANT must be one of VARIANT_TOPOLOGY"
#endif
#ifndef WORK_GROUP
#error "bfs.cl: WORK_GROUP must be the work-items of a group"
#endif
#ifndef GRANULARITY
#error "bfs.cl: GRANULARITY must be the nodes per work-item"
#endif
#ifndef VECTOR_WIDTH
#error "bfs.cl: VECTOR_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#ifndef UNROLL
#error "bfs.cl: UNROLL must be the loads per turn of the loop over a list"
#endif
#ifndef PADDING
#error "bfs.cl: PADDING must be 0 or what the lists are padded to a multiple of"
#endif
#ifndef COARSENING
#error "bfs.cl: COARSENING must be COARSENING_FEWER_GROUPS or COARSENING_SMALLER_GROUPS"
#endif
#ifndef OFFSET_BITS
#error "bfs.cl: OFFSET_BITS must be 32 or 64"
#endif

#if OFFSET_BITS == 32
typedef uint offset_t;
#elif OFFSET_BITS == 64
typedef ulong offset_t;
#else
#error "bfs.cl: OFFSET_BITS must be 32 or 64"
#endif

// Neighbours per turn of the loop over a list.
#define STEP (VECTOR_WIDTH * UNROLL)
// Whether a list is a whole number of loads.
#define WHOLE_LOADS (PADDING > 0 && PADDING % VECTOR_WIDTH == 0)

// A piece of the array of neighbours: one node's list.
typedef struct {
  offset_t start;
  offset_t count;
} List;

// `loads` vectors of neighbours, as an array: OpenCL C cannot index the components of a vector.
inline void load_neighbours(global const int* neighbours, offset_t position, const int loads, int* ids) {
  for (int load = 0; load < loads; ++load) {
    STOREV(LOADV(position + load * VECTOR_WIDTH, neighbours), load * VECTOR_WIDTH, ids);
  }
}

#if VARIANT == VARIANT_TOPOLOGY

inline void mark(int neighbour, int level, global const uchar* visited, global uchar* marked, global int* levels) {
  if (!visited[neighbour]) {
    levels[neighbour] = level;
    marked[neighbour] = 1;
  }
}

kernel void topology_expand(global const List* restrict lists, global const int* restrict neighbours,
                            global uchar* restrict frontier, global const uchar* restrict visited,
                            global uchar* restrict marked, global int* restrict levels, const int nodes) {
  const int local_items = get_local_size(0);
  const int first = get_group_id(0) * local_items * GRANULARITY + get_local_id(0);
  for (int k = 0; k < GRANULARITY; ++k) {
    const int node = first + k * local_items;
    if (node >= nodes || !frontier[node]) continue;
    frontier[node] = 0;
    const List list = lists[node];
    const int level = levels[node] + 1;
    offset_t position = list.start;
    offset_t left = list.count;
    for (; left >= STEP; left -= STEP, position += STEP) {
      int ids[STEP];
      load_neighbours(neighbours, position, UNROLL, ids);
      for (int i = 0; i < STEP; ++i) mark(ids[i], level, visited, marked, levels);
    }
    if (UNROLL > 1) {
      for (; left >= VECTOR_WIDTH; left -= VECTOR_WIDTH, position += VECTOR_WIDTH) {
        int ids[VECTOR_WIDTH];
        load_neighbours(neighbours, position, 1, ids);
        for (int i = 0; i < VECTOR_WIDTH; ++i) mark(ids[i], level, visited, marked, levels);
      }
    }
    if (!WHOLE_LOADS && VECTOR_WIDTH > 1) {
      for (; left > 0; --left, ++position) mark(neighbours[position], level, visited, marked, levels);
    }
  }
}

kernel void topology_update(global uchar* restrict frontier, global uchar* restrict visited,
                            global uchar* restrict marked, global uint* restrict changed, const int nodes) {
  const int local_items = get_local_size(0);
  const int first = get_group_id(0) * local_items * GRANULARITY + get_local_id(0);
  for (int k = 0; k < GRANULARITY; ++k) {
    const int node = first + k * local_items;
    if (node >= nodes || !marked[node]) continue;
    frontier[node] = 1;
    visited[node] = 1;
    marked[node] = 0;
    *changed = 1;
  }
}

#endif
