#include "suite/search/search_space.hpp"

#include <algorithm>

#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {
namespace {

std::vector<SpacePart> searched_parts(const std::vector<SearchedVariant>& variants) {
  std::vector<SpacePart> parts;
  for (const SearchedVariant& variant : variants) {
    SpacePart& part = parts.emplace_back();
    part.fixed = variant.default_config;
    for (const Axis& axis : variant.axes) part.axes.push_back(make_axis(axis.name, axis.values));
  }
  return parts;
}

// A change of one axis.
struct AxisChange {
  std::size_t axis;
  PointNumber difference;  // to the point's number, modulo 2^64
  bool legal;              // alone
};

enum class Reach { step, any_value };

// A step is to the next value, up or down, of an ordered axis, and to any other value of an unordered one.
std::vector<AxisChange> single_changes(const SearchSpace& space, PointNumber point, Reach reach) {
  const Coordinates at = space.coordinates(point);
  const SpacePart& part = space.parts()[at.part];
  std::vector<PointNumber> weights(part.axes.size(), 1);  // of each digit in the point's number
  for (std::size_t i = part.axes.size(); i-- > 1;) weights[i - 1] = weights[i] * part.axes[i].values.size();
  std::vector<AxisChange> changes;
  for (std::size_t i = 0; i < part.axes.size(); ++i) {
    const SearchAxis& axis = part.axes[i];
    const std::uint32_t digit = at.digits[i];
    for (std::uint32_t other = 0; other < axis.values.size(); ++other) {
      const bool is_step = !axis.ordered || other + 1 == digit || other == digit + 1;
      if (other == digit || (reach == Reach::step && !is_step)) continue;
      const PointNumber difference = (PointNumber{other} - digit) * weights[i];
      changes.push_back({i, difference, space.is_legal(point + difference)});
    }
  }
  return changes;
}

std::vector<PointNumber> legal_changes(const SearchSpace& space, PointNumber point, Reach reach) {
  std::vector<PointNumber> points;
  for (const AxisChange& change : single_changes(space, point, reach)) {
    if (change.legal) points.push_back(point + change.difference);
  }
  return points;
}

}  // namespace

bool comes_before(const Value& left, const Value& right) {
  const bool texts = left.is_string() || right.is_string();
  return texts ? left.to_string() < right.to_string() : left.real() < right.real();
}

SearchAxis make_axis(const std::string& name, std::vector<Value> values) {
  std::ranges::sort(values, comes_before);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const bool ordered = std::ranges::none_of(values, [](const Value& value) { return value.is_string(); });
  return {name, std::move(values), ordered};
}

SearchSpace::SearchSpace(std::vector<SpacePart> parts) : parts_(std::move(parts)) {
  constexpr PointNumber max_numbers = PointNumber{1} << 63;
  const auto refuse = [] {
    throw UsageError("the space has more than 2^63 points; fix some axes (--set axis=value)");
  };
  for (SpacePart& part : parts_) {
    part.first = numbers_;
    part.count = 1;
    for (const SearchAxis& axis : part.axes) {
      if (part.count > max_numbers / std::max<std::size_t>(1, axis.values.size())) refuse();
      part.count *= axis.values.size();
    }
    if (part.count > max_numbers - numbers_) refuse();
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

DwarfSpace::DwarfSpace(const Space& space, const Problem& problem, const Capabilities& device,
                       const std::vector<SearchedVariant>& variants)
    : SearchSpace(searched_parts(variants)), space_(space), problem_(problem), device_(device) {
  for (std::size_t part = 0; part < variants.size(); ++part) {
    if (const auto point = find(variants[part].default_config)) set_default(part, *point);
  }
}

void DwarfSpace::keep_shard(int index, int count) {
  shard_ = static_cast<std::uint64_t>(index - 1);
  shards_ = static_cast<std::uint64_t>(count);
}

bool DwarfSpace::is_legal(PointNumber point) const {
  if (shards_ > 1 && fnv1a(std::to_string(point)) % shards_ != shard_) return false;
  return !space_.why_rejected({values(point), problem_, device_});
}

std::optional<CarveMetrics> DwarfSpace::carve_metrics(PointNumber point) const {
  const auto found = metrics_.find(point);
  return found == metrics_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PointNumber> DwarfSpace::find(const Config& config) const {
  for (std::size_t i = 0; i < parts().size(); ++i) {
    const SpacePart& part = parts()[i];
    if (part.fixed.at("variant") != config.at("variant")) continue;
    Coordinates at{i, {}};
    for (const SearchAxis& axis : part.axes) {
      const Value* const wanted = config.find(axis.name);
      const auto value = wanted ? std::ranges::find(axis.values, *wanted) : axis.values.end();
      if (value == axis.values.end()) return std::nullopt;
      at.digits.push_back(static_cast<std::uint32_t>(value - axis.values.begin()));
    }
    const PointNumber point = number(at);
    return values(point) == config ? std::optional(point) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<PointNumber> step_neighbours(const SearchSpace& space, PointNumber point) {
  return legal_changes(space, point, Reach::step);
}

std::vector<PointNumber> axis_neighbours(const SearchSpace& space, PointNumber point) {
  return legal_changes(space, point, Reach::any_value);
}

std::vector<PointNumber> pair_neighbours(const SearchSpace& space, PointNumber point) {
  const std::vector<AxisChange> changes = single_changes(space, point, Reach::step);
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

}  // namespace dwarfsweep
