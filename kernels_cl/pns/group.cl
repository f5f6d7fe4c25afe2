// The variants group and local of pns.cl: a trajectory for each work-group.

#if VARIANT == VARIANT_LOCAL
#define SPACE local
#define FENCE CLK_LOCAL_MEM_FENCE
#else
#define SPACE global
#define FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

#define EACH_TRY UNROLL_WHOLE for (uint j = 0; j < GRANULARITY; ++j)
// Of each batch in its turn one of two bitmaps has the claims, so that the other one can be cleared meanwhile.
#define BITMAP_WORDS(places) (((places) + 31) / 32)

// Adds to the mark of a place, or takes from it where `amount` is -1.
INLINED void change(SPACE uint* marks, const uint place, const int amount) {
#if UPDATE == UPDATE_ATOMIC
  atomic_add(&marks[place / 4], (uint)amount << 8 * (place % 4));
#else
  ((SPACE uchar*)marks)[place] += (uchar)amount;
#endif
}

// Claims a transition for attempt `number`, counted from 1. Is it this attempt that fires it? With FLAGS_INT that is known
// after the next barrier.
INLINED int claims(SPACE uint* flags, const uint transition, const uint number) {
#if FLAGS == FLAGS_BIT
  const uint bit = 1u << transition % 32;
  return (atomic_or(&flags[transition / 32], bit) & bit) == 0;
#else
  atomic_max(&flags[transition], number);
  return 1;
#endif
}

// Has a transition been claimed in the batch behind attempt `before`?
INLINED int is_claimed(SPACE const uint* flags, const uint transition, const uint before) {
#if FLAGS == FLAGS_BIT
  return flags[transition / 32] >> transition % 32 & 1u;
#else
  return flags[transition] > before;
#endif
}

// The next 624 words.
INLINED void refill(local uint* words, const uint refill_number, const uint2 key) {
  const uint lane = get_local_id(0);
#if MERSENNE
  // Each part needs what the one before it has written.
  const uint ends[4] = {0, 227, 454, 623};
  UNROLL_WHOLE
  for (uint part = 0; part < 3; ++part) {
    for (uint first = ends[part]; first < ends[part + 1]; first += WORK_GROUP) {
      const uint k = first + lane;
      const int has = k < ends[part + 1];
      uint word = 0;
      if (has) word = twisted(words[k], words[k + 1], words[k < 227 ? k + 397 : k - 227]);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (has) words[k] = word;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) words[623] = twisted(words[623], words[0], words[396]);
#else
  for (uint k = lane; k < REFILL / 4; k += WORK_GROUP)
    vstore4(philox((uint4)(refill_number * (REFILL / 4) + k, 0, 0, 0), key), k, words);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
}

// given_marks: words of four marks, `mark_words` for each trajectory; given_flags: of the variant group, `flag_words` for
// each trajectory.
kernel GROUP_OF(WORK_GROUP, 1) void simulate(const uint4 sizes, const uint refills, const uint batch, const uint seed,
                                             const uint trajectories, const uint mark_words, const uint flag_words,
#if VARIANT == VARIANT_LOCAL
                                             local uint* marks, local uint* all_flags,
#else
                                             global uint* restrict all_marks, global uint* restrict given_flags,
#endif
                                             global uchar* restrict result) {
  local uint words[REFILL];
  const Net net = net_of(sizes);
  const uint lane = get_local_id(0);
  const uint trajectory = get_group_id(0);
#if VARIANT == VARIANT_GROUP
  global uint* const marks = all_marks + (size_t)trajectory * mark_words;
  global uint* const all_flags = given_flags + (size_t)trajectory * flag_words;
#endif
  for (uint i = lane; i < mark_words; i += WORK_GROUP) marks[i] = 0x01010101u;
  for (uint i = lane; i < flag_words; i += WORK_GROUP) all_flags[i] = 0;
  if (MERSENNE && lane == 0) {
    words[0] = seed + trajectory;
    for (uint k = 1; k < REFILL; ++k) words[k] = seeded(words[k - 1], k);
  }
  uint old[GRANULARITY];
  EACH_TRY old[j] = 0;
  uint number = 0;  // of attempts so far
  uint batches = 0;
  barrier(FENCE);
  for (uint r = 0; r < refills; ++r) {
    refill(words, r, (uint2)(seed, trajectory));
    for (uint first = 0; first < REFILL; first += batch) {
      const uint count = min(batch, REFILL - first);
      SPACE uint* const flags = FLAGS == FLAGS_BIT && batches % 2 ? all_flags + BITMAP_WORDS(net.places) : all_flags;
      SPACE uint* const others = FLAGS == FLAGS_BIT && batches % 2 ? all_flags : all_flags + BITMAP_WORDS(net.places);
      uint transition[GRANULARITY];
      Around at[GRANULARITY];
      int fires[GRANULARITY];
      EACH_TRY {
        const uint k = j * WORK_GROUP + lane;
        fires[j] = 0;
        transition[j] = 0;
        if (k < count) {
          transition[j] = remainder_of(words[first + k], net.places, net.by_places);
          at[j] = around(transition[j], net);
          SPACE const uchar* const bytes = (SPACE const uchar*)marks;
          if (bytes[at[j].up] != 0 && bytes[transition[j]] != 0) fires[j] = claims(flags, transition[j], number + k + 1);
        }
      }
      barrier(FENCE);
      EACH_TRY {
        if (FLAGS == FLAGS_BIT) {
          others[old[j] / 32] = 0;
          old[j] = transition[j];
        }
        if (FLAGS == FLAGS_INT && fires[j]) fires[j] = flags[transition[j]] == number + j * WORK_GROUP + lane + 1;
        if (fires[j] && at[j].parity != batches % 2) {
          fires[j] = !is_claimed(flags, at[j].up, number) && !is_claimed(flags, at[j].rival, number);
        }
      }
      EACH_TRY {
        if (fires[j]) {
          change(marks, at[j].up, -1);
          change(marks, transition[j], -1);
        }
      }
      if (UPDATE == UPDATE_PHASES) barrier(FENCE);
      EACH_TRY if (fires[j]) change(marks, at[j].down, 1);
      if (UPDATE == UPDATE_PHASES) barrier(FENCE);
      EACH_TRY if (fires[j]) change(marks, at[j].right, 1);
      number += count;
      ++batches;
      barrier(FENCE);
    }
  }
  for (uint i = lane; i < net.places; i += WORK_GROUP)
    result[(size_t)trajectory * net.places + i] = ((SPACE const uchar*)marks)[i];
}
