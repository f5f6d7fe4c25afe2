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
    // In parts that vectors can be made of.
    for (uint k = 0; k < 227; ++k) WORD(k) = twisted(WORD(k), WORD(k + 1), WORD(k + 397));
    for (uint k = 227; k < REFILL - 1; ++k) WORD(k) = twisted(WORD(k), WORD(k + 1), WORD(k - 227));
    WORD(REFILL - 1) = twisted(WORD(REFILL - 1), WORD(0), WORD(396));
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
      uint own[VECTOR_WIDTH], up[VECTOR_WIDTH], down[VECTOR_WIDTH], right[VECTOR_WIDTH], rival[VECTOR_WIDTH];
      uint idle[VECTOR_WIDTH], yields[VECTOR_WIDTH];
      for (uint k = 0; k < count; k += VECTOR_WIDTH) {
        const uint here = min((uint)VECTOR_WIDTH, count - k);
        UNROLL_WHOLE
        for (uint j = 0; j < VECTOR_WIDTH; ++j) own[j] = WORD(min(first + k + j, REFILL - 1));
        const numbers transitions = remainder_of(LOADV(0, own), net.places, net.by_places);
        STOREV(transitions, 0, own);
        STOREV(around(transitions, net).up, 0, up);
        for (uint j = 0; j < here; ++j) {
          const uint claims = (MARK(up[j]) != 0) & (MARK(own[j]) != 0) & !IS_CLAIMED(own[j]);
          TRIED(k + j) = own[j] | (claims ? 0 : NOT_CLAIMED);
          if (FLAGS == FLAGS_BIT) {
            FLAG_OF(own[j]) |= claims << own[j] % 32;
          } else {
            FLAG_OF(own[j]) = claims ? number + k + j + 1 : FLAG_OF(own[j]);
          }
        }
      }
      for (uint k = 0; k < count; k += VECTOR_WIDTH) {
        const uint here = min((uint)VECTOR_WIDTH, count - k);
        UNROLL_WHOLE
        for (uint j = 0; j < VECTOR_WIDTH; ++j) own[j] = TRIED(min(k + j, count - 1));
        const numbers tried_here = LOADV(0, own);
        const numbers transitions = tried_here & ~NOT_CLAIMED;
        const Around at = around(transitions, net);
        STOREV(transitions, 0, own);
        STOREV(at.up, 0, up);
        STOREV(at.down, 0, down);
        STOREV(at.right, 0, right);
        STOREV(at.rival, 0, rival);
        STOREV(tried_here >> 31, 0, idle);             // it has not claimed itself
        STOREV(at.parity ^ batches % 2, 0, yields);  // to a rival
        for (uint j = 0; j < here; ++j) {
          const uint stays = !(yields[j] & (IS_CLAIMED(up[j]) | IS_CLAIMED(rival[j])));
          const uchar fires = (uchar)(stays & !idle[j]);
          MARK(up[j]) -= fires;
          MARK(own[j]) -= fires;
          MARK(down[j]) += fires;
          MARK(right[j]) += fires;
        }
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
