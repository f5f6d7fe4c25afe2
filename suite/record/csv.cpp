#include "suite/record/csv.hpp"

// The parser copies file names into a field of fixed size and terminates it afterwards, which GCC does not
// see.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#endif
#include <csv.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/space/error.hpp"
#include "suite/record/packed_file.hpp"

namespace dwarfsweep {
namespace {

using Quoting = io::double_quote_escape<',', '"'>;

// The parser's own reader needs the number of columns at compile time; here the header decides it.
std::vector<std::string> split(char* line) {
  std::vector<std::string> cells;
  for (char* begin = line;;) {
    char* end = line + (Quoting::find_next_column_end(begin) - line);
    const bool last = *end == '\0';
    char* const next = end + 1;
    Quoting::unescape(begin, end);
    cells.emplace_back(begin, end);
    if (last) return cells;
    begin = next;
  }
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  for (const char letter : text) {
    if (letter == '\r' || letter == '\0') continue;
    if (letter == '\n') {
      line += " | ";
    } else {
      line += letter;
    }
  }
  return line;
}

std::string csv_cell(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.find_first_of(",\"\r\n\0"sv) == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char letter : one_line(text)) {
    if (letter == '"') cell += '"';
    cell += letter;
  }
  return cell + '"';
}

std::string number_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Inf" : "-Inf";
  return fmt::format("{}", number);
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto place = std::ranges::find(header, name);
  if (place == header.end()) {
    throw InputError(file, "line 1",
                     fmt::format("there is no column '{}'; there are {}", name, fmt::join(header, ", ")));
  }
  return static_cast<std::size_t>(place - header.begin());
}

CsvTable parse_csv(const std::string& name, std::string_view text) {
  if (text.find('\0') != std::string::npos) throw InputError(name, "", "contains a zero byte; expected text");
  CsvTable table;
  table.file = name;
  io::LineReader lines("csv", text.data(), text.data() + text.size());
  int number = 0;
  const auto place = [&] { return fmt::format("line {}", number); };
  try {
    for (++number; char* line = lines.next_line(); ++number) {
      std::vector<std::string> cells = split(line);
      if (number == 1) {
        table.header = std::move(cells);
      } else if (cells.size() == table.header.size()) {
        table.rows.push_back({number, std::move(cells)});
      } else {
        throw InputError(name, place(),
                         fmt::format("{} cells where the header has {}", cells.size(), table.header.size()));
      }
    }
  } catch (const io::error::escaped_string_not_closed&) {
    throw InputError(name, place(), "a quoted cell does not end on its line");
  } catch (const io::error::base&) {
    throw InputError(name, place(), "the line is longer than this program reads (16 MiB)");
  }
  if (table.header.empty()) throw InputError(name, "", "is empty; expected a header line");
  return table;
}

CsvTable read_csv(const std::filesystem::path& file) {
  return parse_csv(file.string(), read_unpacked(file));
}

}  // namespace dwarfsweep
