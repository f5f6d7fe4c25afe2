#include "dwarfs/kmeans/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <new>
#include <utility>

#include "harness/formats/points.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

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

KmeansInput::KmeansInput(const Shape& shape, std::vector<float> points, double grain)
    : shape_(shape),
      points_(std::move(points)),
      centroids_(points_.begin(), points_.begin() + shape.clusters * shape.features),
      grain_(grain) {
  for (const float value : points_)
    max_magnitude_ = std::max(max_magnitude_, std::fabs(static_cast<double>(value)));
  const double bound = std::sqrt(static_cast<double>(FLT_MAX) / 8 / static_cast<double>(shape.features));
  if (max_magnitude_ > bound) {
    throw UsageError(
        fmt::format("kmeans: the largest of the points' absolute values is {}, but must be at most {}, or "
                    "squared distances overflow single precision",
                    max_magnitude_, bound));
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

Loaded load_points(const ValueMap& request, const std::string& file, const std::vector<ProblemKey>& keys) {
  Points table = read_points(file);
  ValueMap values = with_found("kmeans", request, "points", table.points, file);
  values = with_found("kmeans", values, "features", table.features, file);
  Problem problem = make_problem("kmeans", keys, {"file", values});
  const Shape shape = shape_of(problem);
  return {std::move(problem), std::make_shared<KmeansInput>(shape, std::move(table.values), 0)};
}

}  // namespace dwarfsweep::kmeans
