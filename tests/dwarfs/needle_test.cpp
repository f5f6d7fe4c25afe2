// Needleman-Wunsch: every point of its space over odd and empty sequences, alignments known by exhaustive
// search, and a check that finds planted errors.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dwarfs/needle/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/program/macros.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

const Dwarf& needle() {
  return find_dwarf("needle");
}

ValueMap problem_of(int m, int n, const char* scoring = "blosum62", int gap = 10) {
  return {{"m", m}, {"n", n}, {"scoring", scoring}, {"gap", gap}};
}

// Every variant at its start.
void check_variants(const ValueMap& problem) {
  const Loaded loaded = test::generated(needle(), problem);
  for (const Value& variant : needle().space().find("variant").values) {
    const test::Outcome outcome =
        test::run_point(needle(), loaded, needle().space().default_config(variant.string()));
    INFO(variant.string() << " of " << problem.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

Loaded loaded_pair(const SequencePair& letters, const char* scoring, int gap) {
  Problem problem = make_problem("needle", needle().info().keys,
                                 {"file", problem_of(static_cast<int>(letters.first.size()),
                                                     static_cast<int>(letters.second.size()), scoring, gap)});
  return {std::move(problem), std::make_shared<NeedleInput>(letters, scoring_of(scoring), gap)};
}

// The matrix by the definition, cell by cell.
struct Filled {
  explicit Filled(const NeedleInput& input)
      : stride(input.columns() + 1), cells((input.rows() + 1) * stride) {
    for (std::size_t i = 0; i <= input.rows(); ++i) {
      for (std::size_t j = 0; j <= input.columns(); ++j) {
        std::int32_t best = -input.gap() * static_cast<std::int32_t>(i + j);
        if (i > 0 && j > 0) {
          best = at(i - 1, j - 1) + input.scoring().score(input.first()[i - 1], input.second()[j - 1]);
          best = std::max({best, at(i - 1, j) - input.gap(), at(i, j - 1) - input.gap()});
        }
        at(i, j) = best;
      }
    }
  }
  std::int32_t& at(std::size_t i, std::size_t j) { return cells[i * stride + j]; }
  [[nodiscard]] ScoreMatrix view() const { return {cells.data(), stride}; }

  std::size_t stride;
  std::vector<std::int32_t> cells;
};

std::shared_ptr<const NeedleInput> random_input(int m, int n) {
  return std::dynamic_pointer_cast<const NeedleInput>(test::generated(needle(), problem_of(m, n)).input);
}

}  // namespace

TEST_CASE("needle: every axis varied from each variant's start", "[device][needle][axes]") {
  test::check_one_at_a_time(needle(), problem_of(35, 70));
}

TEST_CASE("needle: random points on several tiles, strips and bands", "[device][needle][heavy]") {
  test::check_random_points(needle(), problem_of(150, 213, "dna", 3), 12);
}

TEST_CASE("needle: a few points of the full space, at tiny and at an odd size", "[device][needle][heavy]") {
  test::check_full_space(needle(), problem_of(35, 71, "dna", 3), 4);
}

TEST_CASE("needle: the full space, at tiny and at an odd size", "[device][needle][heavy][long]") {
  test::check_full_space(needle(), problem_of(35, 71, "dna", 3), 100);
}

TEST_CASE("needle: empty sequences, single letters, and much longer than wide",
          "[device][needle][variants]") {
  for (const auto& [m, n] :
       {std::pair(0, 0), std::pair(0, 40), std::pair(40, 0), std::pair(1, 1), std::pair(17, 1)}) {
    check_variants(problem_of(m, n, "dna"));
  }
}

TEST_CASE("needle: longer sequences", "[device][needle][heavy]") {
  check_variants(problem_of(3, 1100));
  check_variants(problem_of(1100, 3));
  check_variants(problem_of(300, 1300, "blosum62", 0));
  check_variants(problem_of(90, 700, "dna", 1000));
}

TEST_CASE("needle: lanes shuffle in sub-groups of each size that a strip may have",
          "[device][needle][heavy]") {
  const auto counts = lane_counts(test::test_session().device().capabilities);
  if (counts.empty()) {
    SUCCEED("the device has no shuffles");
    return;
  }
  const Loaded loaded = test::generated(needle(), problem_of(77, 203));
  for (const char* variant : {"strip", "score_only"}) {
    for (const int lanes : {16, 32, 64}) {
      for (const auto& [columns, rows] : {std::pair(1, 1), std::pair(4, 2), std::pair(2, 8)}) {
        const Config config = needle()
                                  .space()
                                  .default_config(variant)
                                  .with("work_group", lanes)
                                  .with("granularity", columns)
                                  .with("vector_width", columns)
                                  .with("unroll", rows)
                                  .with("handover", "shuffle");
        const test::Outcome outcome = test::run_point(needle(), loaded, config);
        INFO(config.to_string() << ": " << outcome.reason);
        const bool offered = std::find(counts.begin(), counts.end(), lanes) != counts.end();
        if (!offered) CHECK(outcome.status == Status::rejected);
        const bool too_large = outcome.reason.find("bytes of local memory are more") != std::string::npos;
        if (offered)
          CHECK((outcome.status == Status::ok || outcome.status == Status::unsupported || too_large));
      }
    }
  }
}

TEST_CASE("needle: the combinations that the papers publish", "[device][needle][heavy]") {
  const Loaded loaded = test::generated(needle(), problem_of(150, 150));
  for (const PaperSetting& setting : needle().paper_settings()) {
    if (setting.problem.integer("m") != 4096) continue;
    const Config config = needle().space().set(needle().space().baseline(), setting.settings);
    const test::Outcome outcome = test::run_point(needle(), loaded, config);
    INFO(setting.figure << " " << config.to_string() << ": " << outcome.reason);
    CHECK((outcome.status == Status::ok || outcome.status == Status::rejected));
  }
}

// Expected by listing all best alignments of the pair and taking the one that the rule for ties prefers.
TEST_CASE("needle: alignments known by exhaustive search", "[device][needle]") {
  struct Known {
    SequencePair letters;
    const char* scoring;
    int gap;
    std::int32_t score;
    const char* alignment;
  };
  const Known cases[] = {
      {{"GATTACA", "GCATGCT"}, "dna", 3, 6, "G-ATTACA\nGCA-TGCT\n"},
      {{"gauuaca", "GCATGCT"}, "dna", 10, -1, "gauuaca\nGCATGCT\n"},
      {{"AAT", "AT"}, "dna", 10, 0, "AAT\n-AT\n"},
      {{"HEAGAWGHEE", "PAWHEAE"}, "blosum62", 8, -8, "HEAGAWGHEE\n--P-AWHEAE\n"},
      {{"HEAGAWGHEE", "PAWHEAE"}, "blosum62", 4, 12, "HEAGAWGHE-E\n--P-AW-HEAE\n"},
      {{"", "AC"}, "dna", 10, -20, "--\nAC\n"},
  };
  for (const Known& known : cases) {
    const Loaded loaded = loaded_pair(known.letters, known.scoring, known.gap);
    for (const char* variant : {"wavefront", "strip", "scan", "score_only", "score_only_scan"}) {
      INFO(known.alignment << " " << variant);
      test::Dump dump = test::dumped(needle(), loaded, needle().space().default_config(variant));
      CHECK(dump.integers.at("score") == std::vector<std::int32_t>{known.score});
      CHECK(dump.bytes.at("first") == known.letters.first);
      CHECK(dump.bytes.at("second") == known.letters.second);
      const bool stored = std::string(variant).find("score_only") == std::string::npos;
      CHECK(dump.texts.count("alignment.txt") == (stored ? 1 : 0));
      if (!stored) continue;
      CHECK(dump.texts.at("alignment.txt") == known.alignment);
      CHECK(dump.shapes.at("matrix") ==
            DumpSink::Shape{known.letters.first.size() + 1, known.letters.second.size() + 1});
      CHECK(dump.integers.at("matrix") == Filled(dynamic_cast<const NeedleInput&>(*loaded.input)).cells);
    }
  }
  const test::Dump dump = test::dumped(needle(), loaded_pair(cases[0].letters, "dna", 3),
                                       needle().space().default_config("scan"));
  CHECK(dump.notes.at("letters") == "ACGT");
  CHECK(dump.notes.at("match_table") == "5 -4 -4 -4;-4 5 -4 -4;-4 -4 5 -4;-4 -4 -4 5");
}

TEST_CASE("needle: on the host's cores", "[needle]") {
  test::check_host(needle(), problem_of(0, 0));
  test::check_host(needle(), problem_of(0, 33));
  test::check_host(needle(), problem_of(33, 0));
  test::check_host(needle(), problem_of(1, 1));
  test::check_host(needle(), problem_of(65, 15));
  test::check_host(needle(), problem_of(200, 1300));
  test::check_host(needle(), problem_of(1500, 513, "dna", 0));
}

TEST_CASE("needle: the kernel's parameter table", "[needle]") {
  test::check_parameter_table(needle());
}

TEST_CASE("needle: the check accepts the definition and finds one wrong cell anywhere", "[needle]") {
  const auto input = random_input(60, 47);
  Filled filled(*input);
  REQUIRE(input->verification().check_matrix(filled.view()).ok);
  CHECK(input->verification().check_score(filled.at(60, 47)).ok);
  CHECK_FALSE(input->verification().check_score(filled.at(60, 47) + 1).ok);
  for (const auto& [i, j] : {std::pair(0, 0), std::pair(0, 47), std::pair(60, 0), std::pair(1, 1),
                             std::pair(30, 20), std::pair(60, 1), std::pair(1, 47), std::pair(60, 47)}) {
    const std::int32_t right = filled.at(i, j);
    for (const std::int32_t wrong : {right + 1, right - 1, -1, 2147483647}) {
      filled.at(i, j) = wrong;
      const Check check = input->verification().check_matrix(filled.view());
      CHECK_FALSE(check.ok);
      CHECK(check.message == fmt::format("cell ({}, {}) is {}, wanted {}", i, j, wrong, right));
    }
    filled.at(i, j) = right;
  }
}

TEST_CASE("needle: a matrix of other sequences does not pass", "[needle]") {
  const Filled other(
      *std::dynamic_pointer_cast<const NeedleInput>(test::generated(needle(), problem_of(50, 50), 2).input));
  CHECK_FALSE(random_input(50, 50)->verification().check_matrix(other.view()).ok);
}

TEST_CASE("needle: scores of pairs", "[needle]") {
  const Scoring& protein = scoring_of("blosum62");
  const auto score = [&](char a, char b) {
    return protein.score(protein.letters.find(a), protein.letters.find(b));
  };
  CHECK(score('W', 'W') == 11);
  CHECK(score('D', 'E') == 2);
  CHECK(score('E', 'D') == 2);
  CHECK(score('I', 'V') == 3);
  CHECK(score('C', 'E') == -4);
  CHECK(score('*', '*') == 1);
  CHECK(score('A', '*') == -4);
  // Over the 20 residues, as the file of NCBI gives them.
  int sum = 0;
  for (std::size_t a = 0; a < 20; ++a) {
    for (std::size_t b = 0; b < 20; ++b) sum += protein.score(a, b);
  }
  CHECK(sum == -426);
}

TEST_CASE("needle: sequences from FASTA, and what is refused", "[needle]") {
  const test::ScratchDirectory scratch;
  const std::string both = scratch.file("both.fa", ">a one\nGATT\nACA\n>b\ngcatgcu\n").string();
  const Loaded loaded = needle().load({{"scoring", "dna"}, {"gap", 3}}, {both});
  CHECK(loaded.problem.size == "file");
  CHECK(loaded.problem.values.to_string() == "m=7;n=7;scoring=dna;gap=3");
  CHECK(dynamic_cast<const NeedleInput&>(*loaded.input).verification().last_row().back() == 6);

  CHECK_THROWS_WITH(needle().load({{"scoring", "dna"}, {"m", 8}}, {both}),
                    "needle: problem key 'm' is '8', but the first sequence has 7");
  const std::string unknown = scratch.file("unknown.fa", ">a\nACGN\n>b\nJ\n").string();
  CHECK_THROWS_WITH(
      needle().load({{"scoring", "dna"}}, {unknown}),
      "letter 4 of the first sequence is 'N', which scoring=dna does not know; allowed are ACGT in "
      "either case, and U for T");
  CHECK_THROWS_WITH(
      needle().load({}, {unknown}),
      "letter 1 of the second sequence is 'J', which scoring=blosum62 does not know; allowed are "
      "ARNDCQEGHILKMFPSTWYVBZX* in either case");
}

TEST_CASE("needle: work of the kernels adds up to the whole", "[device][needle]") {
  for (const auto& [m, n] : {std::pair(70, 35), std::pair(35, 70), std::pair(64, 64), std::pair(0, 9)}) {
    Workspace workspace(test::test_session());
    const Loaded loaded = test::generated(needle(), problem_of(m, n));
    const auto work = needle().prepare(workspace, loaded, needle().space().baseline())->work();
    REQUIRE(work.size() == 3);
    CHECK(work[0].items + work[1].items == work[2].items);
    CHECK(work[2].items == m * n);
    CHECK(work[0].items >= work[1].items);
    CHECK(work[2].bytes == m + n + 4.0 * (m + 1) * (n + 1));
  }
}
