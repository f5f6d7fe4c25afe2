// saxpy: every axis over odd lengths, on devices and on the host, and one result by hand.
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

STANDARD_DWARF_TESTS("saxpy")

TEST_CASE("saxpy: one element by hand", "[device][saxpy]") {
  const Dwarf& saxpy = find_dwarf("saxpy");
  const Dump dump = dumped(saxpy, generated(saxpy, {{"n", 3}, {"a", -2.0}}), saxpy.space().baseline());
  for (int i = 0; i < 3; ++i)
    CHECK(dump.floats.at("y")[i] ==
          Approx(dump.floats.at("y_in")[i] - 2 * dump.floats.at("x")[i]).margin(1e-6));
}

TEST_CASE("saxpy: few groups share all vectors", "[device][saxpy][variants]") {
  const auto of = [](const char* variant, ValueMap settings) { return settings.with("variant", variant); };
  check_settings(find_dwarf("saxpy"),
                 {of("interleaved", {{"groups", 1}}),
                  of("chunked", {{"groups", 2}, {"granularity", 1}, {"work_group", 16}, {"vector_width", 2}}),
                  of("staged", {{"groups", 1}, {"granularity", 1}, {"work_group", 16}, {"vector_width", 1}}),
                  of("staged", {{"groups", 2},
                                {"granularity", 1},
                                {"work_group", 32},
                                {"vector_width", 2},
                                {"buffering", "double"},
                                {"padding", 1}})},
                 {{{"n", 1}}, {{"n", 5003}, {"a", -0.25}}});
}
