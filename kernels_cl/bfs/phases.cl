// bfs: the search of the variant direction_optimising in one launch where MERGING is 1, by a team of work-groups that
// goes through phases (kernels_cl/phases.cl). What is a launch of `note`, `merge`, `pull` or `update` elsewhere is a
// phase here, and the group that completes it chooses the next. It also goes through narrow levels, alone: that takes
// less time than a phase.

#include "phases.cl"

// What a phase does: nothing (the first), the work of one of those kernels (LIST: of `update`), or end the search.
enum { BEGIN, NOTE, MERGE, PULL, LIST, END };
// Words of the team that say what the open phase does, and its step.
#define PHASE_TASK 1
#define PHASE_STEP 2

// With at most this many edge chunks, one group takes less time than a phase.
#define NARROW_CHUNKS 16

// As `walk`, by one work-item; no other touches the data meanwhile.
static inline void walk_alone(global Front* at, const Search* graph, global List* lists, const uint capacity,
                              global uint* bitmaps, const uint words) {
  Front front = *at;
  while (front.nodes > 0 && !front.pulled && front.chunks <= NARROW_CHUNKS) {
    global const List* const list = lists + (size_t)front.list * capacity;
    global List* const next_list = lists + (size_t)(front.list ^ 1) * capacity;
    global uint* const reached = bitmaps + (size_t)front.bitmap * words;
    Front next = {0, 0, 0, front.level + 1, less(front.unexplored, front.edges), 0, front.bitmap, front.list ^ 1};
    uint edges = 0;
    for (uint i = 0; i < front.chunks; ++i) {
      const List chunk = list[i];
      for (offset_t done = 0; done < chunk.count; done += STEP) {
        NEIGHBOUR_ARRAY(ids, UNROLL);
        load_step(graph->neighbours, chunk.start + done, chunk.count - done, ids);
        for (int k = 0; k < STEP; ++k) {
          const int node = ids[k];
          if (has_bit(reached, node)) continue;
          reached[node >> 5] |= 1u << (node & 31);
          graph->levels[node] = next.level;
          const offset_t degree = degree_of(graph->offsets, node);
          put_chunks(next_list, next.chunks, graph->offsets[node], degree);
          next.chunks += chunks_of(degree);
          edges += (uint)degree;
          ++next.nodes;
        }
      }
    }
    next.edges = in_units(edges);
    front = next;
  }
  *at = front;
}

// By the group that completes a phase: what the next one does. `task`: what this one did; *step: of this one, then of
// the next.
static inline uint next_task(const uint task, uint* step, global Front* fronts, const Search* graph, global List* lists,
                             const uint capacity, global uint* bitmaps, const uint words, const int nodes) {
  if (task == NOTE) return MERGE;
  if (task == MERGE || task == PULL) ++*step;
  global Front* const front = fronts + *step % 3;
  if (front->pulled && front->nodes > 0 && front->nodes <= (uint)nodes / NARROW) {
    front->pulled = 0;
    return LIST;
  }
  walk_alone(front, graph, lists, capacity, bitmaps, words);
  if (front->nodes == 0) return END;
  const int pulling = should_pull(*front, nodes);
  begin_next(fronts, *step, *front, pulling);
  return pulling ? PULL : NOTE;
}

// The first of `count` elements that belong to a chunk of a phase; those of the next chunk follow its own.
static inline uint first_of(const uint count, const uint phase_chunk, const uint phase_chunks) {
  return (uint)((ulong)count * phase_chunk / phase_chunks);
}

// One chunk of a phase.
static inline void work_on(const uint task, const uint phase_chunk, const uint phase_chunks, global Front* fronts,
                           const uint step, const Search* graph, global const offset_t* in_offsets,
                           global const int* in_neighbours, global List* lists, const uint capacity,
                           global uint* bitmaps, global uint* noted, const uint words, const int nodes) {
  const Front front = fronts[step % 3];
  if (task == NOTE) {
    global const List* const list = lists + (size_t)front.list * capacity;
    for (uint first = phase_chunk * NOTED_CHUNKS; first < front.chunks; first += phase_chunks * NOTED_CHUNKS) {
      note_chunks(graph->neighbours, list + first, min(front.chunks - first, (uint)NOTED_CHUNKS),
                  noted + (size_t)get_group_id(0) * words);
    }
  } else if (task == MERGE) {
    const uint end = first_of(words / MERGED_WORDS, phase_chunk + 1, phase_chunks);
    for (uint i = first_of(words / MERGED_WORDS, phase_chunk, phase_chunks); i < end; ++i) {
      merge_words(fronts, step, front, graph->offsets, lists, capacity, graph->levels, bitmaps, noted,
                  get_num_groups(0), words, nodes, i * MERGED_WORDS);
    }
  } else if (task == PULL) {
    const uint end = first_of(PULLING_ITEMS(words), phase_chunk + 1, phase_chunks);
    uint found = 0;
    for (uint i = first_of(PULLING_ITEMS(words), phase_chunk, phase_chunks); i < end; ++i) {
      found += pull_word(front, in_offsets, in_neighbours, graph->levels, bitmaps, words, i);
    }
    if (found > 0) atomic_add(&fronts[(step + 1) % 3].nodes, found);
  } else if (task == LIST) {
    const uint end = first_of(words, phase_chunk + 1, phase_chunks);
    for (uint word = first_of(words, phase_chunk, phase_chunks); word < end; ++word) {
      list_word(fronts + step % 3, graph->offsets, lists, capacity, bitmaps, words, word);
    }
  }
}

// `noted`: a bitmap for each group. Only the graph itself may be `const` and `restrict`: all else changes during the
// launch.
kernel GROUP_OF(1, 1) void search(global Front* fronts, global flag_t* team_words, const uint phase_chunks,
                                  global const offset_t* restrict offsets, global const int* restrict neighbours,
                                  global const offset_t* restrict in_offsets, global const int* restrict in_neighbours,
                                  global List* lists, const uint capacity, global int* levels, global uint* bitmaps,
                                  global uint* noted, const uint words, const int nodes) {
  const Team team = join_team(team_words, phase_chunks);
  const Search graph = {offsets, neighbours, levels, 0, 0, 0, 0};
  uint phase = await_phase(&team, 0);
  for (uint task = peek(team_words + PHASE_TASK); task != END; task = peek(team_words + PHASE_TASK)) {
    // If another group opens the next phase meanwhile, all chunks of this one are taken, and `step` is not used.
    uint step = peek(team_words + PHASE_STEP);
    uint turn = 0;
    for (uint phase_chunk = take_chunk(&team, phase, &turn); phase_chunk < phase_chunks;
         phase_chunk = take_chunk(&team, phase, &turn)) {
      work_on(task, phase_chunk, phase_chunks, fronts, step, &graph, in_offsets, in_neighbours, lists, capacity,
              bitmaps, noted, words, nodes);
      if (ends_phase(&team, phase)) {
        leave(team_words + PHASE_TASK, next_task(task, &step, fronts, &graph, lists, capacity, bitmaps, words, nodes));
        leave(team_words + PHASE_STEP, step);
        open_phase(&team, phase + 1);
      }
    }
    phase = await_phase(&team, phase + 1);
  }
}
