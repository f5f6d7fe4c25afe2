// bfs: the variant `topology`, with flags for all nodes.

static inline void mark(int neighbour, int level, global const uchar* visited, global uchar* marked,
                        global int* levels) {
  if (!visited[neighbour]) {
    levels[neighbour] = level;
    marked[neighbour] = 1;
  }
}

kernel GROUP_OF(TOPOLOGY_GROUP,
                1) void topology_expand(global const List* restrict lists, global const int* restrict neighbours,
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
      NEIGHBOUR_ARRAY(ids, UNROLL);
      load_neighbours(neighbours, position, UNROLL, ids);
      for (int i = 0; i < STEP; ++i) mark(ids[i], level, visited, marked, levels);
    }
    if (UNROLL > 1) {
      for (; left >= VECTOR_WIDTH; left -= VECTOR_WIDTH, position += VECTOR_WIDTH) {
        NEIGHBOUR_ARRAY(ids, 1);
        load_neighbours(neighbours, position, 1, ids);
        for (int i = 0; i < VECTOR_WIDTH; ++i) mark(ids[i], level, visited, marked, levels);
      }
    }
    if (!WHOLE_LOADS) {
      for (; left > 0; --left, ++position) mark(neighbours[position], level, visited, marked, levels);
    }
  }
}

kernel GROUP_OF(TOPOLOGY_GROUP, 1) void topology_update(global uchar* restrict frontier, global uchar* restrict visited,
                                                        global uchar* restrict marked, global uint* restrict changed,
                                                        const int nodes) {
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
