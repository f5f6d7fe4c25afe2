// What the tests use of Catch2: of version 3 (Ubuntu 24.04) the headers for that, since all take twice
// as long to compile; version 2 (Debian 12) is one header.
#pragma once

#include <string>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
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
