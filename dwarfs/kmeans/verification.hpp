// k-means on the host: points, the check of a result, and the Lloyd step that is the yardstick. Shares no
// code with the kernels; what is computed is said in kernels_cl/kmeans/kmeans.cl.
//
// Correctness. Every step is checked by itself, from the centroids that the device itself had before it, so
// that no error is carried along. u = 2^-24, gamma_n = n u / (1 - n u).
//
// Assignments. A squared distance is a sum of F squares, each of a difference: in whatever order, with or
// without fused multiply-add, every term suffers at most F + 3 roundings, and as no term is negative
//   |d - d_exact| <= gamma_(F+3) d_exact + F 2^-126 (squares flushed to zero).
// So an assignment to `a` is right if d_a and the least distance, both in double precision, agree within
// their two errors. Of equal centroids, whose computed distances are the same bits, the lowest number must
// win.
//
// Centroids. With the device's own assignments, a centroid is the sum of n terms divided by n. A kernel adds
// at most `in_part` terms one after the other to a partial sum, and `of_parts` such sums to the total;
// dividing may be off by 2.5 ulp (OpenCL 1.2, 7.4), converting n by half of one:
//   |c - c_exact| <= (gamma_(in_part) + gamma_(of_parts) + 6 u) sum |x| / n.
// Generated points are multiples of a grain g: a sum whose terms' absolute values add up to no more than
// 2^24 g is exact, and its gamma is dropped, so that one point too few shows.
// For the last step assignments are there to be looked at. For those before it they are not: points that two
// clusters may have then widen the tolerance of both by what they can move; a cluster that consists of such
// points alone is passed over.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::kmeans {

struct Shape {
  std::int64_t points = 0, features = 0, clusters = 0;
  int iterations = 1;
};

/// Throws UsageError where there are more clusters than points.
Shape shape_of(const Problem& problem);

/// How sums are rounded: additions one after the other within a partial sum, points that it covers, and
/// additions that make the total of the partial sums.
struct Rounding {
  std::int64_t in_part = 0;
  std::int64_t part_points = 0;
  std::int64_t of_parts = 0;
};

/// What a run leaves: the assignments of its last step, the centroids (clusters x features) after each.
struct Outcome {
  std::vector<std::int32_t> assignments;
  std::vector<std::vector<float>> centroids;
};

class KmeansInput final : public Input {
 public:
  /// The first points are the first centroids. `grain`: all values are multiples of it; 0: not known. Throws
  /// UsageError where squared distances would overflow single precision.
  KmeansInput(const Shape& shape, std::vector<float> points, double grain);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<float>& points() const { return points_; }
  [[nodiscard]] const std::vector<float>& centroids() const { return centroids_; }
  [[nodiscard]] Check check(const Outcome& outcome, const Rounding& rounding) const;

 private:
  struct Step;
  class Comparison;
  [[nodiscard]] std::shared_ptr<const Step> step_from(const std::vector<float>& centroids) const;
  [[nodiscard]] Step computed_step(const std::vector<float>& centroids) const;

  Shape shape_;
  std::vector<float> points_;  // points x features
  std::vector<float> centroids_;
  double grain_ = 0;
  double largest_ = 0;  // of the values' absolute values

  mutable std::mutex mutex_;
  mutable std::list<std::shared_ptr<const Step>> steps_;
};

/// Clouds around random centres, coarse enough for exact sums of some thousand points.
std::shared_ptr<const KmeansInput> generated_input(const Shape& shape, std::uint64_t seed);

/// The centroids that follow from assignments; a cluster without points keeps its own. What the paper leaves
/// to the host, on one thread.
void update_on_host(const KmeansInput& input, const std::vector<std::int32_t>& assignments,
                    const std::vector<float>& previous, std::vector<float>& next);

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const KmeansInput> input, int threads);

}  // namespace dwarfsweep::kmeans
