// Nearest centroids by products: |p - c|^2 = |p|^2 - 2 (p c - |c|^2 / 2), so the largest p c - |c|^2 / 2 is wanted.
//
// Rounding. If |p| is large compared with the distances, they cancel. So a point also keeps its second largest value; where
// that is too close for the largest to be certain, the point is compared again, by differences. What counts as too close:
// u = 2^-24, F features (2 F where a multiply-add rounds twice), G >= n u / (1 - n u) for n = F + 4, w = |c|^2. A
// kernel adds up w with a relative error of at most G and starts with, not -w / 2, but o = -(1/2 - 2 G) w, which is too large by 2 G w +- G w /
// 2. A value s starts with o and takes F multiply-adds, so it is off by at most
//   G (|o| + sum |p_i c_i|) <= G (w / 2 + (|p|^2 + w) / 2) = G (w + |p|^2 / 2)
// more. The exact value t of a centroid is therefore between s - 4 G w - G |p|^2 / 2 and s + G |p|^2 / 2, whatever its own w
// is, and the centroid b with the largest s is certainly nearest if all others are smaller by more than
//   4 G w_b + G |p|^2 = 8 G |o_b| / (1 - 4 G) + G |p|^2;
// the program takes 9 and 1.5, for |p|^2 and the comparison itself are rounded, and F 2^-123 more, as products may be flushed
// to zero. Points at equal distances, or of equal centroids, are always compared again.

#define ROUNDINGS (HAS_FMA ? FEATURES + 4 : 2 * FEATURES + 4)
#define RELATIVE (ROUNDINGS * 6.0e-8f)  // 2^-24 is 5.96e-8; for at most 8196 roundings the denominator is 0.9995
#define FLUSHED (FEATURES * 0x1p-123f)

// What the value of a centroid with the square w starts with; of one that does not exist.
#define START_OF(square) ((2 * RELATIVE - 0.5f) * (square))
#define NOWHERE (-1.7e38f)

// By how much more than that the largest value must exceed the second: of a point with such a square, and the start of the
// largest value.
#define UNCERTAINTY(square, start) (RELATIVE * (1.5f * (square)-9 * (start)) + FLUSHED)

// Points for which that is not so are compared again by differences, each by a team of work-items that share the centroids:
// few points by large teams, so that the group does not wait for long. The work-items of a team:
INLINED int team_for(const int points) {
  int team = WORK_GROUP;
  while (team > 16 && points * team > WORK_GROUP) team /= 2;
  return team;
}

// The nearest centroid of each team, to its first work-item, from the nearest of each of its work-items. All work-items of
// the group come here, and have `distances` and `numbers` of WORK_GROUP places.
INLINED int nearest_of_team(local float* distances, local int* numbers, const int team, float smallest, int nearest) {
  const int item = get_local_id(0);
  distances[item] = smallest;
  numbers[item] = nearest;
  if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  for (int reach = team / 2; reach > 0; reach /= 2) {
    if (item % team < reach) {
      const float distance = distances[item + reach];
      const int number = numbers[item + reach];
      if (distance < smallest || (distance == smallest && number < nearest)) {
        distances[item] = smallest = distance;
        numbers[item] = nearest = number;
      }
    }
    if (WORK_GROUP > 1) barrier(CLK_LOCAL_MEM_FENCE);
  }
  return nearest;
}
