#include "suite/search/new_points.hpp"

#include <algorithm>

#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {

std::optional<PointNumber> draw_new(const SearchSpace& space, const IsNew& is_new, Random& random) {
  for (std::uint64_t drawn = 0; drawn < search_parameters.max_draws; ++drawn) {
    const std::optional<PointNumber> point = space.try_draw(random);
    if (point && is_new(*point)) return point;
  }
  if (space.numbers() == 0) return std::nullopt;
  // From a random number to the end, then from the beginning.
  PointNumber from = random.below(space.numbers());
  for (bool wrapped = false;;) {
    const std::optional<PointNumber> point = space.next_legal(from, search_parameters.max_scan);
    if (point && is_new(*point)) return point;
    if (!point && wrapped) return std::nullopt;
    wrapped = wrapped || !point;
    from = point ? *point + 1 : 0;
  }
}

std::vector<PointNumber> initial_points(const SearchTask& task, bool first, Random& random,
                                        const Archive& archive) {
  std::vector<PointNumber> points;
  const auto is_new = [&](PointNumber point) {
    return !archive.has(point) && std::find(points.begin(), points.end(), point) == points.end();
  };
  if (first) {
    for (const PointNumber point : task.known) {
      if (is_new(point)) points.push_back(point);
    }
    for (const SpacePart& part : task.space.parts()) {
      const std::optional<PointNumber> point = part.default_point;
      if (point && task.space.is_legal(*point) && is_new(*point)) points.push_back(*point);
    }
  }
  for (std::size_t i = 0; i < search_parameters.initial_points; ++i) {
    const std::optional<PointNumber> point = draw_new(task.space, is_new, random);
    if (!point) break;
    points.push_back(*point);
  }
  return points;
}

PointNumber offspring_of(const SearchSpace& space, PointNumber first, PointNumber second, Random& random) {
  Coordinates child = space.coordinates(first);
  const Coordinates other = space.coordinates(second);
  const std::vector<SearchAxis>& axes = space.parts()[child.part].axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (other.part == child.part && random.below(2) == 0) child.digits[i] = other.digits[i];
    if (random.below(axes.size()) == 0)
      child.digits[i] = static_cast<std::uint32_t>(random.below(axes[i].values.size()));
  }
  return space.number(child);
}

PointNumber offspring_of_fastest(const SearchSpace& space, const std::vector<PointNumber>& parents,
                                 Random& random) {
  const auto draw_parent = [&] {
    return parents[std::min(random.below(parents.size()), random.below(parents.size()))];
  };
  const PointNumber first = draw_parent();
  return offspring_of(space, first, draw_parent(), random);
}

std::vector<PointNumber> fastest(const Archive& archive, std::size_t count) {
  std::vector<const Evaluation*> known;
  for (const Evaluation& evaluation : archive.evaluations()) {
    if (evaluation.time) known.push_back(&evaluation);
  }
  const std::size_t kept = std::min(count, known.size());
  std::partial_sort(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(kept), known.end(),
                    [](const Evaluation* left, const Evaluation* right) {
                      return *left->time != *right->time ? *left->time < *right->time : left < right;
                    });
  std::vector<PointNumber> points;
  for (std::size_t i = 0; i < kept; ++i) points.push_back(known[i]->point);
  return points;
}

}  // namespace dwarfsweep
