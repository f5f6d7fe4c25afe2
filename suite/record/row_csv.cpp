#include "suite/record/row_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <type_traits>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/packed_file.hpp"

namespace dwarfsweep {

extern const char* const column_meanings;

// --- columns ---

#define COLUMN(column) all.push_back({#column, &Row::column, since});
#define COLUMNS_SINCE(schema, ...)                                 \
  {                                                                \
    constexpr int since = schema;                                  \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(COLUMN, __VA_ARGS__)) \
  }
#define IDENTITY_COLUMNS                                                                                   \
  run_id, device_id, dwarf, kernel, size, problem, variant, work_group, granularity, vector_width, unroll, \
      padding, options

template <>
const std::vector<Column<MeasurementRow>>& columns<MeasurementRow>() {
  static const auto list = [] {
    using Row = MeasurementRow;
    std::vector<Column<Row>> all;
    COLUMNS_SINCE(1, schema_version, run_id, timestamp, host, platform, device, device_type, device_id,
                  driver, dwarf, kernel, size, problem, variant, work_group, granularity, vector_width,
                  unroll, padding, options, baseline, status, reason, samples, launches, min_ns, q1_ns,
                  median_ns, q3_ns, mean_ns, stddev_ns, ci_low_ns, ci_high_ns, stop_reason, wall_ns,
                  upload_ns, download_ns, build_ns, bytes, operations, items, gb_per_s, gop_per_s,
                  items_per_s, peak_fraction, bound, max_error, tolerance, local_bytes, private_bytes,
                  registers, spill_bytes, speedup, speedup_low, speedup_high, verdict, timer, cache)
    COLUMNS_SINCE(2, kernels_ns, host_ns, wall_ci_low_ns, wall_ci_high_ns, wall_speedup, wall_speedup_low,
                  wall_speedup_high, energy_j, clock_mhz, throttled, program_id)
    all.push_back({"reference", &Row::reference, 2, true});
    return all;
  }();
  return list;
}

template <>
const std::vector<Column<SampleRow>>& columns<SampleRow>() {
  static const auto list = [] {
    using Row = SampleRow;
    std::vector<Column<Row>> all;
    COLUMNS_SINCE(1, IDENTITY_COLUMNS)
    COLUMNS_SINCE(1, round, block, confirmation, pair, order, role, process, launches, events, ns, queued_ns,
                  submit_ns, start_ns, end_ns, host_begin_ns, host_end_ns, wall_ns, fault)
    COLUMNS_SINCE(2, kernels_ns, span_ns, host_ns)
    return all;
  }();
  return list;
}

template <>
const std::vector<Column<SpeedupRow>>& columns<SpeedupRow>() {
  static const auto list = [] {
    using Row = SpeedupRow;
    std::vector<Column<Row>> all;
    COLUMNS_SINCE(1, IDENTITY_COLUMNS)
    COLUMNS_SINCE(1, speedup, speedup_low, speedup_high, verdict, blocks, pairs, baseline_config,
                  baseline_median_ns, variant_median_ns)
    all.push_back({"reference", &Row::reference, 2, true});
    return all;
  }();
  return list;
}

// --- what they mean ---

namespace {

// By file, or by the section's heading, then by column.
using Meanings = std::map<std::string, std::map<std::string, std::string>>;

// A line "| `a`, `b` | what they mean |" of a table.
void add_line(std::map<std::string, std::string>& meanings, const std::string& line) {
  const std::size_t middle = line.find(" | ");
  const std::size_t end = line.rfind(" |");
  if (middle == std::string::npos || end <= middle) return;
  const std::string meaning = line.substr(middle + 3, end - middle - 3);
  for (std::size_t open = line.find('`'); open < middle; open = line.find('`', open)) {
    const std::size_t close = line.find('`', open + 1);
    meanings[line.substr(open + 1, close - open - 1)] = meaning;
    open = close + 1;
  }
}

Meanings read_meanings() {
  Meanings meanings;
  std::istringstream text(column_meanings);
  std::string section;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (line.starts_with("| `")) add_line(meanings[section], line);
  }
  return meanings;
}

std::string unit_of(std::string_view name) {
  using Unit = std::pair<std::string_view, const char*>;
  constexpr std::array<Unit, 7> units = {Unit{"_ns", "ns"},      {"gb_per_s", "GB/s"}, {"gop_per_s", "Gop/s"},
                                         {"items_per_s", "1/s"}, {"bytes", "B"},       {"_j", "J"},
                                         {"_mhz", "MHz"}};
  if (name == "ns") return "ns";
  const auto* const found =
      std::ranges::find_if(units, [&](const Unit& unit) { return name.ends_with(unit.first); });
  return found == units.end() ? "" : found->second;
}

