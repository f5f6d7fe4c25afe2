// measurements.csv, samples.csv and speedups.csv: their columns, and rows as text and back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// A column with its member of the row, for writing and for reading.
template <typename Row>
struct Column {
  std::string_view name;
  std::variant<std::string Row::*, Number Row::*, std::int64_t Row::*, bool Row::*> member;
  int since = 1;          ///< the schema that added it: files of an older one lack it
  bool may_lack = false;  ///< files of its schema by an earlier version lack it
};

/// In the order of the file. `Row`, here and below: MeasurementRow, SampleRow or SpeedupRow.
template <typename Row>
const std::vector<Column<Row>>& columns();

/// What a column means, for programs that read the files.
struct ColumnMeaning {
  std::string file;  ///< "measurements.csv"
  std::string name;
  std::string type;  ///< string, number, integer or boolean; a number may be missing
  std::string unit;  ///< "ns", "GB/s"; empty where the column has none
  std::string
      meaning;    ///< Markdown; what docs/output-format.md says, in which several columns may share a line
  int since = 1;  ///< the schema that added the column
};

/// All of them, file by file in the order of the file.
const std::vector<ColumnMeaning>& column_dictionary();

/// The file line by line, each with its line break.
template <typename Row>
std::string csv_header();
template <typename Row>
std::string to_csv_line(const Row& row);

/// The whole file, header included.
template <typename Row>
std::string to_csv(const std::vector<Row>& rows) {
  std::string text = csv_header<Row>();
  for (const Row& row : rows) text += to_csv_line(row);
  return text;
}

/// Throw InputError naming file, line and column.
std::vector<MeasurementRow> parse_measurements(const std::string& name, const std::string& text);
std::vector<MeasurementRow> read_measurements(const std::filesystem::path& file);
std::vector<SampleRow> read_samples(const std::filesystem::path& file);
/// Calls `use` with one row after the other, of a file of any size, until it returns false.
void for_each_measurement(const std::filesystem::path& file,
                          const std::function<bool(const MeasurementRow&)>& use);

}  // namespace dwarfsweep
