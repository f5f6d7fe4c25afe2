// bfs: pushing where MERGING is 1. Cores keep what they write in caches of their own, so that claims on one bitmap send
// its cache lines back and forth, and every claim waits. Here `note` sets bits in a bitmap that only its group writes,
// without reading what is reached already; `merge` finds what is new in all of them, and lists it in order.
//
// There are as many of these bitmaps as groups are likely to run at a time; a group holds one while it works. Where
// groups must not wait for each other, each has one. Both
// kernels have groups of one work-item, which goes through its share in passes, as in bfs/pull_batch.cl. On two cores
// the rate at which memory delivers single lines, here of lists, is the limit: most of the time of `note`.
//   Index map: `note`: batch b has the edge chunks [b, b + 1) * NOTED_CHUNKS of each round, and a group has a batch;
//   neighbouring groups, which a core takes together, have batches far apart, so that a short list is shared evenly.
//   `merge`: a group has MERGED_WORDS words of the bitmaps, which are a multiple of that.

#include "ordering.cl"

// Returns the number of a bitmap that no group held: `held` is 1 for those that a group does.
static inline uint lock_bitmap(global flag_t* held, uint count) {
  uint own = get_group_id(0) % count;
  while (!try_lock(held + own)) own = own + 1 < count ? own + 1 : 0;
  return own;
}

static inline void note_chunks(global const int* neighbours, global const List* list, uint chunks, global uint* noted) {
  NEIGHBOUR_ARRAY(ids, NOTED_CHUNKS * SHARE / VECTOR_WIDTH);
  uint count = 0;
  for (uint i = 0; i < chunks; ++i) {
    const List chunk = list[i];
    for (offset_t at = 0; at < chunk.count; at += STEP) {
      load_step(neighbours, chunk.start + at, chunk.count - at, ids + count);
      count += STEP;
    }
  }
  for (uint i = 0; i < count; ++i) noted[ids[i] >> 5] |= 1u << (ids[i] & 31);
}

kernel GROUP_OF(1, 1) void note(global Front* fronts, const uint step, global const int* restrict neighbours,
                                global const List* restrict lists, const uint capacity, global uint* noted,
                                global flag_t* held, const uint bitmaps, const uint words, const int nodes) {
  const Front front = fronts[step % 3];
  const int pulling = should_pull(front, nodes);
  if (get_global_id(0) == 0) begin_next(fronts, step, front, pulling);
  const uint chunks = pulling ? 0 : front.chunks;
  const uint group = get_group_id(0);
  const uint batch = group % NOTED_APART * (get_num_groups(0) / NOTED_APART) + group / NOTED_APART;
  uint first = batch * NOTED_CHUNKS;
  if (first < chunks) {
    const uint own = lock_bitmap(held, bitmaps);
    for (; first < chunks; first += get_num_groups(0) * NOTED_CHUNKS) {
      note_chunks(neighbours, lists + (size_t)front.list * capacity + first, min(chunks - first, (uint)NOTED_CHUNKS),
                  noted + (size_t)own * words);
    }
    unlock(held + own);
  }
}

// The bits that are set in any bitmap in the MERGED_WORDS words from `first` on; they are cleared there.
static inline void take_noted(global uint* noted, uint bitmaps, uint words, uint first, uint* taken) {
  for (uint k = 0; k < MERGED_WORDS; ++k) taken[k] = 0;
  for (uint i = 0; i < bitmaps; ++i) {
    global uint* const bits = noted + (size_t)i * words + first;
    uint any = 0;
    for (uint k = 0; k < MERGED_WORDS; ++k) {
      taken[k] |= bits[k];
      any |= bits[k];
    }
    if (any == 0) continue;
    for (uint k = 0; k < MERGED_WORDS; ++k) bits[k] = 0;
  }
}

// The MERGED_WORDS words from `first` on.
static inline void merge_words(global Front* fronts, const uint step, const Front front, global const offset_t* offsets,
                               global List* lists, const uint capacity, global int* levels, global uint* bitmaps,
                               global uint* noted, const uint noted_bitmaps, const uint words, const int nodes,
                               const uint first) {
  global uint* const reached = bitmaps + (size_t)front.bitmap * words;
  uint fresh[MERGED_WORDS];
  take_noted(noted, noted_bitmaps, words, first, fresh);
  int found[MERGED_WORDS * 32];
  uint count = 0;
  for (uint k = 0; k < MERGED_WORDS; ++k) {
    fresh[k] &= ~reached[first + k];
    if (fresh[k] != 0) reached[first + k] |= fresh[k];
    for (uint left = fresh[k]; left != 0; left &= left - 1) {
      found[count++] = (int)((first + k) * 32) + lowest_bit(left);
    }
  }
  if (count == 0) return;
  uint chunks = 0;
  uint edges = 0;
  for (uint i = 0; i < count; ++i) {
    const offset_t degree = degree_of(offsets, found[i]);
    chunks += chunks_of(degree);
    edges += (uint)degree;
    levels[found[i]] = front.level + 1;
  }
  global Front* const next = fronts + (step + 1) % 3;
  Front counted = front;
  counted.nodes = atomic_add(&next->nodes, count) + count;
  counted.edges = atomic_add(&next->edges, in_units(edges)) + in_units(edges);
  counted.unexplored = less(front.unexplored, front.edges);
  if (should_pull(counted, nodes)) {
    // Further counts cannot change that, so the frontier needs no list; `pulled` keeps an incomplete one from being
    // walked.
    atomic_or(&next->pulled, 1);
    return;
  }
  uint at = atomic_add(&next->chunks, chunks);
  global List* const list = lists + (size_t)(front.list ^ 1) * capacity;
  for (uint i = 0; i < count; ++i) {
    const offset_t degree = degree_of(offsets, found[i]);
    put_chunks(list, at, offsets[found[i]], degree);
    at += chunks_of(degree);
  }
}

kernel GROUP_OF(1, 1) void merge(global Front* fronts, const uint step, global const offset_t* restrict offsets,
                                 global List* restrict lists, const uint capacity, global int* restrict levels,
                                 global uint* restrict bitmaps, global uint* restrict noted, const uint noted_bitmaps,
                                 const uint words, const int nodes) {
  const Front front = fronts[step % 3];
  if (front.nodes == 0 || should_pull(front, nodes)) return;
  merge_words(fronts, step, front, offsets, lists, capacity, levels, bitmaps, noted, noted_bitmaps, words, nodes,
              get_group_id(0) * MERGED_WORDS);
}

#if ONE_LAUNCH
#include "bfs/phases.cl"
#endif
