#include "harness/program/kernel_source.hpp"

#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
using test::contains;

TEST_CASE("an #include is replaced by the kernel file, and lines keep their numbers", "[unit]") {
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

TEST_CASE("a kernel file of the caller goes before an embedded one", "[unit]") {
  const std::vector<KernelSource> own = {{"mine", "#include \"prelude.cl\"\n"}, {"prelude", "own\n"}};
  CHECK(kernel_text("mine", "", own) == "#line 1 \"prelude.cl\"\nown\n#line 2 \"mine.cl\"\n");
  CHECK(kernel_text("selftest", "", own) == kernel_text("selftest", ""));
}

TEST_CASE("every kernel file included by an embedded one is embedded", "[unit]") {
  REQUIRE_FALSE(embedded_kernels().empty());
  for (const KernelSource& source : embedded_kernels()) {
    CAPTURE(source.name);
    CHECK(kernel_text(source.name, "").find("\n#include") == std::string::npos);
  }
}
