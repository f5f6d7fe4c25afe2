// Breadth-first search: the level of every node, which is the fewest edges from the source to it; -1 where no
// path leads.
//
// VARIANT_TOPOLOGY: per level, `topology_expand` looks at every node, and those in the frontier mark their
// unvisited neighbours; `topology_update` turns the marks into the next frontier. One work-item per node,
// masks of bytes: the initial code of the thesis (results/published/README.md), and the classic formulation
// of Harish and Narayanan, "Accelerating large graph algorithms on the GPU using CUDA" (HiPC 2007).
//   Index map: work-group g holds the nodes [g * L * GRANULARITY, (g + 1) * L * GRANULARITY), L being its
//   size; its work-item i handles the nodes i, i + L, i + 2L, ... of them, so that neighbours in the group
//   are neighbours in memory.
//
// VARIANT_QUEUE: the frontier is an array of pieces of lists, at most PIECE neighbours each, so that a node
// with many edges is shared by many groups. `push` claims each neighbour by an atomic on its bit in the
// bitmap of reached nodes, and appends the claimed node's pieces to the next frontier, by one atomic per
// group and round. A level is one launch, and a launch that finds nothing to do costs little, so that the
// host enqueues several before it looks.
//   Index map: TEAM neighbouring work-items share a piece; piece p of a round goes to group p % groups, so
//   that few pieces still meet many groups.
//
// VARIANT_DIRECTION_OPTIMISING: as queue, but when the frontier has a good part of the edges not yet
// explored, `pull` takes the place of `push`: each node not yet reached looks for a reached one among those
// that lead to it (Beamer, Asanovic and Patterson, "Direction-optimizing breadth-first search", SC12). A
// reached in-neighbour of an unreached node is always in the frontier, else the node would have been reached
// before; so the bitmap as it was before the level is all that pulling reads, and it writes another one.
// `update` makes a list from the two bitmaps where pushing goes on. `walk` is one group that goes through
// many levels in one launch while the frontier is narrow.
//   Index map of `pull` and `update`: a work-item has GRANULARITY (update: 32) nodes in a row, the bits of
//   one word.
//   With SYNC_BARRIER the whole search is one launch, `search` in bfs_search.cl.
//
// | macro        | values         | meaning                                                             |
// |--------------|----------------|---------------------------------------------------------------------|
// | VARIANT      | VARIANT_...    | the algorithm                                                       |
// | WORK_GROUP   | 1, 128 .. 1024 | work-items of a group (topology: before COARSENING)                 |
// | GRANULARITY  | 1 .. 32        | nodes per work-item (direction_optimising: of `pull`; 8, 16 or 32)  |
// | VECTOR_WIDTH | 1 2 4 8 16     | neighbours per load                                                 |
// | UNROLL       | 1 2 4 8        | loads per turn of the loop over a list                              |
// | PADDING      | 0 2 4 8 16     | lists are padded to a multiple of this with their own node (0: not) |
// | COARSENING   | COARSENING_... | GRANULARITY makes fewer groups, or smaller ones                     |
// | OFFSET_BITS  | 32 64          | width of a position in the array of neighbours                      |
// | TEAM         | 1 4 8 32       | work-items that share a piece of a list                             |
// | BATCH        | 1 4 8 16       | levels between two looks of the host (host only)                    |
// | SYNC         | SYNC_...       | levels are launches, or meet at barriers within one                 |
// | PIECE        | 16 and up      | most neighbours in a piece of a list; not an axis                   |
// | EDGE_UNIT    | 1 64           | edges are counted in this unit, so as to fit 32 bits; not an axis   |
// | NARROW       | 1 and up       | a frontier up to this part of all nodes is pushed; not an axis      |
// | WALK_GROUP   | 1, 32 .. 1024  | work-items of `walk`, at most WORK_GROUP; not an axis               |
// | PEEK         | 0 1            | look whether a node is reached before claiming it; not an axis      |
//
// Preconditions: lists are what PADDING says; every neighbour is a node; at most 2^30 nodes, so that a node's
// number fits an int. The bits of a word are numbered from the lowest byte on (`pull` reads bytes of words):
// little-endian.

