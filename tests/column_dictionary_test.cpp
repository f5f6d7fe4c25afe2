#include "suite/record/row_csv.hpp"

#include <algorithm>

#include "tests/catch.hpp"

namespace dwarfsweep {
namespace {

const ColumnMeaning& find_column(const std::string& file, const std::string& name) {
  for (const ColumnMeaning& column : column_dictionary()) {
    if (column.file == file && column.name == name) return column;
  }
  throw std::runtime_error("there is no column " + name);
}

TEST_CASE("columns: every column of every file has a meaning", "[record]") {
  for (const ColumnMeaning& column : column_dictionary()) {
    INFO(column.file + " " + column.name);
    CHECK(!column.meaning.empty());
  }
  CHECK(column_dictionary().size() > 100);
}

TEST_CASE("columns: types, units and schemas", "[record]") {
  const ColumnMeaning& median = find_column("measurements.csv", "median_ns");
  CHECK(median.type == "number");
  CHECK(median.unit == "ns");
  CHECK(find_column("measurements.csv", "baseline").type == "boolean");
  CHECK(find_column("measurements.csv", "gb_per_s").unit == "GB/s");
  CHECK(find_column("measurements.csv", "spill_bytes").unit == "B");
  CHECK(find_column("measurements.csv", "reason").unit.empty());
  CHECK(find_column("measurements.csv", "kernels_ns").since == 2);
  CHECK(find_column("samples.csv", "round").type == "integer");
  // A column that two files have may mean different things.
  CHECK(find_column("samples.csv", "launches").meaning !=
        find_column("measurements.csv", "launches").meaning);
  CHECK(find_column("speedups.csv", "blocks").meaning.find("measurement blocks") != std::string::npos);
}

}  // namespace
}  // namespace dwarfsweep
