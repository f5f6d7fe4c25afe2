// Breadth-first search: the level of every node, which is the number of edges on a shortest path from the source to it;
// -1 where no path leads.
//
// VARIANT_TOPOLOGY: per level, `topology_expand` visits every node, and those in the frontier mark their unvisited
// neighbours; `topology_update` turns the marks into the next frontier. One work-item per node, flags of one byte: the
// initial code of the thesis (results/published/README.md), and the classic formulation of Harish and Narayanan,
// "Accelerating large graph algorithms on the GPU using CUDA" (HiPC 2007).
//   Index map: work-group g holds the nodes [g * L * GRANULARITY, (g + 1) * L * GRANULARITY), L being its size; its
//   work-item i handles the nodes i, i + L, i + 2L, ... of them, so that neighbours in the group are neighbours in
//   memory.
//
// VARIANT_QUEUE: the frontier is an array of edge chunks: sections of the nodes' lists of neighbours, at most
// EDGE_CHUNK neighbours each, so that a node with many edges is shared by many groups. `push` claims each neighbour by
// an atomic on its bit in the bitmap of reached nodes, and appends the edge chunks of the claimed node to the next
// frontier, by one atomic per group and round. A level is one launch, and a launch that finds no work costs little, so
// that the host enqueues several before it reads the frontier.
//   Index map: TEAM neighbouring work-items share an edge chunk; chunk c of a round goes to group c % groups, so that
//   few chunks still occupy many groups.
//
// VARIANT_DIRECTION_OPTIMISING: as queue, but when many of the edges not yet explored leave the frontier, `pull` takes
// the place of `push`: each node not yet reached looks for a reached one among its in-neighbours (Beamer, Asanovic and
// Patterson, "Direction-optimizing breadth-first search", SC12). A reached in-neighbour of an unreached node is always
// in the frontier, otherwise the node would have been reached before; so the bitmap as it was before the level is all
// that pulling reads, and it writes another one. `update` makes a list from the two bitmaps where pushing continues.
// `walk` is one group that goes through many levels in one launch while the frontier is narrow.
//   Index map of `pull` and `update`: a work-item has GRANULARITY (update: 32) consecutive nodes, the bits of part of a
//   word, one word, or a few.
//   With MERGING `note` and `merge` take the place of `push`, in bfs/merge.cl. With ONE_LAUNCH the whole search is one
//   launch, `search` in bfs/search.cl, or with MERGING in bfs/phases.cl.
//
// | macro        | values         | meaning                                                                      |
// |--------------|----------------|------------------------------------------------------------------------------|
// | VARIANT      | VARIANT_...    | the algorithm                                                                |
// | WORK_GROUP   | 1, 128 .. 1024 | work-items of a group (topology: before COARSENING)                          |
// | GRANULARITY  | 1 .. 32, 512   | nodes per work-item (direction_optimising: of `pull`; 8 and more)            |
// | VECTOR_WIDTH | 1 2 4 8 16     | neighbours per load                                                          |
// | UNROLL       | 1 2 4 8        | loads per iteration of the loop over a list                                  |
// | PADDING      | 0 2 4 8 16     | lists are padded to a multiple of this with their own node (0: not)          |
// | COARSENING   | COARSENING_... | GRANULARITY makes fewer groups, or smaller ones                              |
// | OFFSET_BITS  | 32 64          | width of a position in the array of neighbours                               |
// | TEAM         | 1 4 8 32       | work-items that share an edge chunk                                          |
// | BATCH        | 1 4 8 16       | levels between two reads of the frontier by the host (host only)             |
// | SYNC         | SYNC_...       | levels are launches, or one launch has a barrier (host only: ONE_LAUNCH)     |
// | CLAIMS       | CLAIMS_...     | whether nodes are claimed at once or merged (host only: MERGING)             |
// | SUBMISSION   | SUBMISSION_... | how the host submits launches (host only)                                    |
//
// Chosen by the host (dwarfs/bfs/frontier_plan.hpp, geometry.hpp); all but the first for the other variants alone:
//
// | macro            | values    | meaning                                                                       |
// |------------------|-----------|-------------------------------------------------------------------------------|
// | TOPOLOGY_GROUP   | 1 .. 1024 | work-items of a group of the variant topology                                 |
// | EDGE_CHUNK       | 16 and up | neighbours in an edge chunk, at most                                          |
// | SHARE            | 1 and up  | neighbours that a work-item may have to remember in a round: its share of an  |
// |                  |           | edge chunk, in whole iterations                                               |
// | COLUMNS          | 1 .. 1024 | work-items of the largest group that remembers neighbours                     |
// | EDGE_UNIT        | 1 64      | edges are counted in this unit, so as to fit 32 bits                          |
// | NARROW           | 1 and up  | a frontier up to this part of all nodes is pushed                             |
// | PULLED_PART      | 1 and up  | a frontier that more than this part of the unexplored edges leave is pulled   |
// | WALK_GROUP       | 1 .. 1024 | work-items of `walk`                                                          |
// | PEEK             | 0 1       | look whether a node is reached before claiming it                             |
// | SERIAL_ITEMS     | 0 1       | the work-items of a group are run one after another, between barriers         |
// | MERGING          | 0 1       | groups note what they reach, and that is merged                               |
// | ONE_LAUNCH       | 0 1       | all levels are one launch                                                     |
// | NOTED_CHUNKS     | 1 and up  | MERGING: edge chunks that a group of `note` has at a time                     |
// | NOTED_APART      | 1 and up  | MERGING: divides the groups of `note`                                         |
// | MERGED_WORDS     | 1 and up  | MERGING: words of a bitmap that a group of `merge` has                        |
//
// Preconditions: lists are as PADDING says; every neighbour is a node; at most 2^30 nodes, so that a node's number fits
// an int. The bits of a word are numbered from the lowest byte on (`pull` reads bytes of words): little-endian.

