// The tests that a dwarf gets by naming itself, over the odd problems that it tells of.
#pragma once

#include "dwarfs/registry.hpp"
#include "harness/error.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;        // NOLINT(google-build-using-namespace): a header of tests alone
using namespace dwarfsweep::test;  // NOLINT(google-build-using-namespace)

#define STANDARD_DWARF_TESTS(name)                                                                    \
  TEST_CASE(name ": every axis varied from each variant's default", "[device][" name "][variants]") { \
    for (const ValueMap& problem : find_dwarf(name).info().checks.odd_problems)                       \
      check_one_at_a_time(find_dwarf(name), problem);                                                 \
  }                                                                                                   \
  TEST_CASE(name ": random points", "[device][" name "][heavy]") {                                    \
    check_random_points(find_dwarf(name), find_dwarf(name).info().checks.odd_problems.back(), 4);     \
  }                                                                                                   \
  TEST_CASE(name ": the full space, at tiny and at an odd size", "[device][" name "][heavy][long]") { \
    check_full_space(find_dwarf(name), find_dwarf(name).info().checks.odd_problems.back(), 100);      \
  }                                                                                                   \
  TEST_CASE(name ": the host's versions", "[" name "]") {                                             \
    for (const ValueMap& problem : find_dwarf(name).info().checks.odd_problems)                       \
      check_host(find_dwarf(name), problem);                                                          \
  }                                                                                                   \
  TEST_CASE(name ": the kernel's parameter table", "[" name "]") {                                    \
    check_parameter_table(find_dwarf(name));                                                          \
  }                                                                                                   \
  TEST_CASE(name ": what is no problem is refused", "[" name "]") {                                   \
    for (const ProblemKey& key : find_dwarf(name).info().keys)                                        \
      if (!key.preset.is_string())                                                                    \
        CHECK_THROWS_AS(generated(find_dwarf(name), {{key.name, key.minimum - 1}}), UsageError);      \
  }
