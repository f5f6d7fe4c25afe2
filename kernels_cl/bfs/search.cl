// bfs: the search of the variant direction_optimising in one launch. Groups that run at the same time share each level
// and wait for each other at an inter-group barrier behind it.
//
// OpenCL 1.2 does not promise which groups run at the same time, so they find out: a group that starts while the poll
// is open takes part, and the first of them closes it. Groups that start later return at once, and however few take
// part, they do all the work. After T. Sorensen, A. F. Donaldson, M. Batty, G. Gopalakrishnan and Z. Rakamaric,
// "Portable inter-workgroup barrier synchronisation for GPUs", OOPSLA 2016.
//
// Index map: of the participants' work-items, number i has the words i, i + their count, ... of a bitmap; edge chunks
// are shared as in `push`.

#include "ordering.cl"

// Words of `barrier_words`; all are 0 at first.
#define JOINED 0        // groups that have started, with CLOSED once the poll is
#define PARTICIPANTS 1  // how many take part, once the poll is closed
#define ARRIVED 2       // arrivals of groups at all barriers so far
#define CLOSED 0x80000000u
// How often the first group reads whether all have started. Each read is a round trip to memory.
#define MAX_READS 100
#define NONE 0xffffffffu

// This group's number among those that take part, or NONE.
static inline uint join(global flag_t* barrier_words) {
  const uint number = draw_number(barrier_words + JOINED);
  if (number & CLOSED) return NONE;
  if (number == 0) {
    for (int read = 0; read < MAX_READS && peek(barrier_words + JOINED) < get_num_groups(0); ++read) {
    }
    leave(barrier_words + PARTICIPANTS, raise_bits(barrier_words + JOINED, CLOSED));
  } else {
    while (peek(barrier_words + PARTICIPANTS) == 0) {
    }
  }
  return number;
}

// Behind it all groups see what any group wrote before it. `barriers`: how many there were, this one included.
static inline void inter_group_barrier(global flag_t* barrier_words, uint groups, uint barriers) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    arrive(barrier_words + ARRIVED);
    await(barrier_words + ARRIVED, groups * barriers);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// From `fronts[0]` on, at most `max_levels` of them, a multiple of 3; then fronts[0] is the frontier that was reached.
// An iteration is a level, or makes the list for going back from pulling to pushing. Lists and bitmaps change during
// the launch, so that only the graph itself may be `const` and `restrict`.
kernel GROUP_OF(WORK_GROUP,
                1) void search(global Front* fronts, global flag_t* barrier_words,
                               global const offset_t* restrict offsets, global const int* restrict neighbours,
                               global const offset_t* restrict in_offsets, global const int* restrict in_neighbours,
                               global List* lists, const uint capacity, global int* levels, global uint* bitmaps,
                               const uint words, const int nodes, const uint max_levels) {
  local Shared shared;
  local uint number;
  const uint item = get_local_id(0);
  if (item == 0) number = join(barrier_words);
  clear_shared(&shared);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint group = number;
  const uint groups = peek(barrier_words + PARTICIPANTS);
  const uint first = group * WORK_GROUP + item;
  const uint items = groups * WORK_GROUP;
  const uint max_steps = group == NONE ? 0 : max_levels;
  uint listed = NONE;  // the step whose list was made from bitmaps
  uint step = 0;
  uint barriers = 0;
  Front front = fronts[0];
  while (step < max_steps && front.nodes > 0) {
    if (step == listed) front.pulled = 0;
    const int listing = front.pulled && front.nodes <= (uint)nodes / NARROW;
    const int pulling = !listing && should_pull(front, nodes);
    if (listing) {
      for (uint word = first; word < words; word += items) {
        list_word(fronts + step % 3, offsets, lists, capacity, bitmaps, words, word);
      }
    } else if (first == 0) {
      begin_next(fronts, step, front, pulling);
    }
    if (pulling) {
      uint found = 0;
      for (uint word = first; word < PULLING_ITEMS(words); word += items) {
        found += pull_word(front, in_offsets, in_neighbours, levels, bitmaps, words, word);
      }
      if (found > 0) atomic_add(&shared.nodes, found);
    }
    const Search search = {offsets,
                           neighbours,
                           levels,
                           bitmaps + (size_t)front.bitmap * words,
                           lists + (size_t)(front.list ^ 1) * capacity,
                           fronts + (step + 1) % 3,
                           front.level + 1};
    expand_list(&search, lists + (size_t)front.list * capacity, listing || pulling ? 0 : front.chunks, group, groups,
                &shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && shared.nodes > 0) {
      atomic_add(&search.found->nodes, shared.nodes);
      if (shared.edges > 0) atomic_add(&search.found->edges, in_units(shared.edges));
      shared.nodes = 0;
      shared.edges = 0;
    }
    inter_group_barrier(barrier_words, groups, ++barriers);
    if (listing) {
      listed = step;
    } else {
      ++step;
    }
    front = fronts[step % 3];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Where the search has ended, fronts[0] may still be that of an earlier level.
  if (group == 0 && item == 0 && front.nodes == 0) fronts[0].nodes = 0;
}
