// The variants pipes and shared_prefix of rc5_72.cl.

#define EACH_PIPE UNROLL_WHOLE for (uint p = 0; p < GRANULARITY; ++p)
#define TURN_KEYS (GRANULARITY * VECTOR_WIDTH)
// Pairs of steps for which UNROLL steps are unrolled.
#if UNROLL == 1
#define UNROLL_PAIRS 1
#else
#define UNROLL_PAIRS (UNROLL / 2)
#endif

#if VECTOR_WIDTH == 1
#define ANY_LANE(truth) (truth)
#else
#define ANY_LANE(truth) any(truth)
#endif

// The state of the mixing in each pipe: the latest subkey, the latest word of the key, and those words in the order in
// which they are used next.
typedef struct {
  wordv a, b, l0, l1, l2;
} Mixing;

// One step, from a subkey to the next value of it.
INLINED wordv mixed(Mixing* m, const wordv subkey) {
  m->a = rotated(subkey + m->a + m->b, 3u);
  const wordv sum = m->a + m->b;
  m->b = rotated(m->l0 + sum, sum);
  m->l0 = m->l1;
  m->l1 = m->l2;
  m->l2 = m->b;
  return m->a;
}

// Continues the first pass with subkey `first`, and then does all others. Is there a key whose first word matches?
INLINED int any_match(Mixing m[GRANULARITY], wordv s[GRANULARITY][SUBKEYS], const uint first, const uint4 pair) {
  wordv x[GRANULARITY], y[GRANULARITY];
  UNROLL_LOOP(UNROLL)
  for (uint i = first; i < SUBKEYS; ++i) {
    EACH_PIPE s[p][i] = mixed(&m[p], (wordv)(FIRST_SUBKEY + i * NEXT_SUBKEY));
  }
  UNROLL_LOOP(UNROLL)
  for (uint i = 0; i < SUBKEYS; ++i) {
    EACH_PIPE s[p][i] = mixed(&m[p], s[p][i]);
  }
  EACH_PIPE x[p] = pair.x + mixed(&m[p], s[p][0]);
  EACH_PIPE y[p] = pair.y + mixed(&m[p], s[p][1]);
  UNROLL_LOOP(UNROLL_PAIRS)
  for (uint i = 2; i < SUBKEYS - 2; i += 2) {
    EACH_PIPE x[p] = rotated(x[p] ^ y[p], y[p]) + mixed(&m[p], s[p][i]);
    EACH_PIPE y[p] = rotated(y[p] ^ x[p], x[p]) + mixed(&m[p], s[p][i + 1]);
  }
  // In each lane the least of its keys: 0 where a first word matches.
  wordv difference = 0xFFFFFFFFu;
  EACH_PIPE {
    const wordv subkey = rotated(s[p][SUBKEYS - 2] + m[p].a + m[p].b, 3u);
    difference = min(difference, pair.z ^ (rotated(x[p] ^ y[p], y[p]) + subkey));
  }
  return ANY_LANE(difference == 0u);
}

#if VARIANT == VARIANT_PIPES

// The words of VECTOR_WIDTH keys.
INLINED Mixing mixing_of(const ulong prefix, const ulong first) {
  uint l0[VECTOR_WIDTH], l1[VECTOR_WIDTH], l2[VECTOR_WIDTH];
  UNROLL_WHOLE
  for (uint lane = 0; lane < VECTOR_WIDTH; ++lane) {
    const ulong words = prefix + (first + lane >> 8);
    l0[lane] = reversed_bytes((uint)(words >> 32));
    l1[lane] = reversed_bytes((uint)words);
    l2[lane] = (uint)(first + lane) & 255u;
  }
  const Mixing start = {(wordv)(0u), (wordv)(0u), LOADV(0, l0), LOADV(0, l1), LOADV(0, l2)};
  return start;
}

kernel GROUP_OF(WORK_GROUP, 1) void search(const ulong prefix, const uint last, const ulong keys, const uint4 pair,
                                           const ulong items, global uint* restrict counts,
                                           global ulong* restrict halves, global ulong* restrict matches) {
  const ulong item = get_global_id(0);
  if (item >= items) return;
  Mixing m[GRANULARITY];
  wordv s[GRANULARITY][SUBKEYS];
  EACH_PIPE m[p] = mixing_of(prefix, last + (p * items + item) * VECTOR_WIDTH);
  if (!any_match(m, s, 0, pair)) return;
  for (uint q = 0; q < TURN_KEYS; ++q) {
    const ulong number = (q / VECTOR_WIDTH * items + item) * VECTOR_WIDTH + q % VECTOR_WIDTH;
    try_key(prefix, last, keys, pair, number, counts, halves, matches);
  }
}

#else

kernel GROUP_OF(WORK_GROUP, 1) void search(const ulong prefix, const uint last, const ulong keys, const uint4 pair,
                                           const ulong items, global uint* restrict counts,
                                           global ulong* restrict halves, global ulong* restrict matches) {
  const ulong item = get_global_id(0);
  if (item >= items) return;
  // The first key of the work-item, counted from `prefix` * 256.
  const ulong first = (last / KEYS_PER_PREFIX + item) * KEYS_PER_PREFIX;
  const ulong words = prefix + (first >> 8);
  // Two steps and a half for all its keys.
  const uint s0 = rotate(FIRST_SUBKEY, 3u);
  const uint l0 = rotate(reversed_bytes((uint)(words >> 32)) + s0, s0);
  const uint s1 = rotate(FIRST_SUBKEY + NEXT_SUBKEY + s0 + l0, 3u);
  const uint l1 = rotate(reversed_bytes((uint)words) + s1 + l0, s1 + l0);
  const uint s2 = rotate(FIRST_SUBKEY + 2 * NEXT_SUBKEY + s1 + l1, 3u);
  const uint sum = s2 + l1;
  uint lanes[VECTOR_WIDTH];
  UNROLL_WHOLE
  for (uint lane = 0; lane < VECTOR_WIDTH; ++lane) lanes[lane] = lane;
  const wordv lane_numbers = LOADV(0, lanes);
  for (uint turn = 0; turn < KEYS_PER_PREFIX; turn += TURN_KEYS) {
    Mixing m[GRANULARITY];
    wordv s[GRANULARITY][SUBKEYS];
    EACH_PIPE {
      const wordv k8 = lane_numbers + ((uint)first % 256u + turn + p * VECTOR_WIDTH);
      s[p][0] = (wordv)(s0);
      s[p][1] = (wordv)(s1);
      s[p][2] = m[p].a = (wordv)(s2);
      m[p].l0 = (wordv)(l0);
      m[p].l1 = (wordv)(l1);
      m[p].l2 = m[p].b = rotated(k8 + sum, (wordv)(sum));
    }
    if (!any_match(m, s, 3, pair)) continue;
    for (uint q = 0; q < TURN_KEYS; ++q) {
      try_key(prefix, last, keys, pair, first + turn + q - last, counts, halves, matches);
    }
  }
}
#endif
