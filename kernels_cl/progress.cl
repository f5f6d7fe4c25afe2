// Do work-groups that have started continue to run while others wait for them? Every wait gives up after `polls` reads of
// its flag, so that the test ends even if they do not.
//
// Groups take dynamic ids as they start. First each waits for the one before it and adds 1 to that one's number, so that
// as many groups wait as run at a time. Then the groups 2k and 2k + 1, if they run at the same time, answer each other
// `rounds` times, for which both must continue to run; a group that waits in vain for the other to start leaves.
//
// WORK_GROUP: work-items of a group, all but the first of which wait at a barrier.

#include "ordering.cl"

// Words of `flags`, all 0 at first, each on a cache line of its own: the next dynamic id, waits that gave up, pairs that
// met, wrong numbers; then LINES_PER_GROUP for each group.
#define LINE 32
#define NEXT_ID 0
#define GAVE_UP (1 * LINE)
#define PAIRS_MET (2 * LINE)
#define WRONG (3 * LINE)
#define GROUPS_BEGIN (4 * LINE)
#define CHAIN 0
#define ANSWERS (1 * LINE)
#define MEETING (2 * LINE)
#define LINES_PER_GROUP 3

// States of a meeting.
#define LEFT 1
#define MET 2

// True once the flag is at least `least`; false where that took too many reads, or another group has given up.
static inline int await_for_a_while(global flag_t* flag, const uint least, global flag_t* flags, const uint polls) {
  for (uint poll = 0; poll < polls; ++poll) {
    if (peek(flag) >= least) {
      acquire_peeked();
      return 1;
    }
    if (poll % 256 == 255 && peek(flags + GAVE_UP) > 0) break;
  }
  draw_number(flags + GAVE_UP);
  return 0;
}

static inline global flag_t* lines_of(global flag_t* flags, const uint group) {
  return flags + GROUPS_BEGIN + group * LINES_PER_GROUP * LINE;
}

// Each of the pair answers the number of the other with one that is greater by 1.
static inline void answer_each_other(global flag_t* flags, global float* numbers, const uint own, const uint other,
                                     const uint rounds, const uint polls) {
  const uint is_second = own & 1;
  for (uint round = 1; round <= rounds; ++round) {
    if (is_second || round > 1) {
      if (!await_for_a_while(lines_of(flags, other) + ANSWERS, is_second ? round : round - 1, flags, polls)) return;
      if (numbers[other] != 2 * round - (is_second ? 1 : 2)) draw_number(flags + WRONG);
    }
    numbers[own] = 2 * round - (is_second ? 0 : 1);
    publish(lines_of(flags, own) + ANSWERS, round);
  }
}

static inline int meets_other(global flag_t* meeting, const uint is_second, const uint polls) {
  if (is_second) return change(meeting, 0, MET);
  for (uint poll = 0; poll < polls / 256 && peek(meeting) == 0; ++poll) {
  }
  return !change(meeting, 0, LEFT);
}

// chain, numbers: one for each group; those of `numbers` are 0 at first. They are no integers, so that a compiler knows
// that flags lie elsewhere, and may move accesses past each other where nothing orders them.
kernel GROUP_OF(WORK_GROUP, 1) void progress(global flag_t* flags, global float* chain, global float* numbers,
                                             const uint rounds, const uint polls) {
  if (get_local_id(0) == 0) {
    const uint own = draw_number(flags + NEXT_ID);
    const uint other = own ^ 1;
    int goes_on = own == 0 || await_for_a_while(lines_of(flags, own - 1) + CHAIN, 1, flags, polls);
    if (goes_on) {
      chain[own] = own == 0 ? 0 : chain[own - 1] + 1;
      if (chain[own] != own) draw_number(flags + WRONG);
      publish(lines_of(flags, own) + CHAIN, 1);
    }
    if (goes_on && other < get_num_groups(0) && meets_other(lines_of(flags, own & ~1u) + MEETING, own & 1, polls)) {
      if (own & 1) draw_number(flags + PAIRS_MET);
      answer_each_other(flags, numbers, own, other, rounds, polls);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// How long `polls` reads take: the flag stays 0.
kernel GROUP_OF(1, 1) void poll(global flag_t* flags, const uint polls) { await_for_a_while(flags, 1, flags, polls); }
