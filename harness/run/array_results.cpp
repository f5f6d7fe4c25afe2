#include "harness/run/array_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dwarfsweep {
namespace {

// Words are patterns of bits more often than numbers.
template <typename T>
std::string text_of(T value) {
  if constexpr (std::is_same_v<T, std::uint32_t>) return fmt::format("{:#010x}", value);
  if constexpr (std::is_same_v<T, float>) return fmt::format("{:.9g}", value);
  return fmt::format("{}", value);
}

// Below this the start of the threads would take longer than the check.
constexpr std::size_t least_in_parallel = 1 << 16;

}  // namespace

template <typename T>
Check check_elements(const std::string& name, std::span<const T> got,
                     const std::function<Expected(std::size_t)>& expected) {
  double max_error = 0;
  double max_tolerance = 0;
  std::size_t wrong = got.size();
  const bool in_parallel = got.size() >= least_in_parallel;
#pragma omp parallel for reduction(max : max_error, max_tolerance) reduction(min : wrong) if (in_parallel)
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Expected right = expected(i);
    const double error = std::abs(static_cast<double>(got[i]) - right.value);
    max_error = std::max(max_error, error);
    max_tolerance = std::max(max_tolerance, right.tolerance);
    if (!(error <= right.tolerance)) wrong = std::min(wrong, i);  // also where the error is NaN
  }
  if (wrong == got.size()) return {true, max_error, max_tolerance, ""};
  const auto [value, tolerance] = expected(wrong);
  const auto number = static_cast<double>(got[wrong]);
  return {false, std::abs(number - value), tolerance,
          fmt::format("{}[{}] is {:.9g}, expected {:.9g} +- {:.2g}", name, wrong, number, value, tolerance)};
}

template <typename T>
Check check_elements(const std::string& name, std::span<const T> got,
                     const std::function<std::type_identity_t<T>(std::size_t)>& expected) {
  std::size_t wrong = got.size();
  const bool in_parallel = got.size() >= least_in_parallel;
#pragma omp parallel for reduction(min : wrong) if (in_parallel)
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != expected(i)) wrong = std::min(wrong, i);
  }
  if (wrong == got.size()) return {true, 0, 0, ""};
  return {
      false, 1, 0,
      fmt::format("{}[{}] is {}, expected {}", name, wrong, text_of(got[wrong]), text_of(expected(wrong)))};
}

#define INSTANTIATE(T)                                                           \
  template Check check_elements<T>(const std::string&, std::span<const T>,       \
                                   const std::function<Expected(std::size_t)>&); \
  template Check check_elements<T>(const std::string&, std::span<const T>,       \
                                   const std::function<T(std::size_t)>&);
INSTANTIATE(float)
INSTANTIATE(std::int32_t)
INSTANTIATE(std::uint32_t)
INSTANTIATE(std::uint8_t)
INSTANTIATE(std::int64_t)
#undef INSTANTIATE

Check both(const Check& one, const Check& other) {
  if (!one.ok || !other.ok) return one.ok ? other : one;
  return {true, std::max(one.max_error, other.max_error), std::max(one.tolerance, other.tolerance), ""};
}

}  // namespace dwarfsweep
