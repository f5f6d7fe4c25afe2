// pns: a Petri net, simulated at random for many trajectories. The net is a torus of 2 N rows and N columns of places, each
// with one token at first, and as many transitions. Transition (r, c) takes a token from each of the places
//   up = (r - 1, c + r % 2) and left = (r, c), and adds one to down = (r + 1, c + r % 2) and right = (r, c + 1).
//
// Source: the PNS of S. Ryoo et al., "Optimization principles and application performance evaluation of a multithreaded GPU
// using CUDA", PPoPP 2008, whose net and random numbers are those of Parboil.
//
// A trajectory draws transitions in refills of 624 random words: word modulo the number of transitions. They are tried in
// batches, the last of a refill being shorter. What a batch does depends on its set of transitions alone:
//   1. A transition with tokens in both places claims itself, once even if it was drawn several times.
//   2. A claimed transition fires if its row's parity is that of the batch's number, or if neither transition that takes
//      from the same places, (r - 1, c + r % 2) and (r + 1, c - (r + 1) % 2), has claimed itself.
//   3. Those that fire take their tokens, then add them. No place gets two of a kind: no two of them take from one place,
//      and a place is down of only one transition, and right of only one.
// Random numbers: MT19937 without tempering, seeded by its seed + trajectory, or Philox4x32-10 with the key
// (seed, trajectory) and a counter.
//
// An attempt reads two marks and three claims at places that are random, and where it fires it changes four marks: nine
// sectors of 32 bytes from global memory.
//
// Variants, and where they are:
//   group  group.cl: a work-group has a trajectory, marks and claims in global memory (the paper)
//   item   item.cl: a work-item has a trajectory
//   local  group.cl: as group, marks and claims in local memory
//
// Not built: marks of 4 bits. A mark may exceed 15, and marks of a byte fit into local memory for nets of 100 columns.
//
// Index map. group, local: group g has trajectory g; its item i tries numbers i, i + WORK_GROUP, ... of a batch. item:
// work-item i has trajectory i. Place (r, c) has number r N + c. marks[trajectory * places + place] after the run.
//
// Parameters:
//   VARIANT       VARIANT_GROUP, VARIANT_ITEM or VARIANT_LOCAL
//   WORK_GROUP    work-items of a work-group
//   GRANULARITY   group, local: transitions of a batch that a work-item tries
//   FLAGS         claims: FLAGS_INT: the number of the attempt, for each transition; FLAGS_BIT: a bit, cleared after its
//                 batch
//   UPDATE        group, local: UPDATE_PHASES: taking, down and right are separated by barriers; UPDATE_ATOMIC: marks change
//                 by atomic operations on the words that hold four of them, without barriers in between
//   LAYOUT        item: LAYOUT_TRAJECTORY: the marks of a trajectory are neighbours; LAYOUT_INTERLEAVED: those of a place
//   VECTOR_WIDTH  marks that a work-item reads at a time for the final statistics; item: attempts whose places are
//                 computed at a time
//   MERSENNE      1: MT19937, 0: Philox; chosen by the host
//   STATISTICS_GROUP  work-items of a work-group in `statistics`, a power of two, at most 64; chosen by the host
//
// Local memory: group, local: 2496 bytes of random words; local: also marks and claims. The statistics: 8 bytes for each
// work-item.

#define REFILL 624u

// A net of `n` columns, and what divides by n, 2 n and `places`: floor(2^32 / divisor), or 2^32 - 1.
typedef struct {
  uint n, places, by_n, by_2_n, by_places;
} Net;

INLINED Net net_of(const uint4 sizes) {
  const Net net = {sizes.x, 2 * sizes.x * sizes.x, sizes.y, sizes.z, sizes.w};
  return net;
}

// Numbers of transitions and places: VECTOR_WIDTH of them in the variant item.
#if VARIANT == VARIANT_ITEM
typedef wordv numbers;
#else
typedef uint numbers;
#endif

// words % divisor: the quotient by the reciprocal is the right one or one less.
INLINED numbers remainder_of(const numbers words, const uint divisor, const uint reciprocal) {
  const numbers rest = words - mul_hi(words, (numbers)(reciprocal)) * divisor;
  return min(rest, rest - divisor);  // less than 0 is more than any rest
}

