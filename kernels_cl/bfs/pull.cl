// bfs: the rest of the variant `direction_optimising`: pulling, bitmaps, and narrow levels in one group.

// What bounds it: latency, of three dependent reads for each node: offset, neighbours, their bits. On an H200, with 16 M nodes
// of degree 6, a search takes 1.42 ms, 42 % of the rate of random sectors. 16 more multiply-adds for two neighbours change
// nothing, a second random read for each neighbour makes it 17 % longer.

static inline int lowest_bit(uint word) {
  return 31 - (int)clz(word & -word);
}

#if GRANULARITY > 32

#include "bfs/pull_batch.cl"

#else

#if GRANULARITY == 8
typedef uchar Bits;
#elif GRANULARITY == 16
typedef ushort Bits;
#elif GRANULARITY == 32
typedef uint Bits;
#else
#error "bfs.cl: GRANULARITY must be 8, 16, 32 or more where a work-item writes that many bits"
#endif

#define PULLING_ITEMS(words) ((words) * (32 / GRANULARITY))

static inline int leads_from_reached(global const offset_t* offsets, global const int* neighbours,
                                     global const uint* reached, int node) {
  offset_t position = offsets[node];
  const offset_t end = offsets[node + 1];
  int hit = 0;
  while (position < end && !hit) {
    NEIGHBOUR_ARRAY(ids, UNROLL);
    load_step(neighbours, position, end - position, ids);
    for (int i = 0; i < STEP; ++i) hit |= has_bit(reached, ids[i]);
    position += min(end - position, (offset_t)STEP);
  }
  return hit;
}

// Returns how many of the nodes of `word` were found.
static inline uint pull_word(const Front front, global const offset_t* in_offsets, global const int* in_neighbours,
                             global int* levels, global uint* bitmaps, uint words, uint word) {
  global const uint* before = bitmaps + (size_t)front.bitmap * words;
  global Bits* after = (global Bits*)(bitmaps + (size_t)(front.bitmap ^ 1) * words);
  const Bits reached = ((global const Bits*)before)[word];
  uint now = reached;
  for (uint missing = (Bits)~reached; missing != 0; missing &= missing - 1) {
    const int bit = lowest_bit(missing);
    const int node = (int)(word * GRANULARITY) + bit;
    const int hit = leads_from_reached(in_offsets, in_neighbours, before, node);
    // Without a branch: whether a node is found cannot be predicted, and a CPU would mispredict half of the time.
    now |= (uint)hit << bit;
    levels[node] = hit ? front.level + 1 : UNREACHED;
  }
  after[word] = (Bits)now;
  return popcount(now ^ reached);
}

#endif

kernel GROUP_OF(WORK_GROUP, 1) void pull(global Front* fronts, const uint step,
                                         global const offset_t* restrict in_offsets,
                                         global const int* restrict in_neighbours, global int* restrict levels,
                                         global uint* bitmaps, const uint words, const int nodes) {
  local uint found_nodes;
  if (get_local_id(0) == 0) found_nodes = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const Front front = fronts[step % 3];
  const uint word = get_global_id(0);
  if (should_pull(front, nodes) && word < PULLING_ITEMS(words)) {
    const uint found = pull_word(front, in_offsets, in_neighbours, levels, bitmaps, words, word);
    if (found > 0) atomic_add(&found_nodes, found);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0 && found_nodes > 0) atomic_add(&fronts[(step + 1) % 3].nodes, found_nodes);
}

// Part of making a list of a frontier that was found by pulling: its nodes are those that the last pull added to the
// bitmap.
static inline void list_word(global Front* front, global const offset_t* offsets, global List* lists, uint capacity,
                             global const uint* bitmaps, uint words, uint word) {
  const uint bitmap = front->bitmap;
  const uint added = bitmaps[(size_t)bitmap * words + word] & ~bitmaps[(size_t)(bitmap ^ 1) * words + word];
  global List* list = lists + (size_t)front->list * capacity;
  for (uint left = added; left != 0; left &= left - 1) {
    const int node = (int)(word * 32) + lowest_bit(left);
    const offset_t degree = degree_of(offsets, node);
    put_chunks(list, atomic_add(&front->chunks, chunks_of(degree)), offsets[node], degree);
    atomic_add(&front->edges, in_units((uint)degree));
  }
}

kernel GROUP_OF(WALK_GROUP, 1) void update(global Front* fronts, const uint step,
                                           global const offset_t* restrict offsets, global List* lists,
                                           const uint capacity, global const uint* restrict bitmaps, const uint words) {
  global Front* front = fronts + step % 3;
  if (get_global_id(0) == 0) front->pulled = 0;
  const uint word = get_global_id(0);
  if (word < words) list_word(front, offsets, lists, capacity, bitmaps, words, word);
}

// By one group; stops when the list has more than `max_chunks`, after `max_levels`, or when nothing is found.
kernel GROUP_OF(WALK_GROUP, 1) void walk(global Front* fronts, const uint step, global const offset_t* restrict offsets,
                                         global const int* restrict neighbours, global List* lists, const uint capacity,
                                         global int* levels, global uint* bitmaps, const uint words,
                                         const uint max_chunks, const uint max_levels) {
  local Shared shared;
  local Front next;
  Front front = fronts[step % 3];
  clear_shared(&shared);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint level = 0; level < max_levels && front.nodes > 0 && !front.pulled && front.chunks <= max_chunks; ++level) {
    const Search search = {offsets,
                           neighbours,
                           levels,
                           bitmaps + (size_t)front.bitmap * words,
                           lists + (size_t)(front.list ^ 1) * capacity,
                           fronts + (step + 1) % 3,
                           front.level + 1};
    expand_list(&search, lists + (size_t)front.list * capacity, front.chunks, 0, 1, &shared);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      next = front;
      next.level = front.level + 1;
      next.unexplored = less(front.unexplored, front.edges);
      next.list = front.list ^ 1;
      // Exchanged, so that the step that follows finds it at zero.
      next.chunks = atomic_xchg(&search.found->chunks, 0);
      next.nodes = shared.nodes;
      next.edges = in_units(shared.edges);
      shared.nodes = 0;
      shared.edges = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    front = next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) fronts[step % 3] = front;
}

#if ONE_LAUNCH && !MERGING
#include "bfs/search.cl"
#endif
