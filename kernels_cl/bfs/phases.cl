// bfs: the search of the variant direction_optimising in one launch where MERGING is 1, by the phases of phases.cl. What is
// a launch of `note`, `merge`, `pull` or `update` elsewhere is a phase here, and whoever ends it chooses the next. Narrow
// levels that one group alone goes through faster than all could meet are part of that choice.

#include "phases.cl"

// What a phase does: nothing (the first), as those kernels do, or end the search.
enum { BEGIN, NOTE, MERGE, PULL, LIST, END };
// Words of the crew's that say what the open phase does, and at which step.
#define PHASE_TASK 1
#define PHASE_STEP 2

// Pieces of lists that take one group less time than a phase.
#define NARROW_PIECES 16

// As `walk`, by one work-item, to which everything belongs meanwhile.
inline void walk_alone(global Front* at, const Search* graph, global List* lists, const uint capacity,
                       global uint* bitmaps, const uint words) {
  Front front = *at;
  while (front.nodes > 0 && !front.pulled && front.pieces <= NARROW_PIECES) {
    global const List* const list = lists + (size_t)front.list * capacity;
    global List* const next_list = lists + (size_t)(front.list ^ 1) * capacity;
    global uint* const reached = bitmaps + (size_t)front.bitmap * words;
    Front next = {0, 0, 0, front.level + 1, less(front.unexplored, front.edges), 0, front.bitmap, front.list ^ 1};
    uint edges = 0;
    for (uint i = 0; i < front.pieces; ++i) {
      const List piece = list[i];
      for (offset_t done = 0; done < piece.count; done += STEP) {
        NEIGHBOUR_ARRAY(ids, UNROLL);
        load_step(graph->neighbours, piece.start + done, piece.count - done, ids);
        for (int k = 0; k < STEP; ++k) {
          const int node = ids[k];
          if (has_bit(reached, node)) continue;
          reached[node >> 5] |= 1u << (node & 31);
          graph->levels[node] = next.level;
          const offset_t degree = degree_of(graph->offsets, node);
          put_pieces(next_list, next.pieces, graph->offsets[node], degree);
          next.pieces += pieces_of(degree);
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

// For whoever ends a phase: what the next one does. `task`: what this one did; *step: of this one, then of the next.
inline uint next_task(const uint task, uint* step, global Front* fronts, const Search* graph, global List* lists,
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

// The first of `count` things that belong to a piece; those of the next begin where its own end.
inline uint share_of(const uint count, const uint piece, const uint pieces) {
  return (uint)((ulong)count * piece / pieces);
}

// One piece of a phase.
inline void work_on(const uint task, const uint piece, const uint pieces, global Front* fronts, const uint step,
                    const Search* graph, global const offset_t* in_offsets, global const int* in_neighbours,
                    global List* lists, const uint capacity, global uint* bitmaps, global uint* noted, const uint words,
                    const int nodes) {
  const Front front = fronts[step % 3];
  if (task == NOTE) {
    global const List* const list = lists + (size_t)front.list * capacity;
    for (uint first = piece * NOTED_PIECES; first < front.pieces; first += pieces * NOTED_PIECES) {
      note_pieces(graph->neighbours, list + first, min(front.pieces - first, (uint)NOTED_PIECES),
                  noted + (size_t)get_group_id(0) * words);
    }
  } else if (task == MERGE) {
    const uint end = share_of(words / MERGED_WORDS, piece + 1, pieces);
    for (uint i = share_of(words / MERGED_WORDS, piece, pieces); i < end; ++i) {
      merge_words(fronts, step, front, graph->offsets, lists, capacity, graph->levels, bitmaps, noted,
                  get_num_groups(0), words, nodes, i * MERGED_WORDS);
    }
  } else if (task == PULL) {
    const uint end = share_of(PULLING_ITEMS(words), piece + 1, pieces);
    uint found = 0;
    for (uint i = share_of(PULLING_ITEMS(words), piece, pieces); i < end; ++i) {
      found += pull_word(front, in_offsets, in_neighbours, graph->levels, bitmaps, words, i);
    }
    if (found > 0) atomic_add(&fronts[(step + 1) % 3].nodes, found);
  } else if (task == LIST) {
    const uint end = share_of(words, piece + 1, pieces);
    for (uint word = share_of(words, piece, pieces); word < end; ++word) {
      list_word(fronts + step % 3, graph->offsets, lists, capacity, bitmaps, words, word);
    }
  }
}

// `noted`: a bitmap for each group. Only the graph itself may be read as if nothing changed during the launch.
kernel GROUP_OF(1, 1) void search(global Front* fronts, global volatile uint* crew_words, const uint pieces,
                                  global const offset_t* restrict offsets, global const int* restrict neighbours,
                                  global const offset_t* restrict in_offsets,
                                  global const int* restrict in_neighbours, global List* lists, const uint capacity,
                                  global int* levels, global uint* bitmaps, global uint* noted, const uint words,
                                  const int nodes) {
  const Team crew = join_team(crew_words, pieces);
  const Search graph = {offsets, neighbours, levels, 0, 0, 0, 0};
  uint phase = await_phase(&crew, 0);
  for (uint task = crew_words[PHASE_TASK]; task != END; task = crew_words[PHASE_TASK]) {
    // If it ends while this is read, all its pieces are taken.
    uint step = crew_words[PHASE_STEP];
    uint turn = 0;
    for (uint piece = take_chunk(&crew, phase, &turn); piece < pieces; piece = take_chunk(&crew, phase, &turn)) {
      work_on(task, piece, pieces, fronts, step, &graph, in_offsets, in_neighbours, lists, capacity, bitmaps, noted,
              words, nodes);
      if (ends_phase(&crew, phase)) {
        crew_words[PHASE_TASK] =
            next_task(task, &step, fronts, &graph, lists, capacity, bitmaps, words, nodes);
        crew_words[PHASE_STEP] = step;
        open_phase(&crew, phase + 1);
      }
    }
    phase = await_phase(&crew, phase + 1);
  }
}
