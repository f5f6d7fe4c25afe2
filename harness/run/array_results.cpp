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

}  // namespace

template <typename T>
Check check_elements(const std::string& name, std::span<const T> got,
                     const std::function<Expected(std::size_t)>& expected) {
  Check check{true, 0, 0, ""};
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto [value, tolerance] = expected(i);
    const double error = std::abs(static_cast<double>(got[i]) - value);
    check.max_error = std::max(check.max_error, error);
    check.tolerance = std::max(check.tolerance, tolerance);
    if (error <= tolerance) continue;
    const auto number = static_cast<double>(got[i]);
    const std::string message =
        fmt::format("{}[{}] is {:.9g}, expected {:.9g} +- {:.2g}", name, i, number, value, tolerance);
    return {false, error, tolerance, message};
  }
  return check;
}

template <typename T>
Check check_elements(const std::string& name, std::span<const T> got,
                     const std::function<std::type_identity_t<T>(std::size_t)>& expected) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (const T value = expected(i); got[i] != value)
      return {false, 1, 0,
              fmt::format("{}[{}] is {}, expected {}", name, i, text_of(got[i]), text_of(value))};
  }
  return {true, 0, 0, ""};
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