#ifndef VARIANT
#error "bfs.cl: VARIANT must be VARIANT_TOPOLOGY, VARIANT_QUEUE or VARIANT_DIRECTION_OPTIMISING"
#endif
#if VARIANT != VARIANT_TOPOLOGY && VARIANT != VARIANT_QUEUE && VARIANT != VARIANT_DIRECTION_OPTIMISING
#error "bfs.cl: VARIANT must be VARIANT_TOPOLOGY, VARIANT_QUEUE or VARIANT_DIRECTION_OPTIMISING"
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
#ifndef TEAM
#error "bfs.cl: TEAM must be the work-items that share a piece of a list"
#endif
#ifndef BATCH
#error "bfs.cl: BATCH must be the levels between two looks of the host"
#endif
#ifndef SYNC
#error "bfs.cl: SYNC must be SYNC_LAUNCHES or SYNC_BARRIER"
#endif
#ifndef PIECE
#error "bfs.cl: PIECE must be the most neighbours in a piece of a list"
#endif
#ifndef EDGE_UNIT
#error "bfs.cl: EDGE_UNIT must be 1 or 64"
#endif
#ifndef NARROW
#error "bfs.cl: NARROW must be which part of all nodes makes a narrow frontier"
#endif
#ifndef WALK_GROUP
#error "bfs.cl: WALK_GROUP must be the work-items of `walk`"
#endif
#ifndef PEEK
#error "bfs.cl: PEEK must be 0 or 1"
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
// Whether a list is a whole number of loads, and of turns.
#define WHOLE_LOADS (PADDING > 0 ? PADDING % VECTOR_WIDTH == 0 : VECTOR_WIDTH == 1)
#define WHOLE_STEPS (PADDING > 0 ? PADDING % STEP == 0 : STEP == 1)

// A stretch of the array of neighbours: one node's list, or a piece of it.
typedef struct {
  offset_t start;
  offset_t count;
} List;

// Lists padded to whole loads start at whole loads, so that a load may demand its vector's alignment.
#if PADDING > 0 && PADDING % VECTOR_WIDTH == 0
#define LOAD_NEIGHBOURS(position, neighbours) (((global const intv*)(neighbours))[(position) / VECTOR_WIDTH])
#else
#define LOAD_NEIGHBOURS(position, neighbours) LOADV(position, neighbours)
#endif

// Neighbours as loaded, and as single numbers: OpenCL C cannot index the components of a vector. Whole
// vectors are stored, because PoCL's vstore8 writes halves, and reading those back as a whole stalls.
#define NEIGHBOUR_ARRAY(ids, loads) \
  intv ids##_loaded[loads];         \
  int* ids = (int*)ids##_loaded

inline void load_neighbours(global const int* neighbours, offset_t position, const int loads, int* ids) {
  for (int load = 0; load < loads; ++load) {
    ((intv*)ids)[load] = LOAD_NEIGHBOURS(position + load * VECTOR_WIDTH, neighbours);
  }
}

#if VARIANT == VARIANT_TOPOLOGY

#if COARSENING == COARSENING_SMALLER_GROUPS
#define TOPOLOGY_GROUP (WORK_GROUP / GRANULARITY)
#elif COARSENING == COARSENING_FEWER_GROUPS
#define TOPOLOGY_GROUP WORK_GROUP
#else
#error "bfs.cl: COARSENING must be COARSENING_FEWER_GROUPS or COARSENING_SMALLER_GROUPS"
#endif

inline void mark(int neighbour, int level, global const uchar* visited, global uchar* marked,
                 global int* levels) {
  if (!visited[neighbour]) {
    levels[neighbour] = level;
    marked[neighbour] = 1;
  }
}

