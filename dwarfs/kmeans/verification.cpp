#include "dwarfs/kmeans/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "harness/error.hpp"
#include "harness/random.hpp"
#include "harness/status.hpp"

namespace dwarfsweep::kmeans {

Shape shape_of(const Problem& problem) {
  Shape shape;
  shape.points = problem.integer("points");
  shape.features = problem.integer("features");
  shape.clusters = problem.integer("clusters");
  shape.iterations = static_cast<int>(problem.integer("iterations"));
  if (shape.clusters > shape.points) {
    throw UsageError(
        fmt::format("kmeans: problem key 'clusters' is {}, but must be at most the points, which are {}",
                    shape.clusters, shape.points));
  }
  return shape;
}

namespace {

constexpr double unit = 0x1p-24;
constexpr double smallest_normal = 0x1p-126;

double gamma(double roundings) {
  return roundings * unit / (1 - roundings * unit);
}

}  // namespace

KmeansInput::KmeansInput(const Shape& shape, std::vector<float> points, double grain)
    : shape_(shape),
      points_(std::move(points)),
      centroids_(points_.begin(), points_.begin() + shape.clusters * shape.features),
      grain_(grain) {
  for (const float value : points_) largest_ = std::max(largest_, std::fabs(static_cast<double>(value)));
  const double bound = std::sqrt(static_cast<double>(FLT_MAX) / 8 / static_cast<double>(shape.features));
  if (largest_ > bound) {
    throw UsageError(
        fmt::format("kmeans: the largest of the points' absolute values is {}, but must be at most {}, or "
                    "squared distances overflow single precision",
                    largest_, bound));
  }
}

std::shared_ptr<const KmeansInput> generated_input(const Shape& shape, std::uint64_t seed) {
  constexpr std::uint64_t levels = 1024;
  std::vector<std::int64_t> centres(static_cast<std::size_t>(shape.clusters * shape.features));
  Random of_centres(seed_of_part(seed, 1));
  for (std::int64_t& centre : centres) centre = static_cast<std::int64_t>(of_centres.below(levels));
  std::vector<float> points;
  try {
    points.resize(static_cast<std::size_t>(shape.points * shape.features));
  } catch (const std::bad_alloc&) {
    throw PointFailure(Status::out_of_memory,
                       fmt::format("kmeans: {} points of {} features, {} bytes, do not fit the host's memory",
                                   shape.points, shape.features, 4 * shape.points * shape.features));
  }
  Random random(seed);
  const auto features = static_cast<std::size_t>(shape.features);
  const auto clusters = static_cast<std::size_t>(shape.clusters);
  for (std::size_t first = 0; first < points.size(); first += features) {
    // The first centroids come from different clouds; two of one cloud would halve it, with many near ties.
    const std::size_t point = first / features;
    const std::size_t cluster = point < clusters ? point : random.below(clusters);
    for (std::size_t f = 0; f < features; ++f) {
      const std::int64_t noise = static_cast<std::int64_t>(random.next() % levels) - std::int64_t{levels} / 2;
      points[first + f] =
          static_cast<float>(centres[cluster * features + f] + noise) / static_cast<float>(levels);
    }
  }
  return std::make_shared<KmeansInput>(shape, std::move(points), 1.0 / static_cast<double>(levels));
}

// --- the reference ---

// A Lloyd step from given centroids.
struct KmeansInput::Step {
  std::vector<float> from;
  std::vector<std::int32_t> twin;     // the lowest cluster with the same centroid
  std::vector<std::int32_t> nearest;  // of each point
  std::vector<double> sums;           // clusters x features
  std::vector<double> magnitudes;     // the same of absolute values
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> uncertain;  // points that this cluster, or another, may have
};

namespace {

double squared_distance(const float* point, const float* centroid, std::int64_t features) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t f = 0; f < features; ++f) {
    const double off = static_cast<double>(point[f]) - static_cast<double>(centroid[f]);
    sum += off * off;
  }
  return sum;
}

// May a device that computes in single precision find `distance` the least, where `least` is?
bool may_be_least(double distance, double least, std::int64_t features) {
  const auto terms = static_cast<double>(features);
  const double error = gamma(terms + 3) * (distance + least) + 2 * terms * smallest_normal;
  return distance - least <= error;
}

}  // namespace

