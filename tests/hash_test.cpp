#include "harness/space/text.hpp"

#include "tests/catch.hpp"

using namespace dwarfsweep;

// The values are from the authors' test suite (draft-eastlake-fnv).
TEST_CASE("FNV-1a gives the published hashes", "[unit]") {
  CHECK(fnv1a("") == 0xcbf29ce484222325U);
  CHECK(fnv1a("a") == 0xaf63dc4c8601ec8cU);
  CHECK(fnv1a("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("a hash continues from that of the preceding bytes", "[unit]") {
  CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
}
