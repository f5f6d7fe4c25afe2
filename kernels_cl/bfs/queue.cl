// bfs: lists of frontiers and their expansion, for the variants `queue` and `direction_optimising`.

#define UNREACHED (-1)

// A frontier. There are three in turn: the one of this step, the one that this step finds, and one that is cleared for
// the step after. The host reads them and declares the same struct (dwarfs/bfs/frontier_state.hpp).
typedef struct {
  uint nodes;
  uint edges;   // that leave it, in units of EDGE_UNIT; pulling does not count them
  uint chunks;  // edge chunks in its list
  int level;
  uint unexplored;  // edges that leave it and nodes not yet reached, in units of EDGE_UNIT
  uint pulled;      // it has no list: it was found by pulling, or is wide enough to be pulled
  uint bitmap;      // which of the two bitmaps is up to date
  uint list;        // which of the two lists it uses
} Front;

// The data of a step.
typedef struct {
  global const offset_t* offsets;
  global const int* neighbours;
  global int* levels;
  global uint* reached;  // bitmap
  global List* next;     // the list to append to
  global Front* found;
  int level;  // of what is found
} Search;

typedef struct {
  uint nodes;
  uint edges;
  uint chunks;              // of this round
  uint base;                // where they go in the list
  int ids[SHARE][COLUMNS];  // each work-item has a column
} Shared;

// Beamer's rule, with a narrower limit: a narrow frontier is pushed in any case, since that costs least, and most
// levels of a deep graph have one. Once pulling, only the host (by `update`) goes back.
static inline int should_pull(const Front front, int nodes) {
  if (VARIANT == VARIANT_QUEUE || front.nodes == 0) return 0;
  return front.pulled || (front.edges > front.unexplored / PULLED_PART && front.nodes > (uint)nodes / NARROW);
}

// from - what, at least 0.
static inline uint less(uint from, uint what) {
  return from - min(from, what);
}

// One work-item prepares what the next step needs in addition to the counts.
static inline void begin_next(global Front* fronts, uint step, const Front front, uint pulling) {
  global Front* found = fronts + (step + 1) % 3;
  found->level = front.level + 1;
  found->unexplored = less(front.unexplored, front.edges);
  found->pulled = pulling;
  found->bitmap = front.bitmap ^ pulling;
  found->list = front.list ^ 1;
  global Front* later = fronts + (step + 2) % 3;
  later->nodes = 0;
  later->edges = 0;
  later->chunks = 0;
}

static inline int has_bit(global const uint* bitmap, int node) {
  return (bitmap[node >> 5] >> (node & 31)) & 1;
}

// A plain load of a word that others change by atomics: a reached node stays reached, and where this says no, claim()
// decides. A race detector cannot know that, so under one there is no such load (PEEK 0).
static inline int is_reached(const Search* search, int node) {
  return PEEK && has_bit(search->reached, node);
}

// True for the one work-item that reaches the node.
static inline int claim(const Search* search, int node) {
  const uint bit = 1u << (node & 31);
  return !(atomic_or(search->reached + (node >> 5), bit) & bit);
}

// The next STEP of the `left` neighbours at `position`; where fewer are left, the first of them is repeated.
static inline void load_step(global const int* neighbours, offset_t position, offset_t left, int* ids) {
  if (WHOLE_STEPS || left >= STEP) {
    load_neighbours(neighbours, position, UNROLL, ids);
  } else {
    for (int i = 0; i < STEP; ++i) ids[i] = neighbours[position + (i < (int)left ? i : 0)];
  }
}

static inline offset_t degree_of(global const offset_t* offsets, int node) {
  return offsets[node + 1] - offsets[node];
}
static inline uint chunks_of(offset_t degree) {
  return (uint)((degree + (EDGE_CHUNK - 1)) / EDGE_CHUNK);
}
static inline uint in_units(uint edges) {
  return EDGE_UNIT == 1 ? edges : (edges + EDGE_UNIT - 1) / EDGE_UNIT;
}

static inline void put_chunks(global List* list, uint at, offset_t start, offset_t left) {
  while (left > 0) {
    const offset_t count = min(left, (offset_t)EDGE_CHUNK);
    list[at].start = start;
    list[at].count = count;
    ++at;
    start += count;
    left -= count;
  }
}

