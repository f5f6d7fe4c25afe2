// How tile_products.cl assigns the points of a tile that lies in local memory.

// The values of a work-item's points and centroids, and of each point the best, the second, and the best one's number.
INLINED void rank_tile(local float* bests, local float* seconds, local int* choices, local const realv* tile,
                       local const realv* centroids, local const float* starts) {
  const int point = (int)get_local_id(0) % POINT_ITEMS;
  const int lane = (int)get_local_id(0) / POINT_ITEMS;
  float sums[GRANULARITY][OWN_CLUSTERS];
  UNROLL_WHOLE
  for (int j = 0; j < OWN_CLUSTERS; ++j) {
    const float start = starts[lane * OWN_CLUSTERS + j];
    UNROLL_WHOLE
    for (int p = 0; p < GRANULARITY; ++p) sums[p][j] = start;
  }
  UNROLL_LOOP(UNROLL)
  for (int step = 0; step < STEPS; ++step) {
    realv values[GRANULARITY];
    UNROLL_WHOLE
    for (int p = 0; p < GRANULARITY; ++p) values[p] = tile[(p * POINT_ITEMS + point) * PITCH + step];
    UNROLL_WHOLE
    for (int j = 0; j < OWN_CLUSTERS; ++j) {
      const realv centroid = centroids[(lane * OWN_CLUSTERS + j) * PITCH + step];
      UNROLL_WHOLE
      for (int p = 0; p < GRANULARITY; ++p) sums[p][j] = add_products(values[p], centroid, sums[p][j]);
    }
  }
  UNROLL_WHOLE
  for (int p = 0; p < GRANULARITY; ++p) {
    float best = sums[p][0];
    float second = 2 * NOWHERE;
    int choice = lane * OWN_CLUSTERS;
    UNROLL_WHOLE
    for (int j = 1; j < OWN_CLUSTERS; ++j) {
      choice = sums[p][j] > best ? lane * OWN_CLUSTERS + j : choice;
      second = fmax(second, fmin(best, sums[p][j]));
      best = fmax(best, sums[p][j]);
    }
    const int place = lane * TILE_POINTS + p * POINT_ITEMS + point;
    bests[place] = best;
    seconds[place] = second;
    choices[place] = choice;
  }
}

// The nearest of every `team`-th centroid from `lane` on, by differences.
INLINED int nearest_of_lane(local const realv* values, local const realv* centroids, const int lane, const int team,
                            float* smallest) {
  int nearest = 0;
  for (int cluster = lane; cluster < CLUSTERS; cluster += team) {
    float sum = 0;
    UNROLL_LOOP(4)
    for (int step = 0; step < STEPS; ++step) {
      const realv off = values[step] - centroids[cluster * PITCH + step];
      sum = add_products(off, off, sum);
    }
    nearest = sum < *smallest ? cluster : nearest;
    *smallest = fmin(*smallest, sum);
  }
  return nearest;
}

// The nearest centroid of point i of the tile; -1: not certain.
INLINED int choose(local const float* bests, local const float* seconds, local const int* choices, local const realv* tile,
                   local const float* starts, const int i) {
  float best = bests[i];
  float second = seconds[i];
  int choice = choices[i];
  UNROLL_WHOLE
  for (int lane = 1; lane < CLUSTER_ITEMS; ++lane) {
    const float other = bests[lane * TILE_POINTS + i];
    second = fmax(fmax(second, seconds[lane * TILE_POINTS + i]), fmin(best, other));
    choice = other > best ? choices[lane * TILE_POINTS + i] : choice;
    best = fmax(best, other);
  }
  realv squares = 0;
  UNROLL_LOOP(UNROLL)
  for (int step = 0; step < STEPS; ++step) {
    const realv values = tile[i * PITCH + step];
    squares = MULTIPLY_ADD(values, values, squares);
  }
  return best - second > UNCERTAINTY(SUMV(squares), starts[choice]) ? choice : -1;
}

// The nearest centroids of the points of the tile for which they are not certain.
INLINED void choose_again(local int* choices, local int* numbers, local float* found_distances, local int* found_numbers,
                          local const realv* tile, local const realv* centroids, local const int* uncertain,
                          const int points) {
  const int team = team_for(points);
  const int item = get_local_id(0);
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  for (int begin = 0; begin < points; begin += WORK_GROUP / team) {
    const int at = begin + item / team;
    const int point = uncertain[min(at, points - 1)];
    float smallest = INFINITY;
    int nearest = nearest_of_lane(tile + point * PITCH, centroids, item % team, team, &smallest);
    nearest = nearest_of_team(found_distances, found_numbers, team, smallest, nearest);
    if (at < points && item % team == 0) {
      choices[point] = nearest;
      atomic_inc(numbers + nearest);
    }
  }
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
}
