#include "harness/program/macros.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace dwarfsweep {
namespace {

constexpr std::int64_t min_lanes = 8;
constexpr std::int64_t max_lanes = 64;
constexpr std::int64_t ptx_lanes = 32;  // of a warp, as the PTX ISA has it

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string guard(const std::string& name, const std::string& illegal, const std::string& allowed) {
  return fmt::format("#if !defined({0}){1}\n#error \"{0} must be {2}\"\n#endif\n", name, illegal, allowed);
}

}  // namespace

std::vector<std::int64_t> lane_counts(const Capabilities& device) {
  if (device.inline_ptx) return {ptx_lanes};
  std::vector<std::int64_t> counts;
  if (!device.sub_group_shuffles) return counts;
  const std::vector<std::uint32_t>& sizes = device.sub_group_sizes;
  for (std::int64_t count = min_lanes; count <= max_lanes; count *= 2) {
    if (sizes.empty() || std::find(sizes.begin(), sizes.end(), count) != sizes.end()) counts.push_back(count);
  }
  return counts;
}

std::vector<std::int64_t> certain_lane_counts(const Capabilities& device) {
  if (device.inline_ptx || device.requires_sub_group_size || device.sub_group_sizes.size() == 1)
    return lane_counts(device);
  return {};
}

Lanes shuffling_lanes(const Capabilities& device, std::int64_t count) {
  const std::vector<std::int64_t> counts = lane_counts(device);
  if (std::find(counts.begin(), counts.end(), count) == counts.end()) return {};
  if (device.inline_ptx) return {Shuffle::ptx, count, false};
  return {Shuffle::sub_groups, count, device.requires_sub_group_size};
}

Macros::Macros(const Space& space, const Config& config) {
  for (const Axis& axis : space.axes()) {
    const std::string name = upper(axis.name);
    const Value& value = config.at(axis.name);
    std::vector<std::string> allowed;
    if (value.is_integer()) {
      options_ += fmt::format(" -D {}={}", name, value.integer());
      for (const Value& each : axis.values) allowed.push_back(each.to_string());
    } else {
      // Numbered from 1, so that a misspelt name, which the preprocessor takes for 0, equals none of them.
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        allowed.push_back(fmt::format("{}_{}", name, upper(axis.values[i].string())));
        options_ += fmt::format(" -D {}={}", allowed.back(), i + 1);
      }
      options_ += fmt::format(" -D {}={}_{}", name, name, upper(value.string()));
    }
    std::string illegal;
    for (const std::string& each : allowed) illegal += fmt::format(" && {} != {}", name, each);
    guards_ +=
        guard(name, fmt::format(" || ({})", illegal.substr(4)), fmt::format("{}", fmt::join(allowed, ", ")));
  }
}

Macros& Macros::define(const std::string& name, std::int64_t value) {
  options_ += fmt::format(" -D {}={}", name, value);
  guards_ += guard(name, "", "defined");
  return *this;
}

Macros& Macros::let_lanes_shuffle(const Lanes& lanes) {
  lanes_ = lanes;
  return define("SHUFFLE", static_cast<std::int64_t>(lanes.method))
      .define("SUB_GROUP", lanes.count)
      .define("REQUIRE_SUB_GROUP", lanes.requires_subgroup_size ? 1 : 0);
}

}  // namespace dwarfsweep
