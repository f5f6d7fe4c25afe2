#include "tests/property/draw_number.hpp"

#include <rapidcheck/gen/Numeric.h>
#include <rapidcheck/gen/Select.h>

#include <algorithm>
#include <cmath>

namespace dwarfsweep::property {
namespace {

// Uniform in the logarithm.
std::int64_t draw_logarithmic(std::int64_t least, std::int64_t most) {
  constexpr int steps = 1 << 20;
  const double position = static_cast<double>(*rc::gen::inRange(0, steps)) / steps;
  const double width = static_cast<double>(most - least) + 1;
  return std::min(most, least + static_cast<std::int64_t>(std::pow(width, position)) - 1);
}

bool is_prime(std::int64_t number) {
  for (std::int64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return number > 1;
}

}  // namespace

std::int64_t prime_up_to(std::int64_t number) {
  while (number >= 2 && !is_prime(number)) --number;
  return number;
}

std::int64_t root(std::int64_t number, std::size_t n) {
  return static_cast<std::int64_t>(std::pow(static_cast<double>(number), 1.0 / static_cast<double>(n)));
}

std::int64_t draw_number(std::int64_t least, std::int64_t most, const std::vector<std::int64_t>& marks) {
  const int percent = *rc::gen::inRange(0, 100);
  const auto within = [&](std::int64_t number) { return std::clamp(number, least, most); };
  if (percent < 15) return within(least + *rc::gen::inRange(0, 3));
  if (percent < 60 && !marks.empty()) {
    const std::int64_t mark = std::max<std::int64_t>(1, *rc::gen::elementOf(marks));
    const std::int64_t multiple = draw_logarithmic(1, std::max<std::int64_t>(1, most / mark));
    return within(mark * multiple + *rc::gen::inRange(-1, 2));
  }
  const std::int64_t any = draw_logarithmic(least, most);
  if (percent < 70) return within((std::int64_t{1} << std::ilogb(any + 1)) + *rc::gen::inRange(-1, 2));
  return percent < 85 ? within(prime_up_to(any)) : any;
}

double draw_real(const ProblemKey& key) {
  constexpr double modest = 1000;  // results with larger factors overflow
  std::vector<double> special{key.preset.real(), 0, 1, -1};
  for (const double bound : {key.minimum, key.maximum}) {
    if (std::abs(bound) <= modest) special.push_back(bound);
  }
  const bool is_special = *rc::gen::inRange(0, 2) == 0;
  const double value = is_special ? *rc::gen::elementOf(special) : *rc::gen::inRange(-256, 257) / 64.0;
  return std::clamp(value, key.minimum, key.maximum);
}

}  // namespace dwarfsweep::property
