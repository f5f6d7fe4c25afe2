// The search of bfs.cl's variant direction_optimising in one launch: groups that run at the same time share each level
// and meet at a barrier behind it.
//
// Which groups run at the same time nobody promises in OpenCL 1.2, so they find out: a group that starts while the poll
// is open takes part, and the first of them closes it. Groups that come later leave at once, and however few take part,
// they do it all. After T. Sorensen, A. F. Donaldson, M. Batty, G. Gopalakrishnan and Z. Rakamaric, "Portable inter-workgroup
// barrier synchronisation for GPUs", OOPSLA 2016.
//
// Index map: of the participants' work-items, number i has the words i, i + their count, ... of a bitmap; pieces of lists
// are shared as in `push`.

// Words of `meeting`; all are 0 at first.
#define JOINED 0    // groups that have started, with CLOSED once the poll is
#define TAKE_PART 1 // how many take part, once the poll is closed
#define ARRIVED 2   // of all barriers so far
#define CLOSED 0x80000000u
// How often the first group looks whether all have started. Each look is a round trip to memory.
#define PATIENCE 100
#define NOBODY 0xffffffffu

// This group's number among those that take part, or NOBODY.
inline uint join(global volatile uint* meeting) {
  const uint number = atomic_inc(meeting + JOINED);
  if (number & CLOSED) return NOBODY;
  if (number == 0) {
    for (int look = 0; look < PATIENCE && meeting[JOINED] < get_num_groups(0); ++look) {
    }
    meeting[TAKE_PART] = atomic_or(meeting + JOINED, CLOSED);
  } else {
    while (meeting[TAKE_PART] == 0) {
    }
  }
  return number;
}

// Behind it everybody sees what anybody wrote before it. `meetings`: how many there were with this one.
inline void meet(global volatile uint* meeting, uint groups, uint meetings) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    DEVICE_FENCE();
    atomic_inc(meeting + ARRIVED);
    while (meeting[ARRIVED] < groups * meetings) {
    }
    DEVICE_FENCE();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// From `fronts[0]` on, at most `max_levels` of them, a multiple of 3; then fronts[0] tells how far it came. A turn is a
// level, or makes the list for going back from pulling to pushing. Lists and bitmaps change during the launch, so that
// only the graph itself may be read as if nothing did.
kernel GROUP_OF(WORK_GROUP, 1) void search(global Front* fronts, global volatile uint* meeting,
                                           global const offset_t* restrict offsets,
                                           global const int* restrict neighbours,
                                           global const offset_t* restrict in_offsets,
                                           global const int* restrict in_neighbours, global List* lists,
                                           const uint capacity, global int* levels, global uint* bitmaps,
                                           const uint words, const int nodes, const uint max_levels) {
  local Shared shared;
  local uint place;
  const uint item = get_local_id(0);
  if (item == 0) place = join(meeting);
  clear_shared(&shared);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint group = place;
  const uint groups = meeting[TAKE_PART];
  const uint first = group * WORK_GROUP + item;
  const uint items = groups * WORK_GROUP;
  const uint max_steps = group == NOBODY ? 0 : max_levels;
  uint listed = NOBODY;  // the step whose list was made from bitmaps
  uint step = 0;
  uint meetings = 0;
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
      for (uint word = first; word < words * (32 / GRANULARITY); word += items) {
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
    expand_list(&search, lists + (size_t)front.list * capacity, listing || pulling ? 0 : front.pieces, group, groups,
                &shared);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && shared.nodes > 0) {
      atomic_add(&search.found->nodes, shared.nodes);
      if (shared.edges > 0) atomic_add(&search.found->edges, in_units(shared.edges));
      shared.nodes = 0;
      shared.edges = 0;
    }
    meet(meeting, groups, ++meetings);
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
