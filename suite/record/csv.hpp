// Comma-separated values (RFC 4180), independent of the locale.
//
// One deviation: a cell never contains a line break (it is replaced by " | "), so that tools that work by
// lines, and the parser used here, can read the files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

/// Without line breaks, as in a cell.
std::string one_line(std::string_view text);

/// The cell, in quotes where necessary.
std::string csv_cell(std::string_view text);

/// The shortest text that reads back as the same number; "NaN", "Inf" and "-Inf", which pandas and R
/// understand.
std::string number_text(double number);

/// A file with a header line.
struct CsvTable {
  struct Row {
    int line = 0;
    std::vector<std::string> cells;  ///< as many as the header has
  };

  std::string file;
  std::vector<std::string> header;
  std::vector<Row> rows;

  /// Index of the column. Throws InputError that lists the existing columns.
  [[nodiscard]] std::size_t column(std::string_view name) const;
};

/// Throws InputError naming file and line: not readable, empty, a line with too few or too many cells, an
/// open quote. The file may be compressed by gzip.
CsvTable read_csv(const std::filesystem::path& file);
/// The same for a text; `name` is the file's name in messages.
CsvTable parse_csv(const std::string& name, std::string_view text);

}  // namespace dwarfsweep