kernel GROUP_OF(TOPOLOGY_GROUP, 1) void topology_expand(global const List* restrict lists,
                                                        global const int* restrict neighbours,
                                                        global uchar* restrict frontier,
                                                        global const uchar* restrict visited,
                                                        global uchar* restrict marked,
                                                        global int* restrict levels, const int nodes) {
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

kernel GROUP_OF(TOPOLOGY_GROUP, 1) void topology_update(global uchar* restrict frontier,
                                                        global uchar* restrict visited,
                                                        global uchar* restrict marked,
                                                        global uint* restrict changed, const int nodes) {
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

#if VARIANT == VARIANT_QUEUE || VARIANT == VARIANT_DIRECTION_OPTIMISING

#define UNREACHED (-1)
// Neighbours that a work-item may have to remember in a round: its share of a piece, in whole turns.
#define SHARE ((PIECE / TEAM + STEP - 1) / STEP * STEP)

// A frontier. There are three in turn: the one of this step, the one that this step finds, and one that is
// cleared for the step after. The host reads them, so it declares the same.
typedef struct {
  uint nodes;
  uint edges;   // that leave it, in units of EDGE_UNIT; pulling does not count them
  uint pieces;  // in its list
  int level;
  uint unexplored;  // edges that leave it and nodes not yet reached, in units of EDGE_UNIT
  uint pulled;      // it was found by pulling: there is no list
  uint bitmap;      // which of the two bitmaps is up to date
  uint list;        // which of the two lists is its own
} Front;

// What a step works on.
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
  uint pieces;                 // of this round
  uint base;                   // where they go in the list
  int ids[SHARE][WORK_GROUP];  // each work-item has a column
} Shared;

// A frontier is pulled if more than this part of the unexplored edges leave it. Where claims send cache lines
// back and forth between the cores of a CPU, pulling, which claims nothing, pays off earlier.
#define PULLED_PART (HAS_LOCAL_MEMORY ? 14 : 32)

// Beamer's rule, with a narrower limit: a narrow frontier is pushed in any case, since it costs the least,
// and so many levels of a deep graph have one. Once pulling, only the host (by `update`) goes back.
inline int should_pull(const Front front, int nodes) {
  if (VARIANT == VARIANT_QUEUE || front.nodes == 0) return 0;
  return front.pulled || (front.edges > front.unexplored / PULLED_PART && front.nodes > (uint)nodes / NARROW);
}

inline uint less(uint from, uint what) {
  return from - min(from, what);
}

// One work-item prepares what the next step needs beside the counts.
inline void begin_next(global Front* fronts, uint step, const Front front, uint pulling) {
  global Front* found = fronts + (step + 1) % 3;
  found->level = front.level + 1;
  found->unexplored = less(front.unexplored, front.edges);
  found->pulled = pulling;
  found->bitmap = front.bitmap ^ pulling;
  found->list = front.list ^ 1;
  global Front* later = fronts + (step + 2) % 3;
  later->nodes = 0;
  later->edges = 0;
  later->pieces = 0;
}

inline int has_bit(global const uint* bitmap, int node) {
  return (bitmap[node >> 5] >> (node & 31)) & 1;
}

// A plain load of a word that others change by atomics: what was reached stays so, and where this says no,
// claim() decides. A race detector cannot know that, so under one there is no look (PEEK 0).
inline int is_reached(const Search* search, int node) {
  return PEEK && has_bit(search->reached, node);
}

// True for the one work-item that reaches the node.
inline int claim(const Search* search, int node) {
  const uint bit = 1u << (node & 31);
  return !(atomic_or(search->reached + (node >> 5), bit) & bit);
}

// The next STEP of the `left` neighbours at `position`; where fewer are left, the first of them stands in.
inline void load_step(global const int* neighbours, offset_t position, offset_t left, int* ids) {
  if (WHOLE_STEPS || left >= STEP) {
    load_neighbours(neighbours, position, UNROLL, ids);
  } else {
    for (int i = 0; i < STEP; ++i) ids[i] = neighbours[position + (i < (int)left ? i : 0)];
  }
}

inline offset_t degree_of(global const offset_t* offsets, int node) {
  return offsets[node + 1] - offsets[node];
}
inline uint pieces_of(offset_t degree) {
  return (uint)((degree + (PIECE - 1)) / PIECE);
}
inline uint in_units(uint edges) {
  return EDGE_UNIT == 1 ? edges : (edges + EDGE_UNIT - 1) / EDGE_UNIT;
}

inline void put_pieces(global List* list, uint at, offset_t start, offset_t left) {
  while (left > 0) {
    const offset_t count = min(left, (offset_t)PIECE);
    list[at].start = start;
    list[at].count = count;
    ++at;
    start += count;
    left -= count;
  }
}

// A round is cut by barriers into looking up, claiming and appending although each work-item only needs what
// it remembers itself: where work-items are run one after another, an atomic lets no load pass, and the next
// work-item's cache misses would wait for it. There, appending is cut once more.
#if HAS_LOCAL_MEMORY
#define CUT_AFTER_LOADS()
#else
#define CUT_AFTER_LOADS() barrier(CLK_LOCAL_MEM_FENCE)
#endif

// Remembers the neighbours not yet reached; returns how many.
inline uint look_up(const Search* search, const List piece, local Shared* shared) {
  const uint item = get_local_id(0);
  uint count = 0;
  for (offset_t at = (item % TEAM) * STEP; at < piece.count; at += TEAM * STEP) {
    NEIGHBOUR_ARRAY(ids, UNROLL);
    load_step(search->neighbours, piece.start + at, piece.count - at, ids);
    for (int i = 0; i < STEP; ++i) {
      shared->ids[count][item] = ids[i];
      count += !is_reached(search, ids[i]);
    }
  }
  return count;
}

// Keeps those that this work-item is the first to reach; returns how many.
inline uint claim_all(const Search* search, uint count, local Shared* shared) {
  const uint item = get_local_id(0);
  uint claimed = 0;
  for (uint i = 0; i < count; ++i) {
    const int node = shared->ids[i][item];
    if (claim(search, node)) shared->ids[claimed++][item] = node;
  }
  return claimed;
}

// The group appends the pieces of the nodes that its work-items claimed.
inline void append_all(const Search* search, uint claimed, local Shared* shared) {
  const uint item = get_local_id(0);
  uint pieces = 0;
  uint edges = 0;
  for (uint i = 0; i < claimed; ++i) {
    const int node = shared->ids[i][item];
    const offset_t degree = degree_of(search->offsets, node);
    pieces += pieces_of(degree);
    edges += (uint)degree;
    search->levels[node] = search->level;
  }
  CUT_AFTER_LOADS();
  uint at = 0;
  if (claimed > 0) {
    at = atomic_add(&shared->pieces, pieces);
    atomic_add(&shared->edges, edges);
    atomic_add(&shared->nodes, claimed);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    if (shared->pieces > 0) shared->base = atomic_add(&search->found->pieces, shared->pieces);
    shared->pieces = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  at += shared->base;
  for (uint i = 0; i < claimed; ++i) {
    const int node = shared->ids[i][item];
    const offset_t degree = degree_of(search->offsets, node);
    put_pieces(search->next, at, search->offsets[node], degree);
    at += pieces_of(degree);
  }
}

inline void clear_shared(local Shared* shared) {
  if (get_local_id(0) == 0) {
    shared->nodes = 0;
    shared->edges = 0;
    shared->pieces = 0;
    shared->base = 0;
  }
}

// The first `pieces` pieces of `list`, by `groups` groups of which this is number `group`.
inline void expand_list(const Search* search, global const List* list, uint pieces, uint group, uint groups,
                        local Shared* shared) {
  const uint teams = get_local_size(0) / TEAM;
  for (uint first = 0; first < pieces; first += teams * groups) {
    const uint piece = first + (uint)(get_local_id(0) / TEAM) * groups + group;
    uint count = 0;
    if (piece < pieces) count = look_up(search, list[piece], shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    count = claim_all(search, count, shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    append_all(search, count, shared);
  }
}

kernel GROUP_OF(WORK_GROUP,
                1) void push(global Front* fronts, const uint step, global const offset_t* restrict offsets,
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
  expand_list(&search, lists + (size_t)front.list * capacity, pulling ? 0 : front.pieces, get_group_id(0),
              get_num_groups(0), &shared);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0 && shared.nodes > 0) {
    atomic_add(&search.found->nodes, shared.nodes);
    atomic_add(&search.found->edges, in_units(shared.edges));
  }
}

#endif

#if VARIANT == VARIANT_DIRECTION_OPTIMISING

#if GRANULARITY == 8
typedef uchar Bits;
#elif GRANULARITY == 16
typedef ushort Bits;
#elif GRANULARITY == 32
typedef uint Bits;
#else
#error "bfs.cl: GRANULARITY must be 8, 16 or 32 where a work-item writes that many bits"
#endif

inline int lowest_bit(uint word) {
  return 31 - (int)clz(word & -word);
}

inline int leads_from_reached(global const offset_t* offsets, global const int* neighbours,
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
inline uint pull_word(const Front front, global const offset_t* in_offsets, global const int* in_neighbours,
                      global int* levels, global uint* bitmaps, uint words, uint word) {
  global const uint* before = bitmaps + (size_t)front.bitmap * words;
  global Bits* after = (global Bits*)(bitmaps + (size_t)(front.bitmap ^ 1) * words);
  const Bits reached = ((global const Bits*)before)[word];
  uint now = reached;
  for (uint missing = (Bits)~reached; missing != 0; missing &= missing - 1) {
    const int bit = lowest_bit(missing);
    const int node = (int)(word * GRANULARITY) + bit;
    const int hit = leads_from_reached(in_offsets, in_neighbours, before, node);
    // Without a branch: whether a node is found cannot be foreseen, and a CPU would guess wrong every other
    // time.
    now |= (uint)hit << bit;
    levels[node] = hit ? front.level + 1 : UNREACHED;
  }
  after[word] = (Bits)now;
  return popcount(now ^ reached);
}

kernel GROUP_OF(WORK_GROUP, 1) void pull(global Front* fronts, const uint step,
                                         global const offset_t* restrict in_offsets,
                                         global const int* restrict in_neighbours,
                                         global int* restrict levels, global uint* bitmaps, const uint words,
                                         const int nodes) {
  local uint found_nodes;
  if (get_local_id(0) == 0) found_nodes = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const Front front = fronts[step % 3];
  const uint word = get_global_id(0);
  if (should_pull(front, nodes) && word < words * (32 / GRANULARITY)) {
    const uint found = pull_word(front, in_offsets, in_neighbours, levels, bitmaps, words, word);
    if (found > 0) atomic_add(&found_nodes, found);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0 && found_nodes > 0) atomic_add(&fronts[(step + 1) % 3].nodes, found_nodes);
}

// A frontier that was found by pulling becomes a list: its nodes are what the last pull added to the bitmap.
inline void list_word(global Front* front, global const offset_t* offsets, global List* lists, uint capacity,
                      global const uint* bitmaps, uint words, uint word) {
  const uint bitmap = front->bitmap;
  const uint added = bitmaps[(size_t)bitmap * words + word] & ~bitmaps[(size_t)(bitmap ^ 1) * words + word];
  global List* list = lists + (size_t)front->list * capacity;
  for (uint left = added; left != 0; left &= left - 1) {
    const int node = (int)(word * 32) + lowest_bit(left);
    const offset_t degree = degree_of(offsets, node);
    put_pieces(list, atomic_add(&front->pieces, pieces_of(degree)), offsets[node], degree);
    atomic_add(&front->edges, in_units((uint)degree));
  }
}

kernel GROUP_OF(WORK_GROUP, 1) void update(global Front* fronts, const uint step,
                                           global const offset_t* restrict offsets, global List* lists,
                                           const uint capacity, global const uint* restrict bitmaps,
                                           const uint words) {
  global Front* front = fronts + step % 3;
  if (get_global_id(0) == 0) front->pulled = 0;
  const uint word = get_global_id(0);
  if (word < words) list_word(front, offsets, lists, capacity, bitmaps, words, word);
}

// One group; stops when the list has more than `most_pieces`, after `most_levels`, or when nothing is found.
kernel GROUP_OF(WALK_GROUP, 1) void walk(global Front* fronts, const uint step,
                                         global const offset_t* restrict offsets,
                                         global const int* restrict neighbours, global List* lists,
                                         const uint capacity, global int* levels, global uint* bitmaps,
                                         const uint words, const uint most_pieces, const uint most_levels) {
  local Shared shared;
  local Front next;
  Front front = fronts[step % 3];
  clear_shared(&shared);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint level = 0; level < most_levels && front.nodes > 0 && !front.pulled && front.pieces <= most_pieces;
       ++level) {
    const Search search = {offsets,
                           neighbours,
                           levels,
                           bitmaps + (size_t)front.bitmap * words,
                           lists + (size_t)(front.list ^ 1) * capacity,
                           fronts + (step + 1) % 3,
                           front.level + 1};
    expand_list(&search, lists + (size_t)front.list * capacity, front.pieces, 0, 1, &shared);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      next = front;
      next.level = front.level + 1;
      next.unexplored = less(front.unexplored, front.edges);
      next.list = front.list ^ 1;
      // Exchanged, so that the step that follows finds it at zero.
      next.pieces = atomic_xchg(&search.found->pieces, 0);
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

#if SYNC == SYNC_BARRIER
#include "bfs_search.cl"
#endif

#endif
