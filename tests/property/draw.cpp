#include "tests/property/draw.hpp"

#include <rapidcheck/gen/Exec.h>
#include <rapidcheck/gen/Numeric.h>
#include <rapidcheck/gen/Select.h>

#include <algorithm>
#include <utility>

#include "tests/property/draw_number.hpp"

namespace dwarfsweep::property {
namespace {

constexpr std::size_t most_draws = 20'000;
constexpr std::uint64_t data_seeds = 1000;

Value draw_variant(const Space& space) {
  return *rc::gen::elementOf(space.find("variant").values);
}

Config draw_config(const Space& space, const Value& variant, const Capabilities& capabilities) {
  Config config = space.default_config(variant.string(), capabilities);
  for (const Axis& axis : space.axes()) {
    if (axis.name == "variant" || !Space::applies(axis, variant.string())) continue;
    config = config.with(axis.name, *rc::gen::elementOf(axis.values));
  }
  return config;
}

// What a kernel may divide a problem by: the configuration's numbers and the products of two and of three.
std::vector<std::int64_t> tiles_of(const Config& config) {
  std::vector<std::int64_t> numbers;
  for (const auto& [name, value] : config.entries()) {
    if (value.is_integer() && value.integer() > 1) numbers.push_back(value.integer());
  }
  std::vector<std::int64_t> tiles = numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      tiles.push_back(numbers[i] * numbers[j]);
      for (std::size_t k = 0; k < j; ++k) tiles.push_back(numbers[i] * numbers[j] * numbers[k]);
    }
  }
  return tiles;
}

// Most problems are small: many of them, and the boundaries are a larger part of each.
std::int64_t draw_size_limit(std::int64_t most) {
  const int percent = *rc::gen::inRange(0, 100);
  const std::int64_t limit = percent < 50 ? 2000 : percent < 80 ? 30'000 : percent < 95 ? 300'000 : most;
  return std::min(limit, most);
}

bool is_size(const ProblemKey& key, const RandomProblems& random) {
  constexpr double few_values = 16;
  return key.preset.is_integer() && key.maximum - key.minimum > few_values && !random.maxima.has(key.name);
}

// The keys that make up the problem's size, in random order: the first may take all of it, which leaves
// problems that are long and thin.
ValueMap draw_sizes(const DwarfInfo& info, ValueMap values, std::int64_t limit,
                    std::vector<std::int64_t> marks) {
  std::vector<const ProblemKey*> left;
  for (const ProblemKey& key : info.keys) {
    if (is_size(key, info.checks.random_problems)) left.push_back(&key);
  }
  while (!left.empty()) {
    const auto at = *rc::gen::inRange<std::size_t>(0, left.size());
    const ProblemKey& key = *left[at];
    const std::int64_t share = *rc::gen::inRange(0, 10) < 7 ? 2 * root(limit, left.size()) : limit;
    const auto least = static_cast<std::int64_t>(key.minimum);
    const auto most = std::min({share, limit, static_cast<std::int64_t>(key.maximum)});
    const std::int64_t value = draw_number(least, std::max(least, most), marks);
    values = values.with(key.name, value);
    limit /= std::max<std::int64_t>(1, value);
    marks.push_back(value);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return values;
}

Value draw_other(const ProblemKey& key, const RandomProblems& random, std::int64_t most_elements,
                 const std::vector<std::int64_t>& marks) {
  if (key.preset.is_string()) return *rc::gen::elementOf(key.choices);
  if (key.preset.is_real()) return draw_real(key);
  const Value* maximum = random.maxima.find(key.name);
  const auto least = static_cast<std::int64_t>(key.minimum);
  if (!maximum) return *rc::gen::inRange<std::int64_t>(least, static_cast<std::int64_t>(key.maximum) + 1);
  return draw_number(least, std::max(least, std::min(maximum->integer(), most_elements)), marks);
}

ValueMap draw_problem(const DwarfInfo& info, const Config& config, std::int64_t most_elements) {
  const RandomProblems& random = info.checks.random_problems;
  const std::vector<std::int64_t> tiles = tiles_of(config);
  ValueMap values;
  for (const ProblemKey& key : info.keys) values = values.with(key.name, key.preset);
  values = draw_sizes(info, values, draw_size_limit(most_elements), tiles);
  // Where a dwarf has several of them, all at their presets would hardly ever be drawn.
  const bool keeps_presets = *rc::gen::inRange(0, 10) < 4;
  for (const ProblemKey& key : info.keys) {
    if (is_size(key, random) || (keeps_presets && random.maxima.has(key.name) && info.keys.size() > 1))
      continue;
    values = values.with(key.name, draw_other(key, random, most_elements, tiles));
  }
  return random.fit ? random.fit(values) : values;
}

Batch draw_batch(const Dwarf& dwarf, const Capabilities& capabilities, const DrawLimits& limits) {
  Batch batch;
  const auto draw = [&](const Config& config) {
    Trial trial{&dwarf, draw_problem(dwarf.info(), config, limits.elements), config,
                *rc::gen::inRange<std::uint64_t>(1, data_seeds + 1)};
    const bool legal = is_legal(trial, capabilities);
    legal ? batch.trials.push_back(std::move(trial)) : static_cast<void>(++batch.rejected);
  };
  // A variant is kept until a point of it is legal, or those with many constraints would hardly be drawn; a
  // device may lack what one needs.
  while (batch.trials.empty() && batch.rejected < most_draws) {
    const Value variant = draw_variant(dwarf.space());
    const auto last = batch.rejected + most_draws / 10;
    while (batch.trials.empty() && batch.rejected < last) {
      draw(draw_config(dwarf.space(), variant, capabilities));
    }
  }
  for (int i = 1; i < limits.problems && !batch.trials.empty(); ++i) draw(batch.trials.front().config);
  return batch;
}

}  // namespace

rc::Gen<Batch> batches_of(const Dwarf& dwarf, const Capabilities& capabilities, const DrawLimits& limits) {
  return rc::gen::exec([&dwarf, capabilities, limits] { return draw_batch(dwarf, capabilities, limits); });
}

}  // namespace dwarfsweep::property
