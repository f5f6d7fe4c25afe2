// The tests that a dwarf gets by naming itself, over the odd problems that it declares.
#pragma once

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;        // NOLINT(google-build-using-namespace): a header of tests alone
using namespace dwarfsweep::test;  // NOLINT(google-build-using-namespace)

/// Each setting on each problem must be right.
inline void check_settings(const Dwarf& dwarf, const std::vector<ValueMap>& settings,
                           const std::vector<ValueMap>& problems) {
  for (const ValueMap& problem : problems) {
    const Loaded loaded = generated(dwarf, problem);
    for (const ValueMap& one : settings) {
      const Outcome outcome = run_point(dwarf, loaded, dwarf.space().set(dwarf.space().baseline(), one));
      INFO(problem.to_string() << " " << one.to_string() << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

#define STANDARD_DWARF_TESTS(dwarf_name)    \
  EVERY_AXIS_TEST(dwarf_name, "[variants]") \
  OTHER_STANDARD_TESTS(dwarf_name)

// For a dwarf of many values: with the tags [heavy][long], and settings of its own as [variants].
#define EVERY_AXIS_TEST(dwarf_name, tags)                                                                    \
  TEST_CASE(dwarf_name ": every axis varied from each variant's default", "[device][" dwarf_name "]" tags) { \
    for (const ValueMap& problem : find_dwarf(dwarf_name).info().checks.odd_problems)                        \
      check_one_at_a_time(find_dwarf(dwarf_name), problem);                                                  \
  }

#define OTHER_STANDARD_TESTS(dwarf_name)                                                                     \
  TEST_CASE(dwarf_name ": random points", "[device][" dwarf_name "][heavy]") {                               \
    check_random_points(find_dwarf(dwarf_name), find_dwarf(dwarf_name).info().checks.odd_problems.back(),    \
                        4);                                                                                  \
  }                                                                                                          \
  TEST_CASE(dwarf_name ": the full space, at tiny and at an odd size",                                       \
            "[device][" dwarf_name "][heavy][long]") {                                                       \
    check_full_space(find_dwarf(dwarf_name), find_dwarf(dwarf_name).info().checks.odd_problems.back(), 100); \
  }                                                                                                          \
  TEST_CASE(dwarf_name ": the host's versions", "[" dwarf_name "]") {                                        \
    for (const ValueMap& problem : find_dwarf(dwarf_name).info().checks.odd_problems)                        \
      check_host(find_dwarf(dwarf_name), problem);                                                           \
  }                                                                                                          \
  TEST_CASE(dwarf_name ": the kernel's parameter table", "[" dwarf_name "]") {                               \
    check_parameter_table(find_dwarf(dwarf_name));                                                           \
  }                                                                                                          \
  TEST_CASE(dwarf_name ": what is no problem is refused", "[" dwarf_name "]") {                              \
    for (const ProblemKey& key : find_dwarf(dwarf_name).info().keys)                                         \
      if (!key.preset.is_string())                                                                           \
        CHECK_THROWS_AS(generated(find_dwarf(dwarf_name), {{key.name, key.minimum - 1}}), UsageError);       \
  }
