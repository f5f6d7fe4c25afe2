// template: the standard tests, and one result by hand.
#include "tests/standard_tests.hpp"

STANDARD_DWARF_TESTS("template")

TEST_CASE("template: three elements by hand", "[device][template]") {
  const Dwarf& dwarf = find_dwarf("template");
  const Dump dump = dumped(dwarf, generated(dwarf, {{"n", 3}}), dwarf.space().baseline());
  for (int i = 0; i < 3; ++i)
    CHECK(dump.floats.at("y")[i] == dump.floats.at("x")[i] * dump.floats.at("x")[i]);
}
