// Comma-separated values after RFC 4180, read and written the same in every locale.
//
// One deviation: a cell never holds a line break (it becomes " | "), so that tools that work by lines, and
// the parser used here, can read the files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

/// The cell, in quotes where it must be.
std::string csv_cell(std::string_view text);

/// The shortest text that reads back to the same number; "NaN", "Inf" and "-Inf" as pandas and R know them.
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

  /// Throws InputError that lists the columns there are.
  [[nodiscard]] std::size_t column(std::string_view name) const;
};

/// Throws InputError naming file and line: not readable, empty, a line with too few or too many cells, an
/// open quote.
CsvTable read_csv(const std::filesystem::path& file);
/// The same of a text; `name` stands for the file in messages.
CsvTable parse_csv(const std::string& name, const std::string& text);

}  // namespace dwarfsweep
