// Whether a result is that of Lloyd's iteration, within the rounding of single precision.
//
// Correctness. Every step is checked by itself, from the centroids that the device itself had before it, so
// that errors do not accumulate. u = 2^-24, gamma_n bounds n roundings (roundoff.hpp).
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
#include "dwarfs/kmeans/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dwarfsweep::kmeans {
namespace {

// One step's result against the reference.
class Comparison {
 public:
  Comparison(const KmeansInput& input, const Rounding& rounding, const ReferenceStep& step, int iteration)
      : input_(input), shape_(input.shape()), step_(step), iteration_(iteration) {
    sums_ = step.sums;
    magnitudes_ = step.magnitudes;
    numbers_ = step.numbers;
    const double exact_terms = input.max_magnitude() > 0 ? 0x1p24 * input.grain() / input.max_magnitude() : 0;
    roundings_ = 6 * unit_roundoff;
    if (static_cast<double>(rounding.part_points) > exact_terms)
      roundings_ += rounding_bound(static_cast<double>(rounding.in_part));
    if (static_cast<double>(shape_.points) > exact_terms)
      roundings_ += rounding_bound(static_cast<double>(rounding.of_parts));
  }

  /// Takes the device's choice wherever rounding may explain it; returns a message about the first that it
  /// cannot.
  [[nodiscard]] std::string adopt(const std::vector<std::int32_t>& assignments) {
    if (assignments.size() != step_.nearest.size()) {
      return fmt::format("{} assignments, wanted {}", assignments.size(), step_.nearest.size());
    }
    for (std::size_t p = 0; p < assignments.size(); ++p) {
      const std::int32_t got = assignments[p];
      const std::int32_t wanted = step_.nearest[p];
      if (got == wanted) continue;
      if (got < 0 || got >= shape_.clusters) {
        return fmt::format("assignments[{}] is {}, wanted {} of {} clusters", p, got, wanted,
                           shape_.clusters);
      }
      const float* point = input_.points().data() + static_cast<std::int64_t>(p) * shape_.features;
      const double distance = distance_to(point, got);
      const double smallest = distance_to(point, wanted);
      const bool lowest = step_.twin[static_cast<std::size_t>(got)] == got;
      if (!lowest || !may_be_smallest(distance, smallest, shape_.features)) {
        return fmt::format("assignments[{}] is {} at squared distance {}, wanted {} at {}{}", p, got,
                           distance, wanted, smallest, lowest ? "" : " (of equal centroids the lowest)");
      }
      move(point, static_cast<std::size_t>(wanted), static_cast<std::size_t>(got));
    }
    certain_ = true;
    return "";
  }

  void compare(const std::vector<float>& centroids, Check& check) const {
    if (centroids.size() != step_.from.size()) {
      fail(check, fmt::format("{} numbers in the centroids, wanted {}", centroids.size(), step_.from.size()));
      return;
    }
    const auto features = static_cast<std::size_t>(shape_.features);
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      const std::int64_t uncertain = certain_ ? 0 : step_.uncertain[k];
      if (uncertain > 0 && uncertain >= numbers_[k]) continue;
      for (std::size_t f = 0; f < features; ++f) {
        const std::size_t index = k * features + f;
        const double number = static_cast<double>(numbers_[k]);
        double wanted = static_cast<double>(step_.from[index]);
        double tolerance = 0;
        if (number > 0) {
          const auto contested = static_cast<double>(uncertain);
          wanted = sums_[index] / number;
          tolerance = roundings_ * magnitudes_[index] / number + smallest_normal +
                      2 * input_.max_magnitude() * contested / (number - contested);
        }
        const double error = std::fabs(static_cast<double>(centroids[index]) - wanted);
        check.max_error = std::max(check.max_error, error);
        check.tolerance = std::max(check.tolerance, tolerance);
        if (!(error <= tolerance)) {
          fail(check,
               fmt::format("centroids[{}][{}] after step {} is {}, wanted {} within {} (mean of {} points)",
                           k, f, iteration_, centroids[index], wanted, tolerance, numbers_[k]));
          return;
        }
      }
    }
  }

  static void fail(Check& check, const std::string& message) {
    check.ok = false;
    if (check.message.empty()) check.message = message;
  }

 private:
  [[nodiscard]] double distance_to(const float* point, std::int32_t cluster) const {
    return squared_distance(point, step_.from.data() + cluster * shape_.features, shape_.features);
  }

  void move(const float* point, std::size_t from, std::size_t to) {
    const auto features = static_cast<std::size_t>(shape_.features);
    --numbers_[from];
    ++numbers_[to];
    for (std::size_t f = 0; f < features; ++f) {
      const auto value = static_cast<double>(point[f]);
      sums_[from * features + f] -= value;
      sums_[to * features + f] += value;
      magnitudes_[from * features + f] -= std::fabs(value);
      magnitudes_[to * features + f] += std::fabs(value);
    }
  }

  const KmeansInput& input_;
  const Shape& shape_;
  const ReferenceStep& step_;
  int iteration_;
  std::vector<double> sums_, magnitudes_;
  std::vector<std::int64_t> numbers_;
  double roundings_ = 0;
  bool certain_ = false;
};

}  // namespace

Check check_outcome(const KmeansInput& input, const Outcome& outcome, const Rounding& rounding) {
  Check check;
  check.ok = true;
  const auto steps = static_cast<std::size_t>(input.shape().iterations);
  if (outcome.centroids.size() != steps) {
    Comparison::fail(check, fmt::format("centroids of {} steps, wanted {}", outcome.centroids.size(), steps));
    return check;
  }
  for (std::size_t i = 0; i < steps && check.ok; ++i) {
    const auto step = input.reference_step(i == 0 ? input.centroids() : outcome.centroids[i - 1]);
    Comparison comparison(input, rounding, *step, static_cast<int>(i) + 1);
    if (i + 1 == steps) {
      if (const std::string message = comparison.adopt(outcome.assignments); !message.empty()) {
        Comparison::fail(check, message);
        break;
      }
    }
    comparison.compare(outcome.centroids[i], check);
  }
  return check;
}

}  // namespace dwarfsweep::kmeans
