// bfs: pulling where a work-item runs alone on a core (GRANULARITY above 32). It goes through its nodes in passes,
// plain loops in which no branch depends on what memory brings, so that a core has many loads under way at a time.

#define BATCH_WORDS (GRANULARITY / 32)
#define PULLING_ITEMS(words) (((words) + (BATCH_WORDS - 1)) / BATCH_WORDS)

// Nodes that still look for a reached one, and what is left of their lists.
typedef struct {
  int nodes[GRANULARITY];
  offset_t at[GRANULARITY];
  offset_t end[GRANULARITY];
} Seekers;

inline uint seekers_of(Seekers* seekers, global const offset_t* offsets, global const uint* before, global uint* after,
                       uint word, uint end) {
  uint count = 0;
  for (; word < end; ++word) {
    const uint reached = before[word];
    after[word] = reached;
    for (uint missing = ~reached; missing != 0; missing &= missing - 1) {
      const int node = (int)(word * 32) + lowest_bit(missing);
      seekers->nodes[count] = node;
      seekers->at[count] = offsets[node];
      seekers->end[count] = offsets[node + 1];
      count += offsets[node] < offsets[node + 1];
    }
  }
  return count;
}

// Returns how many nodes were found among the GRANULARITY that begin with word `batch` * BATCH_WORDS.
inline uint pull_word(const Front front, global const offset_t* in_offsets, global const int* in_neighbours,
                      global int* levels, global uint* bitmaps, uint words, uint batch) {
  global const uint* before = bitmaps + (size_t)front.bitmap * words;
  global uint* after = bitmaps + (size_t)(front.bitmap ^ 1) * words;
  const uint first = batch * BATCH_WORDS;
  Seekers seekers;
  NEIGHBOUR_ARRAY(ids, GRANULARITY * UNROLL);
  uint count = seekers_of(&seekers, in_offsets, before, after, first, min(first + BATCH_WORDS, words));
  uint found = 0;
  while (count > 0) {
    for (uint i = 0; i < count; ++i) {
      load_step(in_neighbours, seekers.at[i], seekers.end[i] - seekers.at[i], ids + i * STEP);
    }
    uint left = 0;
    for (uint i = 0; i < count; ++i) {
      int hit = 0;
      for (int k = 0; k < STEP; ++k) hit |= has_bit(before, ids[i * STEP + k]);
      const int node = seekers.nodes[i];
      const offset_t end = seekers.end[i];
      const offset_t at = seekers.at[i] + min(end - seekers.at[i], (offset_t)STEP);
      after[node >> 5] |= (uint)hit << (node & 31);
      levels[node] = hit ? front.level + 1 : UNREACHED;
      found += hit;
      seekers.nodes[left] = node;
      seekers.at[left] = at;
      seekers.end[left] = end;
      left += !hit && at < end;
    }
    count = left;
  }
  return found;
}
