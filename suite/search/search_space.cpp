#include "suite/search/search_space.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/space/error.hpp"

namespace dwarfsweep {

bool comes_before(const Value& left, const Value& right) {
  const bool texts = left.is_string() || right.is_string();
  return texts ? left.to_string() < right.to_string() : left.real() < right.real();
}

SearchSpace::SearchSpace(std::vector<SpacePart> parts) : parts_(std::move(parts)) {
  constexpr PointNumber max_numbers = PointNumber{1} << 63;
  for (SpacePart& part : parts_) {
    part.first = numbers_;
    part.count = 1;
    for (const SearchAxis& axis : part.axes) {
      if (part.count > max_numbers / std::max<std::size_t>(1, axis.values.size()))
        throw UsageError("the space has more than 2^63 points; fix some axes (--set axis=value)");
      part.count *= axis.values.size();
    }
    if (part.count > max_numbers - numbers_)
      throw UsageError("the space has more than 2^63 points; fix some axes (--set axis=value)");
    numbers_ += part.count;
  }
}

Coordinates SearchSpace::coordinates(PointNumber point) const {
  Coordinates result;
  while (result.part + 1 < parts_.size() && point >= parts_[result.part + 1].first) ++result.part;
  const SpacePart& part = parts_[result.part];
  result.digits.resize(part.axes.size());
  PointNumber rest = point - part.first;
  for (std::size_t i = part.axes.size(); i-- > 0;) {
    const PointNumber radix = part.axes[i].values.size();
    result.digits[i] = static_cast<std::uint32_t>(rest % radix);
    rest /= radix;
  }
  return result;
}

PointNumber SearchSpace::number(const Coordinates& coordinates) const {
  const SpacePart& part = parts_[coordinates.part];
  PointNumber number = 0;
  for (std::size_t i = 0; i < part.axes.size(); ++i)
    number = number * part.axes[i].values.size() + coordinates.digits[i];
  return part.first + number;
}

ValueMap SearchSpace::values(PointNumber point) const {
  const Coordinates at = coordinates(point);
  const SpacePart& part = parts_[at.part];
  ValueMap values = part.fixed;
  for (std::size_t i = 0; i < part.axes.size(); ++i)
    values = values.with(part.axes[i].name, part.axes[i].values[at.digits[i]]);
  return values;
}

std::optional<PointNumber> SearchSpace::try_draw(Random& random) const {
  if (numbers_ == 0) return std::nullopt;
  const PointNumber point = random.below(numbers_);
  return is_legal(point) ? std::optional(point) : std::nullopt;
}

std::optional<PointNumber> SearchSpace::next_legal(PointNumber first, std::uint64_t max_scan) const {
  const PointNumber end = first + std::min<PointNumber>(max_scan, numbers_ - std::min(first, numbers_));
  for (PointNumber point = first; point < end; ++point) {
    if (is_legal(point)) return point;
  }
  return std::nullopt;
}

}  // namespace dwarfsweep
