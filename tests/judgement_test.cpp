// `judge` without a device: files that kernels must not include, times that cannot be true, and the JSON
// form.
#include "suite/judge/judgement.hpp"

#include <nlohmann/json.hpp>

#include "suite/judge/kernel_files.hpp"
#include "suite/record/json.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

TEST_CASE("a time that the device's bandwidths rule out", "[judge]") {
  const std::map<std::string, double> peaks = {
      {"write_gb_per_s", 20}, {"read_64_kib_gb_per_s", 100}, {"gflop_per_s", 1e6}};
  // 1 MB at 100 GB/s takes 10,000 ns.
  CHECK_FALSE(find_impossible_time(peaks, 1e6, 10'000));
  CHECK_FALSE(find_impossible_time(peaks, 1e6, 5'001));
  const auto finding = find_impossible_time(peaks, 1e6, 4'999);
  REQUIRE(finding);
  CHECK(finding->kind == "too_fast");
  CHECK(finding->detail.find("100 GB/s") != std::string::npos);
  CHECK_FALSE(find_impossible_time({}, 1e6, 1));
  CHECK_FALSE(find_impossible_time({{"gflop_per_s", 1e6}}, 1e6, 1));
}

TEST_CASE("judgements: the verdict is that of the first finding, and JSON has all keys", "[judge]") {
  Judgement judgement;
  CHECK(judgement.verdict() == "correct");
  judgement.findings = {{"too_fast", "x"}, {"wrong_result", "y"}};
  CHECK(judgement.verdict() == "cheats");
  CHECK(verdict_of("nondeterministic") == "wrong");
  CHECK(verdict_of("hangs") == "fails");
  const Json json = Json::parse(judgement_as_json(judgement));
  for (const char* key : {"schema_version", "verdict", "findings", "score", "device", "dwarf", "problem",
                          "config", "seed", "unchanged", "trials", "seconds"})
    CHECK(json.contains(key));
}

TEST_CASE("kernels may include kernel files only, however the line is spelled", "[judge]") {
  for (const char* text :
       {"#include \"saxpy/vectors.cl\"\n", "int a; // #include \"/etc/passwd\"\n", "/* \n#include <x>\n*/\n"})
    CHECK_FALSE(foreign_include(text));
  for (const char* text :
       {"#include \"/etc/passwd\"\n", "#include <stdio.h>\n", "#include \"../a.cl\"\n", "#include NAME\n",
        "%:include \"/x\"\n", "#in\\\nclude \"/x\"\n", "/**/ # /**/ include \"/x\"\n", "?\?=include \"/x\"\n",
        "#import \"/x\"\n", "#embed \"/x\"\n"})
    CHECK(foreign_include(text));
}
