// bfs: pulling where a work-item runs alone on a core (GRANULARITY above 32). It goes through its nodes in passes,
// plain loops in which no branch depends on loaded data, so that a core has many loads in flight at a time.

#define BATCH_WORDS (GRANULARITY / 32)
#define PULLING_ITEMS(words) (((words) + (BATCH_WORDS - 1)) / BATCH_WORDS)

// Nodes without a reached in-neighbour so far, and what is left of their lists of in-neighbours.
typedef struct {
  int nodes[GRANULARITY];
  offset_t at[GRANULARITY];
  offset_t end[GRANULARITY];
} Candidates;

static inline uint candidates_of(Candidates* candidates, global const offset_t* offsets, global const uint* before,
                                 global uint* after, uint word, uint end) {
  uint count = 0;
  for (; word < end; ++word) {
    const uint reached = before[word];
    after[word] = reached;
    for (uint missing = ~reached; missing != 0; missing &= missing - 1) {
      const int node = (int)(word * 32) + lowest_bit(missing);
      candidates->nodes[count] = node;
      candidates->at[count] = offsets[node];
      candidates->end[count] = offsets[node + 1];
      count += offsets[node] < offsets[node + 1];
    }
  }
  return count;
}

// Returns how many nodes were found among the GRANULARITY that begin with word `batch` * BATCH_WORDS.
static inline uint pull_word(const Front front, global const offset_t* in_offsets, global const int* in_neighbours,
                             global int* levels, global uint* bitmaps, uint words, uint batch) {
  global const uint* before = bitmaps + (size_t)front.bitmap * words;
  global uint* after = bitmaps + (size_t)(front.bitmap ^ 1) * words;
  const uint first = batch * BATCH_WORDS;
  Candidates candidates;
  NEIGHBOUR_ARRAY(ids, GRANULARITY * UNROLL);
  uint count = candidates_of(&candidates, in_offsets, before, after, first, min(first + BATCH_WORDS, words));
  uint found = 0;
  while (count > 0) {
    for (uint i = 0; i < count; ++i) {
      load_step(in_neighbours, candidates.at[i], candidates.end[i] - candidates.at[i], ids + i * STEP);
    }
    uint left = 0;
    for (uint i = 0; i < count; ++i) {
      int hit = 0;
      for (int k = 0; k < STEP; ++k) hit |= has_bit(before, ids[i * STEP + k]);
      const int node = candidates.nodes[i];
      const offset_t end = candidates.end[i];
      const offset_t at = candidates.at[i] + min(end - candidates.at[i], (offset_t)STEP);
      after[node >> 5] |= (uint)hit << (node & 31);
      levels[node] = hit ? front.level + 1 : UNREACHED;
      found += hit;
      candidates.nodes[left] = node;
      candidates.at[left] = at;
      candidates.end[left] = end;
      left += !hit && at < end;
    }
    count = left;
  }
  return found;
}
