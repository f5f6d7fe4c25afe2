// Phases of work that groups of one work-item go through together in one launch.
//
// Every phase is cut into the same number of pieces. A group first takes the pieces that fall to it in every phase, unless
// another was faster, since its core's cache holds what they work on, and then what others have left. So a phase ends
// however many groups run at a time, and a group that begins late only finds less to do. Whoever ends a phase prepares the
// next one and opens it; the others wait for that.
//
// `words`, all 0 at first: which phase is open; PHASE_DONE: pieces done, of all phases; PHASE_CLAIMS: for each piece in how
// many phases it was taken. Words 1 to 15, on the cache line of the first, are for those who use this.
#define PHASE_DONE 16
#define PHASE_CLAIMS 32

typedef struct {
  global volatile uint* words;
  uint pieces;
  uint first;  // of its own pieces
} Crew;

static inline Crew join_crew(global volatile uint* words, const uint pieces) {
  const Crew crew = {words, pieces, (uint)((ulong)pieces * get_group_id(0) / get_num_groups(0))};
  return crew;
}

// A piece of the phase that nobody has taken; `pieces` where there is none. *turn is 0 at first in each phase.
static inline uint take_piece(const Crew* crew, const uint phase, uint* turn) {
  global volatile uint* const claims = crew->words + PHASE_CLAIMS;
  while (*turn < crew->pieces) {
    uint piece = crew->first + (*turn)++;
    if (piece >= crew->pieces) piece -= crew->pieces;
    if (claims[piece] == phase && atomic_cmpxchg(claims + piece, phase, phase + 1) == phase) return piece;
  }
  return crew->pieces;
}

// Behind each piece: true for the one that ends the phase, who sees all that was written in it.
static inline int ends_phase(const Crew* crew, const uint phase) {
  DEVICE_FENCE();
  const uint done = atomic_inc(crew->words + PHASE_DONE) + 1;
  DEVICE_FENCE();
  return done == (phase + 1) * crew->pieces;
}

static inline void open_phase(const Crew* crew, const uint phase) {
  DEVICE_FENCE();
  crew->words[0] = phase;
}

// Waits for `phase`, or a later one, to be open; returns which is.
static inline uint await_phase(const Crew* crew, const uint phase) {
  uint open = crew->words[0];
  while (open < phase) open = crew->words[0];
  DEVICE_FENCE();
  return open;
}
