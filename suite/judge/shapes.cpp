#include "suite/judge/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

class Draw {
 public:
  Draw(const DwarfInfo& info, Random& random) : info_(info), random_(random) {}

  ValueMap problem(const Config& config, std::int64_t most_elements) {
    const auto& odd = info_.checks.odd_problems;
    if (!odd.empty() && random_.below(3) == 0) return odd[random_.below(odd.size())];
    ValueMap values;
    std::vector<const ProblemKey*> sizes;
    for (const ProblemKey& key : info_.keys) {
      values = values.with(key.name, key.preset);
      if (is_size(key)) sizes.push_back(&key);
    }
    random_.shuffle(sizes);
    std::int64_t left = most_elements;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double share = std::pow(static_cast<double>(left), 1.0 / static_cast<double>(sizes.size() - i));
      const std::int64_t most = random_.below(4) == 0 ? left : 2 * static_cast<std::int64_t>(share);
      const std::int64_t value = number(*sizes[i], std::min(most, left), config);
      values = values.with(sizes[i]->name, value);
      left = std::max<std::int64_t>(1, left / std::max<std::int64_t>(1, value));
    }
    const bool keeps_presets = random_.below(3) == 0;
    for (const ProblemKey& key : info_.keys) {
      if (!is_size(key) && !keeps_presets) values = values.with(key.name, other(key, most_elements, config));
    }
    const auto& fit = info_.checks.random_problems.fit;
    return fit ? fit(values) : values;
  }

 private:
  [[nodiscard]] bool is_size(const ProblemKey& key) const {
    constexpr double few_values = 16;
    return key.preset.is_integer() && key.maximum - key.minimum > few_values &&
           !info_.checks.random_problems.maxima.has(key.name);
  }

  // The least ones, or a number of any magnitude: itself, or a multiple of one of the configuration's, or
  // beside that.
  std::int64_t number(const ProblemKey& key, std::int64_t limit, const Config& config) {
    const auto least = static_cast<std::int64_t>(key.minimum);
    const std::int64_t most = std::max(least, std::min(limit, static_cast<std::int64_t>(key.maximum)));
    const auto any =
        static_cast<std::int64_t>(std::pow(static_cast<double>(most - least) + 1, random_.uniform01()) - 1 +
                                  static_cast<double>(least));
    std::int64_t value = any;
    std::vector<std::int64_t> tiles;
    for (const auto& [name, setting] : config.entries()) {
      if (setting.is_integer() && setting.integer() > 1) tiles.push_back(setting.integer());
    }
    const auto choice = random_.below(10);
    if (choice == 0) {
      value = least + static_cast<std::int64_t>(random_.below(3));
    } else if (choice < 6 && !tiles.empty()) {
      const std::int64_t tile = tiles[random_.below(tiles.size())];
      value = any / tile * tile + static_cast<std::int64_t>(random_.below(3)) - 1;
    }
    return std::clamp(value, least, most);
  }

  Value other(const ProblemKey& key, std::int64_t most_elements, const Config& config) {
    if (key.preset.is_string()) {
      if (key.choices.empty()) return key.preset;
      return key.choices[random_.below(key.choices.size())];
    }
    if (key.preset.is_real()) {
      return std::clamp((static_cast<double>(random_.below(512)) - 256) / 64, key.minimum, key.maximum);
    }
    const Value* const maximum = info_.checks.random_problems.maxima.find(key.name);
    return number(key, maximum ? std::min(maximum->integer(), most_elements) : INT64_MAX, config);
  }

  const DwarfInfo& info_;
  Random& random_;
};

}  // namespace

std::optional<Problem> draw_shape(const Dwarf& dwarf, const Config& config, const Capabilities& capabilities,
                                  std::int64_t most_elements, Random& random) {
  constexpr int most_draws = 500;
  const DwarfInfo& info = dwarf.info();
  for (int i = 0; i < most_draws; ++i) {
    try {
      const ValueMap values = Draw(info, random).problem(config, most_elements);
      Problem problem = make_problem(info.name, info.keys, {"custom", values});
      if (!dwarf.space().why_rejected({config, problem, capabilities})) return problem;
    } catch (const UsageError&) {
      // Keys that do not go together.
    }
  }
  return std::nullopt;
}

}  // namespace dwarfsweep
