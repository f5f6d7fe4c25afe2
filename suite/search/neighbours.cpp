#include "suite/search/neighbours.hpp"

#include <algorithm>

namespace dwarfsweep {
namespace {

using Digits = std::vector<std::uint32_t>;

// The values that an axis may take instead of `digit`.
Digits steps_of(const SearchAxis& axis, std::uint32_t digit) {
  Digits others;
  for (std::uint32_t value = 0; value < axis.values.size(); ++value) {
    const bool next = value + 1 == digit || value == digit + 1;
    if (value != digit && (next || !axis.ordered)) others.push_back(value);
  }
  return others;
}

// The factor of each digit in the point's number.
std::vector<PointNumber> weights_of(const SpacePart& part) {
  std::vector<PointNumber> weights(part.axes.size(), 1);
  for (std::size_t i = part.axes.size(); i-- > 1;) weights[i - 1] = weights[i] * part.axes[i].values.size();
  return weights;
}

struct Change {
  std::size_t axis;
  PointNumber difference;  // to the point's number, modulo 2^64
  bool legal;              // alone
};

std::vector<Change> single_changes(const SearchSpace& space, PointNumber point, bool all_values) {
  const Coordinates at = space.coordinates(point);
  const SpacePart& part = space.parts()[at.part];
  const std::vector<PointNumber> weights = weights_of(part);
  std::vector<Change> changes;
  for (std::size_t axis = 0; axis < part.axes.size(); ++axis) {
    const auto count = static_cast<std::uint32_t>(part.axes[axis].values.size());
    const auto add = [&](std::uint32_t digit) {
      const PointNumber difference = (PointNumber{digit} - at.digits[axis]) * weights[axis];
      changes.push_back({axis, difference, space.is_legal(point + difference)});
    };
    if (all_values) {
      for (std::uint32_t digit = 0; digit < count; ++digit) {
        if (digit != at.digits[axis]) add(digit);
      }
    } else {
      for (const std::uint32_t digit : steps_of(part.axes[axis], at.digits[axis])) add(digit);
    }
  }
  return changes;
}

std::vector<PointNumber> legal_ones(const std::vector<Change>& changes, PointNumber point) {
  std::vector<PointNumber> points;
  for (const Change& change : changes) {
    if (change.legal) points.push_back(point + change.difference);
  }
  return points;
}

}  // namespace

std::vector<PointNumber> step_neighbours(const SearchSpace& space, PointNumber point) {
  return legal_ones(single_changes(space, point, false), point);
}

std::vector<PointNumber> axis_neighbours(const SearchSpace& space, PointNumber point) {
  return legal_ones(single_changes(space, point, true), point);
}

std::vector<PointNumber> pair_neighbours(const SearchSpace& space, PointNumber point) {
  const std::vector<Change> changes = single_changes(space, point, false);
  std::vector<PointNumber> points;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    for (std::size_t j = i + 1; j < changes.size(); ++j) {
      if (changes[i].axis == changes[j].axis || (changes[i].legal && changes[j].legal)) continue;
      const PointNumber other = point + changes[i].difference + changes[j].difference;
      if (space.is_legal(other)) points.push_back(other);
    }
  }
  return points;
}

std::vector<PointNumber> variant_neighbours(const SearchSpace& space, PointNumber point) {
  const std::size_t own = space.coordinates(point).part;
  std::vector<PointNumber> points;
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    const std::optional<PointNumber> start = space.parts()[part].default_point;
    if (part != own && start && space.is_legal(*start)) points.push_back(*start);
  }
  return points;
}

}  // namespace dwarfsweep
