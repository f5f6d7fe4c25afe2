#include "harness/run/array_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace dwarfsweep {

Check check_elements(const std::string& name, std::span<const float> got,
                     const std::function<Expected(std::size_t)>& expected) {
  Check check{true, 0, 0, ""};
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto [value, tolerance] = expected(i);
    const double error = std::abs(static_cast<double>(got[i]) - value);
    check.max_error = std::max(check.max_error, error);
    check.tolerance = std::max(check.tolerance, tolerance);
    if (error <= tolerance) continue;
    const std::string message =
        fmt::format("{}[{}] is {:.9g}, expected {:.9g} +- {:.2g}", name, i, got[i], value, tolerance);
    return {false, error, tolerance, message};
  }
  return check;
}

Check check_elements(const std::string& name, std::span<const std::uint32_t> got,
                     const std::function<std::uint32_t(std::size_t)>& expected) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (const std::uint32_t value = expected(i); got[i] != value)
      return {false, 1, 0, fmt::format("{}[{}] is {:#010x}, expected {:#010x}", name, i, got[i], value)};
  }
  return {true, 0, 0, ""};
}

Check ArrayCase::check() const {
  Check all{true, 0, 0, ""};
  for (const auto& check : checks_) {
    const Check one = check();
    if (!one.ok) return one;
    all.max_error = std::max(all.max_error, one.max_error);
    all.tolerance = std::max(all.tolerance, one.tolerance);
  }
  return all;
}

std::size_t ArrayCase::elements_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace dwarfsweep
