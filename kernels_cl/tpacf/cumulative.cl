// The variants register and cumulative of tpacf.cl: how many pairs are beyond an edge is counted by comparison. A group takes
// WORK_GROUP * GRANULARITY vectors of points, and its partners in blocks.

#define A_POINTS (WORK_GROUP * GRANULARITY * VECTOR_WIDTH)
// Blocks of partners between two barriers: enough that loading the work-item's points for each is cheap.
#define BLOCKS (WORK_GROUP > LEAST_BLOCKS ? WORK_GROUP : LEAST_BLOCKS)

// Adds to counts[e] how many of the work-item's points are farther from the partners begin <= j < end than edges[e]. With
// `masked`, points have the partners from first_partner on. Compilers make the subtraction of a comparison, which is -1 where
// it holds, an addition of its bits, and Oclgrind 21.10 adds 255 for a true one in a vector: select() is right everywhere.
INLINED void count_beyond(const realv* x, const realv* y, const realv* z, const intv* first_partner, const int masked,
                          global const float4* partners, const int begin, const int end, const float* edges, intv* counts) {
  UNROLL_LOOP(UNROLL)
  for (int j = begin; j < end; ++j) {
    const float4 b = partners[j];
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      // 1 - product; x, y, z are of opposite sign.
      realv distance = MULTIPLY_ADD(
          z[g], (realv)(b.z), MULTIPLY_ADD(y[g], (realv)(b.y), MULTIPLY_ADD(x[g], (realv)(b.x), (realv)(1.0f))));
      if (masked) distance = select((realv)(-1.0f), distance, (intv)(j) >= first_partner[g]);
      UNROLL_WHOLE
      for (int e = 0; e < EDGES; ++e) {
        counts[e] += select((intv)(0), (intv)(1), distance > (realv)(edges[e]));
      }
    }
  }
}

// Partners begin <= j < end of all points: an upper bound of the pairs without `masked`.
INLINED intv pairs_of(const intv* first_partner, const int begin, const int end) {
  intv sum = 0;
  UNROLL_WHOLE
  for (int g = 0; g < GRANULARITY; ++g) sum += max((intv)(end) - max((intv)(begin), first_partner[g]), (intv)(0));
  return sum;
}

// The edges that a pair of points of two caps may lie between: beyond .x of them it is in any case, beyond .y at most. `angles`
// are those of the edges, a cap is its centre and its radius, which is enlarged by more than the rounding of a product and of
// acos amounts to (sort.cl).
INLINED int2 reach_of(const float4 one, const float4 other, constant float* restrict angles) {
  const float between = acos(clamp(one.x * other.x + one.y * other.y + one.z * other.z, -1.0f, 1.0f));
  const float radius = one.w + other.w;
  int2 reach = (int2)(0, 0);
  for (int e = 0; e < EDGES_TOTAL; ++e) {
    reach.x += angles[e] < between - radius;
    reach.y += angles[e] <= between + radius;
  }
  return reach;
}

