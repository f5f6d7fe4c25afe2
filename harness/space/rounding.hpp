// Division and rounding upwards of integers that are not negative.
#pragma once

#include <concepts>
#include <type_traits>

namespace dwarfsweep {

/// How many pieces of `piece` it takes to cover `value`.
template <std::integral T>
constexpr T ceil_div(T value, std::type_identity_t<T> piece) {
  return value / piece + (value % piece != 0 ? 1 : 0);
}

/// The smallest multiple of `multiple` that is not below `value`.
template <std::integral T>
constexpr T round_up(T value, std::type_identity_t<T> multiple) {
  return ceil_div(value, multiple) * multiple;
}

}  // namespace dwarfsweep