#if OFFSET_BITS == 32
typedef uint offset_t;
#else
typedef ulong offset_t;
#endif

// Neighbours per iteration of the loop over a list.
#define STEP (VECTOR_WIDTH * UNROLL)
// Whether a list is a whole number of loads, and of iterations.
#define WHOLE_LOADS (PADDING > 0 ? PADDING % VECTOR_WIDTH == 0 : VECTOR_WIDTH == 1)
#define WHOLE_STEPS (PADDING > 0 ? PADDING % STEP == 0 : STEP == 1)

// A section of the array of neighbours: one node's list, or an edge chunk of it.
typedef struct {
  offset_t start;
  offset_t count;
} List;

// Lists padded to whole loads begin at multiples of a load, so that a load may require its vector's alignment.
#if PADDING > 0 && PADDING % VECTOR_WIDTH == 0
#define LOAD_NEIGHBOURS(position, neighbours) (((global const intv*)(neighbours))[(position) / VECTOR_WIDTH])
#else
#define LOAD_NEIGHBOURS(position, neighbours) LOADV(position, neighbours)
#endif

// Neighbours as loaded, and as single numbers: OpenCL C cannot index the components of a vector. Whole vectors are
// stored, because PoCL's vstore8 writes halves, and reading those back as a whole stalls.
#define NEIGHBOUR_ARRAY(ids, loads) \
  intv ids##_loaded[loads];         \
  int* ids = (int*)ids##_loaded

static inline void load_neighbours(global const int* neighbours, offset_t position, const int loads, int* ids) {
  for (int load = 0; load < loads; ++load) {
    ((intv*)ids)[load] = LOAD_NEIGHBOURS(position + load * VECTOR_WIDTH, neighbours);
  }
}

#if VARIANT == VARIANT_TOPOLOGY
#include "bfs/topology.cl"
#else
#include "bfs/queue.cl"
#endif
#if VARIANT == VARIANT_DIRECTION_OPTIMISING
#include "bfs/pull.cl"
#if MERGING
#include "bfs/merge.cl"
#endif
#endif