// The numbers of places around a transition. They are those of the transitions, too.
typedef struct {
  numbers up, down, right, rival;  // the other rival has the number of `up`
  numbers parity;
} Around;

INLINED Around around(const numbers transition, const Net net) {
  const numbers column = remainder_of(transition, net.n, net.by_n);
  const numbers start = transition - column;
  // The row is odd if the start of its pair of rows is not its own.
  const numbers in_pair = remainder_of(start, 2 * net.n, net.by_2_n);
  const numbers above = start == 0u ? (numbers)(net.places - net.n) : start - net.n;
  const numbers below = start == net.places - net.n ? (numbers)(0u) : start + net.n;
  const numbers after = column == net.n - 1 ? (numbers)(0u) : column + 1u;
  const numbers before = column == 0u ? (numbers)(net.n - 1) : column - 1u;
  const numbers shifted = in_pair != 0u ? after : column;
  const Around found = {above + shifted, below + shifted, start + after, below + (in_pair != 0u ? column : before),
                        min(in_pair, (numbers)(1u))};
  return found;
}

// Philox4x32-10: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
INLINED uint4 philox(uint4 counter, uint2 key) {
  UNROLL_WHOLE
  for (uint round = 0; round < 10; ++round) {
    const uint high_0 = mul_hi(0xD2511F53u, counter.x), low_0 = 0xD2511F53u * counter.x;
    const uint high_1 = mul_hi(0xCD9E8D57u, counter.z), low_1 = 0xCD9E8D57u * counter.z;
    counter = (uint4)(high_1 ^ counter.y ^ key.x, low_1, high_0 ^ counter.w ^ key.y, low_0);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}

// MT19937: M. Matsumoto and T. Nishimura, ACM TOMACS 8, 1998.
INLINED uint seeded(const uint before, const uint index) { return 1812433253u * (before ^ (before >> 30)) + index; }
INLINED uint twisted(const uint here, const uint next, const uint far) {
  const uint mixed = (here & 0x80000000u) | (next & 0x7FFFFFFFu);
  return far ^ (mixed >> 1) ^ ((next & 1u) * 0x9908B0DFu);
}

#if VARIANT == VARIANT_ITEM
#include "pns/item.cl"
#else
#include "pns/group.cl"
#endif

// Of each trajectory's marks the mean of the squares, less 1, and the maximum; a group for each.
kernel GROUP_OF(STATISTICS_GROUP, 1) void statistics(const uint places, global const uchar* restrict marks,
                                                     global float* restrict result) {
  local uint sums[STATISTICS_GROUP], largest[STATISTICS_GROUP];
  const uint lane = get_local_id(0);
  global const uchar* const own = marks + (size_t)get_group_id(0) * places;
  uint sum = 0, most = 0;
  for (uint i = lane * VECTOR_WIDTH; i < places; i += STATISTICS_GROUP * VECTOR_WIDTH) {
    uchar values[VECTOR_WIDTH];
    if (i + VECTOR_WIDTH <= places) {
#if VECTOR_WIDTH == 1
      values[0] = own[i];
#else
      JOIN(vstore, VECTOR_WIDTH)(JOIN(vload, VECTOR_WIDTH)(0, own + i), 0, values);
#endif
    } else {
      for (uint k = 0; k < VECTOR_WIDTH; ++k) values[k] = i + k < places ? own[i + k] : 0;
    }
    UNROLL_WHOLE
    for (uint k = 0; k < VECTOR_WIDTH; ++k) {
      sum += (uint)values[k] * values[k];
      most = max(most, (uint)values[k]);
    }
  }
  sums[lane] = sum;
  largest[lane] = most;
  for (uint other = STATISTICS_GROUP / 2; other > 0; other /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < other) {
      sums[lane] += sums[lane + other];
      largest[lane] = max(largest[lane], largest[lane + other]);
    }
  }
  if (lane == 0) {
    result[2 * get_group_id(0)] = (float)sums[0] / (float)places - 1.0f;
    result[2 * get_group_id(0) + 1] = (float)largest[0];
  }
}