// `edges` are 1 - cosine, ascending, followed by EDGES that nothing is beyond.
kernel GROUP_OF(WORK_GROUP, 1) void pairs(global const float4* restrict points, global const float4* restrict a_caps,
                                          global const float4* restrict b_caps, constant float* restrict given_edges,
                                          constant float* restrict angles, const int n, const int sets, const int b_span,
                                          const int a_jobs, const int b_jobs, const int rows, global uint* restrict partial) {
  local intv counts[SLOTS][WORK_GROUP];
  local int2 reach[BLOCKS];
  const int item = (int)get_local_id(0);
  UNROLL_LOOP(1)
  for (int slot = 0; slot < SLOTS; ++slot) counts[slot][item] = 0;
  const job work = job_of((int)get_group_id(0), n, sets, A_POINTS, b_span, a_jobs, b_jobs);
  const int all_partners = work.a_begin + A_POINTS <= n;  // no point of the group is beyond the last
  global const float4* partners = points + (size_t)work.b * n;
  const int blocks = (n + BLOCK - 1) / BLOCK;  // of a set
  // Blocks are aligned: spans of partners are multiples of BLOCK. Of the group's own set, what is before its points is not its.
  const int skipped = work.self ? max(0, work.a_begin - work.b_begin) / (BLOCKS * BLOCK) : 0;
  for (int first = work.b_begin + skipped * BLOCKS * BLOCK; first < work.b_end; first += BLOCKS * BLOCK) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = item; b < BLOCKS; b += WORK_GROUP) {
      const int block = first / BLOCK + b;
      if (VARIANT == VARIANT_CUMULATIVE && block < blocks) {
        reach[b] = reach_of(a_caps[work.a * a_jobs + work.a_begin / A_POINTS], b_caps[work.b * blocks + block], angles);
      } else {
        reach[b] = (int2)(0, EDGES_TOTAL);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Loaded here, because Intel's compiler (2025.3) lets work-items share private arrays that live across a barrier.
    realv x[GRANULARITY], y[GRANULARITY], z[GRANULARITY];
    intv first_partner[GRANULARITY];
    UNROLL_WHOLE
    for (int g = 0; g < GRANULARITY; ++g) {
      float lanes[3][VECTOR_WIDTH];
      int partner[VECTOR_WIDTH];
      for (int lane = 0; lane < VECTOR_WIDTH; ++lane) {
        const int i = work.a_begin + (g * WORK_GROUP + item) * VECTOR_WIDTH + lane;
        const float4 a = points[(size_t)work.a * n + min(i, n - 1)];
        lanes[0][lane] = -a.x;
        lanes[1][lane] = -a.y;
        lanes[2][lane] = -a.z;
        partner[lane] = i >= n ? n : work.self ? i + 1 : 0;
      }
      x[g] = LOADV(0, lanes[0]);
      y[g] = LOADV(0, lanes[1]);
      z[g] = LOADV(0, lanes[2]);
      first_partner[g] = LOADV(0, partner);
    }
    for (int b = 0; b < BLOCKS; ++b) {
      const int begin = first + b * BLOCK;
      const int end = min(begin + BLOCK, work.b_end);
      if (begin >= end || (work.self && end <= work.a_begin)) continue;
      const int masked = !all_partners || (work.self && begin < work.a_begin + A_POINTS);
      counts[reach[b].x][item] += masked ? pairs_of(first_partner, begin, end) : (intv)((end - begin) * GRANULARITY);
      for (int edge = reach[b].x; edge < reach[b].y; edge += EDGES) {
        float edges[EDGES];
        intv beyond[EDGES];
        UNROLL_WHOLE
        for (int e = 0; e < EDGES; ++e) {
          edges[e] = edge + e < reach[b].y ? given_edges[edge + e] : INFINITY;
          beyond[e] = 0;
        }
        if (masked) {
          count_beyond(x, y, z, first_partner, 1, partners, begin, end, edges, beyond);
        } else {
          count_beyond(x, y, z, first_partner, 0, partners, begin, end, edges, beyond);
        }
        UNROLL_WHOLE
        for (int e = 0; e < EDGES; ++e) {
          if (edge + e < reach[b].y) {
            counts[edge + e][item] -= beyond[e];
            counts[edge + e + 1][item] += beyond[e];
          }
        }
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int slot = item; slot < SLOTS; slot += WORK_GROUP) {
    intv sums = 0;
    for (int column = 0; column < WORK_GROUP; ++column) sums += counts[slot][(column + slot) % WORK_GROUP];
    int lanes[VECTOR_WIDTH];
    STOREV(sums, 0, lanes);
    uint sum = 0;
    for (int lane = 0; lane < VECTOR_WIDTH; ++lane) sum += (uint)lanes[lane];
    partial[(size_t)slot * rows + get_group_id(0)] = sum;
  }
}
