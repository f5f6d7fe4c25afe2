#include "suite/output/config_difference.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace dwarfsweep {
namespace {

using Difference =
    std::vector<std::pair<std::size_t, Value>>;  // index of the axis in the configuration, value

bool value_less(const Value& a, const Value& b) {
  if (a.is_string() != b.is_string()) return b.is_string();
  return a.is_string() ? a.string() < b.string() : a.real() < b.real();
}

Difference differences(const Config& config, const Config& base) {
  Difference found;
  for (std::size_t i = 0; i < config.entries().size(); ++i) {
    const auto& [name, value] = config.entries()[i];
    if (name == "variant") continue;
    const Value* const other = base.find(name);
    if (other == nullptr || !(*other == value)) found.emplace_back(i, value);
  }
  return found;
}

}  // namespace

std::string difference_text(const Config& config, const Config& base) {
  std::string text;
  for (const auto& [axis, value] : differences(config, base)) {
    if (!text.empty()) text += ", ";
    text += config.entries()[axis].first + "=" + value.to_string();
  }
  return text;
}

bool difference_less(const Config& a, const Config& b, const Config& base) {
  const Difference left = differences(a, base);
  const Difference right = differences(b, base);
  if (left.size() != right.size()) return left.size() < right.size();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].first != right[i].first) return left[i].first < right[i].first;
    if (!(left[i].second == right[i].second)) return value_less(left[i].second, right[i].second);
  }
  return false;
}

std::string variant_of(const Config& config) {
  const Value* const variant = config.find("variant");
  return variant == nullptr ? "" : variant->to_string();
}

const Config& most_typical(const std::vector<Config>& configs) {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  Config typical;
  for (const Config& config : configs) {
    for (const auto& [axis, value] : config.entries()) {
      const std::size_t count = ++counts[axis][value.to_string()];
      const Value* const best = typical.find(axis);
      if (best == nullptr || count > counts[axis][best->to_string()]) typical = typical.with(axis, value);
    }
  }
  return *std::min_element(configs.begin(), configs.end(), [&](const Config& a, const Config& b) {
    return differences(a, typical).size() < differences(b, typical).size();
  });
}

}  // namespace dwarfsweep
