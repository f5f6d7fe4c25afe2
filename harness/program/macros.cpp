#include "harness/program/macros.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
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

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The names in a program, without its comments. Numbers are among them.
std::set<std::string, std::less<>> names_in(std::string_view text) {
  std::set<std::string, std::less<>> names;
  for (std::size_t i = 0; i < text.size();) {
    const bool line_comment = text.substr(i, 2) == "//";
    if (line_comment || text.substr(i, 2) == "/*") {
      i = std::min(text.find(line_comment ? "\n" : "*/", i + 2), text.size());
      if (!line_comment) i = std::min(i + 2, text.size());
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_of_name(text[end])) ++end;
    if (end > i) names.emplace(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return names;
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
    Definition definition{upper(axis.name), "", "", "",
                          std::ranges::find(shared_axes, axis.name) != shared_axes.end()};
    const std::string& name = definition.name;
    const Value& value = config.at(axis.name);
    std::vector<std::string> allowed;
    if (value.is_integer()) {
      definition.option = fmt::format(" -D {}={}", name, value.integer());
      for (const Value& each : axis.values) allowed.push_back(each.to_string());
    } else {
      // Numbered from 1, so that a misspelt name, which the preprocessor takes for 0, equals none of them.
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        allowed.push_back(fmt::format("{}_{}", name, upper(axis.values[i].string())));
        definition.values += fmt::format(" -D {}={}", allowed.back(), i + 1);
      }
      definition.option = fmt::format(" -D {}={}_{}", name, name, upper(value.string()));
    }
    std::string illegal;
    for (const std::string& each : allowed) illegal += fmt::format(" && {} != {}", name, each);
    definition.guard =
        guard(name, fmt::format(" || ({})", illegal.substr(4)), fmt::format("{}", fmt::join(allowed, ", ")));
    definitions_.push_back(definition);
  }
}

Macros& Macros::define(const std::string& name, std::int64_t value) {
  definitions_.push_back(
      {name, fmt::format(" -D {}={}", name, value), guard(name, "", "defined"), "", false});
  return *this;
}

std::string Macros::options() const {
  std::string all;
  for (const Definition& each : definitions_) all += each.values + each.option;
  return all;
}

Macros::Used Macros::used_in(std::string_view text) const {
  const std::set<std::string, std::less<>> names = names_in(text);
  Used used;
  for (const Definition& each : definitions_) {
    const bool is_used = each.is_shared || names.contains(each.name);
    const auto value = names.lower_bound(each.name + "_");
    if (is_used || (value != names.end() && value->starts_with(each.name + "_"))) used.options += each.values;
    if (!is_used) continue;
    used.options += each.option;
    used.guards += each.guard;
  }
  return used;
}

Macros& Macros::let_lanes_shuffle(const Lanes& lanes) {
  lanes_ = lanes;
  return define("SHUFFLE", static_cast<std::int64_t>(lanes.method))
      .define("SUB_GROUP", lanes.count)
      .define("REQUIRE_SUB_GROUP", lanes.requires_subgroup_size ? 1 : 0);
}

}  // namespace dwarfsweep
