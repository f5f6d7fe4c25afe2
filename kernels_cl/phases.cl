// Phases that a team of work-groups, of one work-item each, goes through together in one launch.
//
// Every phase is cut into the same number of chunks. A group first takes its own chunks, the same in every phase,
// unless another group was faster: the cache of its core holds the data that they work on. Then it takes chunks that
// others have left. So a phase ends however many groups run at a time, and a group that begins late only finds fewer
// chunks. The group that completes the last chunk of a phase prepares the next phase and opens it; the others wait for
// that.
//
// `words`, all 0 at first: word 0 is the number of the open phase; PHASE_DONE: the number of completed chunks, of all
// phases together; from PHASE_CLAIMS on, for each chunk the number of phases in which it was taken. Words 1 to 15, on
// the cache line of word 0, are free for the including file.
#include "ordering.cl"

#define PHASE_DONE 16
#define PHASE_CLAIMS 32

typedef struct {
  global flag_t* words;
  uint chunks;
  uint first;  // the first of the group's own chunks
} Team;

static inline Team join_team(global flag_t* words, const uint chunks) {
  const Team team = {words, chunks, (uint)((ulong)chunks * get_group_id(0) / get_num_groups(0))};
  return team;
}

// A chunk of the phase that no group has taken; `chunks` where there is none. *turn is 0 at the begin of each phase.
static inline uint take_chunk(const Team* team, const uint phase, uint* turn) {
  global flag_t* const claims = team->words + PHASE_CLAIMS;
  while (*turn < team->chunks) {
    uint chunk = team->first + (*turn)++;
    if (chunk >= team->chunks) chunk -= team->chunks;
    if (peek(claims + chunk) == phase && change(claims + chunk, phase, phase + 1)) return chunk;
  }
  return team->chunks;
}

// Called after each chunk. True for the group that completes the phase; it sees everything written in the phase.
static inline int ends_phase(const Team* team, const uint phase) {
  return arrive(team->words + PHASE_DONE) == (phase + 1) * team->chunks;
}

static inline void open_phase(const Team* team, const uint phase) {
  publish(team->words, phase);
}

// Waits until `phase` or a later one is open; returns the open phase.
static inline uint await_phase(const Team* team, const uint phase) {
  return await(team->words, phase);
}
