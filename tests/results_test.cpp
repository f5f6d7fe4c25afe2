// The files of a run.
#include "suite/commands/documents.hpp"

#include <filesystem>
#include <stdexcept>

#include "suite/record/row_csv.hpp"
#include "suite/record/stored_file.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::content;

TEST_CASE("samples.csv is written row by row, and is what all rows at once would be", "[results]") {
  const test::ScratchDirectory scratch;
  const RunLog log = make_synthetic_run();
  const RunRows all = make_rows(log);
  write_results(scratch.path(), log);
  CHECK(content(scratch.path() / "samples.csv") == to_csv(all.samples));
  CHECK(content(scratch.path() / "measurements.csv") == to_csv(all.measurements));
  CHECK(content(scratch.path() / "speedups.csv") == to_csv(all.speedups));
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path()))
    CHECK(entry.path().extension() != ".part");

  std::size_t taken = 0;
  const RunRows rest = make_rows(log, [&](const SampleRow&) { ++taken; });
  CHECK(rest.samples.empty());
  CHECK(taken == all.samples.size());
  CHECK(to_csv(rest.measurements) == to_csv(all.measurements));
}

TEST_CASE("a file that was not finished is neither seen nor left behind", "[results]") {
  const test::ScratchDirectory scratch;
  const std::string path = scratch.file("a.csv", "old");
  {
    DraftFile file(path);
    file.write("new");
    CHECK(content(path) == "old");
  }
  CHECK(content(path) == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
  {
    DraftFile file(path);
    file.write("ne");
    file.write("wer");
    file.finish();
  }
  CHECK(content(path) == "newer");
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
  CHECK_THROWS_WITH(DraftFile(scratch.path() / "nowhere" / "a.csv"), test::contains("cannot write"));
}
