#include "dwarfs/tpacf/sky.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "harness/device/host.hpp"
#include "harness/formats/directions.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::tpacf {
namespace {

constexpr double arcminute = std::numbers::pi / (180 * 60);
constexpr std::int64_t points_of_cluster = 32;

// All of these round each operation once and never a product that is added to something, so that a fused
// multiply-add changes nothing: the points are the same on every machine.

struct Vector {
  double x, y, z;
};

// Marsaglia, "Choosing a point from the surface of a sphere", Ann. Math. Statist. 43, 1972. a and b have 24
// bits, their squares 48.
Vector uniform_direction(Random& random) {
  const auto coordinate = [](std::uint64_t bits) { return static_cast<double>(bits) * 0x1p-23 - 1; };
  for (;;) {
    const std::uint64_t word = random.next();
    const double a = coordinate(word >> 40);
    const double b = coordinate((word >> 8) & 0xffffffU);
    const double square = a * a + b * b;
    if (square >= 1) continue;
    const double root = 2 * std::sqrt(1 - square);
    return {a * root, b * root, 1 - 2 * square};
  }
}

SkyPoint rounded(const Vector& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// Near `centre`, by a Gaussian of `width` radians in each direction, back on the sphere.
SkyPoint near(const Vector& centre, float width, Random& random) {
  const auto moved = [&](double from) {
    return static_cast<float>(from + static_cast<double>(width) * static_cast<float>(random.normal()));
  };
  const double x = moved(centre.x);
  const double y = moved(centre.y);
  const double z = moved(centre.z);
  const double length = std::sqrt(x * x + y * y + z * z);
  return rounded({x / length, y / length, z / length});
}

// Half of the data is uniform, the other half in clusters of a width from 10 to 300 arcminutes.
void generate_data(Random& random, std::int64_t count, std::vector<SkyPoint>& points) {
  Vector centre{};
  float width = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % points_of_cluster == 0) {
      centre = uniform_direction(random);
      width = static_cast<float>((10 + 290 * random.uniform01()) * arcminute);
    }
    points.push_back(i % 2 == 0 ? near(centre, width, random) : rounded(uniform_direction(random)));
  }
}

void generate_set(std::uint64_t seed, std::int64_t number, std::int64_t count,
                  std::vector<SkyPoint>& points) {
  Random random(seed_of_part(seed, static_cast<std::uint64_t>(number)));
  if (number == 0) return generate_data(random, count, points);
  for (std::int64_t i = 0; i < count; ++i) points.push_back(rounded(uniform_direction(random)));
}

Sky empty_sky(const Problem& problem) {
  Sky sky;
  sky.points = problem.integer("points");
  sky.sets = problem.integer("sets");
  sky.edges = edges_of(problem);
  const auto all = static_cast<std::size_t>((sky.sets + 1) * sky.points);
  require_host_memory(fmt::format("tpacf: {} sets of {} points", sky.sets + 1, sky.points),
                      all * sizeof(SkyPoint));
  sky.all.reserve(all);
  return sky;
}

SkyPoint point_of(const Direction& direction) {
  const double along = direction.right_ascension * std::numbers::pi / 180;
  const double up = direction.declination * std::numbers::pi / 180;
  return rounded({std::cos(up) * std::cos(along), std::cos(up) * std::sin(along), std::sin(up)});
}

}  // namespace

Edges edges_of(const Problem& problem) {
  const double least = problem.real("min");
  const double most = problem.real("max");
  if (least >= most) {
    throw UsageError(
        fmt::format("tpacf: problem key 'min' is {}, but must be below 'max', which is {}", least, most));
  }
  const std::int64_t bins = problem.integer("bins");
  Edges edges;
  for (std::int64_t k = 0; k <= bins; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(bins);
    const double angle = least * std::pow(most / least, share) * arcminute;
    const double half_sine = std::sin(angle / 2);
    // Rounded twice, the second time where 1 - cosine is exact in both directions.
    const float cosine = 1 - static_cast<float>(2 * half_sine * half_sine);
    edges.angles.push_back(angle);
    edges.distances.push_back(1 - cosine);
  }
  return edges;
}

std::int64_t Sky::pairs(std::size_t kind) const {
  const std::int64_t within = points * (points - 1) / 2;
  return kind == 0 ? within : kind == 1 ? sets * points * points : sets * within;
}

SetPair set_pair(const Sky& sky, std::int64_t pair) {
  if (pair <= sky.sets) return {pair, pair, pair == 0 ? std::size_t{0} : std::size_t{2}};
  return {pair - sky.sets, 0, 1};
}

std::vector<double> correlation(const Sky& sky, const Counts& counts) {
  const auto n = static_cast<double>(sky.points);
  const auto sets = static_cast<double>(sky.sets);
  std::vector<double> result;
  for (std::size_t bin = 0; bin < sky.bins(); ++bin) {
    const auto count = [&](std::size_t kind) {
      return static_cast<double>(counts[kind * sky.slots() + bin + 1]);
    };
    const double random = count(2) / sets;
    // 0 / 0 is NaN, and so is what lacks random pairs alone.
    const double estimate = (count(0) - (n - 1) / n * count(1) / sets + random) / random;
    result.push_back(random > 0 ? estimate : std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

std::shared_ptr<const SkyInput> generate_sky(const Problem& problem, std::uint64_t seed) {
  Sky sky = empty_sky(problem);
  for (std::int64_t number = 0; number <= sky.sets; ++number) generate_set(seed, number, sky.points, sky.all);
  return std::make_shared<SkyInput>(std::move(sky));
}

Loaded load_sky(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  if (files.empty()) require_files(info.name, info.input_formats, files, 1);
  ValueMap values = request;
  if (files.size() > 1)
    values = with_found(info.name, values, "sets", static_cast<std::int64_t>(files.size()) - 1, "--input");
  std::vector<SkyPoint> points;
  for (const std::string& file : files) {
    const std::vector<Direction> directions = read_directions(file);
    values = with_found(info.name, values, "points", static_cast<std::int64_t>(directions.size()), file);
    for (const Direction& direction : directions) points.push_back(point_of(direction));
  }
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  Sky sky = empty_sky(problem);
  sky.all = std::move(points);
  if (files.size() == 1) {
    for (std::int64_t number = 1; number <= sky.sets; ++number) generate_set(1, number, sky.points, sky.all);
  }
  return {std::move(problem), std::make_shared<SkyInput>(std::move(sky))};
}

}  // namespace dwarfsweep::tpacf