const char* type_of(std::size_t member) {
  constexpr std::array<const char*, 4> types = {"string", "number", "integer", "boolean"};
  return types[member];  // in the order of Column::member
}

template <typename Row>
void add_file(const Meanings& meanings, const std::string& file, std::vector<ColumnMeaning>& list) {
  const auto find = [&](const std::string& section, const std::string& column) -> std::string {
    const auto table = meanings.find(section);
    if (table == meanings.end()) return "";
    const auto meaning = table->second.find(column);
    return meaning == table->second.end() ? "" : meaning->second;
  };
  for (const auto& column : columns<Row>()) {
    const std::string name(column.name);
    std::string meaning = find(file, name);
    if (meaning.empty()) meaning = find("measurements.csv", name);
    list.push_back({file, name, type_of(column.member.index()), unit_of(name), meaning, column.since});
  }
}

}  // namespace

const std::vector<ColumnMeaning>& column_dictionary() {
  static const std::vector<ColumnMeaning> list = [] {
    const Meanings meanings = read_meanings();
    std::vector<ColumnMeaning> all;
    add_file<MeasurementRow>(meanings, "measurements.csv", all);
    add_file<SampleRow>(meanings, "samples.csv", all);
    add_file<SpeedupRow>(meanings, "speedups.csv", all);
    return all;
  }();
  return list;
}

// --- rows as text and back ---

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

constexpr std::size_t nowhere = ~std::size_t{0};

// Where the columns are in the file; those that its schema does not have are nowhere.
template <typename Row>
std::vector<std::size_t> places_of_columns(const CsvTable& table, int schema) {
  std::vector<std::size_t> places;
  for (const auto& column : columns<Row>()) {
    const bool missing = (column.since > schema || column.may_lack) &&
                         std::ranges::find(table.header, column.name) == table.header.end();
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
  const std::vector<Column<Row>>& list = columns<Row>();
  const std::vector<std::size_t> places = places_of_columns<Row>(table, oldest_schema);
  [[maybe_unused]] const bool lacks_reference =
      std::ranges::find(table.header, "reference") == table.header.end();
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
      if (row.speedup && lacks_reference) row.reference = by_baseline;
      if (row.status == to_string(Status::rejected) && was_left_out(Status::rejected, row.stop_reason))
        row.status = to_string(Status::not_run);
    }
  }
  if constexpr (std::is_same_v<Row, MeasurementRow>) {
    const bool latest =
        std::ranges::any_of(rows, [](const Row& row) { return row.schema_version == schema_version; });
    if (latest) (void)places_of_columns<Row>(table, schema_version);
  }
  return rows;
}

}  // namespace

template <typename Row>
std::string csv_header() {
  std::string text;
  for (const auto& column : columns<Row>()) text += fmt::format("{},", column.name);
  text.back() = '\n';
  return text;
}
template std::string csv_header<MeasurementRow>();
template std::string csv_header<SampleRow>();
template std::string csv_header<SpeedupRow>();

template <typename Row>
std::string to_csv_line(const Row& row) {
  std::string line;
  for (const auto& column : columns<Row>()) {
    line += std::visit([&](auto member) { return to_text(row.*member); }, column.member);
    line += ',';
  }
  line.back() = '\n';
  return line;
}
template std::string to_csv_line(const MeasurementRow&);
template std::string to_csv_line(const SampleRow&);
template std::string to_csv_line(const SpeedupRow&);

std::vector<MeasurementRow> parse_measurements(const std::string& name, const std::string& text) {
  return from_table<MeasurementRow>(parse_csv(name, text));
}
std::vector<MeasurementRow> read_measurements(const std::filesystem::path& file) {
  return from_table<MeasurementRow>(read_csv(file));
}
void for_each_measurement(const std::filesystem::path& file,
                          const std::function<bool(const MeasurementRow&)>& use) {
  constexpr std::size_t piece = 4'000'000;
  std::ifstream plain(file, std::ios::binary);
  if (!plain) throw InputError(file.string(), "", fmt::format("cannot be read: {}", std::strerror(errno)));
  std::istringstream unpacked_text;
  const bool is_packed = file.extension() == ".gz";
  if (is_packed) unpacked_text.str(read_unpacked(file));
  std::istream& stream = is_packed ? static_cast<std::istream&>(unpacked_text) : plain;
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
