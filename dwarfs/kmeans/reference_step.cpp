// One step of Lloyd's iteration in double precision, which results are compared with.
#include "dwarfs/kmeans/input.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dwarfsweep::kmeans {
namespace {

void clear_sums(ReferenceStep& step, std::size_t clusters, std::size_t values) {
  step.sums.assign(values, 0);
  step.magnitudes.assign(values, 0);
  step.numbers.assign(clusters, 0);
  step.uncertain.assign(clusters, 0);
}

void add_sums(ReferenceStep& to, const ReferenceStep& from) {
  for (std::size_t i = 0; i < to.sums.size(); ++i) {
    to.sums[i] += from.sums[i];
    to.magnitudes[i] += from.magnitudes[i];
  }
  for (std::size_t k = 0; k < to.numbers.size(); ++k) {
    to.numbers[k] += from.numbers[k];
    to.uncertain[k] += from.uncertain[k];
  }
}

std::vector<std::int32_t> lowest_twins(const std::vector<float>& centroids, std::size_t clusters,
                                       std::int64_t features) {
  std::vector<std::int32_t> twins;
  for (std::size_t k = 0; k < clusters; ++k) {
    std::size_t twin = 0;
    const auto begin = centroids.begin() + static_cast<std::ptrdiff_t>(k) * features;
    while (!std::equal(begin, begin + features,
                       centroids.begin() + static_cast<std::ptrdiff_t>(twin) * features)) {
      ++twin;
    }
    twins.push_back(static_cast<std::int32_t>(twin));
  }
  return twins;
}

// Adds one point, whose squared distances to all centroids are given, to the sums; returns its nearest
// centroid.
std::size_t add_point(ReferenceStep& sums, const std::vector<std::int32_t>& twin, const float* point,
                      const std::vector<double>& distances, std::int64_t features) {
  const auto nearest =
      static_cast<std::size_t>(std::min_element(distances.begin(), distances.end()) - distances.begin());
  bool contested = false;
  for (std::size_t k = 0; k < distances.size(); ++k) {
    if (k == nearest || twin[k] != static_cast<std::int32_t>(k)) continue;
    if (!may_be_smallest(distances[k], distances[nearest], features)) continue;
    ++sums.uncertain[k];
    contested = true;
  }
  if (contested) ++sums.uncertain[nearest];
  ++sums.numbers[nearest];
  const std::size_t first = nearest * static_cast<std::size_t>(features);
  for (std::int64_t f = 0; f < features; ++f) {
    const auto value = static_cast<double>(point[f]);
    sums.sums[first + static_cast<std::size_t>(f)] += value;
    sums.magnitudes[first + static_cast<std::size_t>(f)] += std::fabs(value);
  }
  return nearest;
}

ReferenceStep computed_step(const KmeansInput& input, const std::vector<float>& centroids) {
  const Shape& shape = input.shape();
  const std::int64_t features = shape.features;
  const auto clusters = static_cast<std::size_t>(shape.clusters);
  ReferenceStep step;
  step.from = centroids;
  step.twin = lowest_twins(centroids, clusters, features);
  step.nearest.resize(static_cast<std::size_t>(shape.points));
  clear_sums(step, clusters, centroids.size());
#pragma omp parallel
  {
    ReferenceStep mine;
    clear_sums(mine, clusters, centroids.size());
    std::vector<double> distances(clusters);
#pragma omp for schedule(static)
    for (std::int64_t p = 0; p < shape.points; ++p) {
      const float* point = input.points().data() + p * features;
      for (std::size_t k = 0; k < clusters; ++k) {
        distances[k] =
            squared_distance(point, centroids.data() + static_cast<std::int64_t>(k) * features, features);
      }
      step.nearest[static_cast<std::size_t>(p)] =
          static_cast<std::int32_t>(add_point(mine, step.twin, point, distances, features));
    }
#pragma omp critical
    add_sums(step, mine);
  }
  return step;
}

}  // namespace

std::shared_ptr<const ReferenceStep> ReferenceSteps::from(const KmeansInput& input,
                                                          const std::vector<float>& centroids) {
  constexpr std::size_t max_steps = 8;
  const std::lock_guard lock(mutex_);
  for (const auto& step : steps_) {
    if (step->from == centroids) return step;
  }
  auto step = std::make_shared<const ReferenceStep>(computed_step(input, centroids));
  steps_.push_back(step);
  if (steps_.size() > max_steps) steps_.erase(std::next(steps_.begin()));
  return step;
}

double squared_distance(const float* point, const float* centroid, std::int64_t features) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t f = 0; f < features; ++f) {
    const double off = static_cast<double>(point[f]) - static_cast<double>(centroid[f]);
    sum += off * off;
  }
  return sum;
}

bool may_be_smallest(double distance, double smallest, std::int64_t features) {
  const auto terms = static_cast<double>(features);
  const double error = rounding_bound(terms + 3) * (distance + smallest) + 2 * terms * smallest_normal;
  return distance - smallest <= error;
}

}  // namespace dwarfsweep::kmeans
