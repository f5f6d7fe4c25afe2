#include "harness/kernel_source.hpp"

#include "harness/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
using test::contains;

TEST_CASE("an included kernel file stands where it is named, and lines keep their numbers", "[unit]") {
  const test::ScratchDirectory folder;
  folder.file("whole.cl", "first\n#include \"part.cl\"\nthird\n");
  folder.file("part.cl", "of the part\n");
  CHECK(kernel_text("whole", folder.path()) ==
        "first\n#line 1 \"part.cl\"\nof the part\n#line 3 \"whole.cl\"\nthird\n");
  folder.file("whole.cl", "#include \"elsewhere.cl\"\n");
  CHECK_THROWS_WITH(kernel_text("whole", folder.path()), contains("cannot read the kernel file"));
  CHECK_THROWS_WITH(kernel_text("no such kernel", ""),
                    contains("there is no kernel file 'no such kernel.cl'"));
}

TEST_CASE("no kernel file in the program names one that is not there", "[unit]") {
  REQUIRE_FALSE(embedded_kernels().empty());
  for (const KernelSource& source : embedded_kernels()) {
    CAPTURE(source.name);
    CHECK(kernel_text(source.name, "").find("\n#include") == std::string::npos);
  }
}
