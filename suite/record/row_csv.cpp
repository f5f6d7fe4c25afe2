#include "suite/record/row_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>

#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/row_columns.hpp"

namespace dwarfsweep {
namespace {

std::string to_text(const std::string& value) {
  return csv_cell(value);
}
std::string to_text(const Number& value) {
  return value ? number_text(*value) : "";
}
std::string to_text(std::int64_t value) {
  return std::to_string(value);
}
std::string to_text(bool value) {
  return value ? "true" : "false";
}

// Each returns null, or what was expected instead of the text.
const char* assign(std::string& value, const std::string& text) {
  value = text;
  return nullptr;
}
template <typename T>
bool parse_number(T& value, const std::string& text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
const char* assign(Number& value, const std::string& text) {
  value.reset();
  if (text.empty()) return nullptr;
  return parse_number(value.emplace(), text) ? nullptr : "a number or nothing";
}
const char* assign(std::int64_t& value, const std::string& text) {
  return parse_number(value, text) ? nullptr : "an integer";
}
// pandas writes True, R writes TRUE.
const char* assign(bool& value, const std::string& text) {
  value = text == "true" || text == "True" || text == "TRUE";
  return value || text == "false" || text == "False" || text == "FALSE" ? nullptr : "true or false";
}

template <typename Row>
std::string header() {
  std::string text;
  for (const auto& column : columns<Row>()) fmt::format_to(std::back_inserter(text), "{},", column.name);
  text.back() = '\n';
  return text;
}

template <typename Row>
void append_line(std::string& text, const Row& row) {
  for (const auto& column : columns<Row>()) {
    text += std::visit([&](auto member) { return to_text(row.*member); }, column.member);
    text += ',';
  }
  text.back() = '\n';
}

template <typename Row>
std::string line_of(const Row& row) {
  std::string line;
  append_line(line, row);
  return line;
}

template <typename Row>
std::string write(const std::vector<Row>& rows) {
  std::string text = header<Row>();
  for (const Row& row : rows) append_line(text, row);
  return text;
}

constexpr std::size_t nowhere = ~std::size_t{0};

// Where the columns are in the file; those that its schema does not have are nowhere.
template <typename Row>
std::vector<std::size_t> places_of_columns(const CsvTable& table, int schema) {
  std::vector<std::size_t> places;
  for (const auto& column : columns<Row>()) {
    const bool missing = column.since > schema && std::find(table.header.begin(), table.header.end(),
                                                            column.name) == table.header.end();
    places.push_back(missing ? nowhere : table.column(column.name));
  }
  return places;
}

void require_known_schema(const CsvTable& table, const MeasurementRow& row, int line) {
  if (row.schema_version >= oldest_schema && row.schema_version <= schema_version) return;
  throw InputError(table.file, fmt::format("line {}", line),
                   fmt::format("schema version {}; this program reads versions {} to {}", row.schema_version,
                               oldest_schema, schema_version));
}

template <typename Row>
std::vector<Row> from_table(const CsvTable& table) {
  const Columns<Row>& list = columns<Row>();
  const std::vector<std::size_t> places = places_of_columns<Row>(table, oldest_schema);
  std::vector<Row> rows;
  rows.reserve(table.rows.size());
  for (const CsvTable::Row& line : table.rows) {
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (places[i] == nowhere) continue;
      const std::string& text = line.cells[places[i]];
      const char* const expected =
          std::visit([&](auto member) { return assign(row.*member, text); }, list[i].member);
      if (expected != nullptr) {
        throw InputError(table.file, fmt::format("line {}, column {}", line.line, list[i].name),
                         fmt::format("expected {}, found '{}'", expected, text));
      }
    }
    if constexpr (std::is_same_v<Row, MeasurementRow>) {
      require_known_schema(table, row, line.line);
      if (row.status == to_string(Status::rejected) && was_left_out(Status::rejected, row.stop_reason))
        row.status = to_string(Status::not_run);
    }
  }
  if constexpr (std::is_same_v<Row, MeasurementRow>) {
    const bool latest = std::any_of(rows.begin(), rows.end(),
                                    [](const Row& row) { return row.schema_version == schema_version; });
    if (latest) (void)places_of_columns<Row>(table, schema_version);
  }
  return rows;
}

}  // namespace

std::string to_csv(const std::vector<MeasurementRow>& rows) {
  return write(rows);
}
std::string to_csv(const std::vector<SampleRow>& rows) {
  return write(rows);
}
std::string to_csv(const std::vector<SpeedupRow>& rows) {
  return write(rows);
}

std::string samples_csv_header() {
  return header<SampleRow>();
}
std::string to_csv_line(const SampleRow& row) {
  return line_of(row);
}
std::string to_csv_line(const MeasurementRow& row) {
  return line_of(row);
}
std::string to_csv_line(const SpeedupRow& row) {
  return line_of(row);
}

std::vector<MeasurementRow> parse_measurements(const std::string& name, const std::string& text) {
  return from_table<MeasurementRow>(parse_csv(name, text));
}
std::vector<MeasurementRow> read_measurements(const std::filesystem::path& file) {
  return from_table<MeasurementRow>(read_csv(file));
}
void for_each_measurement(const std::filesystem::path& file,
                          const std::function<bool(const MeasurementRow&)>& use) {
  constexpr std::size_t piece = 4'000'000;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file.string(), "", fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string first;
  std::getline(stream, first);
  std::string name = file.string();
  std::size_t lines = 1;
  for (bool more = true; more;) {
    std::string text = first + "\n";
    std::size_t count = 0;
    for (std::string line; text.size() < piece && (more = static_cast<bool>(std::getline(stream, line)));
         ++count)
      text += line + "\n";
    for (const MeasurementRow& row : parse_measurements(name, text)) {
      if (!use(row)) return;
    }
    // The line numbers of a message are those within the piece.
    lines += count;
    name = fmt::format("{} behind line {}", file.string(), lines);
  }
}
std::vector<SampleRow> read_samples(const std::filesystem::path& file) {
  return from_table<SampleRow>(read_csv(file));
}

}  // namespace dwarfsweep
