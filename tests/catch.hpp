// Catch2 by either of its names: version 2 (Debian 12) is one header, version 3 (Ubuntu 24.04) several.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
namespace dwarfsweep::test {
inline auto contains(const std::string& part) {
  return Catch::Matchers::ContainsSubstring(part);
}
}  // namespace dwarfsweep::test
#else
#include <catch2/catch.hpp>
namespace dwarfsweep::test {
inline auto contains(const std::string& part) {
  return Catch::Matchers::Contains(part);
}
}  // namespace dwarfsweep::test
#endif
