#include "harness/space/space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

std::string joined(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(value.to_string());
  return fmt::format("{}", fmt::join(texts, ", "));
}

const Value& checked(const Axis& axis, const Value& value) {
  const auto found = std::find(axis.values.begin(), axis.values.end(), value);
  if (found != axis.values.end()) return *found;
  throw UsageError(fmt::format("axis '{}' has no value '{}'; it takes {}", axis.name, value.to_string(),
                               joined(axis.values)));
}

}  // namespace

Axis::Axis(std::string_view axis_name, std::string_view axis_meaning, ValueList axis_values,
           const Literal& axis_baseline, NameList axis_variants, ValueList values_by_name)
    : name(axis_name),
      meaning(axis_meaning),
      values(std::move(axis_values.values)),
      baseline(axis_baseline.value()),
      variants(std::move(axis_variants.names)),
      by_name(std::move(values_by_name.values)) {}
Axis::Axis(const Axis&) = default;
Axis::Axis(Axis&&) noexcept = default;
Axis& Axis::operator=(const Axis&) = default;
Axis& Axis::operator=(Axis&&) noexcept = default;
Axis::~Axis() = default;

Space::Space() = default;
Space::Space(const Space&) = default;
Space::Space(Space&&) noexcept = default;
Space& Space::operator=(const Space&) = default;
Space& Space::operator=(Space&&) noexcept = default;
Space::~Space() = default;

Space& Space::axis(Axis axis) {
  if (axes_.empty() && axis.name != "variant") throw std::logic_error("the first axis must be 'variant'");
  checked(axis, axis.baseline);
  axes_.push_back(std::move(axis));
  return *this;
}

Space& Space::default_setting(std::string_view variant, ValueMap values,
                              std::function<bool(const Capabilities&)> where) {
  checked(find("variant"), std::string(variant));
  default_settings_.push_back({std::string(variant), std::move(values), std::move(where)});
  return *this;
}

Space& Space::constrain(std::string_view reason, std::function<bool(const Point&)> allows) {
  constraints_.push_back({std::string(reason), std::move(allows)});
  return *this;
}

Space& Space::local_bytes(std::function<std::uint64_t(const Point&)> bytes) {
  local_bytes_ = std::move(bytes);
  return *this;
}

Space& Space::group_items(std::function<std::uint64_t(const Point&)> items) {
  group_items_ = std::move(items);
  return *this;
}

const Axis& Space::find(std::string_view name) const {
  for (const Axis& axis : axes_) {
    if (axis.name == name) return axis;
  }
  std::vector<std::string> known;
  for (const Axis& axis : axes_) known.push_back(axis.name);
  throw UsageError(fmt::format("there is no axis '{}'; there are {}", name, fmt::join(known, ", ")));
}

bool Space::applies(const Axis& axis, const std::string& variant) {
  return axis.variants.empty() ||
         std::find(axis.variants.begin(), axis.variants.end(), variant) != axis.variants.end();
}

Config Space::baseline() const {
  Config config;
  for (const Axis& axis : axes_) config = config.with(axis.name, axis.baseline);
  return config;
}

Config Space::default_config(const std::string& variant, const Capabilities& capabilities) const {
  Config config = baseline().with("variant", checked(find("variant"), variant));
  for (const auto& [name, values, where] : default_settings_) {
    if (name != variant || (where && !where(capabilities))) continue;
    for (const auto& [axis, value] : values.entries()) config = config.with(axis, checked(find(axis), value));
  }
  return config;
}

Config Space::set(const Config& base, const ValueMap& settings, const Capabilities& capabilities) const {
  Config config = base;
  if (const Value* variant = settings.find("variant"); variant && *variant != base.at("variant")) {
    config = default_config(variant->to_string(), capabilities);
  }
  for (const auto& [name, value] : settings.entries()) {
    const Axis& axis = find(name);
    config = config.with(name, checked(axis, value));
    if (!applies(axis, config.string("variant")) && value != axis.baseline) {
      throw UsageError(fmt::format("axis '{}' has a meaning only in the variants {}, not in '{}'", name,
                                   fmt::join(axis.variants, ", "), config.string("variant")));
    }
  }
  return config;
}

std::uint64_t Space::group_items_of(const Point& point) const {
  if (group_items_) return group_items_(point);
  return point.config.has("work_group") ? static_cast<std::uint64_t>(point["work_group"]) : 0;
}

std::vector<std::string> Space::constraint_reasons() const {
  std::vector<std::string> reasons;
  for (const Constraint& constraint : constraints_) reasons.push_back(constraint.reason);
  return reasons;
}

std::optional<std::string> Space::why_rejected(const Point& point) const {
  for (const Constraint& constraint : constraints_) {
    if (!constraint.allows(point)) return constraint.reason;
  }
  if (const std::uint64_t items = group_items_of(point); items > point.device.work_group_items) {
    return fmt::format("a work-group of {} work-items is more than the device's {}", items,
                       point.device.work_group_items);
  }
  if (local_bytes_) {
    if (const std::uint64_t bytes = local_bytes_(point); bytes > point.device.local_bytes) {
      return fmt::format("{} bytes of local memory are more than the device's {}", bytes,
                         point.device.local_bytes);
    }
  }
  return std::nullopt;
}

}  // namespace dwarfsweep
