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

TEST_CASE("an #include is seen however an editor writes it", "[unit]") {
  const std::string part = "#line 1 \"part.cl\"\nof the part\n";
  const auto text_of = [](const std::string& line) {
    return kernel_text("whole", "", {{"whole", line + "\nlast\n"}, {"part", "of the part\n"}});
  };
  const std::string alone = part + "#line 2 \"whole.cl\"\nlast\n";
  CHECK(text_of("#include \"part.cl\"") == alone);
  CHECK(text_of("#include \"part.cl\"\r") == alone);
  CHECK(text_of("  #include \"part.cl\"  ") == alone);
  CHECK(text_of("\t# include\t\"part.cl\"") == alone);
  CHECK(text_of("#include\"part.cl\"") == alone);
  CHECK(text_of("#include \"part.cl\"  // a comment") == part + "#line 1 \"whole.cl\"\n// a comment\nlast\n");
  CHECK(text_of("#include \"part.cl\" /* begins") == part + "#line 1 \"whole.cl\"\n/* begins\nlast\n");
  // These are for the device's compiler.
  for (const std::string line : {"#include <part.cl>", "#include \"part.h\"", "// #include \"part.cl\"",
                                 "#include \"part.cl\" and more", "#include \"part.cl"}) {
    CHECK(text_of(line) == line + "\nlast\n");
  }
}

TEST_CASE("kernel files that include each other are refused", "[unit]") {
  const test::ScratchDirectory folder;
  folder.file("one.cl", "#include \"two.cl\"\n");
  folder.file("two.cl", "#include \"one.cl\"\n");
  folder.file("itself.cl", "#include \"itself.cl\"\n");
  CHECK_THROWS_WITH(
      kernel_text("one", folder.path()),
      "kernel files include each other without end: one.cl -> two.cl -> one.cl; remove one of these "
      "#include lines");
  CHECK_THROWS_WITH(kernel_text("itself", folder.path()), contains("itself.cl -> itself.cl;"));
  // The same file twice is no cycle.
  folder.file("twice.cl", "#include \"part.cl\"\n#include \"part.cl\"\n");
  folder.file("part.cl", "part\n");
  CHECK(kernel_text("twice", folder.path()).find("part\n#line 3") != std::string::npos);
}

TEST_CASE("an empty kernel file is called so", "[unit]") {
  const test::ScratchDirectory folder;
  folder.file("empty.cl", "");
  CHECK_THROWS_WITH(kernel_text("empty", folder.path()), contains("empty.cl' is empty"));
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