// Barriers divide a round into looking up, claiming and appending although each work-item only needs what it remembers
// itself: where work-items are run one after another (SERIAL_ITEMS), no load passes an atomic, and the next work-item's
// cache misses would wait for it. There, appending is divided once more.
#if SERIAL_ITEMS
#define DIVIDE_AFTER_LOADS() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define DIVIDE_AFTER_LOADS()
#endif

// Remembers the neighbours not yet reached; returns how many.
static inline uint look_up(const Search* search, const List chunk, local Shared* shared) {
  const uint item = get_local_id(0);
  uint count = 0;
  for (offset_t at = (item % TEAM) * STEP; at < chunk.count; at += TEAM * STEP) {
    NEIGHBOUR_ARRAY(ids, UNROLL);
    load_step(search->neighbours, chunk.start + at, chunk.count - at, ids);
    for (int i = 0; i < STEP; ++i) {
      shared->ids[count][item] = ids[i];
      count += !is_reached(search, ids[i]);
    }
  }
  return count;
}

// Keeps those that this work-item is the first to reach; returns how many.
static inline uint claim_all(const Search* search, uint count, local Shared* shared) {
  const uint item = get_local_id(0);
  uint claimed = 0;
  for (uint i = 0; i < count; ++i) {
    const int node = shared->ids[i][item];
    if (claim(search, node)) shared->ids[claimed++][item] = node;
  }
  return claimed;
}

// The group appends the edge chunks of the nodes that its work-items claimed.
static inline void append_all(const Search* search, uint claimed, local Shared* shared) {
  const uint item = get_local_id(0);
  uint chunks = 0;
  uint edges = 0;
  for (uint i = 0; i < claimed; ++i) {
    const int node = shared->ids[i][item];
    const offset_t degree = degree_of(search->offsets, node);
    chunks += chunks_of(degree);
    edges += (uint)degree;
    search->levels[node] = search->level;
  }
  DIVIDE_AFTER_LOADS();
  uint at = 0;
  if (claimed > 0) {
    at = atomic_add(&shared->chunks, chunks);
    atomic_add(&shared->edges, edges);
    atomic_add(&shared->nodes, claimed);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    if (shared->chunks > 0) shared->base = atomic_add(&search->found->chunks, shared->chunks);
    shared->chunks = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  at += shared->base;
  for (uint i = 0; i < claimed; ++i) {
    const int node = shared->ids[i][item];
    const offset_t degree = degree_of(search->offsets, node);
    put_chunks(search->next, at, search->offsets[node], degree);
    at += chunks_of(degree);
  }
}

static inline void clear_shared(local Shared* shared) {
  if (get_local_id(0) == 0) {
    shared->nodes = 0;
    shared->edges = 0;
    shared->chunks = 0;
    shared->base = 0;
  }
}

// Expands the first `chunks` edge chunks of `list`, by `groups` groups; this one is number `group`.
static inline void expand_list(const Search* search, global const List* list, uint chunks, uint group, uint groups,
                               local Shared* shared) {
  const uint teams = get_local_size(0) / TEAM;
  for (uint first = 0; first < chunks; first += teams * groups) {
    const uint chunk = first + (uint)(get_local_id(0) / TEAM) * groups + group;
    uint count = 0;
    if (chunk < chunks) count = look_up(search, list[chunk], shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    count = claim_all(search, count, shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    append_all(search, count, shared);
  }
}

kernel GROUP_OF(WORK_GROUP, 1) void push(global Front* fronts, const uint step, global const offset_t* restrict offsets,
                                         global const int* restrict neighbours, global List* lists, const uint capacity,
                                         global int* levels, global uint* bitmaps, const uint words, const int nodes) {
  local Shared shared;
  const Front front = fronts[step % 3];
  const int pulling = should_pull(front, nodes);
  if (get_global_id(0) == 0) begin_next(fronts, step, front, pulling);
  clear_shared(&shared);
  barrier(CLK_LOCAL_MEM_FENCE);
  const Search search = {offsets,
                         neighbours,
                         levels,
                         bitmaps + (size_t)front.bitmap * words,
                         lists + (size_t)(front.list ^ 1) * capacity,
                         fronts + (step + 1) % 3,
                         front.level + 1};
  expand_list(&search, lists + (size_t)front.list * capacity, pulling ? 0 : front.chunks, get_group_id(0),
              get_num_groups(0), &shared);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0 && shared.nodes > 0) {
    atomic_add(&search.found->nodes, shared.nodes);
    atomic_add(&search.found->edges, in_units(shared.edges));
  }
}
