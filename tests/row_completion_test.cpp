// Rows of an earlier version of the program describe the same points as those of today.
#include "suite/record/run_rows.hpp"

#include "dwarfs/registry.hpp"
#include "suite/record/row_csv.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

RowIdentity identity(const std::string& dwarf, const std::string& problem, const std::string& config) {
  PointKey key;
  key.dwarf = dwarf;
  key.problem = problem;
  key.config = config;
  return identify("run", key);
}

RowIdentity completed(RowIdentity row) {
  RowCompletion().complete(row);
  return row;
}

void check_unchanged(const RowIdentity& row) {
  const RowIdentity same = completed(row);
  CHECK(config_text(same) == config_text(row));
  CHECK(same.problem == row.problem);
}

}  // namespace

TEST_CASE("an axis and a key that came later have their baseline and preset in earlier rows", "[unit]") {
  const Config whole = find_dwarf("lud").space().baseline();
  ValueMap earlier;
  for (const auto& [name, value] : whole.entries()) {
    if (name != "accumulate" && name != "padding") earlier = earlier.with(name, value);
  }
  CHECK(config_text(completed(identity("lud", "n=1440", earlier.to_string()))) ==
        config_text(identity("lud", "n=1440", whole.to_string())));
  const RowIdentity crc = identity("crc", "bytes=1000", find_dwarf("crc").space().baseline().to_string());
  CHECK(completed(crc).problem == "bytes=1000;code=crc32");
}

TEST_CASE("what is there is not changed by the completion of rows", "[unit]") {
  check_unchanged(identity("lud", "n=7", find_dwarf("lud").space().default_config("blocked").to_string()));
  check_unchanged(identity("lud", "n=7", "variant=serial"));
  const Config whole = find_dwarf("lud").space().baseline();
  check_unchanged(identity("lud", "n=7;of_tomorrow=2", whole.with("of_tomorrow", 3).to_string()));
  check_unchanged(identity("lud", "n=7", "variant=of_tomorrow;work_group=16"));
  check_unchanged(identity("of_tomorrow", "n=7", "variant=serial;x=1"));
  check_unchanged(identity("lud", "", "variant=tiled"));
  RowIdentity damaged = identity("lud", "n=7", "variant=tiled;work_group=16");
  damaged.options = "no settings";
  check_unchanged(damaged);
}

TEST_CASE("one completion takes the rows of several points", "[unit]") {
  RowCompletion completion;
  RowIdentity crc = identity("crc", "bytes=1000", "variant=slicing");
  RowIdentity same = crc;
  RowIdentity lud = identity("lud", "n=7", "variant=tiled");
  for (RowIdentity* row : {&crc, &same, &lud}) completion.complete(*row);
  CHECK(crc.problem == "bytes=1000;code=crc32");
  CHECK(same.problem == crc.problem);
  CHECK(lud.problem == "n=7");
  CHECK(config_text(lud) == find_dwarf("lud").space().baseline().to_string());
}

TEST_CASE("rows that differ in one thing from those before are completed by themselves", "[unit]") {
  RowIdentity first = identity("crc", "bytes=1000", "variant=slicing;work_group=64;slices=4");
  for (const auto& [problem, config] : {std::pair{"bytes=1001", "variant=slicing;work_group=64;slices=4"},
                                        {"bytes=1000", "variant=interleaved;work_group=64;slices=4"},
                                        {"bytes=1000", "variant=slicing;work_group=128;slices=4"},
                                        {"bytes=1000", "variant=slicing;work_group=64;slices=8"}}) {
    RowCompletion completion;
    RowIdentity before = first;
    completion.complete(before);
    RowIdentity row = identity("crc", problem, config);
    completion.complete(row);
    const RowIdentity alone = completed(identity("crc", problem, config));
    CAPTURE(problem, config);
    CHECK(row.problem == alone.problem);
    CHECK(config_text(row) == config_text(alone));
    CHECK(row.problem + config_text(row) != before.problem + config_text(before));
  }
  // Of two dwarfs with the same key and variant.
  RowCompletion completion;
  RowIdentity lud = identity("lud", "n=7", "variant=tiled");
  RowIdentity matmul = identity("matmul", "n=7", "variant=tiled");
  completion.complete(lud);
  completion.complete(matmul);
  CHECK(matmul.problem == completed(identity("matmul", "n=7", "variant=tiled")).problem);
  CHECK(matmul.problem != lud.problem);
}
