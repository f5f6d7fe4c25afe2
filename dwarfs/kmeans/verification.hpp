// Whether a result is that of Lloyd's iteration, within the rounding of single precision.
//
// Correctness. Every step is checked by itself, from the centroids that the device itself had before it, so
// that errors do not accumulate. u = 2^-24, gamma_n = n u / (1 - n u).
//
// Assignments. A squared distance is a sum of F squares, each of a difference: in whatever order, with or
// without fused multiply-add, every term suffers at most F + 3 roundings, and as no term is negative
//   |d - d_exact| <= gamma_(F+3) d_exact + F 2^-126 (squares flushed to zero).
// So an assignment to `a` is correct if d_a and the smallest distance, both in double precision, agree within
// their two errors. Of equal centroids, whose computed distances are the same bits, the lowest number must
// win.
//
// Centroids. With the device's own assignments, a centroid is the sum of n terms divided by n. A kernel adds
// at most `in_part` terms one after the other to a partial sum, and `of_parts` such sums to the total;
// dividing may be off by 2.5 ulp (OpenCL 1.2, 7.4), converting n by half of one:
//   |c - c_exact| <= (gamma_(in_part) + gamma_(of_parts) + 6 u) sum |x| / n.
// Generated points are multiples of a grain g: a sum whose terms' absolute values add up to no more than
// 2^24 g is exact, and its gamma is dropped, so that one missing point is noticed.
// The assignments of the last step are known. Those of earlier steps are not: points that two clusters may
// have then widen the tolerance of both by what they can move; a cluster that consists of such points alone
// is not checked.
#pragma once

#include <cstdint>
#include <vector>

#include "dwarfs/kmeans/input.hpp"

namespace dwarfsweep::kmeans {

/// How sums are rounded: additions one after the other within a partial sum, points that it covers, and
/// additions that make the total of the partial sums.
struct Rounding {
  std::int64_t in_part = 0;
  std::int64_t part_points = 0;
  std::int64_t of_parts = 0;
};

/// The result of a run: the assignments of its last step, the centroids (clusters x features) after each.
struct Outcome {
  std::vector<std::int32_t> assignments;
  std::vector<std::vector<float>> centroids;
};

Check check_outcome(const KmeansInput& input, const Outcome& outcome, const Rounding& rounding);

}  // namespace dwarfsweep::kmeans
