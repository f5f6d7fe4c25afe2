// The variant item of pns.cl: a trajectory for each work-item. `words`, `flags` and `marks` have their elements either by
// trajectory or interleaved, so that neighbouring work-items access neighbouring elements. `tried`: REFILL words for each.

#if LAYOUT == LAYOUT_INTERLEAVED
#define AT(index, count) ((size_t)(index) * trajectories + trajectory)
#else
#define AT(index, count) ((size_t)trajectory * (count) + (index))
#endif

#if FLAGS == FLAGS_BIT
#define FLAG_OF(transition) flags[AT((transition) / 32, flag_words)]
#define IS_CLAIMED(transition) (FLAG_OF(transition) >> (transition) % 32 & 1u)
#else
#define FLAG_OF(transition) flags[AT(transition, flag_words)]
#define IS_CLAIMED(transition) (FLAG_OF(transition) > number)
#endif
#define MARK(place) marks[AT(place, net.places)]
#define WORD(k) words[AT(k, REFILL)]
#define TRIED(k) tried[AT(k, REFILL)]
#define NOT_CLAIMED 0x80000000u  // in TRIED

kernel GROUP_OF(WORK_GROUP, 1) void simulate(const uint4 sizes, const uint refills, const uint batch, const uint seed,
                                             const uint trajectories, const uint flag_words, global uint* restrict words,
                                             global uint* restrict tried, global uint* restrict flags,
                                             global uchar* restrict marks, global uchar* restrict result) {
  const uint trajectory = get_global_id(0);
  if (trajectory >= trajectories) return;
  const Net net = net_of(sizes);
  for (uint i = 0; i < net.places; ++i) MARK(i) = 1;
  for (uint i = 0; i < flag_words; ++i) flags[AT(i, flag_words)] = 0;
  if (MERSENNE) {
    uint word = seed + trajectory;
    WORD(0) = word;
    for (uint k = 1; k < REFILL; ++k) WORD(k) = word = seeded(word, k);
  }
  uint number = 0;  // of attempts so far
  uint batches = 0;
  for (uint r = 0; r < refills; ++r) {
#if MERSENNE
    for (uint k = 0; k < REFILL; ++k)
      WORD(k) = twisted(WORD(k), WORD(k + 1 == REFILL ? 0 : k + 1), WORD(k < 227 ? k + 397 : k - 227));
#else
    for (uint k = 0; k < REFILL; k += 4) {
      const uint4 drawn = philox((uint4)((r * REFILL + k) / 4, 0, 0, 0), (uint2)(seed, trajectory));
      WORD(k) = drawn.x;
      WORD(k + 1) = drawn.y;
      WORD(k + 2) = drawn.z;
      WORD(k + 3) = drawn.w;
    }
#endif
    for (uint first = 0; first < REFILL; first += batch) {
      const uint count = min(batch, REFILL - first);
      for (uint k = 0; k < count; ++k) {
        const uint transition = remainder_of(WORD(first + k), net.places, net.by_places);
        const Around at = around(transition, net);
        const uint claims = (MARK(at.up) != 0) & (MARK(transition) != 0) & !IS_CLAIMED(transition);
        TRIED(k) = transition | (claims ? 0 : NOT_CLAIMED);
        if (FLAGS == FLAGS_BIT) {
          FLAG_OF(transition) |= claims << transition % 32;
        } else if (claims) {
          FLAG_OF(transition) = number + k + 1;
        }
      }
      for (uint k = 0; k < count; ++k) {
        const uint transition = TRIED(k) & ~NOT_CLAIMED;
        const Around at = around(transition, net);
        const uint alone = (at.parity == batches % 2) | !(IS_CLAIMED(at.up) | IS_CLAIMED(at.rival));
        const uchar fires = (uchar)(alone & (TRIED(k) < NOT_CLAIMED));
        MARK(at.up) -= fires;
        MARK(transition) -= fires;
        MARK(at.down) += fires;
        MARK(at.right) += fires;
      }
      if (FLAGS == FLAGS_BIT) {
        for (uint k = 0; k < count; ++k) FLAG_OF(TRIED(k) & ~NOT_CLAIMED) = 0;
      }
      number += count;
      ++batches;
    }
  }
  for (uint i = 0; i < net.places; ++i) result[(size_t)trajectory * net.places + i] = MARK(i);
}