KmeansInput::Step KmeansInput::computed_step(const std::vector<float>& centroids) const {
  const std::int64_t features = shape_.features;
  const auto clusters = static_cast<std::size_t>(shape_.clusters);
  Step step;
  step.from = centroids;
  for (std::size_t k = 0; k < clusters; ++k) {
    std::size_t twin = 0;
    const auto begin = centroids.begin() + static_cast<std::ptrdiff_t>(k) * features;
    while (!std::equal(begin, begin + features,
                       centroids.begin() + static_cast<std::ptrdiff_t>(twin) * features)) {
      ++twin;
    }
    step.twin.push_back(static_cast<std::int32_t>(twin));
  }
  step.nearest.resize(static_cast<std::size_t>(shape_.points));
  step.sums.assign(centroids.size(), 0);
  step.magnitudes.assign(centroids.size(), 0);
  step.numbers.assign(clusters, 0);
  step.uncertain.assign(clusters, 0);
#pragma omp parallel
  {
    Step mine;
    mine.sums.assign(centroids.size(), 0);
    mine.magnitudes.assign(centroids.size(), 0);
    mine.numbers.assign(clusters, 0);
    mine.uncertain.assign(clusters, 0);
    std::vector<double> distances(clusters);
#pragma omp for schedule(static)
    for (std::int64_t p = 0; p < shape_.points; ++p) {
      const float* point = points_.data() + p * features;
      for (std::size_t k = 0; k < clusters; ++k) {
        distances[k] =
            squared_distance(point, centroids.data() + static_cast<std::int64_t>(k) * features, features);
      }
      const auto nearest =
          static_cast<std::size_t>(std::min_element(distances.begin(), distances.end()) - distances.begin());
      step.nearest[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(nearest);
      bool contested = false;
      for (std::size_t k = 0; k < clusters; ++k) {
        if (k == nearest || step.twin[k] != static_cast<std::int32_t>(k)) continue;
        if (!may_be_least(distances[k], distances[nearest], features)) continue;
        ++mine.uncertain[k];
        contested = true;
      }
      if (contested) ++mine.uncertain[nearest];
      ++mine.numbers[nearest];
      const std::size_t first = nearest * static_cast<std::size_t>(features);
      for (std::int64_t f = 0; f < features; ++f) {
        const auto value = static_cast<double>(point[f]);
        mine.sums[first + static_cast<std::size_t>(f)] += value;
        mine.magnitudes[first + static_cast<std::size_t>(f)] += std::fabs(value);
      }
    }
#pragma omp critical
    {
      for (std::size_t i = 0; i < centroids.size(); ++i) {
        step.sums[i] += mine.sums[i];
        step.magnitudes[i] += mine.magnitudes[i];
      }
      for (std::size_t k = 0; k < clusters; ++k) {
        step.numbers[k] += mine.numbers[k];
        step.uncertain[k] += mine.uncertain[k];
      }
    }
  }
  return step;
}

// The step from the first centroids is kept for good; of later ones, which differ by a rounding from point to
// point of the space, a few.
std::shared_ptr<const KmeansInput::Step> KmeansInput::step_from(const std::vector<float>& centroids) const {
  constexpr std::size_t max_steps = 8;
  const std::lock_guard lock(mutex_);
  for (const auto& step : steps_) {
    if (step->from == centroids) return step;
  }
  auto step = std::make_shared<const Step>(computed_step(centroids));
  steps_.push_back(step);
  if (steps_.size() > max_steps) steps_.erase(std::next(steps_.begin()));
  return step;
}

// --- the check ---

// One step's result against the reference.
class KmeansInput::Comparison {
 public:
  Comparison(const KmeansInput& input, const Rounding& rounding, const Step& step, int iteration)
      : input_(input), shape_(input.shape_), step_(step), iteration_(iteration) {
    sums_ = step.sums;
    magnitudes_ = step.magnitudes;
    numbers_ = step.numbers;
    const double exact_terms = input.largest_ > 0 ? 0x1p24 * input.grain_ / input.largest_ : 0;
    roundings_ = 6 * unit;
    if (static_cast<double>(rounding.part_points) > exact_terms)
      roundings_ += gamma(static_cast<double>(rounding.in_part));
    if (static_cast<double>(shape_.points) > exact_terms)
      roundings_ += gamma(static_cast<double>(rounding.of_parts));
  }

  /// Takes the device's choice wherever it is as good as ours; says which one is not.
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
      const float* point = input_.points_.data() + static_cast<std::int64_t>(p) * shape_.features;
      const double distance = distance_to(point, got);
      const double least = distance_to(point, wanted);
      const bool lowest = step_.twin[static_cast<std::size_t>(got)] == got;
      if (!lowest || !may_be_least(distance, least, shape_.features)) {
        return fmt::format("assignments[{}] is {} at squared distance {}, wanted {} at {}{}", p, got,
                           distance, wanted, least, lowest ? "" : " (of equal centroids the lowest)");
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
                      2 * input_.largest_ * contested / (number - contested);
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
  const Step& step_;
  int iteration_;
  std::vector<double> sums_, magnitudes_;
  std::vector<std::int64_t> numbers_;
  double roundings_ = 0;
  bool certain_ = false;
};

Check KmeansInput::check(const Outcome& outcome, const Rounding& rounding) const {
  Check check;
  check.ok = true;
  const auto steps = static_cast<std::size_t>(shape_.iterations);
  if (outcome.centroids.size() != steps) {
    Comparison::fail(check, fmt::format("centroids of {} steps, wanted {}", outcome.centroids.size(), steps));
    return check;
  }
  for (std::size_t i = 0; i < steps && check.ok; ++i) {
    const auto step = step_from(i == 0 ? centroids_ : outcome.centroids[i - 1]);
    Comparison comparison(*this, rounding, *step, static_cast<int>(i) + 1);
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
