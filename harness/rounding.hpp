// Division and rounding upwards of whole numbers that are not negative.
#pragma once

#include <concepts>
#include <type_traits>

namespace dwarfsweep {

/// How many pieces of `piece` it takes to cover `value`.
template <std::integral T>
constexpr T divided_up(T value, std::type_identity_t<T> piece) {
  return value / piece + (value % piece != 0 ? 1 : 0);
}

/// The smallest multiple of `multiple` that is not below `value`.
template <std::integral T>
constexpr T rounded_up(T value, std::type_identity_t<T> multiple) {
  return divided_up(value, multiple) * multiple;
}

}  // namespace dwarfsweep
